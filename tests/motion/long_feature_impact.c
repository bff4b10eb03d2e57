/* SPDX-License-Identifier: MIT */
/* A hundred thousand first impacts of moving vertices, faces and edges, most of them degenerate, as Sturm chains of
 * rationals have them. GRAZE_TEST_ROUNDS asks for another number. */
#include <stdio.h>
#include <stdlib.h>

#include "support/moving_features.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    PAIRS = 100000
};

static void a_hundred_thousand_impacts_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 19191);
    const char *more = getenv("GRAZE_TEST_ROUNDS");
    long total = more != NULL ? strtol(more, NULL, 10) : TEST_ROUNDS(PAIRS), hits = 0, between = 0;
    for (long round = 0; round < total; round++)
    {
        moving_features features;
        graze_impact_interval answer;
        moving_features_draw(&random, &features);
        graze_status status = moving_features_impact(&features, &answer);
        if (status == GRAZE_STATUS_NOT_FINITE) /* a scale was too large */
            continue;
        assert_int_equal(status, GRAZE_STATUS_OK);
        if (!moving_features_agree(&features, &answer))
            fail_msg("pair %ld: verdict %d, [%a, %a]", round, (int)answer.verdict, answer.lower, answer.upper);
        hits += answer.verdict == GRAZE_IMPACT_AT;
        between += answer.verdict == GRAZE_IMPACT_AT && answer.lower < answer.upper;
    }
    printf("%ld pairs: %ld hits, %ld between doubles\n", total, hits, between);
    assert_true(hits > total / 4 && between > total / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hundred_thousand_impacts_agree_with_the_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
