/* SPDX-License-Identifier: MIT */
/* PLY: text and both byte orders, every type, ignored elements and properties, and round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/read_text.h"

#define VERTICES(count) "element vertex " count "\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES(count) "element face " count "\nproperty list uchar int vertex_indices\n"
#define ASCII "ply\nformat ascii 1.0\n"

/* A file while it is composed. */
typedef struct ply_file
{
    unsigned char bytes[4096];
    size_t size;
    int big_endian;
} ply_file;

static void put(ply_file *file, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        file->bytes[file->size + i] = (unsigned char)(bits >> (8 * (file->big_endian ? size - 1 - i : i)));
    file->size += size;
}

static void put_text(ply_file *file, const char *text)
{
    memcpy(file->bytes + file->size, text, strlen(text));
    file->size += strlen(text);
}

static void put_as(ply_file *file, const char *type, double value)
{
    float single = (float)value;
    uint64_t bits = (uint64_t)(int64_t)value;
    size_t size = 4;
    if (strcmp(type, "double") == 0 || strcmp(type, "float64") == 0)
    {
        memcpy(&bits, &value, 8);
        size = 8;
    }
    else if (strcmp(type, "float") == 0 || strcmp(type, "float32") == 0)
    {
        uint32_t low;
        memcpy(&low, &single, 4);
        bits = low;
    }
    else if (strstr(type, "char") != NULL || strstr(type, "int8") != NULL)
        size = 1;
    else if (strstr(type, "short") != NULL || strstr(type, "int16") != NULL)
        size = 2;
    put(file, bits, size);
}

static void text_is_read(void **state)
{
    (void)state;
    graze_model *model = read_text("a.ply", ASCII "comment x\nobj_info y\n" VERTICES("4")
                                                FACES("2") "end_header\n"
                                                           "0 0 0\n1 0 0\n1 0.1 0\n0 1 0\n\n4 0 1 2 3\n3 2 1 0\n");
    assert_int_equal(graze_model_format(model), GRAZE_FORMAT_PLY_ASCII);
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 3);
    assert_string_equal(face_text(model, 0), "0 1 2 3");
    assert_string_equal(face_text(model, 1), "2 1 0");
    assert_true(graze_mesh_vertices(graze_model_mesh(model))[7] == 0.1); /* to double, whatever type is announced */
    graze_model_destroy(model);
}

static void every_type_is_read_in_both_byte_orders(void **state)
{
    (void)state;
    static const char *const types[] = {"char", "int8",  "uchar", "uint8",  "short", "int16",   "ushort", "uint16",
                                        "int",  "int32", "uint",  "uint32", "float", "float32", "double", "float64"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    {
        for (int big = 0; big < 2; big++)
        {
            int is_unsigned = types[t][0] == 'u';
            static ply_file file;
            file.size = 0;
            file.big_endian = big;
            char header[1000];
            snprintf(header, sizeof header,
                     "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty %s z\nproperty %s extra\n"
                     "property %s x\nproperty %s y\nelement face 1\nproperty list %s %s vertex_index\nend_header\n",
                     big ? "big" : "little", types[t], types[t], types[t], types[t], t < 12 ? types[t] : "uchar",
                     types[t]);
            put_text(&file, header);
            for (int v = 0; v < 3; v++)
            {
                put_as(&file, types[t], is_unsigned ? 200 : -100);
                put_as(&file, types[t], 7);
                put_as(&file, types[t], v == 1 ? 100 : 0);
                put_as(&file, types[t], v == 2 ? 1 : 0);
            }
            put_as(&file, t < 12 ? types[t] : "uchar", 3);
            for (int c = 0; c < 3; c++)
                put_as(&file, types[t], c);
            graze_model *model = read_bytes(NULL, file.bytes, file.size);
            const double *v = graze_mesh_vertices(graze_model_mesh(model));
            assert_true(v[2] == (is_unsigned ? 200.0 : -100.0) && v[3] == 100.0 && v[7] == 1.0);
            assert_string_equal(face_text(model, 0), "0 1 2");
            graze_model_destroy(model);
        }
    }
}

static void other_elements_and_properties_are_passed_over(void **state)
{
    (void)state;
    graze_model *model = read_text(
        "a.ply", ASCII "element thing 2\nproperty list uchar float values\nproperty int n\n"
                       "element nothing 1000000000\n" VERTICES(
                           "3") "property float confidence\n"
                                "element face 1\nproperty uchar red\nproperty list uchar float texcoord\n"
                                "property list ushort uint vertex_indices\nelement edge 1\nproperty int a\nend_header\n"
                                "2 0.5 nan 7\n0 8\n0 0 0 nan\n1 0 0 .5\n0 1 0 inf\n255 2 .1 .2 3 0 1 2\n17\n");
    assert_int_equal(graze_mesh_vertex_count(graze_model_mesh(model)), 3);
    assert_string_equal(face_text(model, 0), "0 1 2");
    graze_model_destroy(model);
}

static void faces_may_come_before_vertices(void **state)
{
    (void)state;
    graze_model *model =
        read_text("a.ply", ASCII FACES("1") VERTICES("3") "end_header\n3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n");
    assert_string_equal(face_text(model, 0), "2 1 0");
    graze_model_destroy(model);
}

static void triangle_strips_are_taken_apart(void **state)
{
    (void)state;
    graze_model *model =
        read_text("a.ply", ASCII VERTICES("5") "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
                                               "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n9 0 1 2 3 4 -1 4 3 2\n");
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 4);
    static const char *const faces[] = {"0 1 2", "2 1 3", "2 3 4", "4 3 2"};
    for (size_t f = 0; f < 4; f++)
        assert_string_equal(face_text(model, f), faces[f]);
    graze_model_destroy(model);
}

static void header_lines_may_end_in_any_way(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t e = 0; e < 3; e++)
    {
        static ply_file file;
        file.size = 0;
        file.big_endian = 0;
        const char *header = "ply\nformat binary_little_endian 1.0\n" VERTICES("3") FACES("1") "end_header\n";
        for (const char *c = header; *c != '\0'; c++)
        {
            char one[2] = {*c, '\0'};
            put_text(&file, *c == '\n' ? ends[e] : one);
        }
        put(&file, 0x0a, 4); /* a first coordinate whose first byte looks like a line feed */
        for (int i = 1; i < 9; i++)
            put_as(&file, "float", i == 3 || i == 7);
        put(&file, 3, 1);
        for (unsigned i = 0; i < 3; i++)
            put(&file, i, 4);
        graze_model *model = read_bytes("a.ply", file.bytes, file.size);
        assert_true(graze_mesh_vertices(graze_model_mesh(model))[0] == 10 * 0x1p-149);
        graze_model_destroy(model);
    }
}

static void cut_files_are_refused_at_every_length(void **state)
{
    (void)state;
    graze_model *model =
        read_text("a.ply", ASCII VERTICES("4") FACES("2") "end_header\n"
                                                          "0 0 0\n1 0 0\n1 0.1 0\n0 1 0\n4 0 1 2 3\n3 2 1 0\n");
    static const graze_format formats[] = {GRAZE_FORMAT_PLY_ASCII, GRAZE_FORMAT_PLY_LITTLE_ENDIAN,
                                           GRAZE_FORMAT_PLY_BIG_ENDIAN};
    for (int f = 0; f < 3; f++)
    {
        void *bytes = NULL;
        size_t size;
        assert_int_equal(graze_mesh_write_memory(NULL, graze_model_mesh(model), formats[f], &bytes, &size),
                         GRAZE_STATUS_OK);
        size_t whole = formats[f] == GRAZE_FORMAT_PLY_ASCII ? size - 1 : size; /* the last line end may be missing */
        for (size_t cut = 1; cut < whole; cut++)
        {
            graze_error error = read_bad_bytes("a.ply", bytes, cut);
            if (cut > 4)
                assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
        }
        graze_memory_release(NULL, bytes);
    }
    graze_model_destroy(model);
}

static void a_large_polygon_survives_in_every_encoding(void **state)
{
    (void)state;
    enum
    {
        CORNER_COUNT = 300
    };
    double vertices[3 * CORNER_COUNT];
    uint32_t corners[CORNER_COUNT], loop_size = CORNER_COUNT;
    for (uint32_t i = 0; i < CORNER_COUNT; i++)
    {
        corners[i] = i;
        vertices[3 * i] = i < CORNER_COUNT / 2 ? i : CORNER_COUNT - i;
        vertices[3 * i + 1] = i < CORNER_COUNT / 2 ? 0 : 1;
        vertices[3 * i + 2] = 1e-300;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = CORNER_COUNT;
    def.corners = corners;
    def.corner_count = CORNER_COUNT;
    def.loop_sizes = &loop_size;
    def.loop_count = 1;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    for (int f = GRAZE_FORMAT_PLY_ASCII; f <= GRAZE_FORMAT_PLY_BIG_ENDIAN; f++)
    {
        void *bytes = NULL;
        size_t size, count;
        assert_int_equal(graze_mesh_write_memory(NULL, mesh, (graze_format)f, &bytes, &size), GRAZE_STATUS_OK);
        graze_model *model = read_bytes(NULL, bytes, size);
        assert_int_equal(graze_model_format(model), f);
        assert_memory_equal(graze_mesh_vertices(graze_model_mesh(model)), vertices, sizeof vertices);
        const uint32_t *loop = graze_mesh_face_loop(graze_model_mesh(model), 0, 0, &count);
        assert_int_equal(count, CORNER_COUNT);
        assert_memory_equal(loop, corners, sizeof corners);
        graze_model_destroy(model);
        graze_memory_release(NULL, bytes);
    }
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(every_type_is_read_in_both_byte_orders),
        cmocka_unit_test(other_elements_and_properties_are_passed_over),
        cmocka_unit_test(faces_may_come_before_vertices),
        cmocka_unit_test(triangle_strips_are_taken_apart),
        cmocka_unit_test(header_lines_may_end_in_any_way),
        cmocka_unit_test(cut_files_are_refused_at_every_length),
        cmocka_unit_test(a_large_polygon_survives_in_every_encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
