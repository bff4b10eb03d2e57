/* SPDX-License-Identifier: MIT */
/*
 * Whether the origin lies in a simplex of differences of vertices, on a small grid where it often lies on a face, an
 * edge or a corner and simplices are often flat. Small integers certify each answer: weights that sum up to the origin,
 * or a direction along which all points are higher.
 */
#include "convex/exact_simplex.h"

#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    SEED = 471,
    ROUNDS = 3000,
    MOST_WEIGHT = 8,
    MOST_NORMAL = 9
};

/* Whether weights of 0 to MOST_WEIGHT, not all 0, sum up to the origin. */
static bool weights_exist(int points[4][3], int count)
{
    int all = 1;
    for (int i = 0; i < count; i++)
        all *= MOST_WEIGHT + 1;
    for (int code = 1; code < all; code++)
    {
        int sum[3] = {0, 0, 0}, rest = code;
        for (int i = 0; i < count; i++, rest /= MOST_WEIGHT + 1)
            for (int k = 0; k < 3; k++)
                sum[k] += rest % (MOST_WEIGHT + 1) * points[i][k];
        if (sum[0] == 0 && sum[1] == 0 && sum[2] == 0)
            return true;
    }
    return false;
}

/* Whether all points are on one side of some plane through the origin, and not on it. */
static bool plane_exists(int points[4][3], int count)
{
    for (int x = -MOST_NORMAL; x <= MOST_NORMAL; x++)
        for (int y = -MOST_NORMAL; y <= MOST_NORMAL; y++)
            for (int z = -MOST_NORMAL; z <= MOST_NORMAL; z++)
            {
                int above = 0;
                while (above < count && x * points[above][0] + y * points[above][1] + z * points[above][2] > 0)
                    above++;
                if (above == count)
                    return true;
            }
    return false;
}

/* Points of A and B whose differences are those points, in poses that turn and move the grid. */
static bool ask(test_random *random, int points[4][3], int count)
{
    static const graze_pose turned = {{0, -1, 0, 5, 1, 0, 0, -3, 0, 0, 1, 0.5}};
    double a[4][3], b[4][3];
    uint32_t vertices[4][2];
    int far = random_below(random, 3) == 0 ? 1 << 20 : 1;
    for (int i = 0; i < 4; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            b[3 - i][k] = far * random_between(random, -3, 3);
            a[i][k] = b[3 - i][k] + points[i][k];
        }
        vertices[i][0] = (uint32_t)i;
        vertices[i][1] = (uint32_t)(3 - i);
    }
    grz_convex_body x = {.vertices = (const double(*)[3])a, .vertex_count = 4, .pose = turned}, y = x;
    y.vertices = (const double(*)[3])b;
    assert_false(grz_exact_simplex_holds_origin(&x, &y, (const uint32_t(*)[2])vertices, 0));
    assert_false(grz_exact_simplex_holds_origin(&x, &y, (const uint32_t(*)[2])vertices, 5));
    return grz_exact_simplex_holds_origin(&x, &y, (const uint32_t(*)[2])vertices, count);
}

static void the_origin_is_held_where_weights_say_so(void **state)
{
    (void)state;
    test_random random = test_random_start("simplices on a grid", SEED);
    int held[5] = {0}, not_held[5] = {0};
    for (int round = 0; round < ROUNDS; round++)
    {
        int points[4][3], count = 1 + round % 4;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] = k < round / 4 % 3 ? 0 : random_between(&random, -1, 1);
        bool weights = weights_exist(points, count);
        assert_int_not_equal(weights, plane_exists(points, count));
        assert_int_equal(ask(&random, points, count), weights);
        held[count] += weights;
        not_held[count] += !weights;
    }
    for (int count = 1; count <= 4; count++)
    {
        printf("%d points: %d hold the origin, %d do not\n", count, held[count], not_held[count]);
        assert_true(held[count] > ROUNDS / 40 && not_held[count] > ROUNDS / 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_origin_is_held_where_weights_say_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
