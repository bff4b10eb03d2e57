/* SPDX-License-Identifier: MIT */
/*
 * Exact sums and products of doubles of every size against rationals: values, signs, bounds in doubles, and the width
 * of the largest polynomials.
 */
#include "exact/dyadic.h"

#include <gmp.h>
#include <stdio.h>

#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 3000,
    MOST_FACTORS = 14
};

static double draw(test_random *random)
{
    static const double special[] = {0, -0.0, 1, -1, 0x1p-1074, -0x1p-1022, DBL_MAX, -DBL_MAX, 0x1.0000000000001p64};
    switch (random_below(random, 4))
    {
    case 0:
        return special[random_below(random, 9)];
    case 1:
        return random_between(random, -8, 8);
    case 2:
        return random_real(random, -1, 1);
    default:
        return random_bits_double(random);
    }
}

static void to_rational(const grz_dyadic *a, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    if (a->sign == 0)
        return;
    mpz_import(mpq_numref(out), (size_t)a->count, -1, 8, 0, 0, a->limbs);
    if (a->exponent >= 0)
        mpq_mul_2exp(out, out, 64 * (mp_bitcnt_t)a->exponent);
    else
        mpq_div_2exp(out, out, 64 * (mp_bitcnt_t)-a->exponent);
    if (a->sign < 0)
        mpq_neg(out, out);
}

static void check_value(const grz_dyadic *a, const mpq_t exact)
{
    mpq_t value;
    mpq_init(value);
    to_rational(a, value);
    assert_true(mpq_equal(value, exact));
    assert_true(a->sign == (mpq_sgn(exact) > 0) - (mpq_sgn(exact) < 0));
    assert_true(a->count <= GRZ_DYADIC_LIMBS);
    assert_true(a->count == 0 || (a->limbs[0] != 0 && a->limbs[a->count - 1] != 0));
    mpq_clear(value);
}

/* Whether a double is at most a rational, or at least; infinities count. */
static bool is_below(double x, const mpq_t exact)
{
    if (!(x < INFINITY) || !(x > -INFINITY))
        return x < 0;
    mpq_t value;
    mpq_init(value);
    mpq_set_d(value, x);
    bool below = mpq_cmp(value, exact) <= 0;
    mpq_clear(value);
    return below;
}

static bool is_above(double x, const mpq_t exact)
{
    if (!(x < INFINITY) || !(x > -INFINITY))
        return x > 0;
    mpq_t value;
    mpq_init(value);
    mpq_set_d(value, x);
    bool above = mpq_cmp(value, exact) >= 0;
    mpq_clear(value);
    return above;
}

/* Bounds contain the number, and are close to each other where doubles are. Returns whether they were. */
static bool check_bounds(const grz_dyadic *a, const mpq_t exact, int environment)
{
    saved_environment saved;
    environment_enter(&saved, environment);
    interval i = grz_dyadic_bounds(a), root = grz_dyadic_root_bounds(a);
    environment_leave(&saved);
    assert_true(is_below(i.lower, exact) && is_above(i.upper, exact));
    if (mpq_sgn(exact) >= 0)
    {
        mpq_t square;
        mpq_init(square);
        mpq_set_d(square, root.lower);
        mpq_mul(square, square, square);
        assert_true(mpq_cmp(square, exact) <= 0);
        if (root.upper < INFINITY)
        {
            mpq_set_d(square, root.upper);
            mpq_mul(square, square, square);
            assert_true(mpq_cmp(square, exact) >= 0);
        }
        mpq_clear(square);
    }
    double size = fabs(i.lower);
    if (!(size > 1e-290 && size < 1e290))
        return false;
    assert_true(i.upper - i.lower <= 0x1p-46 * size);
    return true;
}

static void sums_of_products_are_exact(void **state)
{
    (void)state;
    test_random random = test_random_start("dyadic numbers", 7);
    mpq_t sum, product, factor;
    mpq_inits(sum, product, factor, NULL);
    int close = 0, zeros = 0, negative = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        grz_dyadic total, term, next;
        saved_environment saved;
        grz_dyadic_set(&total, 0);
        mpq_set_ui(sum, 0, 1);
        int terms = random_between(&random, 1, 4), degree = random_between(&random, 1, MOST_FACTORS);
        for (int i = 0; i < terms; i++)
        {
            bool negate = random_once_in(&random, 2);
            double x = draw(&random);
            mpq_set_d(product, x);
            environment_enter(&saved, round % ENVIRONMENTS);
            grz_dyadic_set(&term, x);
            environment_leave(&saved);
            for (int k = 1; k < degree; k++)
            {
                x = draw(&random);
                mpq_set_d(factor, x);
                mpq_mul(product, product, factor);
                grz_dyadic_multiply_double(&next, &term, x);
                grz_dyadic_copy(&term, &next);
            }
            int order = grz_dyadic_compare(&total, &term), expected = mpq_cmp(sum, product);
            assert_true(order == (expected > 0) - (expected < 0));
            grz_dyadic_accumulate(&total, &term, negate);
            if (negate)
                mpq_sub(sum, sum, product);
            else
                mpq_add(sum, sum, product);
            check_value(&total, sum);
        }
        bool narrow = check_bounds(&total, sum, round % ENVIRONMENTS);
        close += narrow;
        zeros += total.sign == 0;
        negative += total.sign < 0;
    }
    printf("%d with close bounds, %d zeros, %d negative\n", close, zeros, negative);
    assert_true(close > TEST_ROUNDS(ROUNDS) / 4 && zeros > TEST_ROUNDS(ROUNDS) / 20 &&
                negative > TEST_ROUNDS(ROUNDS) / 8);
    mpq_clears(sum, product, factor, NULL);
}

/* The widest number of each degree: the largest and the least double in one sum. */
static void the_widest_polynomials_fit(void **state)
{
    (void)state;
    grz_dyadic most, least, next;
    grz_dyadic_set(&most, DBL_MAX);
    grz_dyadic_set(&least, 0x1p-1074);
    for (int k = 1; k < MOST_FACTORS; k++)
    {
        grz_dyadic_multiply_double(&next, &most, DBL_MAX);
        grz_dyadic_copy(&most, &next);
        grz_dyadic_multiply_double(&next, &least, 0x1p-1074);
        grz_dyadic_copy(&least, &next);
    }
    for (int k = 0; k < 60; k++)
    {
        grz_dyadic_copy(&next, &most);
        grz_dyadic_accumulate(&most, &next, false);
    }
    grz_dyadic_accumulate(&most, &least, true);
    assert_true(most.count > 450 && most.count <= GRZ_DYADIC_LIMBS);
    assert_int_equal(most.sign, 1);
    grz_dyadic_accumulate(&least, &most, true);
    assert_int_equal(least.sign, -1);
}

static void bounds_of_zero_are_zero(void **state)
{
    (void)state;
    grz_dyadic x;
    for (int i = 0; i < 2; i++)
    {
        if (i == 0)
            grz_dyadic_set(&x, -0.0);
        else
        {
            grz_dyadic term;
            grz_dyadic_set(&x, 0x1p-1074);
            grz_dyadic_set(&term, 0x1p-1074);
            grz_dyadic_accumulate(&x, &term, true);
        }
        interval bounds = grz_dyadic_bounds(&x), root = grz_dyadic_root_bounds(&x);
        assert_true(x.sign == 0 && x.count == 0);
        assert_true(bounds.lower == 0 && bounds.upper == 0 && root.lower == 0 && root.upper == 0);
    }
    grz_dyadic_set(&x, -3);
    interval bounds = grz_dyadic_bounds(&x);
    assert_true(bounds.lower <= -3 && bounds.upper >= -3 && bounds.upper - bounds.lower < 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_products_are_exact),
        cmocka_unit_test(the_widest_polynomials_fit),
        cmocka_unit_test(bounds_of_zero_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
