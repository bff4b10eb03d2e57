/* SPDX-License-Identifier: MIT */
/*
 * Facets over the origin against trying all triples of differences: on grids, where many are as low, and at random;
 * polygons that turn away from each other, and triangles that are lines or points.
 */
#include "convex/flat_facet.h"

#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 400
};

typedef struct point
{
    double x, y, height;
} point;

static point difference(const grz_flat_points sides[2], int a, int b)
{
    const grz_flat_point *p = &sides[0].points[a], *q = &sides[1].points[b];
    return (point){q->x - p->x, q->y - p->y, q->height - p->height};
}

static double cross(point p, point q)
{
    return p.x * q.y - p.y * q.x;
}

/* The height of the triangle's plane over the origin; INFINITY where the origin is beside it. */
static double height_of(point p, point q, point r)
{
    double first = cross(q, r), second = cross(r, p), third = cross(p, q), sum = first + second + third;
    bool inside = (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
    return inside && fabs(sum) > 1e-9 ? (first * p.height + second * q.height + third * r.height) / sum : INFINITY;
}

static double height_of_pairs(const grz_flat_points sides[2], int pairs[3][2])
{
    return height_of(difference(sides, pairs[0][0], pairs[0][1]), difference(sides, pairs[1][0], pairs[1][1]),
                     difference(sides, pairs[2][0], pairs[2][1]));
}

/* The least height of all triples, and one that is not INFINITY in `pairs`. */
static double find_least(const grz_flat_points sides[2], int pairs[3][2])
{
    int columns = sides[1].count, count = sides[0].count * columns;
    double least = INFINITY, any = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            for (int l = 0; l < k; l++)
            {
                int triple[3][2] = {{i / columns, i % columns}, {k / columns, k % columns}, {l / columns, l % columns}};
                double height = height_of_pairs(sides, triple);
                least = fmin(least, height);
                if (any < INFINITY || !(height < INFINITY))
                    continue;
                any = height;
                for (int c = 0; c < 3; c++)
                    for (int side = 0; side < 2; side++)
                        pairs[c][side] = triple[c][side];
            }
    return least;
}

static void the_lowest_facet_over_the_origin_is_found(void **state)
{
    (void)state;
    test_random random = test_random_start("flat facets", 1318);
    int found = 0, changed = 0, lowest = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        grz_flat_points sides[2];
        int pairs[3][2] = {{0}};
        for (int side = 0; side < 2; side++)
        {
            sides[side].count = random_between(&random, 2, 4);
            for (int i = 0; i < sides[side].count; i++)
            {
                grz_flat_point *p = &sides[side].points[i];
                p->x = round % 2 == 0 ? random_between(&random, -2, 2) : random_real(&random, -2, 2);
                p->y = round % 2 == 0 ? random_between(&random, -2, 2) : random_real(&random, -2, 2);
                p->height = 1e-16 * (round % 4 < 2 ? random_between(&random, 0, 3) : random_real(&random, 0, 1));
            }
        }
        double least = find_least(sides, pairs);
        if (!(least < INFINITY))
            continue;
        double before = height_of_pairs(sides, pairs);
        bool moved = grz_flat_facet_find(sides, pairs);
        double after = height_of_pairs(sides, pairs);
        assert_true(after <= before + 1e-27 && (moved || after == before));
        assert_true(after >= least - 1e-27);
        assert_true(round % 2 == 0 || after <= least + 1e-25); /* on a grid the origin may lie on an edge */
        lowest += after <= least + 1e-25;
        found++;
        changed += moved;
    }
    printf("%d facets, %d from other ones, %d lowest\n", found, changed, lowest);
    assert_true(lowest > found - found / 8 && found > TEST_ROUNDS(ROUNDS) / 4 && changed > found / 4);
}

static void triangles_on_a_line_stay(void **state)
{
    (void)state;
    const grz_flat_points sides[2] = {{1, {{0, 0, 0, 0}}},
                                      {4, {{-1, 0, 1e-16, 0}, {1, 0, 1e-16, 1}, {2, 0, 1e-16, 2}, {0, 1, 0, 3}}}};
    int line[3][2] = {{0, 0}, {0, 1}, {0, 2}}, same[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    assert_false(grz_flat_facet_find(sides, line));
    assert_false(grz_flat_facet_find(sides, same));
    for (int i = 0; i < 3; i++)
        assert_true(line[i][1] == i && same[i][1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_facet_over_the_origin_is_found),
        cmocka_unit_test(triangles_on_a_line_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
