/* SPDX-License-Identifier: MIT */
/*
 * Groups of a handful's triangles against a larger tree: against the boxes of its nodes, and against the triangles of
 * its leaves; part of kernels_template.h, after boxes and edges.
 *
 * A group is known by the boxes around it in both frames, as in grz_mapped8. Boxes are compared with it by the axes of
 * both frames, with the margins of boxes_template.h. A leaf's triangles are turned into the group's frame one by one
 * and compared with its box there by all thirteen directions that may part a triangle from a box: the axes, the
 * triangle's plane, and the nine products of an edge and an axis.
 *
 * Margins are those of edges_template.h, where all but the plane is derived, with `off` what a coordinate may be off by
 * and the room for rounding in it. The plane's normal n is taken as it is computed, as any direction may be tried. Off
 * are then, by f = 2^-23 in each term n_k x_k:
 *   a corner's height by |n_k| times what the coordinate is off by, and by 3 f |n_k x_k| for roundings, one more where
 *     the margin is added; the map's margin is more than 20 f |x_k|, and is in `off` twice;
 *   the box, of coordinates up to 1 in magnitude, by 4 f |n_k| for its centre and half size, by 3 f |n_k| for the
 *     height of each, by 2 f |n_k| for the sum: less than the 16 f in `off`.
 * Coordinates are below 2^40, so that products of three stay finite. Products are counted as rounded before they are
 * added, which is never less than what fused ones are off by.
 */
#include "simd/fused.h"
#include "simd/kernels.h"
#include "simd/map_template.h"

/* Eight bits, each at the bottom of a byte of its own. */
static inline uint64_t spread_bits(unsigned bits)
{
    uint64_t apart = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (apart + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

static uint64_t groups_kernel(const grz_boxes8 *groups, const grz_mapped8 *seen, unsigned asked,
                              const grz_boxes8 *boxes, const grz_float_map *there, float out_sizes[GRZ_LANES])
{
    lanes own_lower[3], own_upper[3], lower[3], upper[3];
    load3(boxes->lower[0], own_lower);
    load3(boxes->upper[0], own_upper);
    centred c = centre_boxes(boxes);
    map_boxes(&c, there, lower, upper);
    lanes_store(out_sizes, lanes_max(lanes_max(c.half[0], c.half[1]), c.half[2]));
    uint64_t met = 0;
    for (; asked != 0; asked &= asked - 1)
    {
        unsigned group = (unsigned)__builtin_ctz(asked);
        overlap near = bounds_overlap(overlap_all(), seen->lower[0], seen->upper[0], group, own_lower, own_upper);
        near = bounds_overlap(near, groups->lower[0], groups->upper[0], group, lower, upper);
        met |= spread_bits(overlap_bits(near)) << group;
    }
    return met;
}

/* Eight triangles in another frame, with what their coordinates may be off by. */
typedef struct turned8
{
    lanes corners[3][3], lower[3], upper[3]; /* bounds are certain */
    lanes off;
} turned8;

static inline void turn_triangles(const grz_triangles8 *leaf, const grz_float_map *there, const float row_sums[3],
                                  turned8 *out)
{
    map_corners(leaf, there, out->corners);
    float largest = 0, grid = 1.01f * GRZ_GRID_ERROR * leaf->unit;
    for (int k = 0; k < 3; k++)
    {
        float off = there->margin[k] + grid * row_sums[k];
        lanes x = out->corners[0][k], y = out->corners[1][k], z = out->corners[2][k];
        out->lower[k] = lanes_sub(lanes_min(lanes_min(x, y), z), lanes_fill(off));
        out->upper[k] = lanes_add(lanes_max(lanes_max(x, y), z), lanes_fill(off));
        off += there->margin[k];
        largest = off > largest ? off : largest;
    }
    /* shortcut: groups-and-triangles */
    out->off = lanes_fill(largest + 16 * 0x1p-23f);
}

/* A box as its centre and half size, in all lanes. */
static inline void spread_box(const grz_boxes8 *boxes, unsigned box, lanes centre[3], lanes half[3])
{
    for (int k = 0; k < 3; k++)
    {
        centre[k] = lanes_fill(0.5f * (boxes->lower[k][box] + boxes->upper[k][box]));
        half[k] = lanes_fill(0.5f * (boxes->upper[k][box] - boxes->lower[k][box]));
    }
}

/* The triangles, by lane, whose planes meet a box. */
static inline unsigned planes_meet(const turned8 *t, const lanes centre[3], const lanes half[3])
{
    lanes e[3], g[3], n[3], size[3], tiny = lanes_fill(0x1p-118f);
    subtract3(t->corners[1], t->corners[0], e);
    subtract3(t->corners[2], t->corners[0], g);
    lanes_cross(e, g, n);
    for (int k = 0; k < 3; k++)
        size[k] = lanes_abs(n[k]);
    lanes x = lanes_dot(n, t->corners[0]), y = lanes_dot(n, t->corners[1]), z = lanes_dot(n, t->corners[2]);
    lanes margin = lanes_mul_add(t->off, lanes_add(lanes_add(size[0], size[1]), size[2]), tiny);
    lanes lowest = lanes_sub(lanes_min(lanes_min(x, y), z), margin);
    lanes highest = lanes_add(lanes_max(lanes_max(x, y), z), margin);
    lanes middle = lanes_dot(n, centre), reach = lanes_dot(size, half);
    return truth_bits(
        truth_and(lanes_le(lanes_sub(middle, reach), highest), lanes_le(lowest, lanes_add(middle, reach))));
}

/* The same for what they span across one edge and each axis. */
static inline truth edges_span(const turned8 *t, int c, const lanes centre[3], const lanes half[3])
{
    const lanes *from = t->corners[c], *third = t->corners[(c + 2) % 3];
    lanes edge[3], size[3], one_half = lanes_fill(0.5f), tiny = lanes_fill(0x1p-118f);
    truth meet = truth_all();
    subtract3(t->corners[(c + 1) % 3], from, edge);
    for (int k = 0; k < 3; k++)
        size[k] = lanes_abs(edge[k]);
    for (int k = 0; k < 3; k++)
    {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        lanes one = lanes_mul_sub(edge[p], from[q], lanes_mul(edge[q], from[p]));
        lanes other = lanes_mul_sub(edge[p], third[q], lanes_mul(edge[q], third[p]));
        lanes width = lanes_mul(one_half, lanes_abs(lanes_sub(one, other)));
        width = lanes_add(lanes_mul_add(t->off, lanes_add(size[p], size[q]), width), tiny);
        lanes height = lanes_mul_sub(edge[p], centre[q], lanes_mul(edge[q], centre[p]));
        lanes reach = lanes_mul_add(size[p], half[q], lanes_mul(size[q], half[p]));
        lanes away = lanes_abs(lanes_sub_mul(height, one_half, lanes_add(one, other)));
        meet = truth_and(meet, lanes_le(lanes_sub(away, reach), width));
    }
    return meet;
}

static uint64_t group_leaf_kernel(const grz_boxes8 *groups, unsigned asked, const grz_triangles8 *leaf,
                                  const grz_float_map *there, const float row_sums[3])
{
    turned8 t;
    uint64_t met = 0;
    turn_triangles(leaf, there, row_sums, &t);
    for (; asked != 0; asked &= asked - 1)
    {
        unsigned group = (unsigned)__builtin_ctz(asked);
        unsigned left = truth_bits(row_overlaps(groups->lower[0], groups->upper[0], group, t.lower, t.upper));
        if (left == 0)
            continue;
        lanes centre[3], half[3];
        spread_box(groups, group, centre, half);
        left &= planes_meet(&t, centre, half);
        if (left == 0)
            continue;
        truth across = truth_and(edges_span(&t, 0, centre, half), edges_span(&t, 1, centre, half));
        left &= truth_bits(truth_and(across, edges_span(&t, 2, centre, half)));
        met |= (uint64_t)left << GRZ_LANES * group;
    }
    return met;
}
