/* SPDX-License-Identifier: MIT */
/*
 * Boxes with slabs against boxes with slabs; part of kernels_template.h. What the maps' margins must cover is derived
 * in pair/relative.c.
 */
#include "simd/kernels.h"
#include "simd/lanes.h"
#include "simd/slab_template.h"

/* Whether slabs, given by a direction w and an interval in a frame, may overlap boxes with slabs m of that frame. */
static inline truth slab_overlap(const lanes w[3], lanes lower, lanes upper, const lanes m[3], lanes m_lower,
                                 lanes m_upper, const lanes box_centre[3], const lanes box_half[3])
{
    slab_span span = span_along(w, m, m_lower, m_upper, box_centre, box_half);
    return truth_and(lanes_le(span.lowest, upper), lanes_le(lower, span.highest));
}

/* Row `row` of eight boxes given by their bounds, [3][GRZ_LANES] each, against those of the lanes. */
static inline truth row_overlaps(const float *lower, const float *upper, unsigned row, const lanes other_lower[3],
                                 const lanes other_upper[3])
{
    truth given = truth_all();
    for (unsigned k = 0; k < 3; k++)
        given = truth_and_within(given, other_upper[k], lower[k * GRZ_LANES + row], other_lower[k],
                                 upper[k * GRZ_LANES + row]);
    return given;
}

/* The same for one row of several, and those of the lanes given. */
static inline overlap bounds_overlap(overlap given, const float *lower, const float *upper, unsigned row,
                                     const lanes other_lower[3], const lanes other_upper[3])
{
    for (unsigned k = 0; k < 3; k++)
        given = overlap_and_within(given, other_upper[k], lower[k * GRZ_LANES + row], other_lower[k],
                                   upper[k * GRZ_LANES + row]);
    return given;
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

/* The lanes, of those given, that one row's slab and their own do not part from it. */
static inline unsigned slabs_meet(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row,
                                  const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, unsigned given)
{
    lanes w[3], m[3], centre[3], half[3];
    if ((mapped_rows->slab_mask >> row & 1) != 0)
    {
        spread3(mapped_rows->direction[0], row, w);
        load3(lane_boxes->normal[0], m);
        load3(mapped_lanes->centre[0], centre);
        load3(mapped_lanes->half[0], half);
        given &= truth_bits(
            slab_overlap(w, lanes_fill(mapped_rows->slab_lower[row]), lanes_fill(mapped_rows->slab_upper[row]), m,
                         lanes_load(lane_boxes->slab_lower), lanes_load(lane_boxes->slab_upper), centre, half));
    }
    if ((mapped_lanes->slab_mask & given) == 0)
        return given;
    load3(mapped_lanes->direction[0], w);
    spread3(rows->normal[0], row, m);
    spread3(mapped_rows->centre[0], row, centre);
    spread3(mapped_rows->half[0], row, half);
    return given &
           truth_bits(slab_overlap(w, lanes_load(mapped_lanes->slab_lower), lanes_load(mapped_lanes->slab_upper), m,
                                   lanes_fill(rows->slab_lower[row]), lanes_fill(rows->slab_upper[row]), centre, half));
}

static unsigned near_kernel(const grz_mapped8 *mapped_rows, unsigned row, const grz_boxes8 *lane_boxes)
{
    lanes lower[3], upper[3];
    load3(lane_boxes->lower[0], lower);
    load3(lane_boxes->upper[0], upper);
    return truth_bits(row_overlaps(mapped_rows->lower[0], mapped_rows->upper[0], row, lower, upper));
}

static unsigned meet_kernel(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row,
                            const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, unsigned lane_mask)
{
    lanes lower[3], upper[3];
    load3(mapped_lanes->lower[0], lower);
    load3(mapped_lanes->upper[0], upper);
    lane_mask &= truth_bits(row_overlaps(rows->lower[0], rows->upper[0], row, lower, upper));
    if (lane_mask == 0)
        return 0;
    return slabs_meet(rows, mapped_rows, row, lane_boxes, mapped_lanes, lane_mask);
}

static uint64_t boxes_kernel(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row_mask,
                             const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, unsigned lane_mask)
{
    lanes own_lower[3], own_upper[3], seen_lower[3], seen_upper[3];
    load3(lane_boxes->lower[0], own_lower);
    load3(lane_boxes->upper[0], own_upper);
    load3(mapped_lanes->lower[0], seen_lower);
    load3(mapped_lanes->upper[0], seen_upper);
    uint64_t pairs = 0;
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        overlap meet =
            bounds_overlap(overlap_all(), mapped_rows->lower[0], mapped_rows->upper[0], row, own_lower, own_upper);
        meet = bounds_overlap(meet, rows->lower[0], rows->upper[0], row, seen_lower, seen_upper);
        unsigned given = lane_mask & overlap_bits(meet);
        if (given == 0)
            continue;
        given = slabs_meet(rows, mapped_rows, row, lane_boxes, mapped_lanes, given);
        pairs |= (uint64_t)given << (GRZ_LANES * row);
    }
    return pairs;
}
