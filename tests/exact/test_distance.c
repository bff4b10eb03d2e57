/* SPDX-License-Identifier: MIT */
/*
 * Distances of triangles in integers, called directly: queries use them only where doubles fail. Bounds closely enclose
 * the rational distance; every limit is decided as in rationals, strictly or not; the closest points have that
 * distance.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "exact/contact.h"
#include "exact/distance.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/oracle_distance.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 30,
    LIMITS = 6
};

static void start(grz_points *points, const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    grz_points_start(points, NULL);
    for (int i = 0; i < 6; i++)
        grz_points_add(points, i < 3 ? a->corners[i] : b->corners[i - 3], i < 3 ? a->pose : b->pose);
}

/* Each question starts with new points: integers of an earlier one would hide errors. */
static void check_limits(const graze_placed_triangle *a, const graze_placed_triangle *b, double near_it, const mpq_t sq)
{
    const double limits[LIMITS] = {0, nextafter(near_it, 0), near_it, nextafter(near_it, INFINITY), near_it / 2, 1};
    for (int i = 0; i < LIMITS; i++)
    {
        double limit = fmin(limits[i], DBL_MAX);
        int order = oracle_compare_distance(limit, sq);
        for (int strict = 0; strict < 2; strict++)
        {
            grz_points points;
            start(&points, a, b);
            bool within = grz_triangles_within(&points, limit, strict);
            if (within != (strict ? order > 0 : order >= 0))
                fail_msg("limit %a, strict %d: %d", limit, strict, within);
        }
    }
}

static void check_points(const grz_exact_distance *d)
{
    double sum = 0, size = 0;
    for (int k = 0; k < 3; k++)
    {
        sum += (d->point_a[k] - d->point_b[k]) * (d->point_a[k] - d->point_b[k]);
        size = fmax(size, fmax(fabs(d->point_a[k]), fabs(d->point_b[k])));
    }
    assert_true(fabs(sqrt(sum) - d->upper) <= 0x1p-48 * (size + d->upper));
}

static void distances_in_integers_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("distances in integers", 65);
    oracle *judge = oracle_create();
    mpq_t sq;
    mpq_init(sq);
    int apart = 0, ordinary = 0;
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle a = case_triangle(&pair, 0), b = case_triangle(&pair, 1);
            oracle_distance_sq(judge, &a, &b, sq);
            if (mpq_sgn(sq) == 0)
                continue;
            grz_points points;
            grz_exact_distance d;
            saved_environment saved;
            environment_enter(&saved, k % ENVIRONMENTS);
            start(&points, &a, &b);
            grz_triangles_distance(&points, &d);
            environment_leave(&saved);
            apart++;
            if (oracle_compare_distance(d.lower, sq) > 0 || oracle_compare_distance(d.upper, sq) < 0)
            {
                case_print(&pair);
                fail_msg("%s: not in [%a, %a]", generators[g].name, d.lower, d.upper);
            }
            check_limits(&a, &b, d.lower, sq);
            if (!(d.lower > 1e-290 && d.upper < 1e290))
                continue;
            ordinary++;
            assert_true(d.upper - d.lower <= 0x1p-48 * d.upper);
            double largest = 0;
            for (int i = 0; i < 3; i++)
                largest = fmax(largest, fmax(fabs(d.point_a[i]), fabs(d.point_b[i])));
            if (largest < 1e150 && d.lower > 1e-150)
                check_points(&d);
        }
    printf("%d apart, %d of them at ordinary distances\n", apart, ordinary);
    assert_true(apart > 400 && ordinary > 300);
    mpq_clear(sq);
    oracle_destroy(judge);
}

/* Parallel triangles: every bit of the limit counts, down to the last one of the smallest numbers. */
static void every_bit_of_a_limit_counts(void **state)
{
    (void)state;
    static const double gaps[] = {1,
                                  0x1.0000000000001p0,
                                  0x1.fffffffffffffp0,
                                  0x1.5555555555555p-900,
                                  0x1p-1022,
                                  0x1.0000000000001p-1022,
                                  0x1p-1074,
                                  0x1p-1073,
                                  0x1.8p-1073,
                                  0x1p-1072,
                                  0x1.4p-1072,
                                  0x1.5555555555555p1000};
    oracle *judge = oracle_create();
    mpq_t sq;
    mpq_init(sq);
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
    {
        const double lower[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        const double upper[3][3] = {{0, 0, gaps[i]}, {1, 0, gaps[i]}, {0, 1, gaps[i]}};
        graze_placed_triangle a = {{lower[0], lower[1], lower[2]}, NULL}, b = {{upper[0], upper[1], upper[2]}, NULL};
        oracle_distance_sq(judge, &a, &b, sq);
        check_limits(&a, &b, gaps[i], sq);
        check_limits(&b, &a, gaps[i], sq);
    }
    mpq_clear(sq);
    oracle_destroy(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_in_integers_agree_with_rationals),
        cmocka_unit_test(every_bit_of_a_limit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
