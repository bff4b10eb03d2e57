/* SPDX-License-Identifier: MIT */
/* graze clash, through the real program: verdicts of assemblies with known answers, exit codes, rules, baselines. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clash_boxes.h"
#include "support/tool_json.h"
#include "support/unit.h"

/* An overlap that other tools miss: all side faces are coplanar, so that no two triangles cross. */
static void coaxial_boxes_cross_by_what_they_overlap(void **state)
{
    (void)state;
    WRITE_BOXES("walls.obj", {"left", {0, 0, 0}, {200, 100, 100}}, {"right", {150, 0, 0}, {350, 100, 100}});
    cJSON *document = expect_json(RUN("clash", "walls.obj", "--json"), 1);
    expect_finding(document, 0, "left", "right", "crosses");
    double lower = number_at(finding(document, 0), "depth", 0), upper = number_at(finding(document, 0), "depth", 1);
    assert_true(lower <= 50 && upper >= 50 && lower > 49 && upper < 51);
    assert_true(summary(document, "findings") == 1 && summary(document, "pairs_possible") == 1 &&
                summary(document, "pairs_tested") == 1 && summary(document, "parts") == 2);
    cJSON_Delete(document);
}

static void boxes_that_share_a_face_touch(void **state)
{
    (void)state;
    WRITE_BOXES("face.obj", {"a", {0, 0, 0}, {1, 1, 1}}, {"b", {1, 0, 0}, {2, 1, 1}});
    cJSON *document = expect_json(RUN("clash", "face.obj", "--json"), 1);
    expect_finding(document, 0, "a", "b", "touches");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(finding(document, 0), "depth")));
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "face.obj", "--allow-touch", "--json"), 0);
    assert_true(summary(document, "findings") == 0 && summary(document, "pairs_tested") == 1);
    cJSON_Delete(document);
}

static void boxes_in_boxes_are_contained(void **state)
{
    (void)state;
    WRITE_BOXES("nest.obj", {"c", {2, 2, 2}, {8, 8, 8}}, {"a", {0, 0, 0}, {10, 10, 10}}, {"b", {1, 1, 1}, {9, 9, 9}});
    cJSON *document = expect_json(RUN("clash", "nest.obj", "--json"), 1);
    expect_finding(document, 0, "a", "b", "contains");
    expect_finding(document, 1, "a", "c", "contains");
    expect_finding(document, 2, "b", "c", "contains");
    cJSON_Delete(document);
}

/* Far from the origin, beyond the resolution of floats: a gap of a thousandth, exactly at the clearance and just
 * below. */
static void gaps_are_too_close_only_strictly_below_the_clearance(void **state)
{
    (void)state;
    WRITE_BOXES("far.obj", {"p", {8e4, 1.2e6, 0}, {8e4 + 1, 1.2e6 + 1, 1}},
                {"q", {8e4 + 1.125, 1.2e6, 0}, {8e4 + 2, 1.2e6 + 1, 1}});
    cJSON *document = expect_json(RUN("clash", "far.obj", "--clearance", "0.125", "--json"), 0);
    assert_true(summary(document, "findings") == 0);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "far.obj", "--clearance", "0.1250000000000001", "--json"), 1);
    expect_finding(document, 0, "p", "q", "too_close");
    assert_true(number_at(finding(document, 0), "gap", 0) <= 0.125 &&
                number_at(finding(document, 0), "gap", 1) >= 0.125);
    assert_string_equal(json_string(finding(document, 0), "rule"), "--clearance");
    cJSON_Delete(document);
}

static void the_same_part_twice_is_one_duplicate(void **state)
{
    (void)state;
    WRITE_BOXES("twice.obj", {"x", {0, 0, 0}, {1, 1, 1}}, {"y", {0, 0, 0}, {1, 1, 1}}, {"z", {0, 0, 0}, {1, 1, 1}},
                {"w", {5, 0, 0}, {6, 1, 1}});
    cJSON *document = expect_json(RUN("clash", "twice.obj", "--json"), 1);
    assert_true(summary(document, "findings") == 1);
    expect_finding(document, 0, "x", "y", "duplicate");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(finding(document, 0), "set")), 3);
    cJSON_Delete(document);
}

/* The same box, once defined far away and moved back: rounded boxes differ by more than their own size's rounding. */
static void duplicates_are_found_wherever_their_numbers_come_from(void **state)
{
    (void)state;
    WRITE_BOXES("near.obj", {"box", {0, 0, 0}, {1, 1, 1}});
    WRITE_BOXES("away.obj", {"box", {-1e6, -1e6, -1e6}, {-1e6 + 1, -1e6 + 1, -1e6 + 1}});
    write_text("same.json", "{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"n\":{\"file\":\"near.obj\"},\"f\":{"
                            "\"file\":\"away.obj\"}},\"objects\":[{\"name\":\"p\",\"mesh\":\"n\"},{\"name\":\"q\","
                            "\"mesh\":\"f\",\"pose\":{\"position\":[1e6,1e6,1e6]}}]}");
    cJSON *document = expect_json(RUN("clash", "same.json", "--json"), 1);
    assert_true(summary(document, "findings") == 1);
    expect_finding(document, 0, "p", "q", "duplicate");
    cJSON_Delete(document);
}

static void a_bad_part_is_named_and_the_rest_is_checked(void **state)
{
    (void)state;
    WRITE_BOXES("good.obj", {"a", {0, 0, 0}, {1, 1, 1}}, {"b", {1, 0, 0}, {2, 1, 1}});
    write_text("bad.obj", "o broken\nv 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    cJSON *document = expect_json(RUN("clash", "good.obj", "bad.obj", "--json"), 1);
    expect_finding(document, 0, "a", "b", "touches");
    const cJSON *problem = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "problems"), 0);
    assert_non_null(problem);
    assert_non_null(strstr(json_string(problem, "what"), "finite"));
    assert_false(json_boolean(document, "complete"));
    cJSON_Delete(document);
}

static void nothing_checked_is_no_pass(void **state)
{
    (void)state;
    WRITE_BOXES("one.obj", {"only", {0, 0, 0}, {1, 1, 1}});
    cJSON *document = expect_json(RUN("clash", "one.obj", "--json"), 4);
    assert_true(summary(document, "pairs_possible") == 0);
    cJSON_Delete(document);
    tool_result result = RUN("clash", "nowhere.stl");
    assert_int_equal(result.code, 3);
    tool_release(&result);
    tool_expect_refusal(RUN("clash", "one.obj", "--clearance", "-1"), 2, "--clearance");
    tool_expect_refusal(RUN("clash", "one.obj", "--a", "x"), 2, "--b");
    tool_expect_refusal(RUN("clash", "one.obj", "--fail-on", "new"), 2, "--baseline");
}

static void sets_and_rules_choose_pairs(void **state)
{
    (void)state;
    WRITE_BOXES("row.obj", {"a1", {0, 0, 0}, {1, 1, 1}}, {"a2", {1, 0, 0}, {2, 1, 1}}, {"b1", {2, 0, 0}, {3, 1, 1}});
    cJSON *document = expect_json(RUN("clash", "row.obj", "--a", "a*", "--b", "b*", "--json"), 1);
    assert_true(summary(document, "pairs_possible") == 2 && summary(document, "findings") == 1);
    expect_finding(document, 0, "a2", "b1", "touches");
    cJSON_Delete(document);
    write_text("rules.json", "{\"graze\":\"rules\",\"version\":1,\"ignore\":[{\"pair\":[\"a1\",\"a2\"],\"reason\":"
                             "\"glued\"}]}");
    document = expect_json(RUN("clash", "row.obj", "--rules", "rules.json", "--json"), 1);
    assert_true(summary(document, "pairs_ignored") == 1 && summary(document, "findings") == 1 &&
                summary(document, "pairs_possible") == 3);
    cJSON_Delete(document);
}

static void only_what_is_new_or_worse_fails_against_a_baseline(void **state)
{
    (void)state;
    WRITE_BOXES("then.obj", {"a", {0, 0, 0}, {1, 1, 1}}, {"b", {1, 0, 0}, {2, 1, 1}}, {"c", {4, 0, 0}, {5, 1, 1}});
    tool_result result = RUN("clash", "then.obj", "--quiet", "--json", "base.json");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    result = RUN("clash", "then.obj", "--quiet", "--baseline", "base.json", "--fail-on", "worse");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    WRITE_BOXES("then.obj", {"c", {4, 0, 0}, {5, 1, 1}}, {"b", {0.5, 0, 0}, {2, 1, 1}}, {"a", {0, 0, 0}, {1, 1, 1}});
    result = RUN("clash", "then.obj", "--quiet", "--baseline", "base.json", "--fail-on", "worse");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    result = RUN("clash", "then.obj", "--quiet", "--baseline", "base.json", "--fail-on", "new");
    assert_int_equal(result.code, 0);
    tool_release(&result);
}

static void reports_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    box boxes[40];
    char names[40][8];
    for (int i = 0; i < 40; i++)
    {
        snprintf(names[i], sizeof names[i], "p%02d", (7 * i) % 40);
        boxes[i] = (box){names[i],
                         {0.9 * (i % 8), 0.8 * (i / 8), 0.1 * (i % 3)},
                         {0.9 * (i % 8) + 1, 0.8 * (i / 8) + 1, 0.1 * (i % 3) + 1}};
    }
    write_boxes("heap.obj", boxes, 40);
    tool_result first = RUN("clash", "heap.obj", "--json", "--self"), second;
    assert_int_equal(first.code, 1);
    assert_true(first.out_size > 10000);
    second = RUN("clash", "heap.obj", "--json", "--self", "--threads", "2");
    assert_string_equal(first.out, second.out);
    tool_release(&second);
    second = RUN("clash", "heap.obj", "--json", "--self");
    assert_string_equal(first.out, second.out);
    tool_release(&second);
    tool_release(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coaxial_boxes_cross_by_what_they_overlap),
                                       cmocka_unit_test(boxes_that_share_a_face_touch),
                                       cmocka_unit_test(boxes_in_boxes_are_contained),
                                       cmocka_unit_test(gaps_are_too_close_only_strictly_below_the_clearance),
                                       cmocka_unit_test(the_same_part_twice_is_one_duplicate),
                                       cmocka_unit_test(duplicates_are_found_wherever_their_numbers_come_from),
                                       cmocka_unit_test(a_bad_part_is_named_and_the_rest_is_checked),
                                       cmocka_unit_test(nothing_checked_is_no_pass),
                                       cmocka_unit_test(sets_and_rules_choose_pairs),
                                       cmocka_unit_test(only_what_is_new_or_worse_fails_against_a_baseline),
                                       cmocka_unit_test(reports_are_the_same_for_any_number_of_threads)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
