/* SPDX-License-Identifier: MIT */
/* graze check with shape files, through the real program: verdicts, exit codes, JSON, scales and units, poses that a
 * shape may not have, files that are wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed != 0)
        return failed;
    write_box_obj("cube.obj", 1.0);
    write_open_box_obj("open.obj", 1.0);
    write_text("sphere.json", "{\"kind\": \"sphere\", \"radius\": 0.5}");
    write_text("ball.json", "{\"kind\": \"sphere\", \"centre\": [1, 0, 0], \"radius\": 0.5}");
    write_text("box.json", "{\"kind\": \"box\", \"size\": [2, 2, 2]}");
    write_text("cylinder.json", "{\"kind\": \"cylinder\", \"height\": 2, \"radius\": 1}");
    write_text("floor.json", "{\"kind\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": 0}");
    write_text("point.json", "{\"kind\": \"point\", \"points\": [[0, 0, 0]]}");
    write_text("both.json",
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"point\", \"points\": [[9, 9, "
               "9]]}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"pose\": [1, 0, 0, 0, 0, 1, 0, "
               "0, 0, 0, 1, 3]}]}");
    return 0;
}

static bool is_null(const cJSON *document, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(document, key);
    assert_non_null(item);
    return cJSON_IsNull(item);
}

static void shapes_that_touch_collide(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "sphere.json", "ball.json", "--json"), 1);
    assert_true(json_boolean(document, "collide"));
    assert_string_equal(json_string(document, "verdict"), "yes");
    static const char *const keys[] = {"pairs", "touching", "crossing", "coplanar", "contains"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_true(is_null(document, keys[i]));
    assert_string_equal(json_string(cJSON_GetObjectItem(document, "a"), "kind"), "sphere");
    assert_true(is_null(cJSON_GetObjectItem(document, "witness"), "a"));
    cJSON_Delete(document);
    document =
        expect_json(RUN("check", "sphere.json", "ball.json", "--json", "--pose-b", "1 0 0 1e-16 0 1 0 0 0 0 1 0"), 0);
    assert_false(json_boolean(document, "collide")); /* exactly: one ulp is a gap */
    assert_true(is_null(document, "witness"));
    cJSON_Delete(document);
}

/* All primitives are solid, meshes only with --solid. */
static void what_lies_inside_collides(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "point.json", "box.json", "--json"), 1);
    cJSON_Delete(document);
    document = expect_json(RUN("check", "point.json", "cube.obj", "--json"), 0);
    assert_true(json_number(document, "pairs") == 0 && is_null(document, "crossing"));
    assert_true(json_number(cJSON_GetObjectItem(document, "b"), "triangles") == 12);
    cJSON_Delete(document);
    document = expect_json(RUN("check", "point.json", "cube.obj", "--json", "--solid"), 1);
    cJSON_Delete(document);
    document = expect_json(RUN("check", "cube.obj:scale=0.1", "box.json", "--json", "--pairs", "all"), 1);
    assert_true(json_number(document, "pairs") == 12);
    const cJSON *list = cJSON_GetObjectItem(document, "pair_list"), *pair = cJSON_GetArrayItem(list, 11);
    assert_int_equal(cJSON_GetArraySize(list), 12);
    assert_true(cJSON_GetArrayItem(pair, 0)->valuedouble == 11 && cJSON_IsNull(cJSON_GetArrayItem(pair, 1)));
    cJSON_Delete(document);
    document = expect_json(RUN("check", "cube.obj:scale=0.1", "box.json", "--json", "--pairs", "3"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "pair_list")), 3);
    cJSON_Delete(document);
}

static void swapped_arguments_give_the_same_answer(void **state)
{
    (void)state;
    static const char *const files[] = {"sphere.json", "box.json",  "cylinder.json",
                                        "floor.json",  "both.json", "cube.obj"};
    static const char pose[] = "0 -1 0 0.25  1 0 0 1.5  0 0 1 1.75", other[] = "1 0 0 3 0 1 0 0 0 0 1 2";
    size_t collisions = 0;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < i; j++)
            for (int k = 0; k < 2; k++)
            {
                const char *chosen = k == 0 ? pose : other;
                tool_result one = RUN("check", files[i], files[j], "--pose-a", chosen, "--json", "--distance");
                tool_result two = RUN("check", files[j], files[i], "--pose-b", chosen, "--json", "--distance");
                assert_int_equal(one.code, two.code);
                assert_true(one.code == 0 || one.code == 1);
                cJSON *first = cJSON_Parse(one.out), *second = cJSON_Parse(two.out);
                const cJSON *near = cJSON_GetObjectItem(first, "distance"),
                            *far = cJSON_GetObjectItem(second, "distance");
                assert_true(json_number(near, "lower") <= json_number(far, "upper"));
                assert_true(json_number(far, "lower") <= json_number(near, "upper"));
                assert_true((json_number(near, "distance") == 0) == (one.code == 1));
                collisions += one.code == 1;
                cJSON_Delete(first);
                cJSON_Delete(second);
                tool_release(&one);
                tool_release(&two);
            }
    assert_true(collisions > 5 && collisions < 28);
}

static void distances_and_tolerances_are_measured(void **state)
{
    (void)state;
    cJSON *document =
        expect_json(RUN("check", "both.json", "floor.json", "--json", "--distance", "--tolerance", "2"), 1);
    const cJSON *distance = cJSON_GetObjectItem(document, "distance");
    assert_true(json_number(distance, "lower") <= 2 && json_number(distance, "upper") >= 2);
    assert_true(json_number(distance, "upper") - json_number(distance, "lower") < 1e-9);
    assert_true(json_number(distance, "leaf_a") == 1);
    assert_true(json_boolean(document, "within") && is_null(document, "within_pairs"));
    assert_false(json_boolean(document, "collide"));
    cJSON_Delete(document);
    document = expect_json(RUN("check", "both.json", "floor.json", "--json", "--tolerance", "1.999999"), 0);
    assert_false(json_boolean(document, "within"));
    cJSON_Delete(document);
}

static void depth_has_two_intervals(void **state)
{
    (void)state;
    static const char *const files[] = {"box.json", "cube.obj"};
    for (int i = 0; i < 4; i++)
    {
        cJSON *document = expect_json(
            RUN("check", files[i / 2], files[i % 2], "--json", "--depth", "--pose-b", "1 0 0 1.75 0 1 0 0 0 0 1 0"), 1);
        assert_true(json_boolean(document, "overlap"));
        const cJSON *way_out = cJSON_GetObjectItem(document, "way_out"),
                    *depth = cJSON_GetObjectItem(document, "depth");
        assert_true(cJSON_GetArrayItem(way_out, 0)->valuedouble <= 0.25);
        assert_true(cJSON_GetArrayItem(way_out, 1)->valuedouble >= 0.25);
        assert_true(cJSON_GetArrayItem(way_out, 1)->valuedouble < 0.26);
        assert_true(cJSON_GetArrayItem(depth, 0)->valuedouble <= 0.25);
        const cJSON *upper = cJSON_GetArrayItem(depth, 1);
        assert_true(cJSON_IsNull(upper) || upper->valuedouble >= cJSON_GetArrayItem(depth, 0)->valuedouble);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "translation")), 3);
        cJSON_Delete(document);
    }
    cJSON *document = expect_json(
        RUN("check", "box.json", "sphere.json", "--json", "--depth", "--pose-b", "1 0 0 5 0 1 0 0 0 0 1 0"), 0);
    assert_false(json_boolean(document, "overlap"));
    assert_true(is_null(document, "depth") && is_null(document, "way_out") && is_null(document, "translation"));
    cJSON_Delete(document);
    tool_result result = RUN("check", "box.json", "sphere.json", "--depth");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "way out"));
    tool_release(&result);
}

static void contacts_have_normals_points_and_gaps(void **state)
{
    (void)state;
    static const char *const files[] = {"box.json", "cube.obj"};
    for (int i = 0; i < 4; i++) /* a mesh as a solid, too */
    {
        cJSON *document = expect_json(RUN("check", files[i / 2], files[i % 2], "--json", "--contacts", "--margin",
                                          "0.1", "--pose-b", "1 0 0 2.0625 0 1 0 0 0 0 1 0"),
                                      0);
        const cJSON *contacts = cJSON_GetObjectItem(document, "contacts"), *first = cJSON_GetArrayItem(contacts, 0);
        assert_int_equal(cJSON_GetArraySize(contacts), 1);
        assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(first, "normal"), 0)->valuedouble == 1);
        const cJSON *points = cJSON_GetObjectItem(first, "points"), *point;
        assert_int_equal(cJSON_GetArraySize(points), 4);
        cJSON_ArrayForEach(point, points)
        {
            assert_true(cJSON_GetObjectItem(point, "gap")->valuedouble == 0.0625);
            assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(point, "a"), 0)->valuedouble == 1);
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(point, "feature")), 2);
        }
        cJSON_Delete(document);
    }
    tool_result result =
        RUN("check", "box.json", "sphere.json", "--contacts", "--margin", "3", "--pose-b", "1 0 0 2 0 1 0 0 0 0 1 0");
    assert_non_null(strstr(result.out, "contacts  1 manifold"));
    tool_release(&result);
    result = RUN("check", "box.json", "sphere.json", "--contacts", "--margin", "-1");
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "--margin"));
    tool_release(&result);
}

/* A cylinder that touches: unknown, or known for certain. */
static void what_is_not_known_is_null_with_code_4(void **state)
{
    (void)state;
    size_t unknown = 0;
    for (int i = 0; i < 12; i++)
    {
        char pose[200];
        double angle = 0.1 + i;
        snprintf(pose, sizeof pose, "1 0 0 %.17g 0 1 0 %.17g 0 0 1 0", 2 * cos(angle), 2 * sin(angle));
        tool_result result = RUN("check", "cylinder.json", "cylinder.json", "--pose-b", pose, "--json");
        cJSON *document = cJSON_Parse(result.out);
        if (result.code == 4)
        {
            assert_true(is_null(document, "collide"));
            assert_string_equal(json_string(document, "verdict"), "unknown");
            assert_non_null(strstr(result.err, "unknown"));
            unknown++;
        }
        else
            assert_true(json_boolean(document, "collide") == (result.code == 1));
        cJSON_Delete(document);
        tool_release(&result);
    }
    assert_true(unknown > 0);
}

static void poses_that_a_shape_may_not_have_are_refused(void **state)
{
    (void)state;
    static const char twice[] = "2 0 0 0 0 2 0 0 0 0 2 0", flat[] = "1 0 0 0 0 1 0 0 0 0 0 0";
    static const char *const round[] = {"sphere.json", "cylinder.json", "both.json"};
    for (size_t i = 0; i < 3; i++)
    {
        tool_expect_refusal(RUN("check", round[i], "box.json", "--pose-a", twice), 2,
                            "--pose-a: a shape with a radius");
        tool_expect_refusal(RUN("check", "cube.obj", round[i], "--pose-b", twice), 2,
                            "--pose-b: a shape with a radius");
    }
    tool_expect_refusal(RUN("check", "floor.json", "box.json", "--pose-a", flat), 2, "--pose-a: a half-space");
    tool_result result = RUN("check", "box.json", "point.json", "--pose-a", twice);
    assert_int_equal(result.code, 1); /* polytopes take any */
    tool_release(&result);
}

static void scales_and_units_multiply_a_shapes_numbers(void **state)
{
    (void)state;
    static const struct
    {
        const char *a, *b, *units;
        double distance;
    } cases[] = {
        {"sphere.json:scale=2", "ball.json:scale=10", NULL, 4},
        {"sphere.json:units=cm", "ball.json:units=in", "mm", 25.4 * 0.5 - 5},
        {"sphere.json", "ball.json:units=cm", "mm", 4.5},
        {"cube.obj:scale=0.5", "ball.json:scale=4", NULL, 1.5},
        {"cube.obj:units=cm", "ball.json:units=m", "mm", 490},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        cJSON *document =
            expect_json(cases[i].units != NULL
                            ? RUN("check", cases[i].a, cases[i].b, "--json", "--distance", "--units", cases[i].units)
                            : RUN("check", cases[i].a, cases[i].b, "--json", "--distance"),
                        0);
        double distance = json_number(cJSON_GetObjectItem(document, "distance"), "distance");
        assert_true(fabs(distance - cases[i].distance) < 1e-9);
        cJSON_Delete(document);
    }
    tool_expect_refusal(RUN("check", "sphere.json:units=cm", "ball.json"), 2, "--units must then say");
    tool_expect_refusal(RUN("check", "sphere.json", "ball.json", "--units", "miles"), 2, "--units takes mm");
    tool_expect_refusal(RUN("check", "sphere.json:scale=-1", "ball.json"), 2, "a scale is one positive number");
}

static void wrong_files_are_refused_with_the_key(void **state)
{
    (void)state;
    write_text("bad.json",
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\",\n\"radius\": -1}}]}");
    tool_expect_refusal(RUN("check", "bad.json", "cube.obj"), 3,
                        "bad.json, line 2: parts[0].shape.radius: this must not");
    tool_expect_refusal(RUN("check", "cube.obj", "bad.json"), 3, "parts[0].shape.radius");
    tool_expect_refusal(RUN("check", "none.json", "cube.obj"), 3, "none.json");
    write_text("scene.json", "{\"graze\": \"scene\", \"version\": 1, \"objects\": []}");
    tool_expect_refusal(RUN("check", "scene.json", "cube.obj"), 3, "\"kind\"");
    tool_expect_refusal(RUN_WITH_INPUT("{\"kind\": \"sphere\", \"radius\": null}", "check", "-", "cube.obj"), 3,
                        "standard input, line 1: radius");
    tool_result result = RUN_WITH_INPUT("{\"kind\": \"sphere\", \"radius\": 1}", "check", "-", "cube.obj");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

static void open_meshes_have_no_depth_that_is_made_up(void **state)
{
    (void)state;
    tool_result result =
        RUN("check", "open.obj", "sphere.json", "--json", "--depth", "--pose-b", "1 0 0 0 0 1 0 0 0 0 1 -1");
    assert_int_equal(result.code, 1);
    cJSON *document = cJSON_Parse(result.out);
    const cJSON *way_out = cJSON_GetObjectItem(document, "way_out");
    if (cJSON_IsArray(way_out))
        assert_true(cJSON_GetArrayItem(way_out, 0)->valuedouble <= 0.5);
    cJSON_Delete(document);
    tool_release(&result);
}

static void text_says_the_same(void **state)
{
    (void)state;
    tool_result result =
        RUN("check", "sphere.json", "cube.obj:scale=2", "--distance", "--tolerance", "3", "--pairs", "2");
    assert_int_equal(result.code, 1);
    static const char *const words[] = {"no collision", "sphere", "mesh, 12 triangles", "distance  1.5",
                                        "within    3: yes"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(result.out, words[i]) == NULL)
            fail_msg("'%s' is missing in\n%s", words[i], result.out);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_touch_collide),
        cmocka_unit_test(what_lies_inside_collides),
        cmocka_unit_test(swapped_arguments_give_the_same_answer),
        cmocka_unit_test(distances_and_tolerances_are_measured),
        cmocka_unit_test(depth_has_two_intervals),
        cmocka_unit_test(contacts_have_normals_points_and_gaps),
        cmocka_unit_test(what_is_not_known_is_null_with_code_4),
        cmocka_unit_test(poses_that_a_shape_may_not_have_are_refused),
        cmocka_unit_test(scales_and_units_multiply_a_shapes_numbers),
        cmocka_unit_test(wrong_files_are_refused_with_the_key),
        cmocka_unit_test(open_meshes_have_no_depth_that_is_made_up),
        cmocka_unit_test(text_says_the_same),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
