/* SPDX-License-Identifier: MIT */
/* graze make, through the real program: every shape, every format, poses, and invalid parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/tool_json.h"
#include "support/unit.h"

static const char *const closed_shapes[] = {
    "box",  "sphere",    "geodesic", "torus",       "cylinder",   "cone",        "hyperboloid", "tetraflake",
    "gear", "extrusion", "pipes",    "stalagmites", "tetrahedra", "bumpy-shell", "aircraft",    "hand"};
enum
{
    SHAPES = sizeof closed_shapes / sizeof closed_shapes[0]
};

#define MAKE(...) expect_made(RUN("make", __VA_ARGS__))

static void expect_made(tool_result result)
{
    if (result.code != 0 || result.out_size != 0)
        fail_msg("code %d: %s", result.code, result.err);
    tool_release(&result);
}

static void every_shape_is_closed_and_faces_outward(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++)
    {
        MAKE(closed_shapes[i], "-o", "shape.obj");
        cJSON *document = expect_json(RUN("info", "shape.obj", "--json"), 0);
        if (!json_boolean(document, "closed") || !json_boolean(document, "oriented"))
            fail_msg("%s is not closed and oriented", closed_shapes[i]);
        assert_true(json_number(document, "volume") > 0.0);
        cJSON_Delete(document);
    }
}

static void the_list_has_every_shape(void **state)
{
    (void)state;
    tool_result result = RUN("make", "--list");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    for (size_t i = 0; i < SHAPES; i++)
        assert_non_null(strstr(result.out, closed_shapes[i]));
    assert_non_null(strstr(result.out, "--ring-radius 1 --tube-radius 0.3"));
    tool_release(&result);
}

static void every_format_reads_back(void **state)
{
    (void)state;
    static const char *const formats[][3] = {{"stl", "x.stl", "STL, binary"},
                                             {"stl-ascii", "x.stl", "STL, text"},
                                             {"obj", "x.obj", "OBJ"},
                                             {"off", "x.off", "OFF"},
                                             {"ply", "x.ply", "PLY, little endian"},
                                             {"ply-ascii", "x.ply", "PLY, text"},
                                             {"ply-big", "x.ply", "PLY, big endian"}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    {
        MAKE("torus", "--segments", "16", "--sides", "8", "--format", formats[i][0], "-o", formats[i][1]);
        cJSON *document = expect_json(RUN("info", formats[i][1], "--json"), 0);
        assert_string_equal(json_string(document, "format"), formats[i][2]);
        assert_true(json_number(document, "triangles") == 256);
        assert_true(json_boolean(document, "closed"));
        cJSON_Delete(document);
    }
}

static void standard_output_gets_the_file_and_nothing_else(void **state)
{
    (void)state;
    MAKE("cone", "-o", "cone.stl");
    tool_result result = RUN("make", "cone", "-o", "-", "--format", "stl");
    assert_int_equal(result.code, 0);
    write_bytes("piped.stl", result.out, result.out_size);
    tool_release(&result);
    FILE *one = fopen("cone.stl", "rb"), *two = fopen("piped.stl", "rb");
    assert_true(one != NULL && two != NULL);
    for (int a = 0, b = 0; a != EOF;)
    {
        a = getc(one);
        b = getc(two);
        assert_int_equal(a, b);
    }
    fclose(one);
    fclose(two);
}

static void options_take_effect(void **state)
{
    (void)state;
    MAKE("box", "--size", "1 2 3", "-o", "box.obj");
    cJSON *document = expect_json(RUN("info", "box.obj", "--json"), 0);
    assert_true(json_number(document, "volume") == 6.0);
    cJSON_Delete(document);
    MAKE("geodesic", "--frequency=3", "--radius=2", "-obig.off");
    document = expect_json(RUN("info", "big.off", "--json"), 0);
    assert_true(json_number(document, "triangles") == 180);
    cJSON_Delete(document);
    MAKE("tetrahedra", "--count", "1e2", "--seed", "18446744073709551615", "-o", "many.off");
    document = expect_json(RUN("info", "many.off", "--json"), 0);
    assert_true(json_number(document, "components") == 100);
    cJSON_Delete(document);
}

static void a_pose_moves_and_a_mirror_keeps_the_outside_out(void **state)
{
    (void)state;
    MAKE("box", "--pose", "-2 0 0 10  0 1 0 0  0 0 1 0", "-o", "moved.obj");
    cJSON *document = expect_json(RUN("info", "moved.obj", "--json"), 0);
    assert_true(json_number(document, "volume") == 2.0);
    const cJSON *lower = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "bounds"), 0);
    assert_true(cJSON_GetArrayItem(lower, 0)->valuedouble == 9.0);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("make", "box", "--pose", "1 2 3", "-o", "x.obj"), 2, "12 numbers");
    tool_expect_refusal(
        RUN("make", "box", "--pose", "1e308 1e308 1e308 1e308 0 1 0 0 0 0 1 0", "--size", "100", "-o", "x.obj"), 2,
        "range of doubles");
}

static void two_gears_engage_without_touching(void **state)
{
    (void)state;
    MAKE("gear", "--teeth", "24", "-o", "wheel.obj");
    MAKE("gear", "--teeth", "12", "--bore-radius", "0.2", "--mate", "24", "-o", "pinion.obj");
    cJSON *document = expect_json(RUN("check", "wheel.obj", "pinion.obj", "--json", "--solid"), 0);
    assert_string_equal(json_string(document, "contains"), "none");
    cJSON_Delete(document);
    tool_result turned =
        RUN("check", "wheel.obj", "pinion.obj", "--pose-a", "0.991 -0.131 0 0 0.131 0.991 0 0 0 0 1 0");
    assert_int_equal(turned.code, 1);
    tool_release(&turned);
}

static void an_outline_with_a_hole_is_extruded(void **state)
{
    (void)state;
    MAKE("extrusion", "--points", "0 0, 4 0, 4 4, 0 4; 1 1, 1 3, 3 3, 3 1", "--height", "2", "-o", "frame.off");
    write_text("frame.txt", "# outside\n0 0\n4 0\n4 4\r\n0 4\n\n# hole\n1 1\n1,3\n3 3\n3 1\n");
    MAKE("extrusion", "--points-file", "frame.txt", "--height", "2", "-o", "same.off");
    static const char *const paths[] = {"frame.off", "same.off"};
    for (size_t i = 0; i < 2; i++)
    {
        cJSON *document = expect_json(RUN("info", paths[i], "--json"), 0);
        assert_true(json_number(document, "volume") == 24.0);
        assert_true(json_boolean(document, "closed"));
        cJSON_Delete(document);
    }
    tool_expect_refusal(RUN("make", "extrusion", "--points", "0 0, 1 0", "-o", "x.off"), 2, "at least three");
    tool_expect_refusal(RUN("make", "extrusion", "--points", "0 0, 1 0, 1", "-o", "x.off"), 2, "two coordinates");
    tool_expect_refusal(RUN("make", "extrusion", "--points", "", "-o", "x.off"), 2, "no points");
    tool_expect_refusal(RUN("make", "extrusion", "--points-file", "missing.txt", "-o", "x.off"), 3, "missing.txt");
    write_text("bad.txt", "0 0\n1 zero\n");
    tool_expect_refusal(RUN("make", "extrusion", "--points-file", "bad.txt", "-o", "x.off"), 3, "bad.txt, line 2");
}

static void seeds_make_different_scenes_and_the_same_seed_the_same(void **state)
{
    (void)state;
    tool_result results[3];
    static const char *const seeds[] = {"1", "1", "2"};
    for (int i = 0; i < 3; i++)
        results[i] = RUN("make", "bumpy-shell", "--frequency", "4", "--seed", seeds[i], "-o", "-", "--format", "off");
    assert_string_equal(results[0].out, results[1].out);
    assert_string_not_equal(results[0].out, results[2].out);
    for (int i = 0; i < 3; i++)
        tool_release(&results[i]);
}

static void names_are_forgiving(void **state)
{
    (void)state;
    MAKE("bumpy_shell", "--frequency", "2", "-o", "x.off");
    MAKE("tetra-flake", "--depth", "1", "-o", "x.off");
    MAKE("pipe", "--triangles", "500", "-o", "x.off");
}

static void numbers_that_make_no_shape_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][4] = {
        {"sphere", "--radius", "-1", "above zero"},  {"sphere", "--radius", "0", "above zero"},
        {"sphere", "--radius", "nan", "not finite"}, {"sphere", "--radius", "1 2", "one number"},
        {"sphere", "--segments", "2", "from 3"},     {"sphere", "--segments", "2.5", "'2.5'"},
        {"sphere", "--segments", "-3", "'-3'"},      {"sphere", "--segments", "4294967296", "at most"},
        {"sphere", "--teeth", "5", "no --teeth"},    {"box", "--size", "1 2", "three"},
        {"box", "--size", "1 2 0", "above zero"},    {"hand", "--curl", "2", "at most 1"},
        {"hand", "--curl", "-1", "at least 0"},      {"gear", "--bore-radius", "100", "no gear"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        tool_expect_refusal(RUN("make", bad[i][0], bad[i][1], bad[i][2], "-o", "x.stl"), 2, bad[i][3]);
    tool_expect_refusal(RUN("make"), 2, "SHAPE is missing");
    tool_expect_refusal(RUN("make", "box"), 2, "-o FILE");
    tool_expect_refusal(RUN("make", "box", "-o", "x.step"), 2, "--format");
    tool_expect_refusal(RUN("make", "box", "-o", "-"), 2, "--format");
    tool_expect_refusal(RUN("make", "box", "-o", "x.stl", "--format", "stk"), 2, "'stl'");
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    mkdir("folder.stl", 0700);
    tool_expect_refusal(RUN("make", "box", "-o", "missing/x.stl"), 3, "missing/x.stl");
    tool_expect_refusal(RUN("make", "box", "-o", "folder.stl"), 3, "folder.stl");
}

static void primitives_are_written_as_shape_files(void **state)
{
    (void)state;
    static const struct
    {
        const char *shape, *option, *value, *text;
    } cases[] = {
        {"box", "--size", "1 2 3", "{\"kind\": \"box\", \"size\": [1, 2, 3]}\n"},
        {"sphere", "--radius", "2", "{\"kind\": \"sphere\", \"centre\": [0, 0, 0], \"radius\": 2}\n"},
        {"geodesic", "--radius", "2", "{\"kind\": \"sphere\", \"centre\": [0, 0, 0], \"radius\": 2}\n"},
        {"cylinder", "--height", "3", "{\"kind\": \"cylinder\", \"height\": 3, \"radius\": 0.5}\n"},
        {"cone", "--radius", "3", "{\"kind\": \"cone\", \"height\": 1, \"radius\": 3}\n"},
        {"capsule", "--height", "3",
         "{\"kind\": \"capsule\", \"ends\": [[0, 0, -1.5], [0, 0, 1.5]], \"radius\": 0.5}\n"},
        {"ellipsoid", "--size", "1 2 3", "{\"kind\": \"ellipsoid\", \"radii\": [0.5, 1, 1.5]}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        tool_result result = RUN("make", cases[i].shape, cases[i].option, cases[i].value, "-o", "x.json");
        assert_int_equal(result.code, 0);
        tool_release(&result);
        result = RUN("make", cases[i].shape, cases[i].option, cases[i].value, "-o", "-", "--format", "shape");
        assert_string_equal(result.out, cases[i].text);
        tool_release(&result);
        result = RUN("check", "x.json", "x.json");
        assert_int_equal(result.code, 1);
        tool_release(&result);
    }
    tool_result result = RUN("make", "box", "-o", "-", "--format", "shape", "--pose", "2 0 0 1 0 1 0 0 0 0 1 0");
    assert_non_null(strstr(result.out, "\"pose\": [2, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]"));
    tool_release(&result);
    tool_expect_refusal(RUN("make", "sphere", "-o", "x.json", "--pose", "2 0 0 1 0 1 0 0 0 0 1 0"), 2,
                        "--pose: a shape");
    tool_expect_refusal(RUN("make", "gear", "-o", "x.json"), 2, "gear is no shape that a shape file can describe");
    tool_expect_refusal(RUN("make", "capsule", "-o", "x.stl"), 2, "a shape file alone holds a capsule");
    tool_expect_refusal(RUN("make", "box", "-o", "none/x.json"), 3, "none/x.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_closed_and_faces_outward),
        cmocka_unit_test(the_list_has_every_shape),
        cmocka_unit_test(every_format_reads_back),
        cmocka_unit_test(standard_output_gets_the_file_and_nothing_else),
        cmocka_unit_test(options_take_effect),
        cmocka_unit_test(a_pose_moves_and_a_mirror_keeps_the_outside_out),
        cmocka_unit_test(two_gears_engage_without_touching),
        cmocka_unit_test(an_outline_with_a_hole_is_extruded),
        cmocka_unit_test(seeds_make_different_scenes_and_the_same_seed_the_same),
        cmocka_unit_test(names_are_forgiving),
        cmocka_unit_test(numbers_that_make_no_shape_are_refused),
        cmocka_unit_test(primitives_are_written_as_shape_files),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
