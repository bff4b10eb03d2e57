/* SPDX-License-Identifier: MIT */
/*
 * An oriented box against eight boxes with slabs, and against the eight triangles of a leaf: lower bounds on their
 * distance by separating axes; part of distance_template.h.
 *
 * Any direction is a valid axis, so that only the projections onto it need error bounds. Let f = 2^-23, o the largest
 * coordinate of the oriented box's offset and c of its centre, H the sum of its half sizes. The rows of `turn` and the
 * slabs' directions are no longer than 1.001, so that sums of magnitudes of products with points of [-1, 1]^3 are below
 * 1.74. In units of f:
 * - A box projected onto the oriented one's axes: 4 o + 10.5 for the middle (three roundings of each product, three
 *   sums, the offset's own), 9 for the half size, 2 (o + 3.5 + H) for two differences; of the root of a
 *   sum of squares of three gaps, a root of 3 times that.
 * - The oriented box projected onto a slab's direction: 7 c for its centre, 8 H for its half size, c + H + 2 and
 *   1.74 c + H + 2 for the sums.
 * - Boxes with slabs projected onto the direction that the oriented box has: 20 (pair/relative_pose.c; the direction is
 *   exact here), and 2 + c for the difference from the oriented box's reach.
 * - A corner of a triangle in the oriented box's axes: 4 o + 10.5; its height along a direction n, in units of |n|_1:
 *   4 (o + 2), 3 H for the box, o + 2 + H for their difference. Where n is the product of an edge and an axis, both
 *   ends of the edge are taken to have one height: 2 (o + 2) more.
 * With a radius, a gap g of the box is one of g - radius: the subtraction errs by f of g, at most f of the result and f
 * of the radius, and where g errs relatively by 2^-19, so does it of both; for the radius's share the caller made it
 * larger by 2^-16.
 * The caller's margin has 16 o + 16 c + 10 H + 64, and the error of the exact transform, which is some E on each axis
 * and 1.75 E along a direction. Corners of leaves add the error of their quantisation, 1.75 * 0.505 units.
 */
#include <math.h>

#include "simd/distance.h"
#include "simd/fma.h"
#include "simd/slab_projection_template.h"

#define QUANTIZED 0.885f /* error of a quantised corner along a direction, in units */
/* The gaps of shorter axes are divided by this. A square that is flushed costs less than 2^-26 of the square of it. */
#define TINY_AXIS 0x1p-50f

/* The gap between [-radius, radius] and [lowest, highest]. */
static inline f32x8 gap_around_zero(f32x8 lowest, f32x8 highest, f32x8 radius)
{
    return f32x8_sub(f32x8_max(lowest, f32x8_sub(f32x8_splat(0.0f), highest)), radius);
}

/* Gaps along the three axes of a frame: the largest of them, and the sum of the squares of those above 0. */
typedef struct axis_gaps
{
    f32x8 largest, squares;
} axis_gaps;

/* A gap that is undefined is dropped. */
static inline void add_gap(axis_gaps *gaps, f32x8 gap)
{
    f32x8 positive = f32x8_max(gap, f32x8_splat(0.0f));
    gaps->largest = f32x8_max(gap, gaps->largest);
    gaps->squares = f32x8_add(gaps->squares, f32x8_mul(positive, positive));
}

/* The distance of the two boxes in that frame; where they overlap, the largest gap. */
static inline f32x8 distance_of(const axis_gaps *gaps)
{
    mask32x8 apart = f32x8_lt(f32x8_splat(0.0f), gaps->squares);
    return f32x8_select(apart, f32x8_sqrt(gaps->squares), gaps->largest);
}

static inline axis_gaps no_gaps(void)
{
    return (axis_gaps){f32x8_splat(-INFINITY), f32x8_splat(0.0f)};
}

/* Along the tree's axes. Infinite for absent boxes. */
static inline axis_gaps gaps_of_aabbs(const grz_tree_frame_box *box, const f32x8 lower[3], const f32x8 upper[3])
{
    axis_gaps gaps = no_gaps();
    for (int k = 0; k < 3; k++)
        add_gap(&gaps, f32x8_max(f32x8_sub(lower[k], f32x8_splat(box->upper[k])),
                                 f32x8_sub(f32x8_splat(box->lower[k]), upper[k])));
    return gaps;
}

/* Along the oriented box's axes. Undefined gaps, of absent boxes, count for nothing. */
static inline axis_gaps gaps_of_faces(const grz_tree_frame_box *box, const f32x8 middle[3], const f32x8 half[3])
{
    axis_gaps gaps = no_gaps();
    for (int axis = 0; axis < 3; axis++)
    {
        f32x8 at = f32x8_splat(box->offset[axis]), radius = f32x8_splat(box->half[axis]);
        for (int k = 0; k < 3; k++)
        {
            f32x8 factor = f32x8_splat(box->turn[axis][k]);
            at = f32x8_mul_add(factor, middle[k], at);
            radius = f32x8_mul_add(f32x8_abs(factor), half[k], radius);
        }
        add_gap(&gaps, f32x8_sub(f32x8_abs(at), radius));
    }
    return gaps;
}

static inline f32x8 gap_of_slabs(const grz_tree_frame_box *box, const grz_boxes8 *boxes)
{
    f32x8 n[3], at = f32x8_splat(0.0f), radius = f32x8_splat(0.0f);
    load3(boxes->normal[0], n);
    for (int k = 0; k < 3; k++)
    {
        f32x8 along = f32x8_mul(f32x8_splat(box->turn[k][0]), n[0]);
        along = f32x8_mul_add(f32x8_splat(box->turn[k][1]), n[1], along);
        along = f32x8_mul_add(f32x8_splat(box->turn[k][2]), n[2], along);
        radius = f32x8_mul_add(f32x8_abs(along), f32x8_splat(box->half[k]), radius);
        at = f32x8_mul_add(n[k], f32x8_splat(box->centre[k]), at);
    }
    return f32x8_max(f32x8_sub(f32x8_load(boxes->slab_lower), f32x8_add(at, radius)),
                     f32x8_sub(f32x8_sub(at, radius), f32x8_load(boxes->slab_upper)));
}

/* Along the direction that the box has. */
static inline f32x8 gap_of_axis(const grz_tree_frame_box *box, const grz_boxes8 *boxes, const f32x8 middle[3],
                                const f32x8 half[3])
{
    f32x8 m[3], axis[3];
    load3(boxes->normal[0], m);
    for (int k = 0; k < 3; k++)
        axis[k] = f32x8_splat(box->axis[k]);
    slab_projection span =
        project_onto(axis, m, f32x8_load(boxes->slab_lower), f32x8_load(boxes->slab_upper), middle, half);
    return f32x8_sub(span.lowest, f32x8_splat(box->reach));
}

/* The lanes that are not separated; *least becomes the least of the gaps of the others and of itself. */
static inline unsigned split_by_gap(f32x8 gap, float out_gaps[GRZ_LANES], float *least)
{
    mask32x8 apart = f32x8_lt(f32x8_splat(0.0f), gap);
    f32x8 last = f32x8_splat(*least);
    f32x8_store(out_gaps, gap);
    *least = f32x8_reduce_min(f32x8_select(apart, f32x8_min(gap, last), last));
    return ~mask32x8_bits(apart) & 0xff;
}

static unsigned box_nodes_kernel(const grz_tree_frame_box *box, const grz_boxes8 *boxes, float out_gaps[GRZ_LANES],
                                 float *least)
{
    f32x8 lower[3], upper[3], middle[3], half[3], share = f32x8_splat(0.5f);
    load3(boxes->lower[0], lower);
    load3(boxes->upper[0], upper);
    for (int k = 0; k < 3; k++)
    {
        middle[k] = f32x8_mul(share, f32x8_add(lower[k], upper[k]));
        half[k] = f32x8_mul(share, f32x8_sub(upper[k], lower[k]));
    }
    axis_gaps gaps = gaps_of_aabbs(box, lower, upper), faces = gaps_of_faces(box, middle, half);
    gaps.largest = f32x8_max(faces.largest, gaps.largest);
    gaps.squares = f32x8_max(faces.squares, gaps.squares);
    f32x8 gap = f32x8_max(gap_of_slabs(box, boxes), distance_of(&gaps));
    gap = f32x8_max(gap_of_axis(box, boxes, middle, half), gap);
    /* shortcut: oriented-box-gaps */
    return split_by_gap(f32x8_sub(gap, f32x8_splat(box->margin + box->radius)), out_gaps, least);
}

static inline void turned_corners(const grz_tree_frame_box *box, const grz_triangles8 *leaf, f32x8 out[3][3])
{
    f32x8 unit = f32x8_splat(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        f32x8 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = f32x8_mul_add(unit, f32x8_load_i16(leaf->corners[c][k]), f32x8_splat(leaf->centre[k]));
        for (int k = 0; k < 3; k++)
        {
            f32x8 z = f32x8_mul_add(f32x8_splat(box->turn[k][0]), p[0], f32x8_splat(box->offset[k]));
            z = f32x8_mul_add(f32x8_splat(box->turn[k][1]), p[1], z);
            out[c][k] = f32x8_mul_add(f32x8_splat(box->turn[k][2]), p[2], z);
        }
    }
}

/* From a gap in units of an axis: less the errors, over its length. */
static inline f32x8 gap_along(f32x8 gap, f32x8 sum, f32x8 square, f32x8 slack)
{
    gap = f32x8_sub(f32x8_sub(gap, f32x8_mul(sum, slack)), f32x8_splat(0x1p-100f));
    return f32x8_div(gap, f32x8_max(f32x8_sqrt(square), f32x8_splat(TINY_AXIS)));
}

/* Along the triangles' normals. */
static inline f32x8 gap_of_planes(const grz_tree_frame_box *box, f32x8 z[3][3], f32x8 edges[3][3], f32x8 slack)
{
    f32x8 n[3], radius = f32x8_splat(0.0f), sum = f32x8_splat(0.0f);
    f32x8_cross(edges[0], edges[1], n);
    for (int k = 0; k < 3; k++)
    {
        f32x8 size = f32x8_abs(n[k]);
        sum = f32x8_add(sum, size);
        radius = f32x8_mul_add(size, f32x8_splat(box->half[k]), radius);
    }
    f32x8 h0 = f32x8_dot(n, z[0]), h1 = f32x8_dot(n, z[1]), h2 = f32x8_dot(n, z[2]);
    f32x8 gap = gap_around_zero(f32x8_min(f32x8_min(h0, h1), h2), f32x8_max(f32x8_max(h0, h1), h2), radius);
    return gap_along(gap, sum, f32x8_dot(n, n), slack);
}

/* Along the product of an edge and an axis of the box: (y, z) stands for the other two axes. */
static inline f32x8 gap_of_edges(const grz_tree_frame_box *box, const f32x8 way[3], const f32x8 on[3],
                                 const f32x8 opposite[3], int axis, f32x8 slack)
{
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    f32x8 one = f32x8_mul_sub(way[y], on[z], f32x8_mul(way[z], on[y]));
    f32x8 other = f32x8_mul_sub(way[y], opposite[z], f32x8_mul(way[z], opposite[y]));
    f32x8 size_y = f32x8_abs(way[y]), size_z = f32x8_abs(way[z]);
    f32x8 radius = f32x8_mul_add(size_y, f32x8_splat(box->half[z]), f32x8_mul(size_z, f32x8_splat(box->half[y])));
    f32x8 square = f32x8_mul_add(way[y], way[y], f32x8_mul(way[z], way[z]));
    return gap_along(gap_around_zero(f32x8_min(one, other), f32x8_max(one, other), radius), f32x8_add(size_y, size_z),
                     square, slack);
}

/* The least height of the triangles along the direction that the box has, in the box's axes. */
static inline f32x8 lowest_along(const grz_tree_frame_box *box, f32x8 z[3][3], f32x8 slack)
{
    f32x8 n[3];
    for (int k = 0; k < 3; k++)
        n[k] = f32x8_splat(box->turned_axis[k]);
    f32x8 lowest = f32x8_min(f32x8_min(f32x8_dot(n, z[0]), f32x8_dot(n, z[1])), f32x8_dot(n, z[2]));
    return f32x8_sub(lowest, f32x8_mul(f32x8_splat(1.75f), slack));
}

static inline f32x8 radius_along(const grz_tree_frame_box *box)
{
    f32x8 radius = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
        radius = f32x8_add(radius, f32x8_splat(fabsf(box->turned_axis[k]) * box->half[k]));
    return radius;
}

/* Along the line from the box to the corner of each triangle that is nearest to it. */
static inline f32x8 gap_of_corners(const grz_tree_frame_box *box, f32x8 z[3][3], f32x8 slack)
{
    f32x8 n[3], nearest = f32x8_splat(INFINITY), zero = f32x8_splat(0.0f), radius = zero, sum = zero;
    for (int k = 0; k < 3; k++)
        n[k] = zero;
    for (int c = 0; c < 3; c++)
    {
        f32x8 way[3];
        for (int k = 0; k < 3; k++)
        {
            f32x8 half = f32x8_splat(box->half[k]);
            way[k] = f32x8_sub(z[c][k], f32x8_min(f32x8_max(z[c][k], f32x8_sub(zero, half)), half));
        }
        f32x8 square = f32x8_dot(way, way);
        mask32x8 nearer = f32x8_lt(square, nearest);
        nearest = f32x8_select(nearer, square, nearest);
        for (int k = 0; k < 3; k++)
            n[k] = f32x8_select(nearer, way[k], n[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        f32x8 size = f32x8_abs(n[k]);
        sum = f32x8_add(sum, size);
        radius = f32x8_mul_add(size, f32x8_splat(box->half[k]), radius);
    }
    f32x8 lowest = f32x8_min(f32x8_min(f32x8_dot(n, z[0]), f32x8_dot(n, z[1])), f32x8_dot(n, z[2]));
    return gap_along(f32x8_sub(lowest, radius), sum, f32x8_dot(n, n), slack);
}

static unsigned box_leaf_kernel(const grz_tree_frame_box *box, const grz_triangles8 *leaf, float out_gaps[GRZ_LANES],
                                float *least, grz_leaf_bounds8 *bounds)
{
    f32x8 z[3][3], edges[3][3], radius = f32x8_splat(box->radius);
    f32x8 slack = f32x8_splat(box->margin + QUANTIZED * leaf->unit);
    axis_gaps gaps = no_gaps();
    turned_corners(box, leaf, z);
    for (int k = 0; k < 3; k++)
    {
        f32x8 lowest = f32x8_min(f32x8_min(z[0][k], z[1][k]), z[2][k]);
        f32x8 highest = f32x8_max(f32x8_max(z[0][k], z[1][k]), z[2][k]);
        if (bounds != NULL)
        {
            f32x8_store(bounds->lower[k], f32x8_sub(lowest, slack));
            f32x8_store(bounds->upper[k], f32x8_add(highest, slack));
        }
        add_gap(&gaps, gap_around_zero(lowest, highest, f32x8_splat(box->half[k])));
    }
    f32x8 gap = f32x8_sub(distance_of(&gaps), slack);
    for (int e = 0; e < 3; e++)
        subtract3(z[(e + 1) % 3], z[e], edges[e]);
    gap = f32x8_max(gap, gap_of_planes(box, z, edges, slack));
    if (bounds != NULL || box->radius > 0)
        gap = f32x8_max(gap_of_corners(box, z, slack), gap);
    if (bounds != NULL)
    {
        f32x8 height = lowest_along(box, z, slack);
        f32x8_store(bounds->height, height);
        gap = f32x8_max(f32x8_sub(height, radius_along(box)), gap);
    }
    if (bounds != NULL || mask32x8_bits(f32x8_lt(radius, gap)) != 0xff)
        for (int e = 0; e < 3; e++)
            for (int axis = 0; axis < 3; axis++)
                gap = f32x8_max(gap, gap_of_edges(box, edges[e], z[e], z[(e + 2) % 3], axis, slack));
    /* shortcut: oriented-box-triangles */
    return split_by_gap(f32x8_sub(gap, radius), out_gaps, least);
}
