/* SPDX-License-Identifier: MIT */
/*
 * Triangle against triangle, compared with the oracle in every field, over every generator; swapped arguments and
 * permuted corners must give the mirrored and permuted answer. Each generator must produce contacts.
 */
#include <stdio.h>

#include "exact/contact.h"
#include "support/contacts.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 2500, /* times 48 generators: 120,000 */
    FEW = 100
};

typedef struct tally
{
    int pairs, found, touching, coplanar, flat, exact;
} tally;

static void complain(const triangle_case *pair, const char *what, const graze_triangle_contact *given,
                     const graze_triangle_contact *expected)
{
    case_print(pair);
    contact_print("given   ", given);
    contact_print("expected", expected);
    fail_msg("%s", what);
}

/* Triangles with area keep their corners' roles under any order; for others the oracle is asked again. */
static void check_permuted(oracle *judge, test_random *random, const triangle_case *pair, bool flat,
                           const graze_triangle_contact *plain)
{
    int order_a[3], order_b[3];
    random_order(random, order_a);
    random_order(random, order_b);
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_placed_triangle permuted_a = triangle_permute(&a, order_a), permuted_b = triangle_permute(&b, order_b);
    graze_triangle_contact expected = *plain;
    expected.mask_a = mask_permute(plain->mask_a, order_a);
    expected.mask_b = mask_permute(plain->mask_b, order_b);
    if (flat)
        expected = oracle_triangle_triangle(judge, &permuted_a, &permuted_b);
    graze_triangle_contact given = graze_triangle_collide(&permuted_a, &permuted_b);
    if (!contact_equal(&given, &expected))
    {
        printf("corner orders %d%d%d and %d%d%d\n", order_a[0], order_a[1], order_a[2], order_b[0], order_b[1],
               order_b[2]);
        complain(pair, "permuted corners give another answer", &given, &expected);
    }
}

/* The general and the fast method agree; returns whether the filter did not decide. */
static bool check_stages(const triangle_case *pair, const graze_triangle_contact *expected)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    grz_filter_stats stages = {0, 0};
    grz_points points;
    grz_points_start(&points, &stages);
    grz_points_from_triangles(&points, &a, &b);
    graze_triangle_contact fast = grz_triangle_triangle(&points);
    bool exact = stages.exact > 0;
    grz_contact_set set = {0};
    grz_contact_general(&points, &set);
    graze_triangle_contact general = grz_contact_summary(&set);
    if (!contact_equal(&fast, expected))
        complain(pair, "the fast way is wrong", &fast, expected);
    if (!contact_equal(&general, expected))
        complain(pair, "the general way is wrong", &general, expected);
    return exact;
}

static void check_pair(oracle *judge, test_random *random, const triangle_case *pair, tally *count)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_triangle_contact expected = oracle_triangle_triangle(judge, &a, &b);
    graze_triangle_contact given = graze_triangle_collide(&a, &b);
    graze_triangle_contact swapped = contact_mirror(graze_triangle_collide(&b, &a));
    if (!contact_equal(&given, &expected))
        complain(pair, "the answer is wrong", &given, &expected);
    if (!contact_equal(&swapped, &expected))
        complain(pair, "swapped arguments give another answer", &swapped, &expected);
    bool flat = oracle_is_flat(judge, &a) || oracle_is_flat(judge, &b);
    check_permuted(judge, random, pair, flat, &given);
    count->pairs++;
    count->found += expected.found;
    count->touching += expected.found && !expected.crossing;
    count->coplanar += expected.coplanar;
    count->flat += flat;
    count->exact += check_stages(pair, &expected);
}

static void every_generator_agrees_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("triangle pairs", 3);
    oracle *judge = oracle_create();
    int total = 0;
    for (size_t g = 0; g < generator_count; g++)
    {
        const generator *source = &generators[g];
        tally count = {0, 0, 0, 0, 0, 0};
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            source->make(&random, &pair);
            check_pair(judge, &random, &pair, &count);
        }
        printf("%-26s found %5.1f%%  touching %5.1f%%  coplanar %5.1f%%  flat %5.1f%%  exact %5.1f%%\n", source->name,
               100.0 * count.found / count.pairs, 100.0 * count.touching / count.pairs,
               100.0 * count.coplanar / count.pairs, 100.0 * count.flat / count.pairs,
               100.0 * count.exact / count.pairs);
        assert_true(100 * count.found >= source->least_found * count.pairs);
        assert_true(100 * count.touching >= source->least_touching * count.pairs);
        assert_true(100 * count.flat >= source->least_flat * count.pairs);
        assert_true(100 * count.exact >= source->least_exact * count.pairs);
        assert_true(100 * count.exact <= source->most_exact * count.pairs);
        total += count.pairs;
    }
    oracle_destroy(judge);
    printf("%d pairs\n", total);
    assert_true(total >= 110000);
}

/* The function that starts from some known sides, or none: here some at random. */
static void sides_that_are_known_are_taken_as_they_are(void **state)
{
    (void)state;
    test_random random = test_random_start("known sides", 13);
    oracle *judge = oracle_create();
    int found = 0, apart = 0;
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < FEW; k++)
        {
            triangle_case pair;
            tally count = {0, 0, 0, 0, 0, 0};
            generators[g].make(&random, &pair);
            check_pair(judge, &random, &pair, &count);
            graze_placed_triangle a = case_triangle(&pair, 0), b = case_triangle(&pair, 1);
            graze_triangle_contact expected = oracle_triangle_triangle(judge, &a, &b);
            grz_points points;
            int sides_a[3], sides_b[3];
            grz_points_start(&points, NULL);
            grz_points_from_triangles(&points, &a, &b);
            grz_sides(&points, 3, 0, sides_a);
            grz_sides(&points, 0, 3, sides_b);
            for (int i = 0; i < 3; i++)
            {
                sides_a[i] = random_once_in(&random, 2) ? GRZ_UNCERTAIN : sides_a[i];
                sides_b[i] = random_once_in(&random, 2) ? GRZ_UNCERTAIN : sides_b[i];
            }
            grz_points_start(&points, NULL);
            grz_points_from_triangles(&points, &a, &b);
            graze_triangle_contact given = grz_triangle_triangle_from(&points, sides_a, sides_b);
            if (!contact_equal(&given, &expected))
                complain(&pair, "known sides give another answer", &given, &expected);
            found += expected.found;
            apart += !expected.found;
        }
    oracle_destroy(judge);
    printf("%d met, %d did not\n", found, apart);
    assert_true(found > 1000 && apart > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_that_are_known_are_taken_as_they_are),
        cmocka_unit_test(every_generator_agrees_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
