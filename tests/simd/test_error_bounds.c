/* SPDX-License-Identifier: MIT */
/*
 * Error bounds of kernels, tested with numbers that are not rounded at all: the kernels leave at least as much room as
 * their comments derive, which is needed where rounding is worst. Random numbers, which do not round so, would not
 * notice a bound ten times too small.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "simd/distance.h"
#include "support/kernels.h"
#include "support/unit.h"

/* Bound on one rounding, in any rounding mode. */
static const double f = 0x1p-23;

/* Puts a triangle in grid steps into every lane, its axes and corners permuted. */
static void put_triangle(const int steps[3][3], int turn, grz_triangles8 *leaf)
{
    for (int i = 0; i < 9 * GRZ_LANES; i++)
    {
        int c = i / 24, k = i / 8 % 3;
        leaf->corners[(c + turn / 3) % 3][(k + turn) % 3][i % 8] = (int16_t)steps[c][k];
    }
}

/* Puts a box into every lane, its axes permuted. */
static void put_box(const double lower[3], const double upper[3], int turn, grz_boxes8 *boxes)
{
    memset(boxes, 0, sizeof *boxes);
    for (int i = 0; i < 3 * GRZ_LANES; i++)
    {
        boxes->lower[(i / 8 + turn) % 3][i % 8] = (float)lower[i / 8];
        boxes->upper[(i / 8 + turn) % 3][i % 8] = (float)upper[i / 8];
        boxes->slab_lower[i % 8] = -3e38f;
        boxes->slab_upper[i % 8] = 3e38f;
    }
}

static grz_float_transform plain_map(double margin)
{
    grz_float_transform map = {.slab_margin = (float)margin};
    for (int k = 0; k < 3; k++)
    {
        map.matrix[k][k] = 1;
        map.margin[k] = (float)margin;
    }
    return map;
}

enum
{
    TURNS = 9,
    STEPS = 16384, /* of the longest coordinate of a triangle */
    CASES = 6
};

/* For each case the unit of its grid, and a margin that is not below the roundings of the transform. */
static double unit_of(int i)
{
    return i % 3 == 0 ? 0x1p-16 : i % 3 == 1 ? 0x1p-20 : 0x1p-26;
}

static double margin_of(int i)
{
    return 20 * f * STEPS * unit_of(i) + (i < 3 ? 0 : 64 * f);
}

/* The room that is left, over |direction|_1. */
static double taken(int i)
{
    return 2 * margin_of(i) + 1.01 * 0.505 * unit_of(i) + 16 * f;
}

/* Steps in which sums of three such coordinates are exact. */
static double on_grid(double x)
{
    return 0x1p-22 * floor(0x1p22 * x);
}

/* A box that is d away on both axes from the middle of an edge along the diagonal. */
static void box_at_edge(double size, double d, double lower[3], double upper[3])
{
    const double from[3] = {-1, 0.5 * size + d, -1}, to[3] = {0.5 * size - d, 1, 1};
    memcpy(lower, from, sizeof from);
    memcpy(upper, to, sizeof to);
}

/* A box whose lowest corner is d beyond a plane on each axis, 4 x + y + z = size. */
static void box_at_plane(double size, double d, double lower[3], double upper[3])
{
    const double from[3] = {0.125 * size + d, 0.25 * size + d, 0.25 * size + d}, to[3] = {1, 1, 1};
    memcpy(lower, from, sizeof from);
    memcpy(upper, to, sizeof to);
}

static const int beside_diagonal[3][3] = {{0, 0, 0}, {STEPS, STEPS, 0}, {STEPS, 0, 0}};
static const int across_axes[3][3] = {{STEPS / 4, 0, 0}, {0, STEPS, 0}, {0, 0, STEPS}};

/* All pairs of eight equal triangles and eight equal boxes: whether the kernel of edge axes separates them. */
static void edges_say(const int steps[3][3], const double lower[3], const double upper[3], int i, bool kept)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_triangles8 leaf = {.unit = (float)unit_of(i)};
            grz_float_transform map = plain_map(margin_of(i));
            grz_boxes8 boxes;
            grz_edges8 edges;
            put_triangle(steps, turn, &leaf);
            put_box(lower, upper, turn, &boxes);
            kernel_variant(set)->facet_edges(&leaf, &map, &edges);
            assert_true(kernel_variant(set)->edge_axes(&edges, UINT64_MAX, &boxes) == (kept ? UINT64_MAX : 0));
        }
}

static void group_leaf_says(const int steps[3][3], const double lower[3], const double upper[3], int i, bool kept)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_triangles8 leaf = {.unit = (float)unit_of(i)};
            grz_float_transform map = plain_map(margin_of(i));
            grz_boxes8 groups;
            const float sums[3] = {1, 1, 1};
            put_triangle(steps, turn, &leaf);
            put_box(lower, upper, turn, &groups);
            uint64_t met = kernel_variant(set)->group_leaf(&groups, 0xff, &leaf, &map, sums);
            assert_true(met == (kept ? UINT64_MAX : 0));
        }
}

static void boxes_within_the_derived_error_of_an_edge_are_kept(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
    {
        double lower[3], upper[3], size = STEPS * unit_of(i);
        double derived = margin_of(i) + 0.505 * unit_of(i) + 9 * f * size + 8 * f;
        box_at_edge(size, on_grid(derived), lower, upper);
        edges_say(beside_diagonal, lower, upper, i, true);
        group_leaf_says(beside_diagonal, lower, upper, i, true);
        box_at_edge(size, on_grid(1.01 * taken(i) + 2 * f), lower, upper);
        edges_say(beside_diagonal, lower, upper, i, false);
        group_leaf_says(beside_diagonal, lower, upper, i, false);
    }
}

static void groups_within_the_derived_error_of_a_plane_are_kept(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
    {
        double lower[3], upper[3], size = STEPS * unit_of(i);
        double derived = margin_of(i) + 0.505 * unit_of(i) + 4 * f * size + 9 * f;
        box_at_plane(size, on_grid(derived), lower, upper);
        group_leaf_says(across_axes, lower, upper, i, true);
        box_at_plane(size, on_grid(1.01 * taken(i) + 2 * f), lower, upper);
        group_leaf_says(across_axes, lower, upper, i, false);
    }
}

/* Of the 11 roundings of heights of up to 1.74 times the largest coordinate one happens here: that of the last
   difference. */
static void slabs_of_triangles_include_the_error_bound_of_heights(void **state)
{
    (void)state;
    const int steps[3][3] = {{-STEPS, -STEPS, 5}, {STEPS, -STEPS, 5}, {-STEPS, STEPS, 5}};
    for (int i = 0; i < CASES * TURNS; i++)
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_triangles8 leaf = {.unit = (float)unit_of(i / TURNS)};
            grz_boxes8 boxes;
            int turn = i % TURNS, up = (2 + turn) % 3;
            put_triangle(steps, turn, &leaf);
            for (int k = 0; k < 3; k++)
                leaf.centre[k] = k == up ? -0.75f : 0.25f;
            double unit = leaf.unit, height = 5 * unit - 0.75, reach = fmax(0.75 + 5 * unit, 0.25 + STEPS * unit);
            double derived = 1.74 * unit + (11 * 1.74 - 1) * f * reach;
            kernel_variant(set)->facet_boxes(&leaf, &boxes);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                bool upward = boxes.normal[up][lane] > 0;
                assert_true(fabsf(boxes.normal[up][lane]) == 1);
                double lowest = upward ? boxes.slab_lower[lane] : -boxes.slab_upper[lane];
                double highest = upward ? boxes.slab_upper[lane] : -boxes.slab_lower[lane];
                assert_true(lowest <= height - derived && height + derived <= highest);
                assert_true(height - 3 * derived <= lowest && highest <= height + 3 * derived);
            }
        }
}

/* ---- distances ---- */

/* Two boxes on an axis; wide margins spoil the bound along their own axes, so that the one along the line of centres
   remains. N is 1, and the lanes' frame is `offset` away. */
static void bounds_along_centres_leave_the_derived_room(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * 4; i++)
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            int axis = i % 3;
            double offset = 0.125 * (i / 3), gap = 0x1p-6, lower[3] = {-0.125, -0.125, -0.125}, upper[3];
            double other_lower[3], other_upper[3];
            for (int k = 0; k < 3; k++)
            {
                upper[k] = -lower[k];
                other_lower[k] = k == 0 ? upper[0] + gap - offset : lower[k];
                other_upper[k] = k == 0 ? other_lower[0] + 0.25 : upper[k];
            }
            grz_boxes8 rows, lanes;
            put_box(lower, upper, axis, &rows);
            put_box(other_lower, other_upper, axis, &lanes);
            grz_float_transform to_rows = plain_map(0.125), to_lanes = plain_map(0.125);
            to_rows.offset[axis] = (float)offset;
            to_lanes.offset[axis] = (float)-offset;
            to_rows.slab_margin = to_lanes.slab_margin = (float)(f * (28 + 7 * offset));
            double derived = f * (49 + 12.2 * offset + 52), most = f * (57 + 14.1 * offset + 160);
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_transformed8 transformed_rows, transformed_lanes;
            grz_bounds8x8 found;
            kernels->transform(&rows, &to_lanes, &to_rows, &transformed_rows);
            kernels->transform(&lanes, &to_rows, &to_lanes, &transformed_lanes);
            kernels->boxes(&rows, &transformed_rows, 0xff, 1, &lanes, &transformed_lanes, 1, &to_rows, 1, &found);
            for (int pair = 0; pair < GRZ_PAIRS; pair++)
            {
                double bound = sqrt(found.square[pair / 8][pair % 8]);
                assert_true(bound <= gap - derived && bound >= gap - 1.01 * most);
            }
        }
}

/* Two triangles across the diagonal of two axes, `apart` on both, so that no AABB separates them: along the line of
   their centres, or, where they are also shifted along their planes, along their normals. */
static void bounds_of_leaves_leave_the_derived_room(void **state)
{
    (void)state;
    const int steps[3][3] = {{STEPS, -STEPS, 0}, {-STEPS, STEPS, 0}, {0, 0, STEPS}};
    const double apart = 0x1p-8, err = 0x1p-16;
    for (int i = 0; i < 2 * TURNS; i++)
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            int turn = i % TURNS;
            bool aside = i >= TURNS;
            grz_triangles8 leaf = {.unit = 0x1p-16f};
            put_triangle(steps, turn, &leaf);
            grz_leaf_translation shift = {.error_a = (float)err, .error_b = (float)err};
            for (int k = 0; k < 3; k++)
            {
                bool along = k == (2 + turn) % 3;
                shift.offset[k] = along ? (aside ? 0.25f : 0) : (float)apart;
                shift.margin_b[k] = (float)err;
            }
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_facets8 facets;
            grz_bounds8x8 found;
            kernels->facets(&leaf, NULL, &facets);
            kernels->leaves(&facets, GRZ_LANES, &facets, 0xff, &shift, 1, 1, &found);
            /* |n|_1 / |n| is sqrt(2) in the middle of the two axes, and S^3 / |n| is 4 size / sqrt(2). */
            double size = 0.25, reach = 2 * size + (aside ? 0.25 : apart);
            double derived = 2 * err + 6 * f * reach + (aside ? 18 * f * 2 * size : 0);
            for (int pair = 0; pair < GRZ_PAIRS; pair++)
            {
                double bound = sqrt(found.square[pair / 8][pair % 8] / 2);
                assert_true(bound <= apart - derived && bound >= apart - 1.5 * derived);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_within_the_derived_error_of_an_edge_are_kept),
        cmocka_unit_test(groups_within_the_derived_error_of_a_plane_are_kept),
        cmocka_unit_test(slabs_of_triangles_include_the_error_bound_of_heights),
        cmocka_unit_test(bounds_along_centres_leave_the_derived_room),
        cmocka_unit_test(bounds_of_leaves_leave_the_derived_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
