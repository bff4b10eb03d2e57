/* SPDX-License-Identifier: MIT */
/*
 * The point of a simplex that is nearest to the origin: a mixture of its corners with the weights that are told, and no
 * farther than any point of its faces, edges and corners.
 */
#include "convex/simplex.h"

#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    SEED = 905,
    ROUNDS = 6000,
    STEPS = 12 /* of weights that are tried */
};

/* The distance of the nearest of many mixtures. */
static double nearest_of_grid(const v3 *corners, int count)
{
    double nearest = INFINITY;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= STEPS - i; j++)
            for (int k = 0; k <= STEPS - i - j; k++)
            {
                const int parts[4] = {STEPS - i - j - k, i, j, k};
                v3 p = v3_make(0, 0, 0);
                bool used = true;
                for (int c = 0; c < 4; c++)
                {
                    used = used && (c < count || parts[c] == 0);
                    p = c < count ? v3_add(p, v3_scale(parts[c] / (double)STEPS, corners[c])) : p;
                }
                nearest = used ? fmin(nearest, v3_length(p)) : nearest;
            }
    return nearest;
}

static v3 random_point(test_random *random, double spread)
{
    return v3_make(random_real(random, -spread, spread), random_real(random, -spread, spread),
                   random_real(random, -spread, spread));
}

static void nearest_points_are_mixtures_of_their_corners(void **state)
{
    (void)state;
    test_random random = test_random_start("nearest points of simplices", SEED);
    int by_size[5] = {0};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        v3 corners[4], centre = random_point(&random, round / 4 % 2 == 0 ? 0.1 : 1.5);
        int count = 1 + round % 4, used = 0;
        for (int i = 0; i < 4; i++)
            corners[i] = v3_add(centre, random_point(&random, 1));
        grz_simplex_point r;
        grz_simplex_nearest(corners, count, &r);
        v3 mixture = v3_make(0, 0, 0);
        double sum = 0;
        for (int i = 0; i < count; i++)
        {
            bool counts = (r.corners >> i & 1) != 0;
            assert_true(counts ? r.weights[i] > 0 : r.weights[i] == 0);
            sum += r.weights[i];
            mixture = v3_add(mixture, v3_scale(r.weights[i], corners[i]));
            used += counts;
        }
        by_size[used]++;
        assert_true(r.corners >> count == 0 && fabs(sum - 1) < 1e-12);
        assert_true(v3_length(v3_sub(mixture, r.point)) < 1e-9);
        assert_true(v3_length(r.point) <= nearest_of_grid(corners, count) + 1e-12);
        assert_true(used < 4 || v3_length(r.point) == 0);
    }
    printf("%d corners, %d edges, %d faces, %d around the origin\n", by_size[1], by_size[2], by_size[3], by_size[4]);
    for (int i = 1; i <= 4; i++)
        assert_true(by_size[i] > TEST_ROUNDS(ROUNDS) / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_points_are_mixtures_of_their_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
