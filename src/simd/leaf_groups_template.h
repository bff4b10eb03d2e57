/* SPDX-License-Identifier: MIT */
/*
 * Groups of a small tree's triangles against a larger tree: against the boxes of its nodes, and against the triangles
 * of its leaves; part of kernels_template.h, after box_overlap_template.h and edge_axes_template.h.
 *
 * A group is given by its AABBs in both frames, as in grz_transformed8. Boxes are compared with it along the axes of
 * both frames, with the margins of box_overlap_template.h. A leaf's triangles are transformed into the group's frame
 * one by one and compared with its box there along all thirteen separating axes of a triangle and a box: the axes, the
 * triangle's normal, and the nine cross products of an edge and an axis.
 *
 * Error bounds are those of edge_axes_template.h, where all but the normal's is derived; `error_bound` is that of a
 * coordinate, with the room for rounding in it. The normal n is taken as computed, as any direction is a valid axis.
 * Errors, with f = 2^-23, in each term n_k x_k: a corner's height, |n_k| times the error of the coordinate, and 3 f
 * |n_k x_k| for roundings, one more where the margin is added; the transform's margin is more than 20 f |x_k|, and is
 * in `error_bound` twice; the box, of coordinates up to 1 in magnitude, 4 f |n_k| for its centre and half size, 3 f
 * |n_k| for the height of each, 2 f |n_k| for the sum: less than the 16 f in `error_bound`. Coordinates are below 2^40,
 * so that products of three stay finite. Products are counted as rounded before they are added, which is never less
 * than the error of fused ones.
 */
#include "simd/fma.h"
#include "simd/kernels.h"
#include "simd/transform_template.h"

/* Spreads eight bits, each to the lowest bit of its own byte. */
static inline uint64_t spread_bits(unsigned bits)
{
    uint64_t apart = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (apart + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

static uint64_t groups_kernel(const grz_boxes8 *groups, const grz_transformed8 *seen, unsigned wanted,
                              const grz_boxes8 *boxes, const grz_float_transform *there, float out_sizes[GRZ_LANES])
{
    f32x8 own_lower[3], own_upper[3], lower[3], upper[3];
    load3(boxes->lower[0], own_lower);
    load3(boxes->upper[0], own_upper);
    centred c = centre_boxes(boxes);
    transform_boxes(&c, there, lower, upper);
    f32x8_store(out_sizes, f32x8_max(f32x8_max(c.half[0], c.half[1]), c.half[2]));
    uint64_t met = 0;
    for (; wanted != 0; wanted &= wanted - 1)
    {
        unsigned group = (unsigned)__builtin_ctz(wanted);
        vmask32x8 near = bounds_overlap(vmask32x8_all(), seen->lower[0], seen->upper[0], group, own_lower, own_upper);
        near = bounds_overlap(near, groups->lower[0], groups->upper[0], group, lower, upper);
        met |= spread_bits(vmask32x8_bits(near)) << group;
    }
    return met;
}

/* Eight triangles transformed into another frame, with the error bound of their coordinates. */
typedef struct transformed_triangles8
{
    f32x8 corners[3][3], lower[3], upper[3]; /* conservative bounds */
    f32x8 error_bound;
} transformed_triangles8;

static inline void transform_triangles(const grz_triangles8 *leaf, const grz_float_transform *there,
                                       const float row_sums[3], transformed_triangles8 *out)
{
    transform_corners(leaf, there, out->corners);
    float largest = 0, grid = 1.01f * GRZ_QUANTIZATION_ERROR * leaf->unit;
    for (int k = 0; k < 3; k++)
    {
        float error_bound = there->margin[k] + grid * row_sums[k];
        f32x8 x = out->corners[0][k], y = out->corners[1][k], z = out->corners[2][k];
        out->lower[k] = f32x8_sub(f32x8_min(f32x8_min(x, y), z), f32x8_splat(error_bound));
        out->upper[k] = f32x8_add(f32x8_max(f32x8_max(x, y), z), f32x8_splat(error_bound));
        error_bound += there->margin[k];
        largest = error_bound > largest ? error_bound : largest;
    }
    /* shortcut: groups-and-triangles */
    out->error_bound = f32x8_splat(largest + 16 * 0x1p-23f);
}

/* A box as its centre and half size, in all lanes. */
static inline void spread_box(const grz_boxes8 *boxes, unsigned box, f32x8 centre[3], f32x8 half[3])
{
    for (int k = 0; k < 3; k++)
    {
        centre[k] = f32x8_splat(0.5f * (boxes->lower[k][box] + boxes->upper[k][box]));
        half[k] = f32x8_splat(0.5f * (boxes->upper[k][box] - boxes->lower[k][box]));
    }
}

/* The triangles, by lane, whose normals do not separate them from a box. */
static inline unsigned planes_overlap(const transformed_triangles8 *t, const f32x8 centre[3], const f32x8 half[3])
{
    f32x8 e[3], g[3], n[3], size[3], tiny = f32x8_splat(0x1p-118f);
    subtract3(t->corners[1], t->corners[0], e);
    subtract3(t->corners[2], t->corners[0], g);
    f32x8_cross(e, g, n);
    for (int k = 0; k < 3; k++)
        size[k] = f32x8_abs(n[k]);
    f32x8 x = f32x8_dot(n, t->corners[0]), y = f32x8_dot(n, t->corners[1]), z = f32x8_dot(n, t->corners[2]);
    f32x8 margin = f32x8_mul_add(t->error_bound, f32x8_add(f32x8_add(size[0], size[1]), size[2]), tiny);
    f32x8 lowest = f32x8_sub(f32x8_min(f32x8_min(x, y), z), margin);
    f32x8 highest = f32x8_add(f32x8_max(f32x8_max(x, y), z), margin);
    f32x8 middle = f32x8_dot(n, centre), radius = f32x8_dot(size, half);
    return mask32x8_bits(
        mask32x8_and(f32x8_le(f32x8_sub(middle, radius), highest), f32x8_le(lowest, f32x8_add(middle, radius))));
}

/* The same along the cross products of one edge and each axis. */
static inline mask32x8 group_edge_axes_overlap(const transformed_triangles8 *t, int c, const f32x8 centre[3],
                                               const f32x8 half[3])
{
    const f32x8 *from = t->corners[c], *third = t->corners[(c + 2) % 3];
    f32x8 edge[3], size[3], one_half = f32x8_splat(0.5f), tiny = f32x8_splat(0x1p-118f);
    mask32x8 meet = mask32x8_all();
    subtract3(t->corners[(c + 1) % 3], from, edge);
    for (int k = 0; k < 3; k++)
        size[k] = f32x8_abs(edge[k]);
    for (int k = 0; k < 3; k++)
    {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        f32x8 one = f32x8_mul_sub(edge[p], from[q], f32x8_mul(edge[q], from[p]));
        f32x8 other = f32x8_mul_sub(edge[p], third[q], f32x8_mul(edge[q], third[p]));
        f32x8 width = f32x8_mul(one_half, f32x8_abs(f32x8_sub(one, other)));
        width = f32x8_add(f32x8_mul_add(t->error_bound, f32x8_add(size[p], size[q]), width), tiny);
        f32x8 height = f32x8_mul_sub(edge[p], centre[q], f32x8_mul(edge[q], centre[p]));
        f32x8 radius = f32x8_mul_add(size[p], half[q], f32x8_mul(size[q], half[p]));
        f32x8 away = f32x8_abs(f32x8_sub_mul(height, one_half, f32x8_add(one, other)));
        meet = mask32x8_and(meet, f32x8_le(f32x8_sub(away, radius), width));
    }
    return meet;
}

static uint64_t group_leaf_kernel(const grz_boxes8 *groups, unsigned wanted, const grz_triangles8 *leaf,
                                  const grz_float_transform *there, const float row_sums[3])
{
    transformed_triangles8 t;
    uint64_t met = 0;
    transform_triangles(leaf, there, row_sums, &t);
    for (; wanted != 0; wanted &= wanted - 1)
    {
        unsigned group = (unsigned)__builtin_ctz(wanted);
        unsigned left = mask32x8_bits(row_overlaps(groups->lower[0], groups->upper[0], group, t.lower, t.upper));
        if (left == 0)
            continue;
        f32x8 centre[3], half[3];
        spread_box(groups, group, centre, half);
        left &= planes_overlap(&t, centre, half);
        if (left == 0)
            continue;
        mask32x8 across =
            mask32x8_and(group_edge_axes_overlap(&t, 0, centre, half), group_edge_axes_overlap(&t, 1, centre, half));
        left &= mask32x8_bits(mask32x8_and(across, group_edge_axes_overlap(&t, 2, centre, half)));
        met |= (uint64_t)left << GRZ_LANES * group;
    }
    return met;
}
