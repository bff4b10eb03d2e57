/* SPDX-License-Identifier: MIT */
/* OBJ: statements in all spellings, groups as parts, and round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/read_text.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void corners_are_read_in_every_spelling(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", SQUARE "vt 0 0\nvn 0 0 1\n"
                                                   "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\n"
                                                   "f -4 -3 -2\nf 1/ 2/ 3/\nf 1// 2// 3//\nf 1 2 3 # comment\n"
                                                   "f 1 \\\n 2 \\\r\n 3\nf 1 2\\\n3\n\tf\t1\t2\t3\t\nF 1 2 3");
    size_t count = graze_mesh_face_count(graze_model_mesh(model));
    assert_int_equal(count, 12);
    for (size_t f = 0; f < count; f++)
        assert_string_equal(face_text(model, f), "0 1 2");
    graze_model_destroy(model);
}

static void polygons_stay_whole(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", SQUARE "f 1 2 3 4\nf 4 3 2 1\nf 1 2 3\n");
    assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 3);
    assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 5);
    assert_string_equal(face_text(model, 0), "0 1 2 3");
    assert_string_equal(face_text(model, 1), "3 2 1 0");
    graze_model_destroy(model);
}

static void weights_colours_and_other_statements_are_passed_over(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", "mtllib a.mtl\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 1 1 1\n"
                                            "usemtl x\ns off\nl 1 2\np 1\nvp 0 0\nsomething else entirely\nf 1 2 3\n");
    assert_int_equal(graze_mesh_vertex_count(graze_model_mesh(model)), 3);
    assert_string_equal(face_text(model, 0), "0 1 2");
    graze_model_destroy(model);
}

static void a_backslash_continues_what_is_read_and_nothing_else(void **state)
{
    (void)state;
    graze_model *model =
        read_text("a.obj", "mtllib C:\\models\\\nv 0 0\\\n0\n# C:\\\nv 1 0 \\\n0 1.0\nv 0 1 0 \\\n0.5 0.5 0.5\n"
                           "vt 0 \\\n 1\nf 1 2 3 # \\\nf 1 3\\\n 2\n");
    assert_int_equal(graze_mesh_vertex_count(graze_model_mesh(model)), 3);
    assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 2);
    assert_string_equal(face_text(model, 1), "0 2 1");
    graze_model_destroy(model);
    assert_int_equal(read_bad_text("a.obj", SQUARE "f 1\\2 3 4\n").status, GRAZE_STATUS_BAD_FORMAT);
    assert_int_equal(read_bad_text("a.obj", "v 0 0 0\nv 1\\2 3 4\n").status, GRAZE_STATUS_BAD_FORMAT);
}

static void faces_may_name_vertices_that_follow(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", "f 1 2 4\nf 1 3 4\n" SQUARE);
    assert_string_equal(face_text(model, 0), "0 1 3");
    graze_model_destroy(model);
    graze_error error = read_bad_text("a.obj", "f 1 2 3\nf 1 2 5\n" SQUARE);
    assert_int_equal(error.status, GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.text, "a.obj, line 2: a face corner names vertex 5, but the file holds 4");
}

static void objects_and_groups_become_parts(void **state)
{
    (void)state;
    graze_model *model =
        read_text("a.obj", SQUARE "f 1 2 3\ng left\nf 1 2 3\no body\nf 1 2 3\ng left arm\nf 1 2 3\n"
                                  "g right\ng left arm\nf 1 2 4\ng\nf 1 2 3\ng unused\no\ng left\nf 1 3 4\n");
    static const char *const names[] = {"", "left", "body", "body/left arm"};
    static const uint32_t parts[] = {0, 1, 2, 3, 3, 2, 1};
    assert_int_equal(graze_model_part_count(model), 4);
    for (size_t p = 0; p < 4; p++)
        assert_string_equal(graze_model_part_name(model, p), names[p]);
    for (size_t f = 0; f < 7; f++)
        assert_int_equal(graze_model_face_part(model, f), parts[f]);
    graze_model_destroy(model);
}

static void a_part_becomes_a_mesh_over_its_own_vertices(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", SQUARE "v 5 5 5\ng a\nf 1 2 3 4\ng b\nf 5 3 1\nf 1 3 4\ng a\nf 2 3 4\n");
    graze_mesh *part = NULL;
    assert_int_equal(graze_model_create_part_mesh(NULL, model, 1, &part), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_vertex_count(part), 4);
    static const double vertices[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 5, 5, 5};
    static const uint32_t triangles[] = {3, 1, 0, 0, 1, 2};
    assert_memory_equal(graze_mesh_vertices(part), vertices, sizeof vertices);
    assert_memory_equal(graze_mesh_triangles(part), triangles, sizeof triangles);
    graze_mesh_destroy(part);
    part = NULL;
    assert_int_equal(graze_model_create_part_mesh(NULL, model, 0, &part), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_face_count(part), 2);
    assert_int_equal(graze_mesh_triangle_count(part), 3);
    assert_int_equal(graze_mesh_vertex_count(part), 4);
    graze_mesh_destroy(part);
    part = NULL;
    assert_int_equal(graze_model_create_part_mesh(NULL, model, 2, &part), GRAZE_STATUS_BAD_ARGUMENT);
    assert_null(part);
    graze_model_destroy(model);
}

static void the_example_of_the_manual_is_answered_in_its_words(void **state)
{
    (void)state;
    graze_error error = read_bad_text("part.obj", SQUARE "f 1 2 -5\n");
    assert_int_equal(error.status, GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(error.line, 5);
    assert_int_equal(error.index, 0);
    assert_string_equal(error.text, "part.obj, line 5: face corner 3 names vertex -5, but 4 vertices have been read so "
                                    "far, numbered from 1");
}

static void lines_are_counted_over_all_kinds_of_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\n\n# c\nf 1 x 3\n", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\n\r\n# c\r\nf 1 x 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\r\r# c\rf 1 x 3", "\xef\xbb\xbfv 0 0 0\nv 1 \\\n0 0\nv 0 1 0\n\nf 1 x 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        graze_error error = read_bad_text("a.obj", texts[i]);
        assert_int_equal(error.status, GRAZE_STATUS_BAD_FORMAT);
        assert_int_equal(error.line, 6);
    }
}

static void names_of_any_length_and_number_take_linear_time(void **state)
{
    (void)state;
    /* One very long object name, and then two hundred thousand faces that change between groups. */
    enum
    {
        NAME_SIZE = 1000000,
        FACE_COUNT = 200000
    };
    char *text = malloc(NAME_SIZE + 40 * FACE_COUNT + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, SQUARE "o ");
    memset(at, 'x', NAME_SIZE);
    at += NAME_SIZE;
    for (int i = 0; i < FACE_COUNT; i++)
        at += sprintf(at, "\ng group_%d\nf 1 2 3", i % 50000);
    graze_model *model = read_bytes("a.obj", text, (size_t)(at - text));
    assert_int_equal(graze_model_part_count(model), 50000);
    assert_true(strlen(graze_model_part_name(model, 7)) < 600);
    assert_int_equal(graze_model_face_part(model, 150007), 7);
    size_t faces = 0;
    for (size_t p = 0; p < 50000; p++)
    {
        graze_mesh *part = NULL;
        assert_int_equal(graze_model_create_part_mesh(NULL, model, p, &part), GRAZE_STATUS_OK);
        faces += graze_mesh_face_count(part);
        graze_mesh_destroy(part);
    }
    assert_int_equal(faces, FACE_COUNT);
    graze_model_destroy(model);
    free(text);
}

static void polygons_and_doubles_survive_the_round_trip(void **state)
{
    (void)state;
    graze_model *model = read_text("a.obj", "v 0.1 1e-320 -0\nv 1e300 0.30000000000000004 0\nv 1 1 1e22\nv 0 1 3\n"
                                            "f 1 2 3 4\nf 4 2 1\n");
    void *bytes = NULL;
    size_t size;
    assert_int_equal(graze_mesh_write_memory(NULL, graze_model_mesh(model), GRAZE_FORMAT_OBJ, &bytes, &size),
                     GRAZE_STATUS_OK);
    graze_model *again = read_bytes(NULL, bytes, size);
    assert_memory_equal(graze_mesh_vertices(graze_model_mesh(again)), graze_mesh_vertices(graze_model_mesh(model)),
                        12 * sizeof(double));
    assert_string_equal(face_text(again, 0), "0 1 2 3");
    assert_string_equal(face_text(again, 1), "3 1 0");
    graze_memory_release(NULL, bytes);
    graze_model_destroy(model);
    graze_model_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_read_in_every_spelling),
        cmocka_unit_test(polygons_stay_whole),
        cmocka_unit_test(weights_colours_and_other_statements_are_passed_over),
        cmocka_unit_test(a_backslash_continues_what_is_read_and_nothing_else),
        cmocka_unit_test(faces_may_name_vertices_that_follow),
        cmocka_unit_test(objects_and_groups_become_parts),
        cmocka_unit_test(a_part_becomes_a_mesh_over_its_own_vertices),
        cmocka_unit_test(the_example_of_the_manual_is_answered_in_its_words),
        cmocka_unit_test(lines_are_counted_over_all_kinds_of_ends),
        cmocka_unit_test(names_of_any_length_and_number_take_linear_time),
        cmocka_unit_test(polygons_and_doubles_survive_the_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
