/* SPDX-License-Identifier: MIT */
/*
 * Mixtures of bounds: the value of a matrix game is bounded from above, against mixtures of columns, which bound it
 * from below, and found where two rows decide; bounds of cells hold at sampled points, and cells are split between the
 * triangles that they are near to.
 */
#include "pair/depth/simplex_search.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
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

/* The least of the largest entries of mixtures of two rows: convex in the share. */
static double value_of_two(const double *row, const double *other, size_t column_count)
{
    double lower = 0, upper = 1, shares[2], values[2];
    for (int step = 0; step < 200; step++)
    {
        for (int i = 0; i < 2; i++)
        {
            shares[i] = lower + (upper - lower) * (i + 1) / 3;
            values[i] = 0;
            for (size_t k = 0; k < column_count; k++)
                values[i] = fmax(values[i], (1 - shares[i]) * row[k] + shares[i] * other[k]);
        }
        *(values[0] < values[1] ? &upper : &lower) = values[0] < values[1] ? shares[1] : shares[0];
    }
    return values[0];
}

/* Two rows among others that are larger everywhere; what lies behind the columns does not count. */
static void games_of_two_rows_have_their_value(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED + 2);
    size_t mixed = 0;
    for (int game = 0; game < 1000; game++)
    {
        size_t row_count = 2 + grz_random_below(&random, 3), column_count = 3 + grz_random_below(&random, 2);
        size_t first = grz_random_below(&random, row_count),
               second = (first + 1 + grz_random_below(&random, row_count - 1)) % row_count;
        double rows[4][4], pure = INFINITY;
        for (size_t i = 0; i < row_count; i++)
        {
            double most = 0;
            for (size_t k = 0; k < 4; k++)
            {
                rows[i][k] = grz_random_between(&random, 0, 1) + (i == first || i == second ? 0 : 1);
                rows[i][k] = k < column_count ? rows[i][k] : 1e9;
            }
            for (size_t k = 0; k < column_count; k++)
                most = fmax(most, rows[i][k]);
            pure = fmin(pure, most);
        }
        double expected = value_of_two(rows[first], rows[second], column_count);
        double value = grz_game_value(row_count, rows, column_count);
        assert_true(value >= expected * (1 - 1e-12) && value <= expected * (1 + 1e-12));
        mixed += value < 0.99 * pure;
    }
    printf("%zu mixed\n", mixed);
    assert_true(mixed > 300);
}

/* Small cells in the middle of a tetrahedron, every two faces of which have an edge in common: by which triangle gave
   the bound, and which is nearest to the farthest vertex, as measured here. */
static void cells_are_split_between_their_triangles(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 3);
    double vertices[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const uint32_t corners[12] = {1, 2, 3, 2, 0, 3, 0, 1, 3, 0, 2, 1};
    size_t compared = 0;
    for (int round = 0; round < 200; round++)
    {
        double scale = ldexp(1, round % 2 == 0 ? -12 : 12);
        graze_mesh *mesh = body_of_triangles(vertices, 4, corners, 4);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
        for (int axis = 0; axis < 3; axis++)
            placed.pose.m[5 * axis] = scale;
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        static grz_simplex_space space;
        space = (grz_simplex_space){.reach = 2 * scale};
        space.surfaces[0] = grz_surface_make(&body, space.reach, NULL);
        grz_simplex cell = {.owner = round % 3 == 0 ? 1 : GRZ_SPACE};
        int size = grz_simplex_size(&cell), best = 0, farthest = 0;
        double distances[4][4], values[4], least = INFINITY; /* of each face from each vertex of the cell */
        for (int k = 0; k < size; k++)
        {
            double x[3];
            for (int axis = 0; axis < 3; axis++)
                x[axis] = scale * grz_random_between(&random, -0.15, 0.15);
            assert_true(grz_simplex_vertex_add(&space, x, &cell.vertices[k]));
            for (int face = 0; face < 4; face++) /* opposite to vertex `face` */
                distances[face][k] =
                    scale / sqrt(3) +
                    (x[0] * vertices[face][0] + x[1] * vertices[face][1] + x[2] * vertices[face][2]) / sqrt(3);
        }
        grz_simplex_distance_bound(&space, &cell, 0, values);
        int nearest[4];
        for (int k = 0; k < size; k++)
        {
            nearest[k] = 0;
            for (int face = 1; face < 4; face++)
                nearest[k] = distances[face][k] < distances[nearest[k]][k] ? face : nearest[k];
        }
        for (int i = 0; i < size; i++)
        {
            int at = 0, face = nearest[i];
            for (int k = 1; k < size; k++)
                at = distances[face][k] > distances[face][at] ? k : at;
            if (distances[face][at] < least)
            {
                least = distances[face][at];
                best = face;
                farthest = at;
            }
        }
        for (int k = 0; k < size; k++)
        {
            double farther = distances[best][k] - distances[nearest[farthest]][k];
            if (fabs(farther) < 1e-9 * scale)
                continue;
            assert_true(farther * values[k] > 0);
            compared++;
        }
        grz_release(NULL, space.vertices.data);
        grz_placed_body_release(NULL, &body);
        graze_mesh_destroy(mesh);
    }
    printf("%zu values\n", compared);
    assert_true(compared > 400);
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
        cmocka_unit_test(games_are_bounded_from_above),       cmocka_unit_test(two_walls_are_mixed),
        cmocka_unit_test(games_of_two_rows_have_their_value), cmocka_unit_test(cells_are_split_between_their_triangles),
        cmocka_unit_test(bounds_of_cells_hold_at_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
