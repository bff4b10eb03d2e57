/* SPDX-License-Identifier: MIT */
/*
 * Boxes in a frame made for the query, whose third axis is the direction between the closest points known; part of
 * distance_template.h. Patches of surface near these points are flat along that axis, so that AABBs in this frame fit
 * them closely, and two of them are compared by three gaps.
 *
 * Error bounds are the caller's (pair/distance/aligned_frame.c). Comparing adds only relative errors, as in
 * distance_template.h.
 */
#include <string.h>

#include "simd/distance.h"
#include "simd/fma.h"
#include "simd/slab_projection_template.h"

#define TINY_SQUARE 0x1p-120f

/* The square of a gap; 0 where it is negative. */
static inline f32x8 gap_square(f32x8 gap)
{
    f32x8 positive = f32x8_max(gap, f32x8_splat(0.0f));
    return f32x8_mul(positive, positive);
}

/* Squared distances from row `row` of boxes, given by bounds [3][GRZ_LANES] each, to those of the lanes. Absent lanes
   have infinite bounds in their own frame, where they are infinitely far away, and undefined ones elsewhere, which
   count as distance 0. */
static inline f32x8 box_square(const float *lower, const float *upper, unsigned row, const f32x8 other_lower[3],
                               const f32x8 other_upper[3])
{
    f32x8 sum = f32x8_splat(0.0f);
    for (unsigned k = 0; k < 3; k++)
    {
        f32x8 above = f32x8_sub(f32x8_splat(lower[k * GRZ_LANES + row]), other_upper[k]);
        f32x8 below = f32x8_sub(other_lower[k], f32x8_splat(upper[k * GRZ_LANES + row]));
        sum = f32x8_add(sum, gap_square(f32x8_max(above, below)));
    }
    return sum;
}

/* Projection of boxes or triangles onto one axis. */
typedef struct axis_interval
{
    f32x8 lower, upper;
} axis_interval;

static inline axis_interval axis_interval_make(f32x8 centre, f32x8 half)
{
    return (axis_interval){f32x8_sub(centre, half), f32x8_add(centre, half)};
}

/* Boxes projected onto one axis of the frame. */
static inline axis_interval box_axis_interval(const float row[3], float offset, float margin, const f32x8 centre[3],
                                              const f32x8 half[3])
{
    f32x8 middle = f32x8_splat(offset), radius = f32x8_splat(margin);
    for (int k = 0; k < 3; k++)
    {
        f32x8 factor = f32x8_splat(row[k]);
        middle = f32x8_add(middle, f32x8_mul(factor, centre[k]));
        radius = f32x8_add(radius, f32x8_mul(f32x8_abs(factor), half[k]));
    }
    return axis_interval_make(middle, radius);
}

/* The same, using their slabs: with m the slab's normal and any c, row.x = (row - c m).x + c (m.x), and c = row.m makes
   the first term small where both are parallel. */
static inline axis_interval slab_axis_interval(const float row[3], float offset, float margin, const grz_boxes8 *boxes,
                                               const f32x8 centre[3], const f32x8 half[3])
{
    f32x8 m[3], rest, middle = f32x8_splat(offset), radius = f32x8_splat(margin), c = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
    {
        m[k] = f32x8_load(boxes->normal[k]);
        c = f32x8_add(c, f32x8_mul(f32x8_splat(row[k]), m[k]));
    }
    for (int k = 0; k < 3; k++)
    {
        rest = f32x8_sub(f32x8_splat(row[k]), f32x8_mul(c, m[k]));
        middle = f32x8_add(middle, f32x8_mul(rest, centre[k]));
        radius = f32x8_add(radius, f32x8_mul(f32x8_abs(rest), half[k]));
    }
    f32x8 one = f32x8_mul(c, f32x8_load(boxes->slab_lower)), other = f32x8_mul(c, f32x8_load(boxes->slab_upper));
    return (axis_interval){f32x8_sub(f32x8_add(middle, f32x8_min(one, other)), radius),
                           f32x8_add(f32x8_add(middle, f32x8_max(one, other)), radius)};
}

static inline void store_axis_interval(axis_interval e, unsigned axis, grz_aligned8 *out)
{
    f32x8_store(out->lower[axis], e.lower);
    f32x8_store(out->upper[axis], e.upper);
}

static void align_boxes_kernel(const grz_boxes8 *boxes, const grz_float_transform *transform, grz_aligned8 *out,
                               grz_aligned8 *around)
{
    f32x8 centre[3], half[3], share = f32x8_splat(0.5f);
    f32x8 first_lower = f32x8_load(boxes->lower[0]), first_upper = f32x8_load(boxes->upper[0]);
    mask32x8 present = f32x8_le(first_lower, first_upper);
    f32x8 nowhere = f32x8_splat(INFINITY), never = f32x8_splat(-INFINITY);
    for (int k = 0; k < 3; k++)
    {
        f32x8 lower = f32x8_load(boxes->lower[k]), upper = f32x8_load(boxes->upper[k]);
        centre[k] = f32x8_mul(share, f32x8_add(lower, upper));
        half[k] = f32x8_mul(share, f32x8_sub(upper, lower));
    }
    for (unsigned axis = 0; axis < 3; axis++)
    {
        axis_interval e =
            box_axis_interval(transform->matrix[axis], transform->offset[axis], transform->margin[axis], centre, half);
        if (axis == 2)
        {
            axis_interval slab = slab_axis_interval(transform->matrix[2], transform->offset[2], transform->slab_margin,
                                                    boxes, centre, half);
            e = (axis_interval){f32x8_max(e.lower, slab.lower), f32x8_min(e.upper, slab.upper)};
        }
        e = (axis_interval){f32x8_select(present, e.lower, nowhere), f32x8_select(present, e.upper, never)};
        store_axis_interval(e, axis, out);
        around->lower[axis][0] = f32x8_reduce_min(e.lower);
        around->upper[axis][0] = f32x8_reduce_max(e.upper);
    }
}

static void align_leaf_kernel(const grz_triangles8 *leaf, const grz_float_transform *transform, const float centre[3],
                              const float margin[3], grz_aligned8 *out, float lowest[3], float highest[3])
{
    f32x8 unit = f32x8_splat(leaf->unit), q[3][3];
    for (int c = 0; c < 3; c++)
    {
        for (int k = 0; k < 3; k++)
            q[c][k] = f32x8_mul(unit, f32x8_load_i16(leaf->corners[c][k]));
    }
    for (unsigned axis = 0; axis < 3; axis++)
    {
        f32x8 height[3];
        for (int c = 0; c < 3; c++)
        {
            f32x8 sum = f32x8_mul(f32x8_splat(transform->matrix[axis][0]), q[c][0]);
            sum = f32x8_add(sum, f32x8_mul(f32x8_splat(transform->matrix[axis][1]), q[c][1]));
            height[c] = f32x8_add(sum, f32x8_mul(f32x8_splat(transform->matrix[axis][2]), q[c][2]));
        }
        f32x8 lower = f32x8_min(f32x8_min(height[0], height[1]), height[2]);
        f32x8 upper = f32x8_max(f32x8_max(height[0], height[1]), height[2]);
        axis_interval e = {f32x8_add(lower, f32x8_splat(centre[axis] - margin[axis])),
                           f32x8_add(upper, f32x8_splat(centre[axis] + margin[axis]))};
        store_axis_interval(e, axis, out);
        lowest[axis] = f32x8_reduce_min(e.lower);
        highest[axis] = f32x8_reduce_max(e.upper);
    }
}

static void aligned_kernel(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lane_boxes, float factor,
                           float bound, grz_bounds8x8 *out)
{
    f32x8 lower[3], upper[3], count = f32x8_splat(factor), most = f32x8_splat(bound);
    for (int k = 0; k < 3; k++)
    {
        lower[k] = f32x8_load(lane_boxes->lower[k]);
        upper[k] = f32x8_load(lane_boxes->upper[k]);
    }
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        f32x8 square = box_square(rows->lower[0], rows->upper[0], row, lower, upper);
        square = f32x8_sub(f32x8_mul(count, square), f32x8_splat(TINY_SQUARE));
        f32x8_store(out->square[row], square);
        out->masks[row] = (uint8_t)mask32x8_bits(f32x8_lt(square, most));
    }
}

static void centres_kernel(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lane_boxes,
                           grz_bounds8x8 *out)
{
    f32x8 centre[3];
    for (int k = 0; k < 3; k++)
        centre[k] = f32x8_add(f32x8_load(lane_boxes->lower[k]), f32x8_load(lane_boxes->upper[k]));
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        f32x8 difference[3];
        for (int k = 0; k < 3; k++)
            difference[k] = f32x8_sub(centre[k], f32x8_splat(rows->lower[k][row] + rows->upper[k][row]));
        f32x8 square = f32x8_mul(f32x8_splat(0.25f), f32x8_dot(difference, difference));
        f32x8_store(out->square[row], square);
        /* Absent ones have no centre. */
        out->masks[row] = (uint8_t)mask32x8_bits(f32x8_lt(square, f32x8_splat(INFINITY)));
    }
}
