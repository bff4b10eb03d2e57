/* SPDX-License-Identifier: MIT */
/* The results of the triangle-triangle kernel are true wherever the corners are within their error bounds. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/unit.h"

enum
{
    ROUNDS = 5000
};

/* Weights of a point in a triangle, on its border more often than not. */
static void random_weights(grz_random *random, double weights[3])
{
    weights[1] = grz_random_below(random, 3) == 0 ? 0 : grz_random_unit(random);
    weights[2] = grz_random_below(random, 2) == 0 ? 0 : (1 - weights[1]) * grz_random_unit(random);
    weights[0] = 1 - weights[1] - weights[2];
}

/* A triangle that has the origin as the point with these weights; long ones are a hundred times as long as wide. */
static void triangle_around_origin(grz_random *random, const double weights[3], double size, bool is_long,
                                   double corners[3][3])
{
    double along[3] = {grz_random_between(random, -1, 1), grz_random_between(random, -1, 1),
                       grz_random_between(random, -1, 1)};
    for (int k = 0; k < 3; k++)
    {
        double at = 0;
        for (int c = 0; c < 3; c++)
        {
            corners[c][k] = is_long ? size * (along[k] * (c - 1) + grz_random_between(random, -0.01, 0.01))
                                    : size * grz_random_between(random, -1, 1);
            at += weights[c] * corners[c][k];
        }
        for (int c = 0; c < 3; c++)
            corners[c][k] -= at;
    }
}

static void normal_of(double t[3][3], double out[3])
{
    for (int k = 0; k < 3; k++)
    {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        out[k] = (t[1][p] - t[0][p]) * (t[2][q] - t[0][q]) - (t[1][q] - t[0][q]) * (t[2][p] - t[0][p]);
    }
}

/* Moves both triangles into one plane through the origin, along z, and finds an axis in it across an edge of one. */
static void flatten(grz_random *random, double a[3][3], double b[3][3], double out_away[3])
{
    double p = grz_random_between(random, -1, 1), q = grz_random_between(random, -1, 1), normal[3];
    for (int c = 0; c < 3; c++)
    {
        a[c][2] = p * a[c][0] + q * a[c][1];
        b[c][2] = p * b[c][0] + q * b[c][1];
    }
    double(*of)[3] = grz_random_below(random, 2) == 0 ? a : b;
    uint64_t edge = grz_random_below(random, 3);
    normal_of(of, normal);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out_away[k] =
            normal[i] * (of[(edge + 1) % 3][j] - of[edge][j]) - normal[j] * (of[(edge + 1) % 3][i] - of[edge][i]);
    }
}

/* Queues the edges of a triangle of one side with its corners moved by nearly their error bound, by the sign of `away`;
   A's corners are on a grid on which differences are exact. Returns the largest extent. */
static float queue_moved(float to[2][3][GRZ_QUEUE_ROOM], unsigned place, double corners[3][3], double err,
                         const double away[3], double sign, bool on_grid, float out_start[3])
{
    float size = 0;
    for (int k = 0; k < 3; k++)
    {
        float moved[3], lowest = INFINITY, highest = -INFINITY;
        for (int c = 0; c < 3; c++)
        {
            double x = corners[c][k] + (away[k] * sign > 0 ? 0.99 : -0.99) * err;
            moved[c] = (float)(on_grid ? 0x1p-20 * rint(0x1p20 * x) : x);
            lowest = fminf(lowest, moved[c]);
            highest = fmaxf(highest, moved[c]);
        }
        out_start[k] = moved[0];
        to[0][k][place] = moved[1] - moved[0];
        to[1][k][place] = moved[2] - moved[0];
        size = fmaxf(size, highest - lowest);
    }
    return size;
}

/* Corners are moved away from the other triangle along the normal of either, or in the plane that contains both. */
static void triangles_that_share_a_point_are_never_reported_disjoint(void **state)
{
    (void)state;
    grz_random random = grz_random_make(37);
    unsigned long crossed = 0, judged = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        static grz_pair_queue queue;
        queue.count = GRZ_QUEUE_FULL;
        for (unsigned i = 0; i < queue.count; i++)
        {
            double a[3][3], b[3][3], weights_a[3], weights_b[3], away[3];
            double size = pow(2, -(double)grz_random_below(&random, 6));
            double error_a = pow(10, grz_random_between(&random, -4.9, -2)) * size, error_b = 2 * error_a;
            random_weights(&random, weights_a);
            random_weights(&random, weights_b);
            triangle_around_origin(&random, weights_a, 1, grz_random_below(&random, 2) == 0, a);
            triangle_around_origin(&random, weights_b, size, grz_random_below(&random, 3) == 0, b);
            if (grz_random_below(&random, 4) == 0)
                flatten(&random, a, b, away);
            else
                normal_of(grz_random_below(&random, 2) == 0 ? a : b, away);
            double sign = grz_random_below(&random, 2) == 0 ? 1 : -1;
            float start_a[3], start_b[3];
            queue.size_a[i] = queue_moved(queue.a, i, a, error_a, away, sign, true, start_a);
            queue.size_b[i] = queue_moved(queue.b, i, b, error_b, away, -sign, false, start_b);
            queue.leaves[i] = (uint8_t)i;
            queue.error_a[i] = (float)(1.01 * error_a);
            queue.error_b[i] = (float)(1.01 * error_b);
            for (int k = 0; k < 3; k++)
                queue.between[k][i] = start_b[k] - start_a[k];
        }
        for (int fused = 0; fused < 2; fused++) /* without FMA and, where the machine has it, with */
        {
            grz_pair_sat_results verdicts;
            graze_instructions set = fused != 0 ? GRAZE_INSTRUCTIONS_BEST : GRAZE_INSTRUCTIONS_SSE2;
            grz_kernels_for(set)->triangle_sat(&queue, &verdicts);
            assert_true(verdicts.meet[0] == UINT64_MAX);
            judged += queue.count;
            crossed += (unsigned)__builtin_popcountll(verdicts.cross[0]);
        }
    }
    printf("seed 37: %lu pairs, of which %lu surely cross\n", judged, crossed);
    assert_true(crossed > judged / 100 && crossed < judged / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_that_share_a_point_are_never_reported_disjoint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
