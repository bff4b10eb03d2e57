/* SPDX-License-Identifier: MIT */
/* The oracle is tested first: against a second one with another method, and against answers known by hand. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "support/contacts.h"
#include "support/lattice.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 80
};

static void both_oracles_agree_on_every_generator(void **state)
{
    (void)state;
    test_random random = test_random_start("both judges", 1);
    oracle *judge = oracle_create();
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle a = case_triangle(&pair, 0), b = case_triangle(&pair, 1);
            graze_triangle_contact first = oracle_triangle_triangle(judge, &a, &b);
            graze_triangle_contact second = oracle_rational_triangles(&a, &b);
            graze_triangle_contact mirrored = contact_mirror(oracle_triangle_triangle(judge, &b, &a));
            if (contact_equal(&first, &second) && contact_equal(&first, &mirrored))
                continue;
            printf("%s, pair %d\n", generators[g].name, k);
            case_print(&pair);
            contact_print("clipping  ", &first);
            contact_print("rationals ", &second);
            contact_print("mirrored  ", &mirrored);
            fail_msg("the judges differ");
        }
    oracle_destroy(judge);
}

typedef struct known_case
{
    double corners[6][3];
    graze_triangle_contact contact;
} known_case;

#define VERTEX GRAZE_FEATURE_VERTEX
#define EDGE GRAZE_FEATURE_EDGE
#define FACE GRAZE_FEATURE_FACE

static const known_case known_cases[] = {
    /* an edge of B passes through the interior of A, and B's face with it */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {9, 9, 1}},
     {true, true, false, 1, FACE, FACE, 7, 7, {0}}},
    /* a corner of B lies on A */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {1, 2, 1}, {2, 1, 1}},
     {true, false, false, 0, FACE, VERTEX, 7, 1, {0}}},
    /* a corner of B on the edge of A between corners 1 and 2 */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {5, 5, 1}, {2, 2, 0}, {5, 5, 3}},
     {true, false, false, 0, EDGE, VERTEX, 6, 2, {0}}},
    /* two edges cross */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, -1}, {2, 0, 1}, {2, -3, 0}},
     {true, false, false, 0, EDGE, EDGE, 3, 3, {0}}},
    /* an edge of B lies in A */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {2, 1, 0}, {1, 1, 5}},
     {true, false, false, 1, FACE, EDGE, 7, 3, {0}}},
    /* coplanar, one inside the other */
    {{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, {true, false, true, 2, FACE, FACE, 7, 7, {0}}},
    /* coplanar, sharing part of an edge */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 0, 0}, {9, 0, 0}, {1, -4, 0}},
     {true, false, false, 1, EDGE, EDGE, 3, 3, {0}}},
    /* coplanar, corner to corner */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 0, 0}, {9, 0, 0}, {9, 1, 0}},
     {true, false, false, 0, VERTEX, VERTEX, 2, 1, {0}}},
    /* B is a segment with a doubled first corner, ending on A */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 3}, {1, 1, 3}, {1, 1, 0}},
     {true, false, false, 0, FACE, VERTEX, 7, 4, {0}}},
    /* B is a segment through A, its third corner in between at the meeting point: an edge, no vertex */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 3}, {1, 1, 0}, {1, 1, -3}},
     {true, false, false, 0, FACE, EDGE, 7, 5, {0}}},
    /* both are the same point */
    {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
     {true, false, false, 0, VERTEX, VERTEX, 1, 1, {0}}},
    /* parallel planes */
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {false, false, false, 0, 0, 0, 0, 0, {0}}},
};

static void both_oracles_give_the_known_answers(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    for (size_t i = 0; i < sizeof known_cases / sizeof *known_cases; i++)
    {
        const double(*c)[3] = known_cases[i].corners;
        graze_placed_triangle a = {{c[0], c[1], c[2]}, NULL}, b = {{c[3], c[4], c[5]}, NULL};
        graze_triangle_contact first = oracle_triangle_triangle(judge, &a, &b);
        graze_triangle_contact second = oracle_rational_triangles(&a, &b);
        contact_print("known", &known_cases[i].contact);
        contact_print("given", &first);
        assert_true(contact_equal(&first, &known_cases[i].contact));
        assert_true(contact_equal(&second, &known_cases[i].contact));
    }
    oracle_destroy(judge);
}

static void nearest_doubles_are_nearest(void **state)
{
    (void)state;
    test_random random = test_random_start("nearest doubles", 2);
    mpz_t numerator, denominator;
    mpz_inits(numerator, denominator, NULL);
    for (int k = 0; k < 8000; k++)
    {
        /* A quotient of integers below 2^53 is rounded once by the machine. */
        uint64_t n = random_next(&random) >> (11 + random_below(&random, 50));
        uint64_t d = 1 + (random_next(&random) >> (11 + random_below(&random, 50)));
        mpz_set_ui(numerator, n);
        mpz_set_ui(denominator, d);
        assert_true(nearest_double(numerator, denominator, 0) == (double)n / (double)d);
        mpz_neg(numerator, numerator);
        assert_true(nearest_double(numerator, denominator, 0) == -((double)n / (double)d));
        /* Any double is nearest to itself, and its half-way neighbours go to the even one. */
        double value = random_bits_double(&random);
        mpq_t exact;
        mpq_init(exact);
        rational_set_double(exact, value);
        assert_true(nearest_double(mpq_numref(exact), mpq_denref(exact), 0) == value);
        mpq_clear(exact);
    }
    mpz_set_ui(numerator, 1);
    mpz_set_ui(denominator, 1);
    assert_true(nearest_double(numerator, denominator, -1075) == 0.0);
    assert_true(nearest_double(numerator, denominator, -1074) == 0x1p-1074);
    assert_true(nearest_double(numerator, denominator, 1024) == DBL_MAX);
    mpz_set_ui(numerator, 3);
    assert_true(nearest_double(numerator, denominator, -1075) == 0x1p-1073);
    mpz_clears(numerator, denominator, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_oracles_give_the_known_answers),
        cmocka_unit_test(both_oracles_agree_on_every_generator),
        cmocka_unit_test(nearest_doubles_are_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
