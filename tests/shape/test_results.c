/* SPDX-License-Identifier: MIT */
/* Results of two leaves at their edges: points that are not finite, bounds below 0 or denormal, zeros that stay +0. */
#include <math.h>
#include <string.h>

#include "shape/query.h"
#include "support/unit.h"

static void points_that_are_not_finite_are_left_out(void **state)
{
    (void)state;
    static const double bad[3] = {INFINITY, -INFINITY, NAN};
    for (int k = -1; k < 3; k++)
        for (int i = 0; i < 3; i++)
        {
            double point[3] = {1.5, -2, 0};
            graze_shape_hit hit = grz_shape_hit_none();
            hit.has_point = true;
            hit.point[0] = hit.point[1] = hit.point[2] = 7;
            if (k >= 0)
                point[k] = bad[i];
            grz_shape_hit_set_point(&hit, point);
            assert_int_equal(hit.has_point, k < 0);
            for (int c = 0; c < 3; c++)
                assert_true(hit.point[c] == (k < 0 ? point[c] : 0));
            grz_shape_hit_set_point(NULL, point); /* callers that want no hit */
        }
}

typedef struct bounds_case
{
    interval bounds;
    bool apart;
    double lower, upper, distance;
} bounds_case;

/* The distance of shapes that are apart is not 0, not even where half of the upper bound would be. */
static void distances_lie_between_their_bounds(void **state)
{
    (void)state;
    static const bounds_case cases[] = {{{1, 3}, true, 1, 3, 2},
                                        {{1, 1}, true, 1, 1, 1},
                                        {{-0.5, 2}, true, 0, 2, 1},
                                        {{-2, 0.5}, false, 0, 0.5, 0.25},
                                        {{-2, -0.5}, false, 0, 0, 0},
                                        {{0, 0x1p-1074}, true, 0, 0x1p-1074, 0x1p-1074},
                                        {{0, 0x1p-1074}, false, 0, 0x1p-1074, 0},
                                        {{-1, 0x1p-1073}, true, 0, 0x1p-1073, 0x1p-1074},
                                        {{0x1.8p1023, 0x1.cp1023}, true, 0x1.8p1023, 0x1.cp1023, 0x1.ap1023},
                                        {{4, INFINITY}, true, 4, INFINITY, 4},
                                        {{4, INFINITY}, false, 4, INFINITY, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_shape_hit hit = grz_shape_hit_none();
        graze_shape_distance d = grz_shape_distance_zero(&hit);
        grz_shape_distance_set(&d, cases[i].bounds, cases[i].apart);
        assert_true(d.found && d.lower == cases[i].lower && d.upper == cases[i].upper);
        assert_true(d.distance == cases[i].distance && !signbit(d.lower) && !signbit(d.upper));
    }
}

static void swapped_depths_point_the_other_way(void **state)
{
    (void)state;
    static const double ways[3] = {-1, 0, 2.5}, turned[3] = {1, 0, -2.5};
    graze_shape_depth depth = grz_shape_depth_unknown();
    depth.part_a = 3;
    depth.part_b = 4;
    memcpy(depth.translation, ways, sizeof ways);
    for (int round = 0; round < 2; round++)
    {
        grz_shape_depth_swap(&depth);
        assert_memory_equal(depth.translation, round == 0 ? turned : ways, sizeof ways);
        assert_true(depth.part_a == (round == 0 ? 4 : 3) && depth.part_b == (round == 0 ? 3 : 4));
    }
}

/* The cost of a step is added to that of the query. */
static void costs_of_steps_add_up(void **state)
{
    (void)state;
    grz_shape_query q;
    graze_stats step;
    memset(&q, 0, sizeof q);
    memset(&step, 0, sizeof step);
    step.box_tests = 1;
    step.leaf_pairs = 2;
    step.triangle_tests = 3;
    step.exact_signs = 4;
    for (unsigned i = 1; i <= 3; i++)
    {
        grz_shape_query_count(&q, &step);
        assert_true(q.stats.box_tests == i && q.stats.leaf_pairs == 2 * i);
        assert_true(q.stats.triangle_tests == 3 * i && q.stats.exact_signs == 4 * i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_not_finite_are_left_out),
        cmocka_unit_test(distances_lie_between_their_bounds),
        cmocka_unit_test(swapped_depths_point_the_other_way),
        cmocka_unit_test(costs_of_steps_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
