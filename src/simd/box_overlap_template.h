/* SPDX-License-Identifier: MIT */
/*
 * Overlap of boxes with oriented slabs, a separating axis test; part of kernels_template.h. The margins of transforms
 * are derived in pair/relative_pose.c.
 */
#include "simd/f32x8.h"
#include "simd/kernels.h"
#include "simd/slab_projection_template.h"

/* Whether slabs, given by a direction w and an interval in a frame, may overlap boxes with slabs m of that frame. */
static inline mask32x8 slab_overlap(const f32x8 w[3], f32x8 lower, f32x8 upper, const f32x8 m[3], f32x8 m_lower,
                                    f32x8 m_upper, const f32x8 box_centre[3], const f32x8 box_half[3])
{
    slab_projection span = project_onto(w, m, m_lower, m_upper, box_centre, box_half);
    return mask32x8_and(f32x8_le(span.lowest, upper), f32x8_le(lower, span.highest));
}

/* Row `row` of eight boxes given by their bounds, [3][GRZ_LANES] each, against those of the lanes. */
static inline mask32x8 row_overlaps(const float *lower, const float *upper, unsigned row, const f32x8 other_lower[3],
                                    const f32x8 other_upper[3])
{
    mask32x8 given = mask32x8_all();
    for (unsigned k = 0; k < 3; k++)
        given = mask32x8_and_within(given, other_upper[k], lower[k * GRZ_LANES + row], other_lower[k],
                                    upper[k * GRZ_LANES + row]);
    return given;
}

/* The same for one row of several, restricted to the lanes given. */
static inline vmask32x8 bounds_overlap(vmask32x8 given, const float *lower, const float *upper, unsigned row,
                                       const f32x8 other_lower[3], const f32x8 other_upper[3])
{
    for (unsigned k = 0; k < 3; k++)
        given = vmask32x8_and_within(given, other_upper[k], lower[k * GRZ_LANES + row], other_lower[k],
                                     upper[k * GRZ_LANES + row]);
    return given;
}

/* The lanes, of those given, that neither the row's slab nor their own separates from the row's box. */
static inline unsigned slabs_overlap(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row,
                                     const grz_boxes8 *lane_boxes, const grz_transformed8 *transformed_lanes,
                                     unsigned given)
{
    f32x8 w[3], m[3], centre[3], half[3];
    if ((transformed_rows->slab_mask >> row & 1) != 0)
    {
        spread3(transformed_rows->direction[0], row, w);
        load3(lane_boxes->normal[0], m);
        load3(transformed_lanes->centre[0], centre);
        load3(transformed_lanes->half[0], half);
        given &= mask32x8_bits(slab_overlap(
            w, f32x8_splat(transformed_rows->slab_lower[row]), f32x8_splat(transformed_rows->slab_upper[row]), m,
            f32x8_load(lane_boxes->slab_lower), f32x8_load(lane_boxes->slab_upper), centre, half));
    }
    if ((transformed_lanes->slab_mask & given) == 0)
        return given;
    load3(transformed_lanes->direction[0], w);
    spread3(rows->normal[0], row, m);
    spread3(transformed_rows->centre[0], row, centre);
    spread3(transformed_rows->half[0], row, half);
    return given & mask32x8_bits(slab_overlap(
                       w, f32x8_load(transformed_lanes->slab_lower), f32x8_load(transformed_lanes->slab_upper), m,
                       f32x8_splat(rows->slab_lower[row]), f32x8_splat(rows->slab_upper[row]), centre, half));
}

static unsigned row_aabb_overlap_kernel(const grz_transformed8 *transformed_rows, unsigned row,
                                        const grz_boxes8 *lane_boxes)
{
    f32x8 lower[3], upper[3];
    load3(lane_boxes->lower[0], lower);
    load3(lane_boxes->upper[0], upper);
    return mask32x8_bits(row_overlaps(transformed_rows->lower[0], transformed_rows->upper[0], row, lower, upper));
}

static unsigned row_slab_overlap_kernel(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row,
                                        const grz_boxes8 *lane_boxes, const grz_transformed8 *transformed_lanes,
                                        unsigned lane_mask)
{
    f32x8 lower[3], upper[3];
    load3(transformed_lanes->lower[0], lower);
    load3(transformed_lanes->upper[0], upper);
    lane_mask &= mask32x8_bits(row_overlaps(rows->lower[0], rows->upper[0], row, lower, upper));
    if (lane_mask == 0)
        return 0;
    return slabs_overlap(rows, transformed_rows, row, lane_boxes, transformed_lanes, lane_mask);
}

static uint64_t boxes_kernel(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row_mask,
                             const grz_boxes8 *lane_boxes, const grz_transformed8 *transformed_lanes,
                             unsigned lane_mask)
{
    f32x8 own_lower[3], own_upper[3], transformed_lower[3], transformed_upper[3];
    load3(lane_boxes->lower[0], own_lower);
    load3(lane_boxes->upper[0], own_upper);
    load3(transformed_lanes->lower[0], transformed_lower);
    load3(transformed_lanes->upper[0], transformed_upper);
    uint64_t pairs = 0;
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        vmask32x8 meet = bounds_overlap(vmask32x8_all(), transformed_rows->lower[0], transformed_rows->upper[0], row,
                                        own_lower, own_upper);
        meet = bounds_overlap(meet, rows->lower[0], rows->upper[0], row, transformed_lower, transformed_upper);
        unsigned given = lane_mask & vmask32x8_bits(meet);
        if (given == 0)
            continue;
        given = slabs_overlap(rows, transformed_rows, row, lane_boxes, transformed_lanes, given);
        pairs |= (uint64_t)given << (GRZ_LANES * row);
    }
    return pairs;
}
