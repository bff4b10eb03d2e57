/* SPDX-License-Identifier: MIT */
/* Expansion of command-line words: files, folders, patterns, scene files; names, units, problems, warnings. */
#define _POSIX_C_SOURCE 200809L

#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/inputs.h"
#include "support/gltf_file.h"
#include "support/tool_process.h"

static const tool_console console = {0};

#define READ(inputs, unit, ...)                                                                                        \
    inputs_read(&console, NULL, (const char *const[]){__VA_ARGS__},                                                    \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), unit, inputs)

static void write_glb(const char *path, const char *nodes)
{
    char json[2000];
    snprintf(json, sizeof json, "{" GLTF_BOX ",\"nodes\":[%s]}", nodes);
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    write_bytes(path, file.data, file.size);
    free(chunk.data);
    free(file.data);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
}

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed != 0)
        return failed;
    make_folder("parts");
    make_folder("parts/b");
    make_folder("parts/.hidden");
    make_folder("none");
    write_box_obj("parts/c.obj", 1.0);
    write_box_obj("parts/B.OBJ", 2.0);
    write_box_obj("parts/b/a.obj", 3.0);
    write_box_obj("parts/b.obj", 4.0);
    write_box_obj("parts/.hidden/x.obj", 5.0);
    write_text("parts/readme.txt", "no mesh");
    write_text("none/readme.txt", "no mesh");
    return symlink("..", "parts/b/circle");
}

static int leave(void **state)
{
    static const char *const paths[] = {
        "parts/b/circle",      "parts/b/a.obj",   "parts/b",           "parts/c.obj",      "parts/.hidden/x.obj",
        "parts/.hidden",       "parts/B.OBJ",     "parts/b.obj",       "parts/readme.txt", "none/readme.txt",
        "mixed/below/lid.3mf", "mixed/below",     "mixed/gone.stl",    "mixed/parts",      "mixed/box.obj",
        "mixed/housing.STEP",  "mixed/notes.txt", "mixed/.hidden.step"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        remove(paths[i]);
    return leave_temporary_directory(state);
}

/* The files of all parts in order, as text. */
static void expect_names(const tool_inputs *inputs, const char *expected)
{
    char text[1000] = "";
    for (size_t p = 0; p < inputs->part_count; p++)
    {
        strcat(text, inputs->parts[p].name);
        strcat(text, " ");
    }
    assert_string_equal(text, expected);
}

static void folders_stand_for_what_is_in_them(void **state)
{
    (void)state;
    tool_inputs inputs;
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts"), 0);
    expect_names(&inputs, "B.OBJ a.obj b.obj c.obj "); /* by bytes: "b" < "b.obj" */
    assert_string_equal(inputs.parts[1].file, "parts/b/a.obj");
    assert_int_equal(inputs.problem_count, 1);
    assert_string_equal(inputs.problems[0].part, "parts/b/circle");
    assert_false(inputs.problems[0].left_out); /* links to folders are not followed, and named */
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts/b/", "parts//"), 0);
    expect_names(&inputs, "a.obj B.OBJ b.obj c.obj "); /* each once */
    inputs_release(&inputs);
}

static void patterns_are_expanded(void **state)
{
    (void)state;
    tool_inputs inputs;
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts/[bc].obj", "parts/?.obj", "parts/b/*.obj"), 0);
    expect_names(&inputs, "b.obj c.obj a.obj ");
    inputs_release(&inputs);
    write_box_obj("odd[1].obj", 1.0); /* a file of that name goes first */
    assert_int_equal(READ(&inputs, UNIT_NONE, "odd[1].obj", "*.stl"), 0);
    expect_names(&inputs, "odd[1].obj ");
    assert_int_equal(inputs.problem_count, 1);
    assert_string_equal(inputs.problems[0].part, "*.stl");
    inputs_release(&inputs);
}

static void what_is_named_is_taken_as_often_as_it_is_named(void **state)
{
    (void)state;
    tool_inputs inputs;
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts/c.obj", "parts", "parts/c.obj"), 0);
    expect_names(&inputs, "parts/c.obj B.OBJ a.obj b.obj parts/c.obj#2 ");
    inputs_release(&inputs);
}

static void what_is_not_there_is_a_problem_and_the_rest_goes_on(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_text("bad.stl", "nonsense");
    assert_int_equal(READ(&inputs, UNIT_NONE, "missing.stl", "parts/c.obj", "none", "./bad.stl"), 0);
    expect_names(&inputs, "c.obj ");
    assert_int_equal(inputs.problem_count, 3);
    static const char *const parts[] = {"missing.stl", "none", "bad.stl"};
    for (size_t i = 0; i < 3; i++)
    {
        assert_string_equal(inputs.problems[i].part, parts[i]);
        assert_true(inputs.problems[i].left_out);
        assert_true(strlen(inputs.problems[i].what) > 10);
    }
    inputs_release(&inputs);
}

static void a_bad_part_is_named_and_the_rest_goes_on(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_text("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\no good\nf 1 2 3\no bad\nf 1 2 4\n");
    assert_int_equal(READ(&inputs, UNIT_NONE, "two.obj", "parts/c.obj"), 0);
    expect_names(&inputs, "good c.obj ");
    assert_int_equal(inputs.problem_count, 1);
    assert_string_equal(inputs.problems[0].part, "bad");
    assert_string_equal(inputs.problems[0].what, "two.obj, line 4: a coordinate is not a finite double");
    inputs_release(&inputs);
}

static void names_that_come_in_several_files_say_which(void **state)
{
    (void)state;
    tool_inputs inputs;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\no Mesh\nf 1 2 3\no Lid\nf 1 2 3\n";
    write_text("one.obj", text);
    write_text("two.obj", text + 0);
    write_text("three.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\no Mesh\nf 1 2 3\no one.obj:Mesh\nf 1 2 3\n");
    assert_int_equal(READ(&inputs, UNIT_NONE, "one.obj", "three.obj"), 0);
    expect_names(&inputs, "one.obj:Mesh Lid three.obj:Mesh one.obj:Mesh#2 ");
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_NONE, "two.obj", "one.obj"), 0);
    expect_names(&inputs, "two.obj:Mesh two.obj:Lid one.obj:Mesh one.obj:Lid ");
    inputs_release(&inputs);
}

static void units_and_scales_go_into_the_poses(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("a.glb", "{\"name\":\"A\",\"mesh\":0}");
    static const struct
    {
        length_unit unit;
        const char *words[2];
        double scales[2];
    } cases[] = {
        {UNIT_NONE, {"parts/c.obj", "a.glb"}, {1, 1}},
        {UNIT_MM, {"parts/c.obj", "a.glb"}, {1, 1000}},
        {UNIT_M, {"parts/c.obj:units=mm", "a.glb"}, {0.001, 1}},
        {UNIT_MM, {"parts/c.obj:units=in", "a.glb:units=cm"}, {25.4, 10}},
        {UNIT_FT, {"parts/c.obj:units=in", "a.glb:scale=2.5"}, {1.0 / 12, 2.5}},
        {UNIT_NONE, {"parts/c.obj:scale=1e-3", "a.glb"}, {0.001, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        assert_int_equal(READ(&inputs, cases[i].unit, cases[i].words[0], cases[i].words[1]), 0);
        assert_int_equal(inputs.part_count, 2);
        for (size_t p = 0; p < 2; p++)
            for (int axis = 0; axis < 3; axis++)
                assert_true(inputs.parts[p].pose.m[5 * axis] == cases[i].scales[p]);
        inputs_release(&inputs);
    }
    write_box_obj("odd:scale=2", 1.0); /* a file of that name goes first, and is no mesh by its name */
    assert_int_equal(READ(&inputs, UNIT_NONE, "odd:scale=2"), 0);
    assert_int_equal(inputs.part_count, 1);
    inputs_release(&inputs);
    static const char *const bad[] = {"parts/c.obj:scale=0",   "parts/c.obj:scale=-1", "parts/c.obj:scale=x",
                                      "parts/c.obj:scale=1,2", "parts/c.obj:units=km", "parts/c.obj:units=mm"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        assert_int_equal(READ(&inputs, UNIT_NONE, bad[i]), EXIT_USAGE);
        inputs_release(&inputs);
    }
}

static void ratios_of_units_round_once(void **state)
{
    (void)state;
    assert_true(unit_ratio(UNIT_M, UNIT_MM) == 1000 && unit_ratio(UNIT_IN, UNIT_MM) == 25.4);
    assert_true(unit_ratio(UNIT_MM, UNIT_M) == 0.001 && unit_ratio(UNIT_FT, UNIT_IN) == 12);
    assert_true(unit_ratio(UNIT_FT, UNIT_M) == 0.3048 && unit_ratio(UNIT_CM, UNIT_MM) == 10);
    for (int unit = UNIT_MM; unit <= UNIT_FT; unit++)
        assert_int_equal(unit_named(unit_name((length_unit)unit)), unit);
    assert_int_equal(unit_named("furlong"), UNIT_NONE);
    assert_int_equal(unit_named(""), UNIT_NONE);
}

static void write_scene(const char *path, const char *units)
{
    char text[300];
    snprintf(
        text, sizeof text,
        "{\"graze\":\"scene\",\"version\":1,\"units\":\"%s\",\"meshes\":{\"c\":{\"file\":\"parts/c.obj\",\"scale\":2}},"
        "\"objects\":[{\"name\":\"one\",\"mesh\":\"c\"}]}",
        units);
    write_text(path, text);
}

static void units_that_scenes_state_are_honoured(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("a.glb", "{\"name\":\"A\",\"mesh\":0}");
    write_scene("mm.json", "mm");
    write_scene("inches.json", "Inches");
    write_scene("odd.json", "furlongs");
    static const struct
    {
        length_unit unit;
        const char *words[2];
        length_unit result;
        double scales[2]; /* meshes first */
    } cases[] = {
        {UNIT_NONE, {"mm.json", "a.glb"}, UNIT_MM, {1000, 1}},
        {UNIT_NONE, {"parts/c.obj", "inches.json"}, UNIT_IN, {1, 1}},
        {UNIT_CM, {"a.glb", "inches.json"}, UNIT_CM, {100, 2.54}},
        {UNIT_M, {"a.glb", "inches.json:units=mm"}, UNIT_M, {1, 0.001}},
        {UNIT_NONE, {"a.glb", "inches.json:scale=3"}, UNIT_IN, {10000.0 / 254, 3}},
        {UNIT_NONE, {"a.glb", "odd.json"}, UNIT_NONE, {1, 1}},
        {UNIT_MM, {"mm.json", "inches.json"}, UNIT_MM, {1, 25.4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        assert_int_equal(READ(&inputs, cases[i].unit, cases[i].words[0], cases[i].words[1]), 0);
        assert_int_equal(inputs.part_count, 2);
        assert_int_equal(inputs.unit, cases[i].result);
        for (size_t p = 0; p < 2; p++)
            assert_true(inputs.parts[p].pose.m[0] == cases[i].scales[p]);
        assert_int_equal(inputs.problem_count, strcmp(cases[i].words[1], "odd.json") == 0);
        inputs_release(&inputs);
    }
    assert_int_equal(READ(&inputs, UNIT_NONE, "mm.json", "inches.json"), EXIT_USAGE);
    inputs_release(&inputs);
}

static void parts_know_how_closely_their_coordinates_are_known(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("a.glb", "{\"name\":\"A\",\"mesh\":0}");
    write_text("fine.obj", "v 0 0 0\nv 1.125 0 0\nv 0 1 0\no a\nf 1 2 3\no b\nf 1 3 1\n");
    write_text("scene.json", "{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"box\":{\"shape\":\"box\"},"
                             "\"c\":{\"file\":\"fine.obj\",\"scale\":2}},"
                             "\"objects\":[{\"name\":\"one\",\"mesh\":\"c\"},{\"name\":\"two\",\"mesh\":\"box\"}]}");
    assert_int_equal(READ(&inputs, UNIT_NONE, "a.glb", "fine.obj", "scene.json"), 0);
    static const struct
    {
        graze_number_format format;
        int place;
        double scale;
    } expected[] = {{GRAZE_NUMBER_FLOAT, 0, 1},
                    {GRAZE_NUMBER_DECIMAL, -3, 1},
                    {GRAZE_NUMBER_DECIMAL, 0, 1},
                    {GRAZE_NUMBER_DECIMAL, -3, 2},
                    {GRAZE_NUMBER_DOUBLE, 0, 1}};
    assert_int_equal(inputs.part_count, 5);
    for (size_t p = 0; p < 5; p++)
    {
        assert_int_equal(inputs.parts[p].precision.format, expected[p].format);
        assert_int_equal(inputs.parts[p].precision.finest_place, expected[p].place);
        assert_true(inputs.parts[p].mesh_scale == expected[p].scale);
    }
    inputs_release(&inputs);
}

static void what_a_folder_holds_and_cannot_be_read_is_named(void **state)
{
    (void)state;
    tool_inputs inputs;
    assert_int_equal(mkdir("mixed", 0777), 0);
    assert_int_equal(mkdir("mixed/below", 0777), 0);
    write_box_obj("mixed/box.obj", 1.0);
    write_text("mixed/housing.STEP", "ISO-10303-21;");
    write_text("mixed/below/lid.3mf", "PK");
    write_text("mixed/notes.txt", "for people");
    write_text("mixed/.hidden.step", "ISO-10303-21;");
    assert_int_equal(symlink("nowhere.stl", "mixed/gone.stl"), 0);
    assert_int_equal(symlink("../parts", "mixed/parts"), 0);
    assert_int_equal(mkfifo("mixed/pipe.stl", 0666), 0);
    assert_int_equal(READ(&inputs, UNIT_NONE, "mixed"), 0);
    expect_names(&inputs, "box.obj ");
    static const struct
    {
        const char *part, *what;
        bool left_out;
    } expected[] = {
        {"mixed/below/lid.3mf", "3MF files are not read; export STL, OBJ, PLY, OFF or glTF", true},
        {"mixed/gone.stl", "it is a link that leads nowhere", true},
        {"mixed/housing.STEP", "STEP files are not read; export STL, OBJ, PLY, OFF or glTF", true},
        {"mixed/parts", "it is a link to a folder, which is not followed", false},
        {"mixed/pipe.stl", "it is no file but a pipe, socket or device", true},
    };
    assert_int_equal(inputs.problem_count, 5);
    for (size_t i = 0; i < 5; i++)
    {
        assert_string_equal(inputs.problems[i].part, expected[i].part);
        assert_string_equal(inputs.problems[i].what, expected[i].what);
        assert_int_equal(inputs.problems[i].left_out, expected[i].left_out);
    }
    inputs_release(&inputs);
}

static void scene_files_give_their_objects_at_the_first_frame(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_text(
        "scene.json",
        "{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"box\":{\"shape\":\"box\"},\"c\":{\"file\":\"parts/c.obj\"}},"
        "\"objects\":[{\"name\":\"child\",\"parent\":\"arm\",\"mesh\":\"box\",\"pose\":{\"position\":[0,1,0]}},"
        "{\"name\":\"arm\",\"pose\":{\"position\":[5,0,0]}},{\"name\":\"c.obj\",\"mesh\":\"c\",\"track\":[{"
        "\"frame\":1,\"pose\":{\"position\":[0,0,9]}}]}]}");
    assert_int_equal(READ(&inputs, UNIT_MM, "scene.json:scale=2", "parts/c.obj"), 0);
    expect_names(&inputs, "parts/c.obj child scene.json:c.obj ");
    assert_int_equal(inputs.mesh_count, 3);
    assert_int_equal(inputs.parts[0].scene, NO_SCENE);
    const input_part *child = &inputs.parts[1], *tracked = &inputs.parts[2];
    assert_int_equal(child->scene, 0);
    assert_true(child->pose.m[0] == 2 && child->pose.m[3] == 10 && child->pose.m[7] == 2);
    assert_true(tracked->pose.m[11] == 18);
    assert_int_equal(graze_mesh_triangle_count(inputs.meshes[tracked->mesh]), 12);
    inputs_release(&inputs);
    write_text("bad.json", "{\"graze\":\"scene\"}");
    assert_int_equal(READ(&inputs, UNIT_NONE, "bad.json", "parts/c.obj"), EXIT_INPUT);
    inputs_release(&inputs);
}

static void instances_share_their_mesh(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("many.glb", "{\"name\":\"A\",\"mesh\":0},{\"name\":\"A\",\"mesh\":0},{\"mesh\":0}");
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts/c.obj", "many.glb"), 0);
    expect_names(&inputs, "c.obj A A#2 node 2 ");
    assert_int_equal(inputs.mesh_count, 2);
    assert_true(inputs.parts[1].mesh == 1 && inputs.parts[3].mesh == 1);
    inputs_release(&inputs);
}

static void standard_input_may_be_of_any_format(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("in.glb", "{\"name\":\"A\",\"mesh\":0},{\"mesh\":0}");
    assert_non_null(freopen("in.glb", "rb", stdin));
    assert_int_equal(READ(&inputs, UNIT_MM, "-:scale=3", "parts/c.obj"), 0);
    expect_names(&inputs, "A node 1 c.obj ");
    assert_string_equal(inputs.parts[0].file, "standard input");
    assert_true(inputs.parts[0].pose.m[0] == 3);
    inputs_release(&inputs);
    assert_non_null(freopen("parts/c.obj", "rb", stdin));
    assert_int_equal(READ(&inputs, UNIT_NONE, "-"), 0);
    expect_names(&inputs, "standard input ");
    inputs_release(&inputs);
}

/* --- warnings --- */

static void expect_warning(const tool_inputs *inputs, const bool *closed, const char *words)
{
    input_warnings warnings;
    assert_true(inputs_warn(inputs, closed, &warnings));
    if (words == NULL && warnings.count > 0)
        fail_msg("unexpected: %s", warnings.texts[0]);
    assert_int_equal(warnings.count, words != NULL);
    if (words != NULL && strstr(warnings.texts[0], words) == NULL)
        fail_msg("%s", warnings.texts[0]);
    warnings_release(&warnings);
}

static void sizes_that_differ_by_units_are_noticed(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_box_obj("mm.obj", 100.0);
    write_box_obj("m.obj", 0.13);
    write_box_obj("in.obj", 101.0 / 25.4);
    write_box_obj("mm2.obj", 90.0);
    assert_int_equal(READ(&inputs, UNIT_NONE, "mm.obj", "m.obj", "mm2.obj"), 0);
    expect_warning(&inputs, NULL, "m.obj is about 692.3 times as small as the other files; are metres and millimetres");
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_NONE, "mm.obj", "in.obj"), 0);
    expect_warning(&inputs, NULL, "in.obj is about 25.15 times as small as the other files; are inches");
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_MM, "mm.obj", "in.obj:units=in", "m.obj:units=m"), 0);
    expect_warning(&inputs, NULL, NULL);
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_NONE, "mm.obj", "mm2.obj"), 0);
    expect_warning(&inputs, NULL, NULL);
    inputs_release(&inputs);
}

static void gltf_among_files_without_unit_is_noticed(void **state)
{
    (void)state;
    tool_inputs inputs;
    write_glb("a.glb", "{\"name\":\"A\",\"mesh\":0}");
    write_box_obj("c.obj", 1.5);
    assert_int_equal(READ(&inputs, UNIT_NONE, "a.glb", "c.obj"), 0);
    expect_warning(&inputs, NULL, "a.glb is in metres, as glTF is, but c.obj states no unit");
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_M, "a.glb", "c.obj"), 0);
    expect_warning(&inputs, NULL, NULL);
    inputs_release(&inputs);
}

static void floats_far_from_the_origin_are_noticed(void **state)
{
    (void)state;
    tool_inputs inputs;
    tool_result made = RUN("make", "box", "-o", "near.stl");
    tool_release(&made);
    made = RUN("make", "box", "--pose", "1 0 0 80000 0 1 0 1200000 0 0 1 0", "-o", "far.stl");
    assert_int_equal(made.code, 0);
    tool_release(&made);
    made = RUN("make", "box", "--pose", "1 0 0 80000 0 1 0 1200000 0 0 1 0", "-o", "far.obj");
    tool_release(&made);
    assert_int_equal(READ(&inputs, UNIT_NONE, "near.stl", "far.obj"), 0);
    expect_warning(&inputs, NULL, NULL);
    inputs_release(&inputs);
    assert_int_equal(READ(&inputs, UNIT_NONE, "near.stl", "far.stl"), 0);
    expect_warning(&inputs, NULL, "of the size of 1 part: 'far.stl'");
    inputs_release(&inputs);
}

static void open_parts_are_noticed_where_containment_is_asked(void **state)
{
    (void)state;
    tool_inputs inputs;
    assert_int_equal(READ(&inputs, UNIT_NONE, "parts"), 0);
    expect_warning(&inputs, NULL, NULL);
    expect_warning(&inputs, (const bool[]){true, true, true, true}, NULL);
    expect_warning(&inputs, (const bool[]){true, false, true, false}, "as in 2 parts: 'a.obj', 'c.obj'");
    inputs_release(&inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_stand_for_what_is_in_them),
        cmocka_unit_test(patterns_are_expanded),
        cmocka_unit_test(what_is_named_is_taken_as_often_as_it_is_named),
        cmocka_unit_test(what_is_not_there_is_a_problem_and_the_rest_goes_on),
        cmocka_unit_test(a_bad_part_is_named_and_the_rest_goes_on),
        cmocka_unit_test(names_that_come_in_several_files_say_which),
        cmocka_unit_test(units_and_scales_go_into_the_poses),
        cmocka_unit_test(units_that_scenes_state_are_honoured),
        cmocka_unit_test(parts_know_how_closely_their_coordinates_are_known),
        cmocka_unit_test(what_a_folder_holds_and_cannot_be_read_is_named),
        cmocka_unit_test(ratios_of_units_round_once),
        cmocka_unit_test(scene_files_give_their_objects_at_the_first_frame),
        cmocka_unit_test(instances_share_their_mesh),
        cmocka_unit_test(standard_input_may_be_of_any_format),
        cmocka_unit_test(sizes_that_differ_by_units_are_noticed),
        cmocka_unit_test(gltf_among_files_without_unit_is_noticed),
        cmocka_unit_test(floats_far_from_the_origin_are_noticed),
        cmocka_unit_test(open_parts_are_noticed_where_containment_is_asked),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
