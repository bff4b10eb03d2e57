/* SPDX-License-Identifier: MIT */
/* Which rule or option hides a pair that an earlier report has a finding about. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clash/hidden_pairs.h"
#include "support/unit.h"

static const char rules_text[] =
    "{\"graze\": \"rules\", \"version\": 1, \"ignore\": [{\"pair\": [\"a\", \"b\"], \"reason\": \"r\"},"
    "{\"a\": \"c\", \"b\": \"c\", \"reason\": \"r\"}], \"limits\": [{\"a\": \"d\", \"clearance\": 0.5, \"max_depth\": "
    "0.25,"
    "\"allow_touch\": true}]}";

/* What hides a finding about two parts, or "". */
static const char *hidden(bool self, const char *a, const char *b, grz_clash_measures then)
{
    static char found[64];
    graze_clash_source source = {"r.json", rules_text, sizeof rules_text - 1};
    grz_clash_part parts[] = {{.name = "a", .file = "", .parent = "", .in_a = true, .in_b = true},
                              {.name = "b", .file = "", .parent = "", .in_a = true, .in_b = true},
                              {.name = "c", .file = "", .parent = "", .in_a = true, .in_b = true},
                              {.name = "d", .file = "", .parent = "", .in_a = true, .in_b = true},
                              {.name = "e", .file = "", .parent = "", .in_a = true, .in_b = false},
                              {.name = "f", .file = "", .parent = "", .in_a = true, .in_b = false}};
    graze_clash_rules *book = NULL;
    graze_clash_tolerances tolerances = {0};
    assert_int_equal(graze_clash_rules_create(NULL, &source, 1, NULL, &book), GRAZE_STATUS_OK);
    grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, parts, 6));
    grz_clash_request request = {.parts = parts, .part_count = 6, .rules = rules, .self = self};
    grz_clash_hidden_pairs pairs;
    assert_true(grz_clash_hidden_pairs_make(&request, &pairs));
    const char *by = grz_clash_hidden_by(&pairs, a, b, &then), *back = grz_clash_hidden_by(&pairs, b, a, &then);
    assert_true((by == NULL && back == NULL) || strcmp(by, back) == 0);
    snprintf(found, sizeof found, "%s", by != NULL ? by : "");
    grz_clash_hidden_pairs_release(&pairs);
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);
    return found;
}

static void ignored_pairs_and_pairs_nobody_asks_for_are_hidden(void **state)
{
    (void)state;
    const grz_clash_measures crosses = {.has_verdict = true, .verdict = GRAZE_CLASH_CROSSES};
    const grz_clash_measures self = {.has_verdict = true, .verdict = GRAZE_CLASH_SELF};
    assert_string_equal(hidden(true, "a", "b", crosses), "r.json: ignore[0]");
    assert_string_equal(hidden(true, "a", "c", crosses), "");
    assert_string_equal(hidden(true, "a", "gone", crosses), "");
    assert_string_equal(hidden(true, "e", "f", crosses), "--a and --b");
    assert_string_equal(hidden(true, "a", "e", crosses), "");
    assert_string_equal(hidden(true, "c", "c", self), "r.json: ignore[1]");
    assert_string_equal(hidden(true, "a", "a", self), "");
    assert_string_equal(hidden(false, "a", "a", self), "without --self");
}

static void findings_that_the_limits_certainly_allow_are_hidden(void **state)
{
    (void)state;
    grz_clash_measures then = {.has_verdict = true, .verdict = GRAZE_CLASH_TOUCHES};
    assert_string_equal(hidden(false, "a", "d", then), "r.json: limits[0]");
    assert_string_equal(hidden(false, "a", "c", then), "");
    then = (grz_clash_measures){.verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .depth = {0.2, 0.25}};
    assert_string_equal(hidden(false, "a", "d", then), "r.json: limits[0]");
    then.depth_is_way_out = true; /* another number */
    assert_string_equal(hidden(false, "a", "d", then), "");
    then.depth_is_way_out = false;
    then.depth[1] = INFINITY;
    assert_string_equal(hidden(false, "a", "d", then), "");
    then = (grz_clash_measures){.verdict = GRAZE_CLASH_TOO_CLOSE, .has_gap = true, .gap = {0.5, 0.6}};
    assert_string_equal(hidden(false, "a", "d", then), "r.json: limits[0]");
    then.gap[0] = 0.4;
    assert_string_equal(hidden(false, "a", "d", then), "");
    then = (grz_clash_measures){.verdict = GRAZE_CLASH_CONTAINS, .has_depth = true};
    assert_string_equal(hidden(false, "a", "d", then), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ignored_pairs_and_pairs_nobody_asks_for_are_hidden),
        cmocka_unit_test(findings_that_the_limits_certainly_allow_are_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
