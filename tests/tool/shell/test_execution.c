/* SPDX-License-Identifier: MIT */
/* --threads, --budget-ms and --stats of check and path: threads change no answer, and an exceeded budget is
 * reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static int set_up(void **state)
{
    int result = enter_temporary_directory(state);
    tool_result made = RUN("make", "geodesic", "--radius", "1", "--frequency", "40", "-o", "outer.obj");
    assert_int_equal(made.code, 0);
    tool_release(&made);
    made = RUN("make", "geodesic", "--radius", "0.999", "--frequency", "40", "-o", "inner.obj");
    assert_int_equal(made.code, 0);
    tool_release(&made);
    static char poses[20000];
    size_t size = 0;
    for (int i = 0; i < 200; i++)
        size += (size_t)snprintf(poses + size, sizeof poses - size, "0.8 -0.6 0 %d.%02d 0.6 0.8 0 0 0 0 1 0.01\n",
                                 i / 100, i % 100);
    write_text("poses.txt", poses);
    return result;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char turned[] = "0.8 -0.6 0 0.1  0.6 0.8 0 0.25  0 0 1 0.125";
    tool_result one = RUN("check", "outer.obj", "inner.obj", "--pose-b", turned, "--pairs", "all", "--stats", "--json");
    tool_result three = RUN("check", "outer.obj", "inner.obj", "--pose-b", turned, "--pairs", "all", "--stats",
                            "--json", "--threads", "3");
    assert_int_equal(one.code, 1);
    assert_int_equal(three.code, 1);
    assert_string_equal(one.out, three.out);
    assert_true(one.out_size > 10000);
    tool_release(&one);
    tool_release(&three);
    one = RUN("path", "outer.obj", "inner.obj", "poses.txt", "--count");
    three = RUN("path", "outer.obj", "inner.obj", "poses.txt", "--count", "--threads", "3");
    assert_int_equal(one.code, 1);
    assert_int_equal(three.code, 1);
    assert_string_equal(one.out, three.out);
    tool_release(&one);
    tool_release(&three);
}

static void stats_are_told_on_request(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "outer.obj", "inner.obj", "--json"), 0);
    assert_null(cJSON_GetObjectItem(document, "stats"));
    assert_string_equal(json_string(document, "verdict"), "no");
    cJSON_Delete(document);
    document = expect_json(RUN("check", "outer.obj", "inner.obj", "--json", "--stats"), 0);
    const cJSON *stats = cJSON_GetObjectItem(document, "stats");
    assert_true(json_number(stats, "box_tests") > 1000);
    assert_true(json_number(stats, "leaf_pairs") > 10);
    assert_true(json_number(stats, "triangle_tests") >= 0 && json_number(stats, "exact_signs") >= 0);
    cJSON_Delete(document);
    document = expect_json(RUN("path", "outer.obj", "inner.obj", "poses.txt", "--json", "--stats"), 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "stats"), "box_tests") > 1000);
    cJSON_Delete(document);
    tool_result result = RUN("check", "outer.obj", "inner.obj", "--stats");
    assert_non_null(strstr(result.out, "box tests"));
    tool_release(&result);
    result = RUN("path", "outer.obj", "inner.obj", "poses.txt", "--stats");
    assert_null(strstr(result.out, "box tests"));
    assert_non_null(strstr(result.err, "box tests"));
    tool_release(&result);
}

static void time_that_is_up_leaves_it_unknown(void **state)
{
    (void)state;
    tool_result result = RUN("check", "outer.obj", "inner.obj", "--budget-ms", "0.000001", "--json");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.err, "time was up"));
    cJSON *document = cJSON_Parse(result.out);
    assert_non_null(document);
    assert_string_equal(json_string(document, "verdict"), "unknown");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "collide")));
    assert_string_equal(json_string(document, "contains"), "unknown");
    const cJSON *undecided = cJSON_GetObjectItem(document, "undecided");
    assert_true(json_number(undecided, "pairs") > 0);
    assert_true(json_number(undecided, "distance_lower_bound") == 0);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(undecided, "estimated_points")) > 0);
    cJSON_Delete(document);
    tool_release(&result);
    result = RUN("check", "outer.obj", "inner.obj", "--budget-ms", "0.000001");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "unknown"));
    tool_release(&result);
    document = expect_json(RUN("check", "outer.obj", "inner.obj", "--budget-ms", "100000", "--json"), 0);
    assert_string_equal(json_string(document, "verdict"), "no");
    assert_null(cJSON_GetObjectItem(document, "undecided"));
    cJSON_Delete(document);
    document = expect_json(RUN("check", "outer.obj", "inner.obj", "--budget-ms", "100000", "--solid", "--json"), 1);
    assert_string_equal(json_string(document, "contains"), "b_in_a");
    cJSON_Delete(document);
}

static void poses_without_time_are_unknown(void **state)
{
    (void)state;
    write_text("one.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n");
    tool_result result = RUN("path", "outer.obj", "inner.obj", "one.txt", "--budget-ms", "0.000001");
    assert_int_equal(result.code, 4);
    assert_string_equal(result.out, "0 ?\n");
    tool_release(&result);
    result = RUN("path", "outer.obj", "inner.obj", "one.txt", "--budget-ms", "0.000001", "--json", "--count");
    assert_int_equal(result.code, 4);
    cJSON *document = cJSON_Parse(result.out);
    assert_true(json_number(document, "unknown") == 1);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "collide"), 0)));
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "pairs"), 0)));
    cJSON_Delete(document);
    tool_release(&result);
    result = RUN("path", "outer.obj", "inner.obj", "one.txt", "--budget-ms", "100000", "--threads", "2");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "0 0\n");
    tool_release(&result);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("check", "outer.obj", "inner.obj", "--threads", "many"), 2, "--threads");
    tool_expect_refusal(RUN("check", "outer.obj", "inner.obj", "--threads", "5000"), 2, "--threads");
    tool_expect_refusal(RUN("path", "outer.obj", "inner.obj", "poses.txt", "--budget-ms", "0"), 2, "--budget-ms");
    tool_expect_refusal(RUN("check", "outer.obj", "inner.obj", "--budget-ms", "-3"), 2, "--budget-ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(stats_are_told_on_request),
        cmocka_unit_test(time_that_is_up_leaves_it_unknown),
        cmocka_unit_test(poses_without_time_are_unknown),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, leave_temporary_directory);
}
