/* SPDX-License-Identifier: MIT */
/* glTF nodes: poses, names, instances, scenes; and graphs that are no trees, or of any depth. */
#include "support/unit.h"

#include "support/assemble.h"

static graze_assembly *assemble_nodes(const char *nodes)
{
    char json[4000];
    snprintf(json, sizeof json, "{" GLTF_BOX ",%s}", nodes);
    return assemble_glb(json, gltf_box_bytes(1));
}

static void expect_pose(const graze_assembly *assembly, size_t part, const double expected[12])
{
    const graze_pose *pose = &graze_assembly_part_at(assembly, part)->pose;
    for (int i = 0; i < 12; i++)
    {
        if (pose->m[i] != expected[i])
            fail_msg("entry %d of part %zu is %a, not %a", i, part, pose->m[i], expected[i]);
    }
}

static void parts_are_named_by_their_path(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_nodes(
        "\"nodes\":[{\"name\":\"Gear \\u00e4\\/b\\\"x\",\"children\":[3,1]},{\"mesh\":0},{\"name\":\"\",\"mesh\":0},"
        "{\"name\":\"Shaft\",\"mesh\":0,\"children\":[4,5]},{\"name\":\"Key\",\"mesh\":0},{\"name\":\"Key\",\"mesh\":0}"
        "]");
    static const char *const names[] = {"Gear \xc3\xa4/b\"x/Shaft", "Gear \xc3\xa4/b\"x/Shaft/Key",
                                        "Gear \xc3\xa4/b\"x/Shaft/Key#2", "Gear \xc3\xa4/b\"x/node 1", "node 2"};
    assert_int_equal(graze_assembly_part_count(assembly), 5);
    for (size_t p = 0; p < 5; p++)
        assert_string_equal(part_name(assembly, p), names[p]);
    assert_int_equal(graze_assembly_mesh_count(assembly), 1);
    graze_assembly_destroy(assembly);
}

static void a_repeated_name_passes_over_names_that_are_there(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_nodes("\"nodes\":[{\"name\":\"A\",\"mesh\":0},{\"name\":\"A\",\"mesh\":0},"
                                              "{\"name\":\"A#2\",\"mesh\":0},{\"name\":\"A\",\"mesh\":0},"
                                              "{\"name\":\"A#2\",\"mesh\":0}]");
    static const char *const names[] = {"A", "A#3", "A#2", "A#4", "A#2#2"};
    for (size_t p = 0; p < 5; p++)
        assert_string_equal(part_name(assembly, p), names[p]);
    graze_assembly_destroy(assembly);
}

static void places_are_products_of_what_stands_above(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_nodes(
        "\"nodes\":[{\"translation\":[1,2,3],\"scale\":[2,4,8],\"children\":[1,2]},"
        "{\"matrix\":[0,1,0,0, -1,0,0,0, 0,0,1,0, 10,20,30,1],\"mesh\":0},"
        "{\"translation\":[0.5,0,0],\"rotation\":[0.70710677,0,0,0.70710677],\"scale\":[1,2,3],\"mesh\":0}]");
    expect_pose(assembly, 0, (const double[]){0, -2, 0, 21, 4, 0, 0, 82, 0, 0, 8, 243});
    expect_pose(assembly, 1, (const double[]){2, 0, 0, 2, 0, 0, -12, 2, 0, 16, 0, 3});
    graze_assembly_destroy(assembly);
}

static void quarter_and_half_turns_are_exact(void **state)
{
    (void)state;
    static const struct
    {
        const char *rotation;
        double pose[12];
    } turns[] = {
        {"0,0,0.7071068,0.7071068", {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}},
        {"0,0,-0.7071067811865476,0.7071067811865476", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0}},
        {"0,0.70710677,0,0.70710677", {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0}},
        {"0,1,0,0", {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}},
        {"0.5,0.5,0.5,0.5", {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0}},
        {"3e-300,3e-300,-3e-300,3e-300", {0, 1, 0, 0, 0, 0, -1, 0, -1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    {
        char nodes[200];
        snprintf(nodes, sizeof nodes, "\"nodes\":[{\"mesh\":0,\"rotation\":[%s]}]", turns[i].rotation);
        graze_assembly *assembly = assemble_nodes(nodes);
        expect_pose(assembly, 0, turns[i].pose);
        graze_assembly_destroy(assembly);
    }
}

static void the_scene_that_is_shown_counts(void **state)
{
    (void)state;
    static const char scenes[] =
        "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[2,1]}],\"nodes\":[{\"name\":\"A\",\"mesh\":0},"
        "{\"name\":\"B\",\"mesh\":0},{\"name\":\"C\",\"mesh\":0}]";
    char nodes[500];
    graze_assembly *assembly = assemble_nodes(scenes);
    assert_int_equal(graze_assembly_part_count(assembly), 1);
    assert_string_equal(part_name(assembly, 0), "A");
    assert_int_equal(graze_assembly_problem_count(assembly), 1);
    assert_string_equal(graze_assembly_problem_at(assembly, 0)->text,
                        "2 nodes with meshes are not in the scene that is shown, and left out");
    graze_assembly_destroy(assembly);
    snprintf(nodes, sizeof nodes, "\"scene\":1,%s", scenes);
    assembly = assemble_nodes(nodes);
    assert_int_equal(graze_assembly_part_count(assembly), 2);
    assert_string_equal(part_name(assembly, 0), "C");
    assert_string_equal(part_name(assembly, 1), "B");
    graze_assembly_destroy(assembly);
    assembly = assemble_nodes("\"nodes\":[{\"children\":[1]},{\"name\":\"A\",\"mesh\":0,\"skin\":0}]");
    assert_string_equal(part_name(assembly, 0), "node 0/A"); /* without scenes, everything */
    assert_string_equal(graze_assembly_problem_at(assembly, 0)->text, "1 parts have skins, which are not applied");
    graze_assembly_destroy(assembly);
}

static void a_bad_place_spoils_only_what_is_below(void **state)
{
    (void)state;
    static const char *const bad[] = {"\"rotation\":[0,0,0,0]",
                                      "\"rotation\":[0,0,1]",
                                      "\"translation\":[0,1e999,0]",
                                      "\"scale\":[1,1,\"x\"]",
                                      "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]",
                                      "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1]",
                                      "\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        char nodes[400];
        snprintf(nodes, sizeof nodes,
                 "\"nodes\":[{\"name\":\"A\",\"mesh\":0},{\"name\":\"B\",\"mesh\":0,%s},{\"name\":\"C\",\"mesh\":0}]",
                 bad[i]);
        graze_assembly *assembly = assemble_nodes(nodes);
        assert_int_equal(graze_assembly_part_count(assembly), 2);
        assert_int_equal(graze_assembly_problem_count(assembly), 1);
        const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
        assert_string_equal(problem->part, "B");
        assert_true(problem->left_out);
        assert_non_null(strstr(problem->text, "node 1 'B'"));
        graze_assembly_destroy(assembly);
    }
    graze_assembly *assembly =
        assemble_nodes("\"nodes\":[{\"scale\":[1e200,1,1],\"children\":[1]},{\"scale\":[1e200,1,1],\"children\":[2]},"
                       "{\"mesh\":0},{\"mesh\":0}]");
    assert_int_equal(graze_assembly_part_count(assembly), 1);
    assert_string_equal(graze_assembly_problem_at(assembly, 0)->part, "node 0/node 1/node 2");
    graze_assembly_destroy(assembly);
}

static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    static const struct
    {
        const char *nodes;
        graze_status status;
        const char *words;
    } cases[] = {
        {"[{\"children\":[0]}]", GRAZE_STATUS_BAD_FORMAT, "circles"},
        {"[{\"mesh\":0},{\"children\":[2]},{\"children\":[1]}]", GRAZE_STATUS_BAD_FORMAT, "2 of its nodes"},
        {"[{\"children\":[2]},{\"children\":[2]},{\"mesh\":0}]", GRAZE_STATUS_BAD_FORMAT,
         "node 2 is a child of node 0 and again of node 1"},
        {"[{\"children\":[1,1]},{\"mesh\":0}]", GRAZE_STATUS_BAD_FORMAT, "again of node 0"},
        {"[{\"children\":[7]},{\"mesh\":0}]", GRAZE_STATUS_BAD_INDEX, "a child of node 0"},
        {"[{\"children\":[-1]},{\"mesh\":0}]", GRAZE_STATUS_BAD_INDEX, "a child of node 0"},
        {"[{\"children\":[0.5]},{\"mesh\":0}]", GRAZE_STATUS_BAD_INDEX, "a child of node 0"},
        {"[{\"children\":{\"a\":1}},{\"mesh\":0}]", GRAZE_STATUS_BAD_FORMAT, "children"},
        {"[{\"name\":\"X\",\"mesh\":4}]", GRAZE_STATUS_BAD_INDEX, "node 0 'X' shows a mesh that does not exist"},
        {"[{\"mesh\":\"a\"}]", GRAZE_STATUS_BAD_INDEX, "mesh"},
        {"[7]", GRAZE_STATUS_BAD_FORMAT, "element 0 of \"nodes\""},
        {"{}", GRAZE_STATUS_BAD_FORMAT, "not an array"},
        {"[]", GRAZE_STATUS_EMPTY, "shows no meshes"},
        {"[{\"mesh\":0},{\"mesh\":0}],\"scenes\":[{\"nodes\":[0,0]}]", GRAZE_STATUS_BAD_FORMAT, "twice"},
        {"[{\"mesh\":0,\"children\":[1]},{\"mesh\":0}],\"scenes\":[{\"nodes\":[1]}]", GRAZE_STATUS_BAD_FORMAT, "child"},
        {"[{\"mesh\":0}],\"scenes\":[{\"nodes\":[3]}]", GRAZE_STATUS_BAD_INDEX, "does not exist"},
        {"[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":1", GRAZE_STATUS_BAD_INDEX, "scene 1"},
        {"[{\"mesh\":0}],\"scene\":0", GRAZE_STATUS_BAD_INDEX, "scene 0"},
        {"[{\"mesh\":0}],\"scenes\":[{}]", GRAZE_STATUS_EMPTY, "shows no meshes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char json[2000];
        snprintf(json, sizeof json, "{" GLTF_BOX ",\"nodes\":%s}", cases[i].nodes);
        gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        graze_status status = add_bytes(assembly, "test.glb", file.data, file.size, &error);
        if (status != cases[i].status || strstr(error.text, cases[i].words) == NULL)
            fail_msg("case %zu: status %d: %s", i, (int)status, error.text);
        assert_int_equal(graze_assembly_file_count(assembly), 0);
        graze_assembly_destroy(assembly);
        free(chunk.data);
        free(file.data);
    }
}

/* A tree of `count` nodes, each the child of the one before or all children of the first, the last with the box. */
static void grow(size_t count, bool deep)
{
    char *json = malloc(64 * count + 2000);
    assert_non_null(json);
    size_t used = (size_t)sprintf(json, "{" GLTF_BOX ",\"nodes\":[{\"mesh\":0,\"children\":[1");
    for (size_t i = 2; !deep && i < count; i++)
        used += (size_t)sprintf(json + used, ",%zu", i);
    used += (size_t)sprintf(json + used, "]}");
    for (size_t i = 1; i < count; i++)
    {
        used += (size_t)sprintf(json + used, ",{\"name\":\"n\",\"mesh\":0");
        if (deep && i + 1 < count)
            used += (size_t)sprintf(json + used, ",\"children\":[%zu]", i + 1);
        used += (size_t)sprintf(json + used, "}");
    }
    sprintf(json + used, "]}");
    graze_assembly *assembly = assemble_glb(json, gltf_box_bytes(1));
    assert_int_equal(graze_assembly_part_count(assembly), count);
    assert_int_equal(graze_assembly_mesh_count(assembly), 1);
    const char *last = part_name(assembly, count - 1);
    assert_true(strlen(last) < 280);
    if (deep)
        assert_memory_equal(last, ".../n/n", 7);
    graze_assembly_destroy(assembly);
    free(json);
}

static void trees_may_be_deep_and_wide(void **state)
{
    (void)state;
    grow(100000, true);
    grow(100000, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_named_by_their_path),
        cmocka_unit_test(a_repeated_name_passes_over_names_that_are_there),
        cmocka_unit_test(places_are_products_of_what_stands_above),
        cmocka_unit_test(quarter_and_half_turns_are_exact),
        cmocka_unit_test(the_scene_that_is_shown_counts),
        cmocka_unit_test(a_bad_place_spoils_only_what_is_below),
        cmocka_unit_test(what_is_no_tree_is_refused),
        cmocka_unit_test(trees_may_be_deep_and_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
