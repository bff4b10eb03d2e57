/* SPDX-License-Identifier: MIT */
/*
 * Mixtures of bounds: the value of a matrix game is bounded from above, against mixtures of columns, which bound it
 * from below; and bounds of cells hold at sampled points.
 */
#include "pair/depth/simplex_search.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "pair/distance/triangle_distance.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 2711
};

/* Factors of sum 1. */
static void mix(grz_random *random, size_t count, double *factors)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += factors[i] = -log(grz_random_between(random, 1e-9, 1));
    for (size_t i = 0; i < count; i++)
        factors[i] /= sum;
}

static void games_are_bounded_from_above(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t mixed = 0, tight = 0, games = 400;
    for (size_t game = 0; game < games; game++)
    {
        size_t row_count = 1 + grz_random_below(&random, 4), column_count = 3 + grz_random_below(&random, 2);
        double rows[4][4], pure = INFINITY, lower = 0;
        for (size_t i = 0; i < row_count; i++)
        {
            double most = 0;
            for (size_t k = 0; k < 4; k++)
                rows[i][k] = grz_random_between(&random, 0, 1);
            for (size_t k = 0; k < column_count; k++)
                most = fmax(most, rows[i][k]);
            pure = fmin(pure, most);
        }
        for (int sample = 0; sample < 2000; sample++)
        {
            double factors[4], least = INFINITY;
            mix(&random, column_count, factors);
            for (size_t i = 0; i < row_count; i++)
            {
                double value = 0;
                for (size_t k = 0; k < column_count; k++)
                    value += factors[k] * rows[i][k];
                least = fmin(least, value);
            }
            lower = fmax(lower, least);
        }
        double value = grz_game_value(row_count, rows, column_count);
        assert_true(value >= lower * (1 - 1e-12) && value <= pure * (1 + 1e-12));
        mixed += value < 0.99 * pure;
        tight += value < lower + 0.1;
    }
    printf("%zu of %zu below the best row, %zu within 0.1 of a lower bound\n", mixed, games, tight);
    assert_true(mixed > games / 4 && tight > games / 2);
}

/* Opposite walls: the middle between them is bounded by half their distance, though cells are large. */
static void two_walls_are_mixed(void **state)
{
    (void)state;
    double rows[2][4] = {{1.25, 0.75, 1.25, 0.75}, {0.75, 1.25, 0.75, 1.25}};
    double value = grz_game_value(2, rows, 4);
    assert_true(value >= 1 && value < 1 + 1e-12);
}

static void bounds_of_cells_hold_at_samples(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    placed_shapes *shapes = placed_shapes_create();
    size_t close = 0, asked = 0;
    for (int round = 0; round < 60; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh placed = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 1)};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        static grz_simplex_space space;
        space = (grz_simplex_space){.reach = grz_coordinate_bound(placed.mesh, &placed.pose) + 4};
        space.surfaces[0] = grz_surface_make(&body, space.reach, NULL);
        double size = round % 2 == 0 ? 0.5 : 0.05, at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = placed.pose.m[4 * axis + 3] + grz_random_between(&random, -0.7, 0.7);
        grz_simplex cell = {.owner = round % 3 == 0 ? 1 : GRZ_SPACE};
        for (int k = 0; k < 4; k++)
        {
            double x[3];
            for (int axis = 0; axis < 3; axis++)
                x[axis] = at[axis] + grz_random_between(&random, -size, size);
            assert_true(grz_simplex_vertex_add(&space, x, &cell.vertices[k]));
        }
        double bound = grz_simplex_distance_bound(&space, &cell, 0, NULL), most = 0;
        for (int sample = 0; sample < 40; sample++, asked++)
        {
            double factors[4], point[3] = {0, 0, 0};
            mix(&random, (size_t)grz_simplex_size(&cell), factors);
            for (int k = 0; k < grz_simplex_size(&cell); k++)
                for (int axis = 0; axis < 3; axis++)
                    point[axis] += factors[k] * space.vertices.data[cell.vertices[k]].x[axis];
            grz_nearest_triangle nearest;
            grz_find_nearest_triangle(&space.surfaces[0], point, 0, UINT32_MAX, &nearest);
            assert_true(nearest.lower <= bound);
            most = fmax(most, nearest.lower);
        }
        close += most > 0.7 * bound;
        grz_release(NULL, space.vertices.data);
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
    printf("%zu points, %zu of 60 cells have one of 0.7 times the bound\n", asked, close);
    assert_true(close > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_bounded_from_above),
        cmocka_unit_test(two_walls_are_mixed),
        cmocka_unit_test(bounds_of_cells_hold_at_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
