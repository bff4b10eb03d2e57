/* SPDX-License-Identifier: MIT */
/*
 * Boxes that touch an edge of a triangle from outside, where the triangle differs from its float representation by as
 * much as quantisation and transform allow: a good part of the error bounds of simd/edge_axes_template.h is used, in
 * every rounding mode.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/environment.h"
#include "support/kernels.h"
#include "support/unit.h"

enum
{
    ROUNDS = 1500
};

/* A triangle's corners in the other frame, without rounding to floats. */
static void exact_corners(const grz_triangles8 *leaf, int place, const grz_float_transform *map, double out[3][3])
{
    for (int c = 0; c < 3; c++)
    {
        for (int i = 0; i < 3; i++)
        {
            out[c][i] = map->offset[i];
            for (int j = 0; j < 3; j++)
                out[c][i] +=
                    (double)map->matrix[i][j] * (leaf->centre[j] + (double)leaf->unit * leaf->corners[c][j][place]);
        }
    }
}

/* Moves a point along a direction of the other frame by the largest error of the grid (half a unit) and the
   transform. */
static void move_by_error(const grz_triangles8 *leaf, const grz_float_transform *map, double map_error,
                          const double direction[3], double point[3])
{
    for (int j = 0; j < 3; j++)
    {
        double along = 0;
        for (int i = 0; i < 3; i++)
            along += direction[i] * map->matrix[i][j];
        for (int i = 0; i < 3; i++)
            point[i] += copysign(0.5 * leaf->unit, along) * map->matrix[i][j];
    }
    for (int i = 0; i < 3; i++)
        point[i] += direction[i] > 0 ? map_error : direction[i] < 0 ? -map_error : 0;
}

/* A box beyond a point, along the signs of a direction; on both sides where that is 0. */
static void box_beyond(grz_random *random, const double point[3], const double direction[3], grz_boxes8 *boxes,
                       int lane)
{
    for (int k = 0; k < 3; k++)
    {
        float lower = (float)point[k], upper = (float)point[k];
        while (lower > point[k])
            lower = nextafterf(lower, -2);
        while (upper < point[k])
            upper = nextafterf(upper, 2);
        float more = (float)grz_random_unit(random);
        boxes->lower[k][lane] = direction[k] <= 0 ? fmaxf(lower - more, -1) : lower;
        boxes->upper[k][lane] = direction[k] >= 0 ? fminf(upper + more, 1) : upper;
    }
}

/* Fills a lane with a box that touches an edge of the triangle in that lane; returns the fraction of the error bound
   that is needed to detect the contact. */
static double touch_edge(grz_random *random, const grz_triangles8 *leaf, const grz_float_transform *map,
                         double map_error, int lane, grz_boxes8 *boxes)
{
    double corners[3][3], edge[3], point[3], direction[3] = {0};
    int c = (int)grz_random_below(random, 3), k = (int)grz_random_below(random, 3), p = (k + 1) % 3, q = (k + 2) % 3;
    exact_corners(leaf, lane, map, corners);
    const double *from = corners[c], *to = corners[(c + 1) % 3], *third = corners[(c + 2) % 3];
    double t = grz_random_unit(random);
    for (int i = 0; i < 3; i++)
    {
        edge[i] = to[i] - from[i];
        point[i] = from[i] + t * edge[i];
    }
    double inside = edge[p] * (third[q] - from[q]) - edge[q] * (third[p] - from[p]), sign = inside > 0 ? -1 : 1;
    direction[q] = sign * edge[p];
    direction[p] = -sign * edge[q];
    double before = direction[p] * point[p] + direction[q] * point[q];
    move_by_error(leaf, map, map_error, direction, point);
    box_beyond(random, point, direction, boxes, lane);
    double moved = direction[p] * point[p] + direction[q] * point[q] - before, largest = 0;
    for (int i = 0; i < 3; i++)
    {
        double sum = 0;
        for (int j = 0; j < 3; j++)
            sum += fabs((double)map->matrix[i][j]);
        largest = fmax(largest, 2 * map->margin[i] + GRZ_QUANTIZATION_ERROR * sum * leaf->unit);
    }
    return moved / ((largest + 16 * 0x1p-23) * (fabs(edge[p]) + fabs(edge[q])));
}

static void boxes_that_touch_an_edge_from_outside_are_kept_in_every_rounding_mode(void **state)
{
    (void)state;
    grz_random random = grz_random_make(61);
    unsigned long much = 0;
    for (int round = 0; round < ROUNDS * ENVIRONMENTS; round++)
    {
        grz_triangles8 leaf;
        grz_boxes8 boxes = {0};
        grz_float_transform map;
        double size = ldexp(1, -(int)grz_random_below(&random, 12));
        double map_error = round % 3 == 0 ? 0 : size * ldexp(1, -10 - (int)grz_random_below(&random, 14));
        random_leaf(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 16));
        random_float_transform(&random, 0.1 * size, 0.4 * size, &map);
        for (int i = 0; i < 3; i++)
            map.margin[i] += (float)(1.001 * map_error);
        for (int lane = 0; lane < GRZ_LANES; lane++)
            much += touch_edge(&random, &leaf, &map, map_error, lane, &boxes) > 0.4;
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        uint64_t met[KERNEL_VARIANTS];
        for (int i = 0; i < KERNEL_VARIANTS; i++)
        {
            grz_edges8 edges;
            kernel_variant(i)->facet_edges(&leaf, &map, &edges);
            met[i] = kernel_variant(i)->edge_axes(&edges, UINT64_C(0x8040201008040201), &boxes);
        }
        environment_leave(&saved);
        for (int i = 0; i < KERNEL_VARIANTS; i++)
            assert_true(met[i] == UINT64_C(0x8040201008040201));
    }
    printf("seed 61: %lu of %d boxes need more than 0.4 of the error bound\n", much, 8 * ROUNDS * ENVIRONMENTS);
    assert_true(much > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_touch_an_edge_from_outside_are_kept_in_every_rounding_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
