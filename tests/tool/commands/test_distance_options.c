/* SPDX-License-Identifier: MIT */
/* --distance, --tolerance and --no-cache of check and path. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static const char shift_x_3[] = "1 0 0 3  0 1 0 0  0 0 1 0", shift_x_1[] = "1 0 0 1  0 1 0 0  0 0 1 0";

static int set_up(void **state)
{
    int result = enter_temporary_directory(state);
    write_box_obj("box.obj", 1.0);
    static char poses[40000];
    size_t size = 0;
    for (int i = 0; i < 400; i++) /* forth and back, from 4 to 1.01 away */
        size += (size_t)snprintf(poses + size, sizeof poses - size, "0.8 -0.6 0 %.2f 0.6 0.8 0 0 0 0 1 0\n",
                                 1.0 + abs(i - 200) / 66.0);
    write_text("poses.txt", poses);
    write_text("three.txt", "1 0 0 1 0 1 0 0 0 0 1 0\n1 0 0 2.25 0 1 0 0 0 0 1 0\n1 0 0 3 0 1 0 0 0 0 1 0\n");
    return result;
}

static void check_measures_on_request(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_3, "--json"), 0);
    assert_null(cJSON_GetObjectItem(document, "distance"));
    assert_null(cJSON_GetObjectItem(document, "within"));
    cJSON_Delete(document);
    document = expect_json(
        RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_3, "--distance", "--tolerance", "0.5", "--json"), 0);
    const cJSON *distance = cJSON_GetObjectItem(document, "distance");
    assert_true(json_number(distance, "distance") == 1.0);
    assert_true(json_number(distance, "lower") <= 1.0 && json_number(distance, "upper") >= 1.0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(distance, "triangles")), 2);
    const cJSON *points = cJSON_GetObjectItem(distance, "points");
    assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), 0)->valuedouble == 1.0);
    assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 1), 0)->valuedouble == 2.0);
    assert_false(json_boolean(document, "within"));
    assert_true(json_number(document, "within_pairs") == 0);
    cJSON_Delete(document);
    document = expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_3, "--tolerance", "1", "--json"), 1);
    assert_true(json_boolean(document, "within"));
    assert_false(json_boolean(document, "collide"));
    assert_true(json_number(document, "within_pairs") >= 4);
    cJSON_Delete(document);
    document = expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_1, "--distance", "--json"), 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "distance"), "distance") == 0);
    cJSON_Delete(document);
    tool_result result =
        RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_3, "--distance", "--tolerance", "2", "--no-cache");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "distance  1, from triangle"));
    assert_non_null(strstr(result.out, "within    2: "));
    tool_release(&result);
}

static void path_measures_each_pose(void **state)
{
    (void)state;
    cJSON *document = expect_json(
        RUN("path", "box.obj", "box.obj", "three.txt", "--distance", "--tolerance", "0.5", "--json", "--threads", "2"),
        1);
    static const double distances[] = {0, 0.25, 1};
    static const int within[] = {1, 1, 0};
    for (int i = 0; i < 3; i++)
    {
        assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "distance"), i)->valuedouble == distances[i]);
        assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "within"), i)->valueint, within[i]);
    }
    cJSON_Delete(document);
    tool_result result = RUN("path", "box.obj", "box.obj", "three.txt", "--distance", "--tolerance", "0.5");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "0 1 0 1\n1 0 0.25 1\n2 0 1 0\n");
    tool_release(&result);
}

static void the_cache_changes_no_answer(void **state)
{
    (void)state;
    tool_result with = RUN("path", "box.obj", "box.obj", "poses.txt");
    tool_result without = RUN("path", "box.obj", "box.obj", "poses.txt", "--no-cache");
    tool_result threads = RUN("path", "box.obj", "box.obj", "poses.txt", "--threads", "3");
    assert_int_equal(with.code, 1);
    assert_string_equal(with.out, without.out);
    assert_string_equal(with.out, threads.out);
    assert_non_null(strstr(with.out, "\n200 1\n"));
    assert_non_null(strstr(with.out, "\n399 0\n"));
    tool_release(&with);
    tool_release(&without);
    tool_release(&threads);
    cJSON *quick = expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--stats", "--json"), 1);
    cJSON *slow = expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--stats", "--json", "--no-cache"), 1);
    assert_true(json_number(cJSON_GetObjectItem(quick, "stats"), "box_tests") <
                json_number(cJSON_GetObjectItem(slow, "stats"), "box_tests") / 2);
    cJSON_Delete(quick);
    cJSON_Delete(slow);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--tolerance", "-1"), 2, "--tolerance");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--tolerance", "near"), 2, "--tolerance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_measures_on_request),
        cmocka_unit_test(path_measures_each_pose),
        cmocka_unit_test(the_cache_changes_no_answer),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, leave_temporary_directory);
}
