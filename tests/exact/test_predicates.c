/* SPDX-License-Identifier: MIT */
/* Points and segments against triangles, points against polygons: each answer compared with the oracle's; dominant
 * axes. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "exact/predicates.h"
#include "support/contacts.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = 500,
    POLYGONS = 60000,
    MOST_LOOPS = 3,
    MOST_POLYGON_CORNERS = 24
};

static void points_in_triangles_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("points in triangles", 8);
    oracle *judge = oracle_create();
    int counts[4] = {0};
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < CASES_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle triangle = case_triangle(&pair, 1), other = case_triangle(&pair, 0);
            for (int i = 0; i < 3; i++)
            {
                graze_placed_point point = {other.corners[i], other.pose};
                graze_feature expected = oracle_point_in_triangle(judge, &point, &triangle);
                graze_feature given = graze_point_in_triangle(&point, &triangle);
                counts[expected]++;
                if (given == expected)
                    continue;
                case_print(&pair);
                fail_msg("%s: corner %d of A is in feature %d of B, not %d", generators[g].name, i, (int)expected,
                         (int)given);
            }
        }
    oracle_destroy(judge);
    printf("outside %d, on a vertex %d, on an edge %d, inside %d\n", counts[0], counts[1], counts[2], counts[3]);
    assert_true(counts[1] > 2000 && counts[2] > 2000 && counts[3] > 500);
}

static void segments_against_triangles_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("segments against triangles", 9);
    oracle *judge = oracle_create();
    int hits = 0, total = 0;
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < CASES_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle triangle = case_triangle(&pair, 1), other = case_triangle(&pair, 0);
            graze_placed_point corners[3], mixed[2];
            for (int i = 0; i < 3; i++)
                corners[i] = (graze_placed_point){other.corners[i], other.pose};
            /* Its ends under different poses, and possibly one of them a corner of the triangle itself. */
            mixed[0] = corners[0];
            mixed[1] = (graze_placed_point){random_once_in(&random, 2) ? triangle.corners[1] : other.corners[1],
                                            random_once_in(&random, 2) ? triangle.pose : NULL};
            const graze_placed_point *segments[3] = {&corners[0], &corners[1], mixed};
            for (int i = 0; i < 3; i++)
            {
                bool expected = oracle_segment_meets_triangle(judge, segments[i], &triangle);
                bool given = graze_segment_meets_triangle(segments[i], &triangle);
                const graze_placed_point back[2] = {segments[i][1], segments[i][0]};
                hits += expected;
                total++;
                if (given == expected && graze_segment_meets_triangle(back, &triangle) == expected)
                    continue;
                case_print(&pair);
                fail_msg("%s: segment %d meets the triangle: %d, not %d", generators[g].name, i, expected, given);
            }
        }
    oracle_destroy(judge);
    printf("%d of %d segments meet the triangle\n", hits, total);
    assert_true(hits > total / 5 && hits < total * 4 / 5);
}

typedef struct polygon_case
{
    double points[2 * MOST_POLYGON_CORNERS];
    uint32_t loop_sizes[MOST_LOOPS];
    size_t loop_count;
    double query[2];
} polygon_case;

/* A factor that keeps small integers exact, or makes them inexact, or moves them to an end of the range. */
static double random_factor(test_random *random)
{
    static const double factors[] = {1.0, 1.0, 0.1, 0.7, 0x1p-1074, 1e300, 0x1p-600, DBL_MAX / 16};
    return factors[random_below(random, 8)];
}

/* Any loops over a small grid: they touch, repeat and cross themselves; the query is on the grid or near it. */
static void make_polygon(test_random *random, polygon_case *out)
{
    int size = random_between(random, 3, 15), corner = 0;
    double factor = random_factor(random);
    out->loop_count = (size_t)random_between(random, 1, MOST_LOOPS);
    for (size_t l = 0; l < out->loop_count; l++)
    {
        int corners = random_between(random, random_once_in(random, 4) ? 0 : 3, 8);
        out->loop_sizes[l] = (uint32_t)corners;
        for (int i = 0; i < corners; i++, corner++)
            for (int c = 0; c < 2; c++)
                out->points[2 * corner + c] = factor * random_between(random, 0, size);
    }
    for (int c = 0; c < 2; c++)
        out->query[c] = factor * random_between(random, 0, size);
    if (random_once_in(random, 3) && corner >= 2) /* half-way between two consecutive corners */
    {
        int i = random_below(random, corner - 1);
        for (int c = 0; c < 2; c++)
            out->query[c] = out->points[2 * i + c] / 2 + out->points[2 * i + 2 + c] / 2;
    }
    if (random_once_in(random, 6))
        out->query[0] = one_ulp(random, out->query[0]);
}

static void points_in_polygons_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("points in polygons", 10);
    oracle *judge = oracle_create();
    int counts[3] = {0};
    for (int k = 0; k < POLYGONS; k++)
    {
        polygon_case c;
        make_polygon(&random, &c);
        graze_location expected = oracle_point_in_polygon(judge, c.query, c.points, c.loop_sizes, c.loop_count);
        graze_location given = graze_point_in_polygon(c.query, c.points, c.loop_sizes, c.loop_count);
        counts[expected]++;
        if (given == expected)
            continue;
        printf("query %a %a\n", c.query[0], c.query[1]);
        const double *corner = c.points;
        for (size_t l = 0; l < c.loop_count; l++)
            for (uint32_t i = 0; i < c.loop_sizes[l]; i++, corner += 2)
                printf("loop %zu: %a %a\n", l, corner[0], corner[1]);
        fail_msg("location %d, not %d", (int)expected, (int)given);
    }
    oracle_destroy(judge);
    printf("outside %d, boundary %d, inside %d\n", counts[0], counts[1], counts[2]);
    assert_true(counts[0] > POLYGONS / 5 && counts[1] > POLYGONS / 10 && counts[2] > POLYGONS / 10);
}

static void a_square_with_a_hole_has_the_known_answers(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 9, 0, 9, 9, 0, 9, 3, 3, 3, 6, 6, 6, 6, 3};
    static const uint32_t loops[] = {4, 4};
    assert_int_equal(graze_point_in_polygon((double[2]){1, 1}, points, loops, 2), GRAZE_LOCATION_INSIDE);
    assert_int_equal(graze_point_in_polygon((double[2]){4, 4}, points, loops, 2), GRAZE_LOCATION_OUTSIDE);
    assert_int_equal(graze_point_in_polygon((double[2]){4, 3}, points, loops, 2), GRAZE_LOCATION_BOUNDARY);
    assert_int_equal(graze_point_in_polygon((double[2]){0, 9}, points, loops, 2), GRAZE_LOCATION_BOUNDARY);
    assert_int_equal(graze_point_in_polygon((double[2]){-1, 9}, points, loops, 2), GRAZE_LOCATION_OUTSIDE);
    assert_int_equal(graze_point_in_polygon((double[2]){1, 3}, points, loops, 2), GRAZE_LOCATION_INSIDE);
    assert_int_equal(graze_point_in_polygon((double[2]){1, 1}, points, loops, 0), GRAZE_LOCATION_OUTSIDE);
}

/* The axis with the largest projection, for triangles whose normals point roughly along each axis. */
static void the_dominant_axis_has_the_largest_projection(void **state)
{
    (void)state;
    test_random random = test_random_start("dominant_axis", 71);
    size_t seen[3] = {0};
    for (int round = 0; round < 300; round++)
    {
        double corners[3][3], normal[3];
        for (int i = 0; i < 9; i++)
            corners[i / 3][i % 3] = random_between(&random, -9, 9);
        for (int axis = 0; axis < 3; axis++)
        {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            normal[axis] = fabs((corners[1][u] - corners[0][u]) * (corners[2][v] - corners[0][v]) -
                                (corners[1][v] - corners[0][v]) * (corners[2][u] - corners[0][u]));
        }
        grz_points points;
        grz_points_start(&points, NULL);
        for (int k = 0; k < 3; k++)
            grz_points_add(&points, corners[k], NULL);
        int found = grz_dominant_axis(&points, 0);
        assert_true(normal[found] == fmax(fmax(normal[0], normal[1]), normal[2]));
        seen[found]++;
    }
    assert_true(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_in_triangles_agree_with_the_oracle),
        cmocka_unit_test(segments_against_triangles_agree_with_the_oracle),
        cmocka_unit_test(points_in_polygons_agree_with_the_oracle),
        cmocka_unit_test(a_square_with_a_hole_has_the_known_answers),
        cmocka_unit_test(the_dominant_axis_has_the_largest_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
