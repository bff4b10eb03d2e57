/* SPDX-License-Identifier: MIT */
/*
 * More than twenty million signs, all as the oracle has them: all signs of six points from every generator. Half of the
 * cases call the public functions, half the internal ones, which report how often the filter did not decide; both agree
 * on both halves since the oracle is one.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "support/signs.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = 8000, /* times 48 generators and 120 signs: 46,080,000 */
    LEAST_SIGNS = 20000000
};

static void check_case(oracle *judge, const triangle_case *points, grz_filter_stats *stages, const char *name)
{
    sign_table expected, given;
    signs_by_oracle(judge, points, &expected);
    if (stages != NULL)
        signs_by_library(points, stages, &given);
    else
        signs_by_public(points, &given);
    int wrong = signs_differ(&expected, &given);
    if (wrong < 0)
        return;
    case_print(points);
    fail_msg("%s: sign %d is %d, not %d", name, wrong, expected.signs[wrong], given.signs[wrong]);
}

static void twenty_million_signs_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("many signs", 15);
    oracle *judge = oracle_create();
    uint64_t total = 0, start = grz_clock_now();
    for (size_t g = 0; g < generator_count; g++)
    {
        grz_filter_stats stages = {0, 0};
        for (int k = 0; k < CASES_PER_GENERATOR; k++)
        {
            triangle_case points;
            generators[g].make(&random, &points);
            check_case(judge, &points, k % 2 == 0 ? &stages : NULL, generators[g].name);
            total += SIGNS_PER_CASE;
        }
        double share = (double)stages.exact / (double)(stages.exact + stages.filtered);
        printf("%-26s %6.2f%% beyond the filter\n", generators[g].name, 100.0 * share);
        assert_true(stages.exact > 0 || generators[g].most_exact <= 1);
    }
    oracle_destroy(judge);
    printf("%" PRIu64 " signs in %.1f s\n", total, (double)(grz_clock_now() - start) * 1e-9);
    assert_true(total >= LEAST_SIGNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_million_signs_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
