/* SPDX-License-Identifier: MIT */
/*
 * A leaf's triangles, as the kernels that compare triangles want them; part of kernels_template.h.
 */
#include <float.h>

#include "simd/corners_template.h"
#include "simd/grid.h"

/* All four places at a time: they are read so, and what was written in smaller pieces would have to be waited for. */
static inline void place_turned(const grz_triangles8 *leaf, const grz_leaf_turn *turn, grz_corners8 *out)
{
    double x = (double)leaf->centre[0], y = (double)leaf->centre[1], z = (double)leaf->centre[2];
    double unit = (double)leaf->unit;
    for (int k = 0; k < 4; k++)
        out->centre[k] = turn->offset[k] + turn->columns[0][k] * x + turn->columns[1][k] * y + turn->columns[2][k] * z;
    for (int k = 0; k < 4; k++)
        out->error[k] = (float)(1.001 * (turn->error[k] + unit * turn->unit_error[k]));
}

/* Where only the grid is in the way: the error is the same on each axis. Boxes are widened by some more, for roundings
   (pairs_template.h). */
static inline void place_own(const grz_triangles8 *leaf, grz_corners8 *out)
{
    double centre[4] = {(double)leaf->centre[0], (double)leaf->centre[1], (double)leaf->centre[2], 0};
    float own = GRZ_GRID_ERROR * leaf->unit, error[4] = {own, own, own, 0};
    memcpy(out->centre, centre, sizeof centre);
    memcpy(out->error, error, sizeof error);
    out->scale = GRID_STRIDES / (65536 * leaf->unit);
    /* shortcut: byte-boxes */
    out->reach = 1.02f * GRZ_GRID_ERROR * GRID_STRIDES / 65536;
}

/* Stores first corners, edges and sizes, and returns what triangles span. */
static inline void store_corners(lanes corners[3][3], grz_corners8 *out, lanes lower[3], lanes upper[3])
{
    lanes size = lanes_fill(0.0f);
    for (int k = 0; k < 3; k++)
    {
        lower[k] = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        upper[k] = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        size = lanes_max(size, lanes_sub(upper[k], lower[k]));
        lanes_store(out->start[k], corners[0][k]);
        lanes_store(out->edges[0][k], lanes_sub(corners[1][k], corners[0][k]));
        lanes_store(out->edges[1][k], lanes_sub(corners[2][k], corners[0][k]));
    }
    lanes_store(out->size, size);
}

/* Only what comparing needs. */
static void corners_kernel(const grz_triangles8 *leaf, const grz_leaf_turn *turn, grz_corners8 *out)
{
    lanes corners[3][3], lower[3], upper[3], zero = lanes_fill(0.0f);
    if (turn == NULL)
    {
        load_corners(leaf, NULL, corners);
        store_corners(corners, out, lower, upper);
        grid_ends(leaf->corners, out->rows);
        place_own(leaf, out);
        return;
    }
    load_corners(leaf, turn->matrix, corners);
    store_corners(corners, out, lower, upper);
    for (int k = 0; k < 3; k++)
    {
        lanes_store(out->ends[k], lower[k]);
        lanes_store(out->ends[k] + GRZ_LANES, lanes_sub(zero, upper[k]));
    }
    place_turned(leaf, turn, out);
}

/*
 * The box of each triangle, and as its slab the plane it lies in. A height along the unit normal is off by |n|_1 unit,
 * |n|_1 < 1.74, and by at most 11 roundings of numbers up to 1.74 times the largest coordinates of centre and corners.
 * Any unit vector is right: where corners are on one line, it is what roundings leave of the product of edges, if
 * anything.
 */
static void facet_boxes_kernel(const grz_triangles8 *leaf, grz_boxes8 *out)
{
    lanes corners[3][3], e[3], g[3], normal[3], zero = lanes_fill(0.0f);
    load_corners(leaf, NULL, corners);
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    lanes_cross(e, g, normal);
    lanes length = lanes_sqrt(lanes_dot(normal, normal));
    truth has_plane = lanes_lt(lanes_fill(0x1p-60f), length);
    lanes inverse = lanes_select(has_plane, lanes_div(lanes_fill(1.0f), length), zero);
    lanes shift = zero, reach = zero, heights[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++)
    {
        lanes centre = lanes_fill(leaf->centre[k]), size = lanes_abs(centre);
        lanes margin = lanes_mul_add(lanes_fill(0x1p-21f), size, lanes_fill(1.5f * leaf->unit));
        lanes lower = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        lanes upper = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        lanes_store(out->lower[k], lanes_sub(lanes_add(lower, centre), margin));
        lanes_store(out->upper[k], lanes_add(lanes_add(upper, centre), margin));
        normal[k] = lanes_mul(normal[k], inverse);
        lanes_store(out->normal[k], normal[k]);
        shift = lanes_mul_add(normal[k], centre, shift);
        reach = lanes_max(reach, lanes_add(size, lanes_max(lanes_abs(lower), lanes_abs(upper))));
        for (int c = 0; c < 3; c++)
            heights[c] = lanes_mul_add(normal[k], corners[c][k], heights[c]);
    }
    /* shortcut: facet-slabs */
    lanes margin = lanes_mul_add(lanes_fill(0x1p-18f), reach, lanes_fill(1.8f * leaf->unit));
    lanes lowest = lanes_min(lanes_min(heights[0], heights[1]), heights[2]);
    lanes highest = lanes_max(lanes_max(heights[0], heights[1]), heights[2]);
    lowest = lanes_sub(lanes_add(lowest, shift), margin);
    highest = lanes_add(lanes_add(highest, shift), margin);
    lanes_store(out->slab_lower, lanes_select(has_plane, lowest, lanes_fill(-FLT_MAX)));
    lanes_store(out->slab_upper, lanes_select(has_plane, highest, lanes_fill(FLT_MAX)));
}
