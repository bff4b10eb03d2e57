/* SPDX-License-Identifier: MIT */
/* Intervals contain the real result, in every rounding mode, at both ends of the range and beyond. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "math/interval.h"
#include "support/lattice.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    TRIALS = 100000
};

static const int rounding_modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* Numbers whose sums and products cancel, round, underflow and overflow. */
static double any_number(test_random *random)
{
    static const double special[] = {0.0, 1.0, 0x1p-1074, 0x1p-1022, 0x1p-540, 1e200, DBL_MAX, DBL_MAX / 2};
    switch (random_below(random, 3))
    {
    case 0:
        return random_bits_double(random);
    case 1:
        return random_real(random, -1.0, 1.0);
    default:
        return special[random_below(random, 8)] * (random_once_in(random, 2) ? 1.0 : -1.0);
    }
}

static bool contains(interval i, const mpq_t x)
{
    mpq_t end;
    mpq_init(end);
    bool inside = !isnan(i.lower) && !isnan(i.upper);
    if (isfinite(i.lower))
    {
        rational_set_double(end, i.lower);
        inside = inside && mpq_cmp(end, x) <= 0;
    }
    if (isfinite(i.upper))
    {
        rational_set_double(end, i.upper);
        inside = inside && mpq_cmp(end, x) >= 0;
    }
    inside = inside && i.lower < INFINITY && i.upper > -INFINITY;
    mpq_clear(end);
    return inside;
}

/* x * y, x * y + z and z - x * y: twice in a row, so that widened ends go through as well. */
static void combine(const double numbers[3], interval out[3])
{
    out[0] = interval_mul(interval_point(numbers[0]), interval_point(numbers[1]));
    out[1] = interval_add(out[0], interval_point(numbers[2]));
    out[2] = interval_sub(interval_point(numbers[2]), out[0]);
}

/* Called through a volatile pointer, so that the compiler moves nothing out of the rounding mode it belongs to. */
static void (*volatile combine_here)(const double numbers[3], interval out[3]) = combine;

static void results_lie_within_in_every_rounding_mode(void **state)
{
    (void)state;
    test_random random = test_random_start("intervals", 30);
    mpq_t x, y, z, exact;
    mpq_inits(x, y, z, exact, NULL);
    int unbounded = 0;
    for (int k = 0; k < TRIALS; k++)
    {
        double numbers[3] = {any_number(&random), any_number(&random), any_number(&random)};
        interval results[3];
        rational_set_double(x, numbers[0]);
        rational_set_double(y, numbers[1]);
        rational_set_double(z, numbers[2]);
        fesetround(rounding_modes[k % 4]);
        combine_here(numbers, results);
        fesetround(FE_TONEAREST);
        mpq_mul(exact, x, y);
        bool right = contains(results[0], exact);
        mpq_add(exact, exact, z);
        right = right && contains(results[1], exact);
        mpq_sub(exact, exact, z);
        mpq_sub(exact, z, exact);
        right = right && contains(results[2], exact);
        unbounded += isinf(results[1].lower) || isinf(results[1].upper);
        if (!right)
            fail_msg("mode %d: %a * %a +- %a escapes its interval", k % 4, numbers[0], numbers[1], numbers[2]);
    }
    mpq_clears(x, y, z, exact, NULL);
    printf("%d of %d unbounded\n", unbounded, TRIALS);
    assert_true(unbounded > TRIALS / 50 && unbounded < TRIALS / 2);
}

static void hulls_and_overlaps_are_closed(void **state)
{
    (void)state;
    interval low = {0.0, 1.0}, high = {1.0, 2.0}, away = {nextafter(2.0, 3.0), 3.0};
    assert_true(interval_overlap(low, high));
    assert_true(interval_overlap(high, low));
    assert_false(interval_overlap(high, away));
    assert_false(interval_overlap(away, high));
    interval hull = interval_hull(low, away);
    assert_true(hull.lower == 0.0 && hull.upper == 3.0);
    assert_true(interval_contains(hull, 3.0) && interval_contains(hull, 0.0));
    assert_false(interval_contains(hull, nextafter(3.0, 4.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_lie_within_in_every_rounding_mode),
        cmocka_unit_test(hulls_and_overlaps_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
