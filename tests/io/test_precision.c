/* SPDX-License-Identifier: MIT */
/* Precision of coordinates as files write them, part by part, and the resolution that follows from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "graze/assembly.h"
#include "support/gltf_file.h"
#include "support/read_text.h"
#include "text/number.h"

static void the_place_of_the_last_digit_is_read_with_a_number(void **state)
{
    (void)state;
    static const struct
    {
        const char *text;
        int64_t place;
    } numbers[] = {{"7", 0},         {"7.", 0},
                   {"-0.125", -3},   {"2.000", -3},
                   {".5", -1},       {"1.50e-3", -5},
                   {"15e1", 1},      {"1e300", 300},
                   {"12.5e+2", 1},   {"0.0", -1},
                   {"1e-400", -400}, {"3.25x", -2},
                   {"3.25ex", -2},   {"0.1234567890123456789012345", -25},
                   {"nan", 0},       {"inf", 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
        double value, same;
        int64_t place = 99;
        const char *end = numbers[i].text + strlen(numbers[i].text);
        const char *after = grz_decimal_read(numbers[i].text, end, &value, &place);
        assert_non_null(after);
        assert_ptr_equal(after, grz_number_read(numbers[i].text, end, &same));
        assert_memory_equal(&value, &same, sizeof value);
        assert_int_equal(place, numbers[i].place);
    }
}

static void expect_precision(const graze_model *model, size_t part, graze_number_format format, int place)
{
    graze_precision precision = graze_model_part_precision(model, part);
    assert_int_equal(precision.format, format);
    assert_int_equal(precision.finest_place, place);
}

static void each_part_has_the_finest_place_of_its_vertices(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", "v 0 0 0\nv 1.25 0 0\nv 0 1.125 0\nv 0 0 1e-7\nv 0.123456 0 0\n"
                                            "o coarse\nf 1 2 3\no fine\nf 1 2 4\no coarse\nf 1 3 2\n");
    assert_int_equal(graze_model_part_count(model), 2);
    expect_precision(model, 0, GRAZE_NUMBER_DECIMAL, -3);
    expect_precision(model, 1, GRAZE_NUMBER_DECIMAL, -7); /* the vertex that no face uses is not counted */
    expect_precision(model, 2, GRAZE_NUMBER_DOUBLE, 0);
    expect_precision(NULL, 0, GRAZE_NUMBER_DOUBLE, 0);
    graze_model_destroy(model);

    model = read_text("a.stl", "solid a\nfacet normal 0.1234 0 1\nouter loop\nvertex 0 0 0.5\nvertex 1 0 0\n"
                               "vertex 0 1 0\nendloop\nendfacet\nendsolid\nsolid empty\nendsolid\n");
    expect_precision(model, 0, GRAZE_NUMBER_DECIMAL, -1); /* normals are no coordinates */
    expect_precision(model, 1, GRAZE_NUMBER_DECIMAL, 0);
    graze_model_destroy(model);

    model = read_text("a.off", "OFF\n4 1 0\n0 0 0\n100 0 0\n1e2 1e2 0\n0 100 0.00\n4 0 1 2 3\n");
    expect_precision(model, 0, GRAZE_NUMBER_DECIMAL, -2);
    graze_model_destroy(model);

    model = read_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nproperty float quality\nelement face 1\n"
                               "property list uchar int vertex_indices\nend_header\n"
                               "30 20 10 0.125\n30 0 0 1\n0 30 0 1\n3 0 1 2\n");
    expect_precision(model, 0, GRAZE_NUMBER_DECIMAL, 0);
    graze_model_destroy(model);
}

/* Writes a triangle in a binary format and reads it again. */
static void expect_binary(graze_format format, const char *name, graze_number_format numbers)
{
    graze_model *model = read_text("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0.1\n3 0 1 2\n");
    void *bytes;
    size_t size;
    assert_int_equal(graze_mesh_write_memory(NULL, graze_model_mesh(model), format, &bytes, &size), GRAZE_STATUS_OK);
    graze_model *again = read_bytes(name, bytes, size);
    expect_precision(again, 0, numbers, 0);
    graze_memory_release(NULL, bytes);
    graze_model_destroy(again);
    graze_model_destroy(model);
}

static void binary_files_have_the_precision_of_their_numbers(void **state)
{
    (void)state;
    expect_binary(GRAZE_FORMAT_STL_BINARY, "a.stl", GRAZE_NUMBER_FLOAT);
    expect_binary(GRAZE_FORMAT_PLY_LITTLE_ENDIAN, "a.ply", GRAZE_NUMBER_DOUBLE);
    static const char header[] = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\n"
                                 "property float y\nproperty int z\nelement face 1\n"
                                 "property list uchar int vertex_indices\nend_header\n";
    unsigned char bytes[sizeof header - 1 + 3 * 16 + 13] = {0}; /* all vertices are 0 0 0 */
    memcpy(bytes, header, sizeof header - 1);
    bytes[sizeof header - 1 + 3 * 16] = 3;
    bytes[sizeof header - 1 + 3 * 16 + 5] = 1;
    bytes[sizeof header - 1 + 3 * 16 + 9] = 2;
    graze_model *model = read_bytes("a.ply", bytes, sizeof bytes);
    expect_precision(model, 0, GRAZE_NUMBER_FLOAT, 0);
    graze_model_destroy(model);
}

static void parts_of_assemblies_have_a_precision(void **state)
{
    (void)state;
    graze_assembly *assembly;
    assert_int_equal(graze_assembly_create(NULL, &assembly), GRAZE_STATUS_OK);
    static const char text[] = "v 0 0 0\nv 1.5 0 0\nv 0 1.25 0\nv 0 0 1\no a\nf 1 2 4\no b\nf 1 2 3\n";
    assert_int_equal(graze_assembly_add_memory(assembly, text, sizeof text - 1, NULL, NULL, NULL), GRAZE_STATUS_OK);
    gltf_bytes chunk = gltf_box_bytes(1);
    gltf_bytes file = gltf_make_glb("{" GLTF_BOX ",\"nodes\":[{\"mesh\":0}]}", &chunk);
    assert_int_equal(graze_assembly_add_memory(assembly, file.data, file.size, NULL, NULL, NULL), GRAZE_STATUS_OK);
    static const graze_precision expected[] = {
        {GRAZE_NUMBER_DECIMAL, -1}, {GRAZE_NUMBER_DECIMAL, -2}, {GRAZE_NUMBER_FLOAT, 0}};
    assert_int_equal(graze_assembly_part_count(assembly), 3);
    for (size_t p = 0; p < 3; p++)
    {
        assert_int_equal(graze_assembly_part_at(assembly, p)->precision.format, expected[p].format);
        assert_int_equal(graze_assembly_part_at(assembly, p)->precision.finest_place, expected[p].finest_place);
    }
    graze_model *model = read_bytes("a.glb", file.data, file.size);
    expect_precision(model, 0, GRAZE_NUMBER_FLOAT, 0);
    graze_model_destroy(model);
    graze_assembly_destroy(assembly);
    free(chunk.data);
    free(file.data);
}

static void resolution_lies_between_that_of_doubles_and_that_of_floats(void **state)
{
    (void)state;
    const graze_precision doubles = {GRAZE_NUMBER_DOUBLE, 0}, floats = {GRAZE_NUMBER_FLOAT, 0};
    graze_precision text = {GRAZE_NUMBER_DECIMAL, -6};
    assert_true(graze_precision_resolution(doubles, 1024, 1) == 0x1p-43);
    assert_true(graze_precision_resolution(floats, -1024, 1) == 0x1p-14);
    assert_true(graze_precision_resolution(text, 1024, 1) == 5e-7);
    assert_true(graze_precision_resolution(text, 1024, 8) == 4e-6);
    assert_true(graze_precision_resolution(text, 0, 1) == 0);
    text.finest_place = 0;
    assert_true(graze_precision_resolution(text, 1024, 1) == 0x1p-14);
    text.finest_place = -30;
    assert_true(graze_precision_resolution(text, 1024, 1) == 0x1p-43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_of_the_last_digit_is_read_with_a_number),
        cmocka_unit_test(each_part_has_the_finest_place_of_its_vertices),
        cmocka_unit_test(binary_files_have_the_precision_of_their_numbers),
        cmocka_unit_test(parts_of_assemblies_have_a_precision),
        cmocka_unit_test(resolution_lies_between_that_of_doubles_and_that_of_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
