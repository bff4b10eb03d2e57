/* SPDX-License-Identifier: MIT */
/*
 * Two million triangle pairs with a seed of their own, every field against the oracle; and a walk through neighbouring
 * doubles around exact contacts, where the answer changes from pair to pair.
 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "support/contacts.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 40000, /* times 48 generators: 1,920,000 */
    WALKS = 30000,
    STEPS = 6
};

static void check(oracle *judge, const triangle_case *pair, const char *name, graze_triangle_contact *out)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_triangle_contact expected = oracle_triangle_triangle(judge, &a, &b);
    graze_triangle_contact given = graze_triangle_collide(&a, &b);
    *out = expected;
    if (contact_equal(&given, &expected))
        return;
    case_print(pair);
    contact_print("given   ", &given);
    contact_print("expected", &expected);
    fail_msg("%s: the answer is wrong", name);
}

static void many_more_pairs_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("many pairs", 16);
    oracle *judge = oracle_create();
    uint64_t start = grz_clock_now();
    long found = 0;
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            graze_triangle_contact contact;
            generators[g].make(&random, &pair);
            check(judge, &pair, generators[g].name, &contact);
            found += contact.found;
        }
    oracle_destroy(judge);
    printf("%ld pairs, %ld of them meet, %.1f s\n", (long)generator_count * PAIRS_PER_GENERATOR, found,
           (double)(grz_clock_now() - start) * 1e-9);
    assert_true(found > (long)generator_count * PAIRS_PER_GENERATOR / 2);
}

/* One coordinate increases through consecutive doubles, past the value where the contact is exact. */
static void answers_change_at_the_right_double(void **state)
{
    (void)state;
    test_random random = test_random_start("neighbouring doubles", 17);
    oracle *judge = oracle_create();
    int changes = 0;
    for (int k = 0; k < WALKS; k++)
    {
        triangle_case pair;
        make_any_contact(&random, &pair);
        if (random_once_in(&random, 2))
            make_turned_poses(&random, &pair);
        double *x = &pair.corners[random_below(&random, 2)][random_below(&random, 3)][random_below(&random, 3)];
        for (int i = 0; i < STEPS / 2; i++)
            *x = nextafter(*x, -INFINITY);
        graze_triangle_contact before = {0}, contact;
        for (int i = 0; i <= STEPS; i++)
        {
            check(judge, &pair, "neighbouring doubles", &contact);
            changes += i > 0 && !contact_equal(&before, &contact);
            before = contact;
            *x = nextafter(*x, INFINITY);
        }
    }
    oracle_destroy(judge);
    printf("%d changes in %d walks\n", changes, WALKS);
    assert_true(changes > WALKS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_more_pairs_agree_with_the_oracle),
        cmocka_unit_test(answers_change_at_the_right_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
