/* SPDX-License-Identifier: MIT */
/* Assemblies of files without nodes: parts and their names, scales, and bad parts that do not affect the others. */
#include "support/unit.h"

#include <math.h>

#include "support/assemble.h"
#include "support/failing_allocator.h"

#define VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define FACET(x) "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex " x " 1 0\nendloop\nendfacet\n"

static void parts_are_groups_solids_or_the_file(void **state)
{
    (void)state;
    static const struct
    {
        const char *name, *text, *parts;
    } cases[] = {
        {"x/y.obj", VERTICES "o a\nf 1 2 3\ng b\nf 2 3 4\no c\nf 1 2 4\n", "a a/b c "},
        {"x/y.obj", VERTICES "f 1 2 3\ng b\nf 2 3 4\n", "y.obj b "},
        {"x/y.obj", VERTICES "f 1 2 3\n", "y.obj "},
        {"y.stl", "solid a\n" FACET("0") "endsolid\nsolid\n" FACET("0") "endsolid\nsolid a\n" FACET("0") "endsolid\n",
         "a y.stl a#2 "},
        {"/z.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "z.off "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_assembly *assembly = assemble_text(cases[i].name, cases[i].text);
        char names[200] = "";
        for (size_t p = 0; p < graze_assembly_part_count(assembly); p++)
        {
            strcat(names, part_name(assembly, p));
            strcat(names, " ");
            assert_int_equal(graze_mesh_triangle_count(part_mesh(assembly, p)), 1);
            assert_int_equal(graze_assembly_part_at(assembly, p)->mesh, p);
        }
        assert_string_equal(names, cases[i].parts);
        assert_int_equal(graze_assembly_problem_count(assembly), 0);
        graze_assembly_destroy(assembly);
    }
}

static void files_follow_one_another(void **state)
{
    (void)state;
    graze_assembly *assembly = new_assembly();
    graze_error error;
    static const char text[] = VERTICES "o a\nf 1 2 3\no b\nf 1 2 3\n";
    for (int i = 0; i < 3; i++)
        assert_int_equal(add_bytes(assembly, i == 1 ? "1.obj" : "0.obj", text, sizeof text - 1, &error),
                         GRAZE_STATUS_OK);
    assert_int_equal(add_bytes(assembly, "bad.obj", "v 1\n", 4, &error), GRAZE_STATUS_BAD_FORMAT);
    assert_int_equal(graze_assembly_file_count(assembly), 3);
    assert_int_equal(graze_assembly_part_count(assembly), 6);
    assert_string_equal(part_name(assembly, 5), "b"); /* names are unique within their file */
    assert_int_equal(graze_assembly_part_at(assembly, 3)->file, 1);
    assert_string_equal(graze_assembly_file_at(assembly, 1)->path, "1.obj");
    assert_int_equal(graze_assembly_file_at(assembly, 2)->first_part, 4);
    assert_int_equal(graze_assembly_file_at(assembly, 2)->part_count, 2);
    assert_null(graze_assembly_part_at(assembly, 6));
    assert_null(graze_assembly_mesh_at(assembly, 6));
    assert_null(graze_assembly_file_at(assembly, 3));
    assert_null(graze_assembly_problem_at(assembly, 0));
    graze_assembly_destroy(assembly);
    graze_assembly_destroy(NULL);
}

static void scales_go_into_the_poses(void **state)
{
    (void)state;
    graze_assembly *assembly = new_assembly();
    graze_assembly_options options = graze_assembly_options_default();
    graze_error error;
    options.scale = 25.4;
    options.metre = 1000;
    static const char text[] = VERTICES "f 1 2 3\n";
    assert_int_equal(graze_assembly_add_memory(assembly, text, sizeof text - 1, &options, NULL, &error),
                     GRAZE_STATUS_OK);
    gltf_bytes chunk = gltf_box_bytes(1);
    gltf_bytes file = gltf_make_glb("{" GLTF_BOX ",\"nodes\":[{\"mesh\":0,\"translation\":[1,0,0.5]}]}", &chunk);
    assert_int_equal(graze_assembly_add_memory(assembly, file.data, file.size, &options, NULL, &error),
                     GRAZE_STATUS_OK);
    static const double expected[2][12] = {{25.4, 0, 0, 0, 0, 25.4, 0, 0, 0, 0, 25.4, 0},
                                           {1000, 0, 0, 1000, 0, 1000, 0, 0, 0, 0, 1000, 500}};
    for (size_t p = 0; p < 2; p++)
        assert_memory_equal(graze_assembly_part_at(assembly, p)->pose.m, expected[p], sizeof expected[p]);
    assert_true(graze_assembly_file_at(assembly, 0)->scale == 25.4);
    assert_true(graze_assembly_file_at(assembly, 1)->scale == 1000);
    static const double bad[] = {0.0, -1.0, INFINITY, NAN};
    for (size_t i = 0; i < 4; i++)
    {
        options.scale = bad[i];
        assert_int_equal(graze_assembly_add_memory(assembly, text, sizeof text - 1, &options, NULL, &error),
                         GRAZE_STATUS_BAD_ARGUMENT);
    }
    assert_int_equal(graze_assembly_add_file(NULL, "x", NULL, NULL, &error), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_assembly_add_file(assembly, NULL, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_assembly_add_memory(assembly, NULL, 1, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_assembly_create(NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    graze_assembly_destroy(assembly);
    free(chunk.data);
    free(file.data);
}

static void one_bad_part_leaves_the_others(void **state)
{
    (void)state;
    static const struct
    {
        const char *name, *text, *parts, *bad;
        graze_status status;
        const char *words;
    } cases[] = {
        {"a.obj", VERTICES "v nan 0 0\no a\nf 1 2 3\no b\nf 1 2 5\no c\nf 1 2 4\n", "a c ", "b",
         GRAZE_STATUS_NOT_FINITE, "a.obj, line 5: a coordinate is not a finite double"},
        {"a.obj", "v 1e999 inf -nan\n" VERTICES "o b\nf 1 2 3 4\nf 1 1 1\no c\nf 2 3 4\no b\nf 2 3 4\n", "c ", "b",
         GRAZE_STATUS_NOT_FINITE, "line 1:"},
        {"a.obj", VERTICES "o a\nf 1 2 3 4\no b\nf 1 2 3\nf 0 1 2\n", "a ", "b", GRAZE_STATUS_BAD_INDEX,
         "line 9: the face names a vertex that does not exist"},
        {"a.obj", VERTICES "o b\nf 1 2 3\nf 1 2 9\no c\nf 1 2 3\n", "c ", "b", GRAZE_STATUS_BAD_INDEX,
         "a.obj: a face corner names vertex 9, but the file holds 4"},
        {"a.obj", VERTICES "o b\nf 1 2\nf 1 -9 3\no c\nf 1 2 3 4\n", "c ", "b", GRAZE_STATUS_TOO_FEW_CORNERS,
         "line 6: the face has fewer than three corners"},
        {"a.stl",
         "solid a\n" FACET("0") "endsolid\nsolid b\n" FACET("nan")
             FACET("0") "endsolid\nsolid c\n" FACET("0") "endsolid\n",
         "a c ", "b", GRAZE_STATUS_NOT_FINITE, "a.stl, line 15:"},
        {"a.stl", "solid b\nendsolid\nsolid c\n" FACET("0") "endsolid\n", "c ", "b", GRAZE_STATUS_EMPTY, "no faces"},
        {"a.obj", "v nan 0 0\n" VERTICES "o b\nf 1 2 3\n", "", "b", GRAZE_STATUS_NOT_FINITE, "line 1:"},
        {"a.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "", "", GRAZE_STATUS_NOT_FINITE, "a.off, line 4:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_assembly *assembly = assemble_text(cases[i].name, cases[i].text);
        char names[200] = "";
        for (size_t p = 0; p < graze_assembly_part_count(assembly); p++)
        {
            strcat(names, part_name(assembly, p));
            strcat(names, " ");
            assert_true(graze_mesh_triangle_count(part_mesh(assembly, p)) >= 1);
        }
        const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
        assert_int_equal(graze_assembly_problem_count(assembly), 1);
        if (strcmp(names, cases[i].parts) != 0 || strcmp(problem->part, cases[i].bad) != 0 ||
            problem->status != cases[i].status || strstr(problem->text, cases[i].words) == NULL || !problem->left_out)
            fail_msg("case %zu: parts %s, bad %s, status %d: %s", i, names, problem->part, (int)problem->status,
                     problem->text);
        graze_assembly_destroy(assembly);
    }
}

static void a_bad_vertex_that_nobody_uses_is_a_remark(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_text("a.obj", VERTICES "v nan nan nan\nv inf 0 0\no a\nf 1 2 3\n");
    assert_int_equal(graze_assembly_part_count(assembly), 1);
    const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
    assert_string_equal(problem->text, "2 vertices that no face uses have coordinates that are not finite");
    assert_false(problem->left_out);
    graze_assembly_destroy(assembly);
}

/* A file of a hundred boxes, one of which is invalid: the other ninety-nine are as without it. */
static void ninety_nine_of_a_hundred_are_what_they_are_alone(void **state)
{
    (void)state;
    static char text[100 * 700];
    for (int bad = 0; bad < 100; bad += 33)
    {
        size_t used = 0;
        for (int p = 0; p < 100; p++)
        {
            used += (size_t)sprintf(text + used, "o part %d\n", p);
            for (int v = 0; v < 8; v++)
                used += (size_t)sprintf(text + used, "v %d %d %s\n", p + (v & 1), v >> 1 & 1,
                                        p == bad && v == 5 ? "nan"
                                        : (v >> 2) != 0    ? "1"
                                                           : "0");
            used += (size_t)sprintf(text + used, "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\n");
        }
        graze_assembly *assembly = assemble_text("a.obj", text);
        assert_int_equal(graze_assembly_part_count(assembly), 99);
        assert_int_equal(graze_assembly_problem_count(assembly), 1);
        char name[20];
        snprintf(name, sizeof name, "part %d", bad);
        assert_string_equal(graze_assembly_problem_at(assembly, 0)->part, name);
        for (int p = 0, part = 0; p < 100; p++)
        {
            if (p == bad)
                continue;
            snprintf(name, sizeof name, "part %d", p);
            assert_string_equal(part_name(assembly, (size_t)part), name);
            graze_box box = graze_mesh_bounds(part_mesh(assembly, (size_t)part));
            assert_true(box.lower[0] == p && box.upper[0] == p + 1 && box.lower[2] == 0 && box.upper[2] == 1);
            assert_int_equal(graze_mesh_face_count(part_mesh(assembly, (size_t)part)), 4);
            part++;
        }
        graze_assembly_destroy(assembly);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] =
        VERTICES "v nan 0 0\nv nan 0 1\no a\nf 1 2 3\no b\nf 1 2 5\no c\nf 1 2 4 3\ng b\nf 1 2 3\n";
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++, failures++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_assembly *assembly = NULL;
        graze_error error = {0};
        graze_status status = graze_assembly_create(&context, &assembly);
        if (status == GRAZE_STATUS_OK)
            status = graze_assembly_add_memory(assembly, text, sizeof text - 1, NULL, NULL, &error);
        if (status == GRAZE_STATUS_OK)
            assert_int_equal(graze_assembly_part_count(assembly), 3);
        else if (assembly != NULL)
            assert_int_equal(graze_assembly_part_count(assembly) + graze_assembly_problem_count(assembly) +
                                 graze_assembly_file_count(assembly) + graze_assembly_mesh_count(assembly),
                             0);
        graze_assembly_destroy(assembly);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
    }
    assert_true(failures > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_groups_solids_or_the_file),
        cmocka_unit_test(files_follow_one_another),
        cmocka_unit_test(scales_go_into_the_poses),
        cmocka_unit_test(one_bad_part_leaves_the_others),
        cmocka_unit_test(a_bad_vertex_that_nobody_uses_is_a_remark),
        cmocka_unit_test(ninety_nine_of_a_hundred_are_what_they_are_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
