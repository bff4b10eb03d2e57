/* SPDX-License-Identifier: MIT */
/*
 * Boxes in a frame made for the query, whose third axis is the direction between the nearest points known; a part of
 * distance_template.h. There, patches of surface near these points are flat along that axis, so that plain boxes fit
 * them, and two of them are compared by three gaps.
 *
 * Margins are the caller's (pair/near_aligned.c). Comparing adds only relative errors, as in distance_template.h.
 */
#include <string.h>

#include "simd/distance.h"
#include "simd/fused.h"

#define TINY_SQUARE 0x1p-120f

/* The square of what is positive of a gap. */
static inline lanes gap_square(lanes gap)
{
    lanes positive = lanes_max(gap, lanes_fill(0.0f));
    return lanes_mul(positive, positive);
}

static inline void load3(const float *table, lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = lanes_load(table + k * GRZ_LANES);
}

static inline void spread3(const float *table, unsigned row, lanes out[3])
{
    for (unsigned k = 0; k < 3; k++)
        out[k] = lanes_fill(table[k * GRZ_LANES + row]);
}

/* Row `row` of boxes given by their bounds, [3][GRZ_LANES] each, to those of the lanes. Absent lanes have infinite
   bounds in their own frame, where they are infinitely far away, and undefined ones elsewhere, which count as 0. */
static inline lanes box_square(const float *lower, const float *upper, unsigned row, const lanes other_lower[3],
                               const lanes other_upper[3])
{
    lanes sum = lanes_fill(0.0f);
    for (unsigned k = 0; k < 3; k++)
    {
        lanes above = lanes_sub(lanes_fill(lower[k * GRZ_LANES + row]), other_upper[k]);
        lanes below = lanes_sub(other_lower[k], lanes_fill(upper[k * GRZ_LANES + row]));
        sum = lanes_add(sum, gap_square(lanes_max(above, below)));
    }
    return sum;
}

/* Boxes or triangles along one axis. */
typedef struct extent
{
    lanes lower, upper;
} extent;

static inline extent extent_make(lanes centre, lanes half)
{
    return (extent){lanes_sub(centre, half), lanes_add(centre, half)};
}

/* Boxes along one axis of the frame. */
static inline extent box_extent(const float row[3], float offset, float margin, const lanes centre[3],
                                const lanes half[3])
{
    lanes middle = lanes_fill(offset), reach = lanes_fill(margin);
    for (int k = 0; k < 3; k++)
    {
        lanes factor = lanes_fill(row[k]);
        middle = lanes_add(middle, lanes_mul(factor, centre[k]));
        reach = lanes_add(reach, lanes_mul(lanes_abs(factor), half[k]));
    }
    return extent_make(middle, reach);
}

/* The same, knowing their slabs: with m the slab's normal and any c, row.x = (row - c m).x + c (m.x), and c = row.m
   makes the first part small where both are parallel. */
static inline extent slab_extent(const float row[3], float offset, float margin, const grz_boxes8 *boxes,
                                 const lanes centre[3], const lanes half[3])
{
    lanes m[3], rest, middle = lanes_fill(offset), reach = lanes_fill(margin), c = lanes_fill(0.0f);
    for (int k = 0; k < 3; k++)
    {
        m[k] = lanes_load(boxes->normal[k]);
        c = lanes_add(c, lanes_mul(lanes_fill(row[k]), m[k]));
    }
    for (int k = 0; k < 3; k++)
    {
        rest = lanes_sub(lanes_fill(row[k]), lanes_mul(c, m[k]));
        middle = lanes_add(middle, lanes_mul(rest, centre[k]));
        reach = lanes_add(reach, lanes_mul(lanes_abs(rest), half[k]));
    }
    lanes one = lanes_mul(c, lanes_load(boxes->slab_lower)), other = lanes_mul(c, lanes_load(boxes->slab_upper));
    return (extent){lanes_sub(lanes_add(middle, lanes_min(one, other)), reach),
                    lanes_add(lanes_add(middle, lanes_max(one, other)), reach)};
}

static inline void store_extent(extent e, unsigned axis, grz_aligned8 *out)
{
    lanes_store(out->lower[axis], e.lower);
    lanes_store(out->upper[axis], e.upper);
}

static void place_boxes_kernel(const grz_boxes8 *boxes, const grz_float_map *map, grz_aligned8 *out,
                               grz_aligned8 *around)
{
    lanes centre[3], half[3], share = lanes_fill(0.5f);
    lanes first_lower = lanes_load(boxes->lower[0]), first_upper = lanes_load(boxes->upper[0]);
    truth present = lanes_le(first_lower, first_upper);
    lanes nowhere = lanes_fill(INFINITY), never = lanes_fill(-INFINITY);
    for (int k = 0; k < 3; k++)
    {
        lanes lower = lanes_load(boxes->lower[k]), upper = lanes_load(boxes->upper[k]);
        centre[k] = lanes_mul(share, lanes_add(lower, upper));
        half[k] = lanes_mul(share, lanes_sub(upper, lower));
    }
    for (unsigned axis = 0; axis < 3; axis++)
    {
        extent e = box_extent(map->matrix[axis], map->offset[axis], map->margin[axis], centre, half);
        if (axis == 2)
        {
            extent slab = slab_extent(map->matrix[2], map->offset[2], map->slab_margin, boxes, centre, half);
            e = (extent){lanes_max(e.lower, slab.lower), lanes_min(e.upper, slab.upper)};
        }
        e = (extent){lanes_select(present, e.lower, nowhere), lanes_select(present, e.upper, never)};
        store_extent(e, axis, out);
        around->lower[axis][0] = lanes_lowest(e.lower);
        around->upper[axis][0] = lanes_highest(e.upper);
    }
}

static void place_leaf_kernel(const grz_triangles8 *leaf, const grz_float_map *map, const float centre[3],
                              const float margin[3], grz_aligned8 *out, float lowest[3], float highest[3])
{
    lanes unit = lanes_fill(leaf->unit), q[3][3];
    for (int c = 0; c < 3; c++)
    {
        for (int k = 0; k < 3; k++)
            q[c][k] = lanes_mul(unit, lanes_load_short(leaf->corners[c][k]));
    }
    for (unsigned axis = 0; axis < 3; axis++)
    {
        lanes height[3];
        for (int c = 0; c < 3; c++)
        {
            lanes sum = lanes_mul(lanes_fill(map->matrix[axis][0]), q[c][0]);
            sum = lanes_add(sum, lanes_mul(lanes_fill(map->matrix[axis][1]), q[c][1]));
            height[c] = lanes_add(sum, lanes_mul(lanes_fill(map->matrix[axis][2]), q[c][2]));
        }
        lanes lower = lanes_min(lanes_min(height[0], height[1]), height[2]);
        lanes upper = lanes_max(lanes_max(height[0], height[1]), height[2]);
        extent e = {lanes_add(lower, lanes_fill(centre[axis] - margin[axis])),
                    lanes_add(upper, lanes_fill(centre[axis] + margin[axis]))};
        store_extent(e, axis, out);
        lowest[axis] = lanes_lowest(e.lower);
        highest[axis] = lanes_highest(e.upper);
    }
}

static void aligned_kernel(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lane_boxes, float factor,
                           float bound, grz_bounds8x8 *out)
{
    lanes lower[3], upper[3], count = lanes_fill(factor), most = lanes_fill(bound);
    for (int k = 0; k < 3; k++)
    {
        lower[k] = lanes_load(lane_boxes->lower[k]);
        upper[k] = lanes_load(lane_boxes->upper[k]);
    }
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        lanes square = box_square(rows->lower[0], rows->upper[0], row, lower, upper);
        square = lanes_sub(lanes_mul(count, square), lanes_fill(TINY_SQUARE));
        lanes_store(out->square[row], square);
        out->masks[row] = (uint8_t)truth_bits(lanes_lt(square, most));
    }
}

static void centres_kernel(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lane_boxes,
                           grz_bounds8x8 *out)
{
    lanes centre[3];
    for (int k = 0; k < 3; k++)
        centre[k] = lanes_add(lanes_load(lane_boxes->lower[k]), lanes_load(lane_boxes->upper[k]));
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        lanes difference[3];
        for (int k = 0; k < 3; k++)
            difference[k] = lanes_sub(centre[k], lanes_fill(rows->lower[k][row] + rows->upper[k][row]));
        lanes square = lanes_mul(lanes_fill(0.25f), lanes_dot(difference, difference));
        lanes_store(out->square[row], square);
        /* Absent ones have no centre. */
        out->masks[row] = (uint8_t)truth_bits(lanes_lt(square, lanes_fill(INFINITY)));
    }
}
