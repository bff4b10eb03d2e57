/* SPDX-License-Identifier: MIT */
/* Boxes and leaves in a frame made for a query: the kernels transform them as the formulas say, and compute
   distances. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/distance.h"
#include "support/unit.h"

enum
{
    ROUNDS = 400
};

static float number(grz_random *random, double reach)
{
    return (float)grz_random_between(random, -reach, reach);
}

static bool is_near(double found, double expected)
{
    return fabs(found - expected) <= 0x1p-18 * (1 + fabs(expected));
}

static void random_map(grz_random *random, grz_float_transform *map)
{
    for (int i = 0; i < 9; i++)
        map->matrix[i / 3][i % 3] = number(random, 1);
    for (int k = 0; k < 3; k++)
    {
        map->offset[k] = number(random, 1);
        map->margin[k] = (float)grz_random_between(random, 0, 0.1);
    }
    map->slab_margin = (float)grz_random_between(random, 0, 0.1);
}

/* Boxes with slabs about their centres along a direction near the frame's third axis, where slabs matter. */
static void random_boxes(grz_random *random, const grz_float_transform *map, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0, slab = grz_random_below(random, 4) != 0;
        double normal[3], length = 0, height = 0;
        for (int k = 0; k < 3; k++)
        {
            float centre = number(random, 0.9), half = (float)grz_random_between(random, 0, 0.5);
            boxes->lower[k][lane] = absent ? INFINITY : centre - half;
            boxes->upper[k][lane] = absent ? -INFINITY : centre + half;
            normal[k] = map->matrix[2][k] + grz_random_between(random, -0.3, 0.3);
            length += normal[k] * normal[k];
            height += normal[k] * centre;
        }
        for (int k = 0; k < 3; k++)
            boxes->normal[k][lane] = slab ? (float)(normal[k] / sqrt(length)) : 0;
        boxes->slab_lower[lane] = slab ? (float)(height / sqrt(length) - 0.1) : -3e38f;
        boxes->slab_upper[lane] = slab ? (float)(height / sqrt(length) + 0.15) : 3e38f;
    }
}

/* Projection of a box onto an axis of the frame, onto the third one clipped by its slab. */
static void expect_box(const grz_boxes8 *boxes, int lane, const grz_float_transform *map, int axis, double out[2])
{
    double middle = map->offset[axis], reach = map->margin[axis], along = 0;
    double slab_middle = middle, slab_reach = map->slab_margin;
    for (int k = 0; k < 3; k++)
        along += (double)map->matrix[axis][k] * boxes->normal[k][lane];
    for (int k = 0; k < 3; k++)
    {
        double centre = 0.5 * ((double)boxes->lower[k][lane] + boxes->upper[k][lane]);
        double half = 0.5 * ((double)boxes->upper[k][lane] - boxes->lower[k][lane]);
        double rest = map->matrix[axis][k] - along * boxes->normal[k][lane];
        middle += map->matrix[axis][k] * centre;
        reach += fabs((double)map->matrix[axis][k]) * half;
        slab_middle += rest * centre;
        slab_reach += fabs(rest) * half;
    }
    double one = along * boxes->slab_lower[lane], other = along * boxes->slab_upper[lane];
    out[0] = middle - reach;
    out[1] = middle + reach;
    if (axis == 2)
    {
        out[0] = fmax(out[0], slab_middle + fmin(one, other) - slab_reach);
        out[1] = fmin(out[1], slab_middle + fmax(one, other) + slab_reach);
    }
}

static void boxes_are_placed_as_wide_as_they_are(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1421);
    printf("seed 1421\n");
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 boxes;
        grz_float_transform map;
        random_map(&random, &map);
        random_boxes(&random, &map, &boxes);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_aligned8 found, around;
            grz_distance_kernels_for((graze_instructions)set)->align_boxes(&boxes, &map, &found, &around);
            for (int axis = 0; axis < 3; axis++)
            {
                float lowest = INFINITY, highest = -INFINITY;
                for (int lane = 0; lane < GRZ_LANES; lane++)
                {
                    bool absent = boxes.lower[0][lane] > boxes.upper[0][lane];
                    double ends[2];
                    expect_box(&boxes, lane, &map, axis, ends);
                    if (absent)
                        assert_true(found.lower[axis][lane] == INFINITY && found.upper[axis][lane] == -INFINITY);
                    else
                        assert_true(is_near(found.lower[axis][lane], ends[0]) &&
                                    is_near(found.upper[axis][lane], ends[1]));
                    lowest = fminf(lowest, found.lower[axis][lane]);
                    highest = fmaxf(highest, found.upper[axis][lane]);
                }
                assert_true(around.lower[axis][0] == lowest && around.upper[axis][0] == highest);
            }
        }
    }
}

static void random_leaf(grz_random *random, grz_triangles8 *leaf)
{
    for (int i = 0; i < 9 * GRZ_LANES; i++)
        leaf->corners[i / 24][i / 8 % 3][i % 8] = (int16_t)((int)grz_random_below(random, 65535) - 32767);
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = number(random, 1);
    leaf->unit = ldexpf(1, -15 - (int)grz_random_below(random, 3));
}

static void expect_triangle(const grz_triangles8 *leaf, int lane, const float row[3], double out[2])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (int c = 0; c < 3; c++)
    {
        double height = 0;
        for (int k = 0; k < 3; k++)
            height += (double)row[k] * (double)leaf->unit * leaf->corners[c][k][lane];
        out[0] = fmin(out[0], height);
        out[1] = fmax(out[1], height);
    }
}

static void leaves_are_placed_about_their_centres(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1422);
    printf("seed 1422\n");
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaf;
        grz_float_transform map;
        float centre[3], margin[3];
        random_leaf(&random, &leaf);
        random_map(&random, &map);
        for (int k = 0; k < 3; k++)
        {
            centre[k] = number(&random, 1);
            margin[k] = (float)grz_random_between(&random, 0, 0.1);
        }
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_aligned8 found;
            float ends[2][3];
            grz_distance_kernels_for((graze_instructions)set)
                ->align_leaf(&leaf, &map, centre, margin, &found, ends[0], ends[1]);
            for (int axis = 0; axis < 3; axis++)
            {
                float lowest = INFINITY, highest = -INFINITY;
                for (int lane = 0; lane < GRZ_LANES; lane++)
                {
                    double span[2];
                    expect_triangle(&leaf, lane, map.matrix[axis], span);
                    assert_true(is_near(found.lower[axis][lane], (double)centre[axis] + span[0] - margin[axis]));
                    assert_true(is_near(found.upper[axis][lane], (double)centre[axis] + span[1] + margin[axis]));
                    lowest = fminf(lowest, found.lower[axis][lane]);
                    highest = fmaxf(highest, found.upper[axis][lane]);
                }
                assert_true(ends[0][axis] == lowest && ends[1][axis] == highest);
            }
        }
    }
}

static void random_aligned(grz_random *random, grz_aligned8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0;
        for (int k = 0; k < 3; k++)
        {
            float centre = number(random, 1), half = (float)grz_random_between(random, 0, 0.5);
            boxes->lower[k][lane] = absent ? INFINITY : centre - half;
            boxes->upper[k][lane] = absent ? -INFINITY : centre + half;
        }
    }
}

/* Squared distances of two boxes and of their centres. */
static void expect_squares(const grz_aligned8 *a, unsigned row, const grz_aligned8 *b, unsigned lane, double out[2])
{
    out[0] = out[1] = 0;
    for (int k = 0; k < 3; k++)
    {
        double gap = fmax((double)a->lower[k][row] - b->upper[k][lane], (double)b->lower[k][lane] - a->upper[k][row]);
        double apart = 0.5 * ((double)a->lower[k][row] + a->upper[k][row] - b->lower[k][lane] - b->upper[k][lane]);
        out[0] += gap > 0 ? gap * gap : 0;
        out[1] += apart * apart;
    }
}

static void placed_boxes_are_measured_by_their_gaps_and_centres(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1423);
    unsigned long given = 0, asked = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_aligned8 a, b;
        random_aligned(&random, &a);
        random_aligned(&random, &b);
        unsigned rows = (unsigned)grz_random_below(&random, 256);
        float bound = round % 2 == 0 ? 1e30f : (float)grz_random_between(&random, 0, 1);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_bounds8x8 gaps, centres;
            kernels->aligned(&a, rows, &b, 0.75f, bound, &gaps);
            kernels->centres(&a, rows, &b, &centres);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
            {
                unsigned row = i / 8, lane = i % 8;
                bool there = (rows >> row & 1) != 0 && a.lower[0][row] <= a.upper[0][row] &&
                             b.lower[0][lane] <= b.upper[0][lane];
                bool near = (gaps.masks[row] >> lane & 1) != 0;
                double squares[2];
                expect_squares(&a, row, &b, lane, squares);
                assert_int_equal(centres.masks[row] >> lane & 1, there);
                if (!there || fabs(0.75 * squares[0] - (double)bound) > 1e-5)
                    assert_int_equal(near, there && 0.75 * squares[0] < (double)bound);
                assert_true(!there || is_near(centres.square[row][lane], squares[1]));
                assert_true(!near || is_near(gaps.square[row][lane], 0.75 * squares[0]));
                given += near;
                asked += there;
            }
        }
    }
    printf("seed 1423: %lu of %lu are near\n", given, asked);
    assert_true(given > asked / 2 && given < asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_placed_as_wide_as_they_are),
        cmocka_unit_test(leaves_are_placed_about_their_centres),
        cmocka_unit_test(placed_boxes_are_measured_by_their_gaps_and_centres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
