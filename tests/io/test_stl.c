/* SPDX-License-Identifier: MIT */
/* STL: text and binary as found in practice, and round trips. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <time.h>

#include "support/read_text.h"

#define FACET(a, b, c)                                                                                                 \
    "facet normal 0 0 1\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"
#define TRIANGLE FACET("0 0 0", "1 0 0", "0 1 0")

static void put_32(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> (8 * i));
}

static void put_float(unsigned char *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_32(out, bits);
}

/* A binary STL of `count` triangles whose coordinates count upwards; the caller frees it. */
static unsigned char *make_binary(const char *header, uint32_t count, size_t *out_size)
{
    *out_size = 84 + 50 * (size_t)count;
    unsigned char *bytes = calloc(*out_size, 1);
    assert_non_null(bytes);
    memcpy(bytes, header, strlen(header));
    put_32(bytes + 80, count);
    for (size_t i = 0; i < 9 * (size_t)count; i++)
        put_float(bytes + 84 + 50 * (i / 9) + 12 + 4 * (i % 9), 0.25f * (float)i);
    return bytes;
}

static void text_solids_become_parts_with_their_names(void **state)
{
    (void)state;
    graze_model *model = read_text("a.stl", "solid left wing\n" TRIANGLE TRIANGLE "endsolid left wing\n"
                                            "solid\n" TRIANGLE "endsolid\n"
                                            "solid left wing\n" TRIANGLE "endsolid\n");
    assert_int_equal(graze_model_format(model), GRAZE_FORMAT_STL_ASCII);
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 4);
    assert_int_equal(graze_mesh_vertex_count(graze_model_mesh(model)), 12);
    assert_int_equal(graze_model_part_count(model), 3);
    assert_string_equal(graze_model_part_name(model, 0), "left wing");
    assert_string_equal(graze_model_part_name(model, 1), "");
    assert_string_equal(graze_model_part_name(model, 2), "left wing");
    static const uint32_t parts[] = {0, 0, 1, 2};
    for (size_t f = 0; f < 4; f++)
        assert_int_equal(graze_model_face_part(model, f), parts[f]);
    graze_model_destroy(model);
}

static void odd_but_common_text_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SOLID A\r\nFACET NORMAL 0 0 1\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 1 0 0\r\nVERTEX 0 1 0\r\nENDLOOP\r\n"
        "ENDFACET\r\nENDSOLID A\r\n",
        "solid\rfacet normal 0 0 1\router loop\rvertex 0 0 0\rvertex 1 0 0\rvertex 0 1 0\rendloop\rendfacet\rendsolid",
        "\xef\xbb\xbf"
        "solid bom\n" TRIANGLE "endsolid",
        "\n\n  solid x\n\t" TRIANGLE "\n\nendsolid x\n\n\n",
        "solid x\nfacet normal nan -nan(ind) inf\nouter loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop "
        "endfacet\nendsolid",
        "solid x\nfacet\nouter loop\nvertex 0\n0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x",
        "solid a\n" TRIANGLE "solid b\nendsolid b\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        graze_model *model = read_text(NULL, texts[i]);
        const double *v = graze_mesh_vertices(graze_model_mesh(model));
        assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 1);
        assert_true(v[0] == 0.0 && v[3] == 1.0 && v[7] == 1.0);
        graze_model_destroy(model);
    }
}

static void binary_files_are_read_whatever_their_header_says(void **state)
{
    (void)state;
    static const char *const headers[] = {"", "solid but binary", "any other header", "ply", "OFF"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    {
        size_t size;
        unsigned char *bytes = make_binary(headers[i], 5, &size);
        graze_model *model = read_bytes("a.stl", bytes, size);
        assert_int_equal(graze_model_format(model), GRAZE_FORMAT_STL_BINARY);
        assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 5);
        assert_int_equal(graze_model_part_count(model), 1);
        for (size_t v = 0; v < 45; v++)
            assert_true(graze_mesh_vertices(graze_model_mesh(model))[v] == 0.25 * (double)v);
        graze_model_destroy(model);
        free(bytes);
    }
}

static void bytes_after_the_triangles_are_ignored_but_more_triangles_are_not(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = make_binary("trailing", 3, &size);
    graze_model *model;
    put_32(bytes + 80, 2);
    graze_error error = read_bad_bytes("a.stl", bytes, size);
    assert_int_equal(error.status, GRAZE_STATUS_BAD_FORMAT);
    assert_int_equal(error.byte_offset, 80);
    model = read_bytes("a.stl", bytes, size - 7);
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 2);
    graze_model_destroy(model);
    free(bytes);
}

static void cut_binary_files_are_refused_at_every_length(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = make_binary("cut", 3, &size);
    for (size_t cut = 1; cut < size; cut++)
    {
        graze_error error = read_bad_bytes("a.stl", bytes, cut);
        assert_true(error.status == GRAZE_STATUS_TRUNCATED || error.status == GRAZE_STATUS_BAD_FORMAT);
        if (cut >= 84)
        {
            assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
            assert_int_equal(error.byte_offset, cut);
        }
    }
    free(bytes);
}

static void a_coordinate_that_is_not_finite_is_named(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = make_binary("nan", 4, &size);
    put_float(bytes + 84, (float)NAN); /* a normal: ignored */
    graze_model_destroy(read_bytes("a.stl", bytes, size));
    put_float(bytes + 84 + 100 + 12 + 16, -(float)INFINITY);
    graze_error error = read_bad_bytes("a.stl", bytes, size);
    assert_int_equal(error.status, GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(error.index, 2);
    assert_int_equal(error.byte_offset, 84 + 100 + 12 + 16);
    free(bytes);
}

/* Sanitizers and unoptimized builds may be slow. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__) || !defined(NDEBUG)
#define SLOW_BUILD
#endif

/* CPU time of this process, so that other programs do not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_million_triangles_are_read_in_half_a_second(void **state)
{
    (void)state;
#ifdef SLOW_BUILD
    const double limit = 20.0;
#else
    const double limit = 0.5;
#endif
    size_t size;
    unsigned char *bytes = make_binary("large", 1000000, &size);
    double best = HUGE_VAL;
    for (int i = 0; i < 3; i++)
    {
        graze_model *model = NULL;
        double start = seconds();
        graze_status status =
            graze_model_read_memory(NULL, bytes, size, "a.stl", GRAZE_FORMAT_AUTO, NULL, NULL, &model);
        double taken = seconds() - start;
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 1000000);
        graze_model_destroy(model);
        best = taken < best ? taken : best;
    }
    free(bytes);
    print_message("%.3f s\n", best);
    assert_true(best < limit);
}

static void a_text_cut_anywhere_is_refused(void **state)
{
    (void)state;
    static const char text[] = "solid x\n" TRIANGLE FACET("1.5e3 0 0", "-1 2 0", "0 1 0.25") "endsolid";
    for (size_t size = 1; size < sizeof text - 1; size++)
    {
        graze_error error = read_bad_bytes("a.stl", text, size);
        if (size >= 8)
            assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
    }
}

static graze_mesh *make_mesh(const double *vertices, size_t vertex_count)
{
    static const uint32_t corners[] = {0, 1, 2, 2, 1, 3};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = vertex_count > 3 ? 6 : 3;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void text_keeps_doubles_and_binary_keeps_floats(void **state)
{
    (void)state;
    static const double vertices[] = {0.1, -0.0, 1e30, 1.0 / 3, 5e-324, 2, 3, DBL_MIN, 1e-20, -7, 8e10, 1.5};
    graze_mesh *mesh = make_mesh(vertices, 4);
    static const graze_format formats[] = {GRAZE_FORMAT_STL_ASCII, GRAZE_FORMAT_STL_BINARY};
    for (int f = 0; f < 2; f++)
    {
        void *bytes = NULL;
        size_t size;
        assert_int_equal(graze_mesh_write_memory(NULL, mesh, formats[f], &bytes, &size), GRAZE_STATUS_OK);
        graze_model *model = read_bytes(NULL, bytes, size);
        assert_int_equal(graze_model_format(model), formats[f]);
        static const size_t order[] = {0, 1, 2, 2, 1, 3};
        for (size_t c = 0; c < 18; c++)
        {
            double expected = vertices[3 * order[c / 3] + c % 3];
            if (formats[f] == GRAZE_FORMAT_STL_BINARY)
                expected = (double)(float)expected;
            double found = graze_mesh_vertices(graze_model_mesh(model))[c];
            assert_memory_equal(&found, &expected, sizeof found);
        }
        graze_model_destroy(model);
        graze_memory_release(NULL, bytes);
    }
    graze_mesh_destroy(mesh);
}

static void written_normals_have_unit_length_or_are_zero(void **state)
{
    (void)state;
    static const double cases[][9] = {{0, 0, 0, 2, 0, 0, 0, 3, 0},
                                      {0, 0, 0, 1e200, 0, 0, 0, 1e250, 0},
                                      {0, 0, 0, 1e-200, 0, 0, 0, 1e-200, 0},
                                      {-DBL_MAX, -DBL_MAX, 0, DBL_MAX, -DBL_MAX, 0, DBL_MAX, DBL_MAX, 0},
                                      {1, 2, 3, 1, 2, 3, 4, 5, 6}};
    static const char *const expected[] = {"normal 0 0 1\n", "normal 0 0 1\n", "normal 0 0 1\n", "normal 0 0 1\n",
                                           "normal 0 0 0\n"};
    for (size_t i = 0; i < 5; i++)
    {
        graze_mesh *mesh = make_mesh(cases[i], 3);
        void *bytes = NULL;
        size_t size;
        assert_int_equal(graze_mesh_write_memory(NULL, mesh, GRAZE_FORMAT_STL_ASCII, &bytes, &size), GRAZE_STATUS_OK);
        const char *normal = strstr(bytes, "normal");
        assert_memory_equal(normal, expected[i], strlen(expected[i]));
        graze_memory_release(NULL, bytes);
        graze_mesh_destroy(mesh);
    }
}

static void what_floats_cannot_hold_is_not_written(void **state)
{
    (void)state;
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1e39, 0};
    graze_mesh *mesh = make_mesh(vertices, 3);
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(graze_mesh_write_memory(NULL, mesh, GRAZE_FORMAT_STL_BINARY, &bytes, &size),
                     GRAZE_STATUS_UNSUPPORTED);
    assert_null(bytes);
    graze_error error;
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "never-written.stl", GRAZE_FORMAT_AUTO, &error),
                     GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(error.index, 2);
    assert_null(fopen("never-written.stl", "rb"));
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_solids_become_parts_with_their_names),
        cmocka_unit_test(odd_but_common_text_is_read),
        cmocka_unit_test(binary_files_are_read_whatever_their_header_says),
        cmocka_unit_test(bytes_after_the_triangles_are_ignored_but_more_triangles_are_not),
        cmocka_unit_test(cut_binary_files_are_refused_at_every_length),
        cmocka_unit_test(a_coordinate_that_is_not_finite_is_named),
        cmocka_unit_test(a_million_triangles_are_read_in_half_a_second),
        cmocka_unit_test(a_text_cut_anywhere_is_refused),
        cmocka_unit_test(text_keeps_doubles_and_binary_keeps_floats),
        cmocka_unit_test(written_normals_have_unit_length_or_are_zero),
        cmocka_unit_test(what_floats_cannot_hold_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
