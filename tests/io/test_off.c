/* SPDX-License-Identifier: MIT */
/* OFF: variants, comments and colours, and round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/read_text.h"

static void the_header_comes_in_many_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2",
        "off\r\n3 1\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n",
        "# comment\nOFF # comment\n# comment\n3 1 0 # comment\n\n0 0 0 # c\n1 0 0\n# c\n0 1 0\n3 0 1 2 # c\n# end\n",
        "COFF\n3 1 3\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 1 0 255 0 0 255\n3 0 1 2\n",
        "NOFF\n3 1 3\n0 0 0  0 0 1\n1 0 0  0 0 1\n0 1 0  0 0 1\n3  0 1 2\n",
        "STOFF\n3 1 3\n0 0 0  0 0\n1 0 0  0 0\n0 1 0  0 0\n3  0 1 2\n",
        "STCNOFF\n3 1 3\n0 0 0  0 0 1 1 1 1 1\n1 0 0  0 0 1 1 1 1 1\n0 1 0  0 0\n3  0 1 2\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 0.5 0.5 0.5 1\n",
        "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        graze_model *model = read_text("a.off", texts[i]);
        assert_int_equal(graze_model_format(model), GRAZE_FORMAT_OFF);
        assert_int_equal(graze_mesh_vertex_count(graze_model_mesh(model)), 3);
        assert_string_equal(face_text(model, 0), "0 1 2");
        assert_true(graze_mesh_vertices(graze_model_mesh(model))[3] == 1.0);
        graze_model_destroy(model);
    }
}

static void polygons_stay_whole_and_survive_the_round_trip(void **state)
{
    (void)state;
    graze_model *model = read_text("a.off", "OFF\n5 3 0\n0.1 0 -0\n1 0.7 0\n1e-300 1 0\n0 1 5e-324\n1e308 2 3\n"
                                            "4 0 1 2 3\n3 4 1 0\n5 0 1 2 3 4\n");
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 6);
    void *bytes = NULL;
    size_t size;
    assert_int_equal(graze_mesh_write_memory(NULL, graze_model_mesh(model), GRAZE_FORMAT_OFF, &bytes, &size),
                     GRAZE_STATUS_OK);
    graze_model *again = read_bytes(NULL, bytes, size);
    assert_memory_equal(graze_mesh_vertices(graze_model_mesh(again)), graze_mesh_vertices(graze_model_mesh(model)),
                        15 * sizeof(double));
    static const char *const faces[] = {"0 1 2 3", "4 1 0", "0 1 2 3 4"};
    for (size_t f = 0; f < 3; f++)
        assert_string_equal(face_text(again, f), faces[f]);
    graze_memory_release(NULL, bytes);
    graze_model_destroy(model);
    graze_model_destroy(again);
}

static void what_is_legal_but_not_ours_is_said_to_be_unsupported(void **state)
{
    (void)state;
    static const char *const texts[] = {"4OFF\n1 0 0\n0 0 0 0\n", "nOFF\n2\n1 0 0\n0 0\n", "OFF BINARY\n", "ST4nOFF\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(read_bad_text("a.off", texts[i]).status, GRAZE_STATUS_UNSUPPORTED);
}

static void a_file_cut_between_two_numbers_is_refused(void **state)
{
    (void)state;
    static const char text[] = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3";
    for (size_t size = 1; size < sizeof text - 2; size++)
    {
        graze_error error = read_bad_bytes("a.off", text, size);
        if (size > 3)
            assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
    }
}

static void faces_with_holes_are_written_as_triangles(void **state)
{
    (void)state;
    static const double vertices[] = {0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0, 1, 1, 0, 1, 2, 0, 2, 2, 0, 2, 1, 0};
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2}, loop_sizes[] = {4, 4, 3},
                          loop_counts[] = {2, 1};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 11;
    def.loop_sizes = loop_sizes;
    def.loop_count = 3;
    def.face_loop_counts = loop_counts;
    def.face_count = 2;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_triangle_count(mesh), 9);
    for (int f = GRAZE_FORMAT_STL_BINARY; f <= GRAZE_FORMAT_OFF; f++)
    {
        void *bytes = NULL;
        size_t size;
        assert_int_equal(graze_mesh_write_memory(NULL, mesh, (graze_format)f, &bytes, &size), GRAZE_STATUS_OK);
        graze_model *model = read_bytes(NULL, bytes, size);
        assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 9);
        if (f >= GRAZE_FORMAT_OBJ)
            assert_memory_equal(graze_mesh_triangles(graze_model_mesh(model)), graze_mesh_triangles(mesh),
                                27 * sizeof(uint32_t));
        graze_model_destroy(model);
        graze_memory_release(NULL, bytes);
    }
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_comes_in_many_forms),
        cmocka_unit_test(polygons_stay_whole_and_survive_the_round_trip),
        cmocka_unit_test(what_is_legal_but_not_ours_is_said_to_be_unsupported),
        cmocka_unit_test(a_file_cut_between_two_numbers_is_refused),
        cmocka_unit_test(faces_with_holes_are_written_as_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
