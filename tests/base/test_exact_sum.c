/* SPDX-License-Identifier: MIT */
/* Sums that need no rounding: never claimed for a sum that is rounded, in any floating-point environment. */
#include "base/exact_sum.h"

#include <float.h>
#include <gmp.h>
#include <stdio.h>

#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

/* Whether the true sum of two doubles is a double. */
static bool is_double(double a, double b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, a);
    mpq_set_d(y, b);
    mpq_add(x, x, y);
    double nearest = mpq_get_d(x); /* toward zero, which is the sum itself when that is a double */
    bool is = isfinite(nearest);
    if (is)
    {
        mpq_set_d(y, nearest);
        is = mpq_equal(x, y) != 0;
    }
    mpq_clears(x, y, NULL);
    return is;
}

/* Two numbers whose sum is just a double or just not: digits that fit, one digit too many, ties, ends of the range. */
static void make_pair(test_random *random, double *a, double *b)
{
    int kind = random_below(random, 6);
    double units = (double)random_between(random, -1000000, 1000000);
    *a = random_real(random, -8, 8);
    if (kind == 0) /* decimals */
        *a = 0.1 * random_between(random, -100, 100), *b = 0.1 * random_between(random, -100, 100);
    else if (kind == 1) /* the last digits of a, or half of one */
        *b = units * ldexp(DBL_EPSILON, random_between(random, -4, 2));
    else if (kind == 2)
        *b = -nextafter(*a, random_once_in(random, 2) ? 9 : -9);
    else if (kind == 3) /* a digit beyond those of a */
        *a = units, *b = ldexp(random_between(random, -9, 9), random_between(random, -60, 60));
    else if (kind == 4)
        *a = random_bits_double(random),
        *b = random_once_in(random, 2) ? -nextafter(*a, 0) : random_bits_double(random);
    else /* around the smallest number that is allowed, and denormals */
        *a = ldexp(random_between(random, -9, 9), random_between(random, -1074, -950)),
        *b = ldexp(random_between(random, -9, 9), random_between(random, -1074, -900));
}

static void no_rounded_sum_is_called_exact_in_any_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("exact sums", 20260401);
    size_t exact[ENVIRONMENTS] = {0}, rounded = 0, missed = 0;
    for (int k = 0; k < 200000; k++)
    {
        double a, b;
        make_pair(&random, &a, &b);
        bool expected = is_double(a, b);
        int number = k % ENVIRONMENTS;
        saved_environment saved;
        volatile double x = a, y = b;
        double sum;
        environment_enter(&saved, number);
        bool claimed = grz_sum_exactly(x, y, &sum);
        environment_leave(&saved);
        if (claimed && !expected)
            fail_msg("%a + %a is no double (%s)", a, b, environment_name(number));
        if (claimed && sum != a + b)
            fail_msg("%a + %a is not %a (%s)", a, b, sum, environment_name(number));
        exact[number] += claimed;
        rounded += !expected;
        missed += expected && !claimed && grz_is_coarse(a) && grz_is_coarse(b);
    }
    printf("%zu exact in the usual environment, %zu rounded\n", exact[0], rounded);
    for (int number = 0; number < ENVIRONMENTS; number++)
        assert_true(exact[number] > 200000 / ENVIRONMENTS / 4);
    assert_true(rounded > 20000);
    assert_int_equal(missed, 0);
}

static void numbers_are_coarse_from_two_to_the_minus_960_on(void **state)
{
    (void)state;
    assert_true(grz_is_coarse(0.0) && grz_is_coarse(-0.0) && grz_is_coarse(0x1p-960) && grz_is_coarse(-0x1p-960));
    assert_true(grz_is_coarse(DBL_MAX));
    assert_false(grz_is_coarse(nextafter(0x1p-960, 0)) || grz_is_coarse(-nextafter(0x1p-960, 0)));
    assert_false(grz_is_coarse(0x1p-1074) || grz_is_coarse(-0x1p-1074));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rounded_sum_is_called_exact_in_any_environment),
        cmocka_unit_test(numbers_are_coarse_from_two_to_the_minus_960_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
