/* SPDX-License-Identifier: MIT */
/* When a finding is worse than what was approved or reported earlier. */
#include <math.h>

#include "clash/comparison.h"
#include "support/unit.h"

static graze_clash_finding crossing(double lower, double upper)
{
    return (graze_clash_finding){.verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .depth = {lower, upper}};
}

static graze_clash_finding near(double lower, double upper)
{
    return (graze_clash_finding){.verdict = GRAZE_CLASH_TOO_CLOSE, .has_gap = true, .gap = {lower, upper}};
}

static void stronger_verdicts_are_worse_and_weaker_ones_are_not(void **state)
{
    (void)state;
    grz_clash_measures then = {.has_verdict = true, .verdict = GRAZE_CLASH_TOUCHES};
    graze_clash_finding now = crossing(6, 6);
    assert_string_equal(grz_clash_worse(&then, &now), "its verdict is stronger");
    then.verdict = GRAZE_CLASH_CONTAINS;
    then.has_depth = true; /* 0: any depth is deeper, but the verdict is weaker */
    assert_null(grz_clash_worse(&then, &now));
    then.has_verdict = false;
    assert_non_null(grz_clash_worse(&then, &now));
}

static void only_depths_that_are_certainly_larger_are_worse(void **state)
{
    (void)state;
    grz_clash_measures then = {
        .has_verdict = true, .verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .depth = {0.5, 0.505}};
    graze_clash_finding same = crossing(0.5, 0.505), overlaps = crossing(0.505, 7), deeper = crossing(0.506, 7);
    assert_null(grz_clash_worse(&then, &same));
    assert_null(grz_clash_worse(&then, &overlaps));
    assert_string_equal(grz_clash_worse(&then, &deeper), "it is deeper");
    then.depth[1] = INFINITY;
    assert_null(grz_clash_worse(&then, &deeper));
    then.has_depth = false;
    assert_null(grz_clash_worse(&then, &deeper));
}

static void only_gaps_that_are_certainly_smaller_are_worse(void **state)
{
    (void)state;
    grz_clash_measures then = {.has_gap = true, .gap = {0.25, 0.3}};
    graze_clash_finding overlaps = near(0.1, 0.25), closer = near(0.1, 0.2), apart = near(0.4, 0.5);
    graze_clash_finding touches = {.verdict = GRAZE_CLASH_TOUCHES};
    assert_null(grz_clash_worse(&then, &overlaps));
    assert_null(grz_clash_worse(&then, &apart));
    assert_string_equal(grz_clash_worse(&then, &closer), "the gap is smaller");
    assert_string_equal(grz_clash_worse(&then, &touches), "the gap is smaller"); /* there is none */
    then.gap[0] = 0;
    assert_null(grz_clash_worse(&then, &touches)); /* it may have been none then */
}

static void larger_sets_are_worse(void **state)
{
    (void)state;
    grz_clash_measures then = {.has_verdict = true, .verdict = GRAZE_CLASH_DUPLICATE, .has_set = true, .set_count = 3};
    graze_clash_finding now = {.verdict = GRAZE_CLASH_DUPLICATE, .set_count = 3};
    assert_null(grz_clash_worse(&then, &now));
    now.set_count = 4;
    assert_string_equal(grz_clash_worse(&then, &now), "the set has more parts");
    then.has_set = false;
    assert_null(grz_clash_worse(&then, &now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stronger_verdicts_are_worse_and_weaker_ones_are_not),
        cmocka_unit_test(only_depths_that_are_certainly_larger_are_worse),
        cmocka_unit_test(only_gaps_that_are_certainly_smaller_are_worse),
        cmocka_unit_test(larger_sets_are_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
