/* SPDX-License-Identifier: MIT */
/*
 * Closest points of triangles and their certified lower bounds: points whose distance equals the bound are the closest,
 * so that the kernel verifies itself once the bound is known never to be too large.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/distance.h"
#include "support/unit.h"

enum
{
    ROUNDS = 500
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void corner_of(const double corners[3][3][GRZ_LANES], int c, int lane, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = corners[c][k][lane];
}

/* Triangles all over a cube; A's cube and B's share a face, or are one where `apart` is 0. */
static void random_pairs(grz_random *random, double apart, grz_triangle_pairs8 *pairs)
{
    for (int i = 0; i < 9 * GRZ_LANES; i++)
    {
        pairs->a[i / 24][i / 8 % 3][i % 8] = grz_random_between(random, -1, 1);
        pairs->b[i / 24][i / 8 % 3][i % 8] = grz_random_between(random, -1, 1) + (i / 8 % 3 == 2 ? apart : 0);
    }
}

/* Whether a point belongs to the triangle: then it is no farther along each of some directions than a corner. */
static bool is_within(const double corners[3][3][GRZ_LANES], const double found[3][GRZ_LANES], int lane)
{
    double x[3] = {found[0][lane], found[1][lane], found[2][lane]}, p[3][3], e[3], g[3], n[3];
    for (int c = 0; c < 3; c++)
        corner_of(corners, c, lane, p[c]);
    for (int k = 0; k < 3; k++)
    {
        e[k] = p[1][k] - p[0][k];
        g[k] = p[2][k] - p[0][k];
        x[k] -= p[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * g[(k + 2) % 3] - e[(k + 2) % 3] * g[(k + 1) % 3];
    double ee = dot(e, e), eg = dot(e, g), gg = dot(g, g), xe = dot(x, e), xg = dot(x, g), area = dot(n, n);
    double v = gg * xe - eg * xg, w = ee * xg - eg * xe, slack = 1e-12;
    return fabs(dot(n, x)) <= slack && v >= -slack && w >= -slack && v + w <= area + slack;
}

/* The points are on the triangles and have the reported distance, and no points are closer, by the bound. */
static void points_are_closest(const grz_triangle_pairs8 *pairs, const grz_closest8 *found, int lane)
{
    double between[3];
    for (int k = 0; k < 3; k++)
        between[k] = found->point_b[k][lane] - found->point_a[k][lane];
    assert_true(fabs(sqrt(dot(between, between)) - found->distance[lane]) < 1e-12);
    assert_true(is_within(pairs->a, found->point_a, lane) && is_within(pairs->b, found->point_b, lane));
    assert_true(found->lower[lane] <= found->distance[lane]);
    assert_true(found->lower[lane] > found->distance[lane] - 1e-9);
}

static void points_that_are_found_are_the_closest(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1411);
    unsigned long corners[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangle_pairs8 pairs;
        grz_closest8 found;
        random_pairs(&random, 2.01, &pairs);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            kernels->triangles(&pairs, 0, &found);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                points_are_closest(&pairs, &found, lane);
                corners[0] += found.point_a[0][lane] == pairs.a[0][0][lane];
                corners[1] += found.point_b[0][lane] == pairs.b[0][0][lane];
            }
        }
    }
    printf("seed 1411: in %lu cases A's first corner is closest, in %lu B's\n", corners[0], corners[1]);
    assert_true(corners[0] > ROUNDS && corners[1] > ROUNDS);
}

/* The corners of a triangle moved by their error bound, all in one direction. */
static void move(double corners[3][3][GRZ_LANES], int lane, const double direction[3], double error)
{
    for (int i = 0; i < 9; i++)
        corners[i / 3][i % 3][lane] += copysign(error, direction[i % 3]);
}

static void bounds_hold_wherever_corners_are_within_their_error(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1412);
    unsigned long positive = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangle_pairs8 pairs;
        double error = round % 3 == 0 ? 0 : pow(2, -(double)grz_random_below(&random, 50));
        random_pairs(&random, 2.01, &pairs);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_triangle_pairs8 moved = pairs;
            grz_closest8 seen, real;
            kernels->triangles(&pairs, error, &seen);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                double toward_b[3], toward_a[3];
                for (int k = 0; k < 3; k++)
                {
                    toward_b[k] = seen.point_b[k][lane] - seen.point_a[k][lane];
                    toward_a[k] = -toward_b[k];
                }
                move(moved.a, lane, toward_b, error);
                move(moved.b, lane, toward_a, error);
            }
            kernels->triangles(&moved, 0, &real);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                assert_true(seen.lower[lane] <= real.distance[lane] * (1 + 0x1p-50));
                positive += seen.lower[lane] > 0;
            }
        }
    }
    printf("seed 1412: %lu positive bounds\n", positive);
    assert_true(positive > ROUNDS);
}

/* A's centre lies in B's interior, corners far away on both sides: no edges are close, and no bound is above 0. */
static void triangles_that_cross_have_no_bound(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1413);
    unsigned long apart = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangle_pairs8 pairs;
        grz_closest8 found;
        random_pairs(&random, 0, &pairs);
        for (int lane = 0; lane < GRZ_LANES; lane++)
            for (int k = 0; k < 3; k++)
            {
                double inner_a = 0.5 * pairs.a[0][k][lane] + 0.3 * pairs.a[1][k][lane] + 0.2 * pairs.a[2][k][lane];
                double inner_b = 0.2 * pairs.b[0][k][lane] + 0.3 * pairs.b[1][k][lane] + 0.5 * pairs.b[2][k][lane];
                for (int c = 0; c < 3; c++)
                    pairs.b[c][k][lane] += inner_a - inner_b;
            }
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_distance_kernels_for((graze_instructions)set)->triangles(&pairs, 0, &found);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                assert_true(found.lower[lane] == 0);
                apart += found.distance[lane] > 0.01;
            }
        }
    }
    printf("seed 1413: in %lu cases the points found are apart\n", apart);
    assert_true(apart > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_found_are_the_closest),
        cmocka_unit_test(bounds_hold_wherever_corners_are_within_their_error),
        cmocka_unit_test(triangles_that_cross_have_no_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
