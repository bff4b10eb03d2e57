/* SPDX-License-Identifier: MIT */
/* graze path, through the real program: an answer per pose, files of poses in every form, times. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/tool_json.h"
#include "support/unit.h"

static const char three_poses[] = "# x y z\n"
                                  "1 0 0 0  0 1 0 0  0 0 1 0   # on top of each other\n"
                                  "\n"
                                  "1,0,0,5, 0,1,0,0, 0,0,1,0\r\n"
                                  "   \t\r\n"
                                  "1 0 0 100 0 1 0 0 0 0 1 0   1 0 0 102 0 1 0 0 0 0 1 0";

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("box.obj", 1.0);
        write_text("poses.txt", three_poses);
        write_text("apart.txt", "1 0 0 5 0 1 0 0 0 0 1 0\n");
    }
    return failed;
}

static void each_pose_gets_a_line(void **state)
{
    (void)state;
    tool_result result = RUN("path", "box.obj", "box.obj", "poses.txt");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "0 1\n1 0\n2 1\n");
    tool_release(&result);
}

static void counts_are_those_of_check(void **state)
{
    (void)state;
    tool_result result = RUN("path", "--count", "box.obj", "box.obj", "poses.txt");
    cJSON *same = expect_json(RUN("check", "box.obj", "box.obj", "--json"), 1);
    cJSON *beside = expect_json(RUN("check", "box.obj", "box.obj", "--json", "--pose-b", "1 0 0 2 0 1 0 0 0 0 1 0"), 1);
    char expected[128];
    snprintf(expected, sizeof expected, "0 1 %.0f\n1 0 0\n2 1 %.0f\n", json_number(same, "pairs"),
             json_number(beside, "pairs"));
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, expected);
    tool_release(&result);
    cJSON_Delete(same);
    cJSON_Delete(beside);
}

static void json_is_one_document(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--json"), 1);
    assert_true(json_number(document, "queries") == 3);
    assert_true(json_number(document, "hits") == 2);
    const cJSON *collide = cJSON_GetObjectItem(document, "collide");
    assert_int_equal(cJSON_GetArraySize(collide), 3);
    static const int expected[] = {1, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(cJSON_GetArrayItem(collide, i)->valueint, expected[i]);
    assert_null(cJSON_GetObjectItem(document, "pairs"));
    assert_non_null(cJSON_GetObjectItem(document, "ns"));
    cJSON_Delete(document);
    document = expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--json", "--count"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "pairs")), 3);
    cJSON_Delete(document);
}

static void times_are_in_order(void **state)
{
    (void)state;
    cJSON *document =
        expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--time", "--repeat", "5", "--json"), 1);
    const cJSON *times = cJSON_GetObjectItem(document, "ns");
    double min = json_number(times, "min"), median = json_number(times, "median"), p99 = json_number(times, "p99");
    double mean = json_number(times, "mean");
    assert_true(min > 0.0 && min <= median && median <= p99 && min <= mean && mean <= p99);
    cJSON_Delete(document);
    tool_result result = RUN("path", "box.obj", "box.obj", "poses.txt", "--time");
    assert_string_equal(result.out, "0 1\n1 0\n2 1\n");
    assert_non_null(strstr(result.err, "median"));
    tool_release(&result);
}

static void no_collision_on_the_whole_path_is_code_zero(void **state)
{
    (void)state;
    tool_result result = RUN("path", "box.obj", "box.obj", "apart.txt");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "0 0\n");
    tool_release(&result);
}

static void poses_may_come_through_standard_input(void **state)
{
    (void)state;
    tool_result result = RUN_WITH_INPUT("\xef\xbb\xbf"
                                        "1 0 0 0 0 1 0 0 0 0 1 0",
                                        "path", "box.obj", "box.obj", "-");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "0 1\n");
    tool_release(&result);
}

static void swapped_meshes_and_poses_answer_the_same(void **state)
{
    (void)state;
    write_text("ab.txt", "0.8 -0.6 0 0.1 0.6 0.8 0 0.7 0 0 1 0 1 0 0 1.5 0 1 0 0 0 0 1 0\n"
                         "0.8 -0.6 0 0.1 0.6 0.8 0 0.7 0 0 1 0 1 0 0 3.5 0 1 0 0 0 0 1 0\n");
    write_text("ba.txt", "1 0 0 1.5 0 1 0 0 0 0 1 0 0.8 -0.6 0 0.1 0.6 0.8 0 0.7 0 0 1 0\n"
                         "1 0 0 3.5 0 1 0 0 0 0 1 0 0.8 -0.6 0 0.1 0.6 0.8 0 0.7 0 0 1 0\n");
    write_box_obj("small.obj", 0.5);
    tool_result one = RUN("path", "box.obj", "small.obj", "ab.txt", "--count");
    tool_result two = RUN("path", "small.obj", "box.obj", "ba.txt", "--count");
    assert_int_equal(one.code, 1);
    assert_string_equal(one.out, two.out);
    tool_release(&one);
    tool_release(&two);
}

static void a_bad_line_is_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1\n",
         "line 2: a pose is 12 numbers, two poses are 24, but there are 11"},
        {"# first\n\n1 0 0 0 0 1 0 0 0 0 1 0 5\n", "line 3"},
        {"1 0 0 0 0 1 0 x 0 0 1 0\n", "line 1: entry 8"},
        {"1 0 0 0 0 1 0 0 0 0 1 nan\n", "line 1: entry 12"},
        {"1 0 0 0 0 1 0 0 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1 1e999\n", "line 1: entry 24"},
        {"1 0 0 0 0 1 0,,0 0 0 1 0\n", "line 1: entry 8 is missing"},
        {"nonsense\n", "'nonsense'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
        write_text("bad.txt", bad[i][0]);
        tool_expect_refusal(RUN("path", "box.obj", "box.obj", "bad.txt"), 3, bad[i][1]);
        tool_expect_refusal(RUN("path", "box.obj", "box.obj", "bad.txt", "--json"), 3, "bad.txt");
    }
}

static void what_holds_no_poses_is_refused(void **state)
{
    (void)state;
    write_text("empty.txt", "");
    write_text("comments.txt", "# nothing\n\n   # here\n");
    write_bytes("binary.txt", "1 0 0\0 0 0 1", 12);
    static char line[100000];
    memset(line, '1', sizeof line - 1);
    write_text("long.txt", line);
    mkdir("folder", 0700);
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "empty.txt"), 4, "no pose");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "comments.txt", "--json"), 4, "no pose");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "binary.txt"), 3, "zero byte");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "long.txt"), 3, "too long");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "/dev/zero"), 3, "zero byte");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "folder"), 3, "folder");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "missing.txt"), 3, "missing.txt");
    tool_expect_refusal(RUN("path", "missing.obj", "box.obj", "poses.txt"), 3, "missing.obj");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--repeat", "0"), 2, "--repeat");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--repeat", "many"), 2, "'many'");
}

static void shapes_are_asked_pose_by_pose(void **state)
{
    (void)state;
    write_text("sphere.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    write_text("tall.json", "{\"kind\": \"cylinder\", \"height\": 2, \"radius\": 1}");
    write_text("steps.txt",
               "1 0 0 3 0 1 0 0 0 0 1 0\n1 0 0 2 0 1 0 0 0 0 1 0\n1 0 0 2.0000000000000004 0 1 0 0 0 0 1 0\n"
               "0 -1 0 0 1 0 0 0 0 0 1 0\n");
    tool_result result = RUN("path", "sphere.json", "box.obj", "steps.txt", "--tolerance", "1");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "0 0 1\n1 1 1\n2 0 1\n3 1 1\n");
    tool_release(&result);
    cJSON *document = expect_json(RUN("path", "sphere.json", "box.obj", "steps.txt", "--distance", "--json"), 1);
    const cJSON *distances = cJSON_GetObjectItem(document, "distance");
    double first = cJSON_GetArrayItem(distances, 0)->valuedouble, third = cJSON_GetArrayItem(distances, 2)->valuedouble;
    assert_true(first > 1 - 1e-9 && first < 1 + 1e-9 && third > 0 && third < 1e-9);
    assert_true(cJSON_GetArrayItem(distances, 1)->valuedouble == 0);
    cJSON_Delete(document);
    result = RUN("path", "sphere.json:scale=2", "box.obj:scale=0.5", "steps.txt", "--no-cache");
    assert_string_equal(result.out, "0 0\n1 1\n2 1\n3 1\n");
    tool_release(&result);
    result = RUN("path", "tall.json", "sphere.json", "steps.txt");
    assert_true(strncmp(result.out, "0 0\n", 4) == 0 && strstr(result.out, "\n3 1\n") != NULL);
    tool_release(&result);
    document = cJSON_Parse((result = RUN("path", "tall.json", "tall.json", "steps.txt", "--json")).out);
    assert_true(json_number(document, "queries") == 4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "collide")), 4);
    cJSON_Delete(document);
    tool_release(&result);
}

static void poses_that_a_shape_may_not_have_are_named(void **state)
{
    (void)state;
    write_text("sphere.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    write_text("bad.txt", "1 0 0 3 0 1 0 0 0 0 1 0\n2 0 0 3 0 2 0 0 0 0 2 0\n");
    tool_expect_refusal(RUN("path", "box.obj", "sphere.json", "bad.txt"), 3,
                        "bad.txt, pose 1 of sphere.json: a shape with");
    tool_expect_refusal(RUN("path", "sphere.json", "box.obj", "apart.txt", "--count"), 2, "sphere.json is a shape");
    tool_result result = RUN("path", "sphere.json", "box.obj", "bad.txt");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pose_gets_a_line),
        cmocka_unit_test(counts_are_those_of_check),
        cmocka_unit_test(json_is_one_document),
        cmocka_unit_test(times_are_in_order),
        cmocka_unit_test(no_collision_on_the_whole_path_is_code_zero),
        cmocka_unit_test(poses_may_come_through_standard_input),
        cmocka_unit_test(swapped_meshes_and_poses_answer_the_same),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(shapes_are_asked_pose_by_pose),
        cmocka_unit_test(poses_that_a_shape_may_not_have_are_named),
        cmocka_unit_test(what_holds_no_poses_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
