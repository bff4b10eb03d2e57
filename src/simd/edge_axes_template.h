/* SPDX-License-Identifier: MIT */
/*
 * Separating axis test of triangles of one tree and boxes of another, by edge cross axes; part of kernels_template.h.
 *
 * A triangle and a box share no point exactly when one of thirteen separating axes exists: the box's three axes, the
 * triangle's normal, and the nine cross products of an axis and an edge (Akenine-Moller, Fast 3D triangle-box overlap
 * testing, 2001). The overlap test of boxes with slabs covers the first four; these are the nine. They matter for
 * triangles that are long, or large relative to the boxes.
 *
 * Any direction is a valid axis, so the error of an edge does not matter: its computed components e are taken as exact.
 * Along the cross product with axis k, with p and q the next two, a point has the height h(x) = e_p x_q - e_q x_p. In
 * any rounding mode a float operation has an error of at most f = 2^-23 of its result. Error bounds:
 *   a corner's coordinates: the transform's margin and the transformed quantisation error, |row|_1
 * GRZ_QUANTIZATION_ERROR unit; its height: that times |e_p| + |e_q|, and 5 f |x| (|e_p| + |e_q|) for roundings, where
 * the transform's margin is more than 20 f |x|; both ends of an edge have one height up to 2 f |e_p| |e_q|, and |e| <=
 * 2 |x|; a box, of coordinates up to 1 in magnitude: 2 f for its centre and half size; in the sum of the centre and the
 * four products four are rounded, 2 f, unless they are fused, and four sums of up to 1 + |x|, 4 f (1 + |x|): all times
 *     |e_p| + |e_q|.
 * So 8 f of the 16 f that are added are used, and 9 f |x| of the margin, which is added a second time.
 * Products may underflow, which costs less than 2^-118 in all.
 */
#include "simd/f32xN.h"
#include "simd/kernels.h"

/* Corners in the other frame. */
static inline void transform_corners(const grz_triangles8 *leaf, const grz_float_transform *there, f32x8 out[3][3])
{
    f32x8 unit = f32x8_splat(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        f32x8 x[3];
        for (int k = 0; k < 3; k++)
            x[k] = f32x8_mul_add(unit, f32x8_load_i16(leaf->corners[c][k]), f32x8_splat(leaf->centre[k]));
        for (int k = 0; k < 3; k++)
        {
            f32x8 y = f32x8_splat(there->offset[k]);
            for (int j = 0; j < 3; j++)
                y = f32x8_mul_add(f32x8_splat(there->matrix[k][j]), x[j], y);
            out[c][k] = y;
        }
    }
}

static void facet_edges_kernel(const grz_triangles8 *leaf, const grz_float_transform *there, grz_edges8 *out)
{
    f32x8 corners[3][3], half = f32x8_splat(0.5f);
    transform_corners(leaf, there, corners);
    float largest = 0;
    for (int k = 0; k < 3; k++)
    {
        float row_sum = 0;
        for (int j = 0; j < 3; j++)
            row_sum += there->matrix[k][j] < 0 ? -there->matrix[k][j] : there->matrix[k][j];
        float error_bound = there->margin[k] + 1.01f * GRZ_QUANTIZATION_ERROR * row_sum * leaf->unit;
        f32x8 lower = f32x8_min(f32x8_min(corners[0][k], corners[1][k]), corners[2][k]);
        f32x8 upper = f32x8_max(f32x8_max(corners[0][k], corners[1][k]), corners[2][k]);
        f32x8_store(out->lower[k], f32x8_sub(lower, f32x8_splat(error_bound)));
        f32x8_store(out->upper[k], f32x8_add(upper, f32x8_splat(error_bound)));
        error_bound += there->margin[k];
        largest = error_bound > largest ? error_bound : largest;
    }
    /* shortcut: edges-and-boxes */
    f32x8 error_bound = f32x8_splat(largest + 16 * 0x1p-23f);
    for (int c = 0; c < 3; c++)
    {
        const f32x8 *from = corners[c], *third = corners[(c + 2) % 3];
        f32x8 edge[3];
        for (int k = 0; k < 3; k++)
        {
            edge[k] = f32x8_sub(corners[(c + 1) % 3][k], from[k]);
            f32x8_store(out->edges[c][k], edge[k]);
        }
        for (int k = 0; k < 3; k++)
        {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            f32x8 one = f32x8_mul_sub(edge[p], from[q], f32x8_mul(edge[q], from[p]));
            f32x8 other = f32x8_mul_sub(edge[p], third[q], f32x8_mul(edge[q], third[p]));
            f32x8 size = f32x8_add(f32x8_abs(edge[p]), f32x8_abs(edge[q]));
            f32x8 width = f32x8_mul_add(error_bound, size, f32x8_splat(0x1p-118f));
            width = f32x8_mul_add(half, f32x8_abs(f32x8_sub(one, other)), width);
            f32x8_store(out->middle[c][k], f32x8_mul(half, f32x8_add(one, other)));
            f32x8_store(out->width[c][k], width);
        }
    }
}

static inline mask32xN aabbs_overlap(const grz_edges8 *triangles, row_pair r, const f32xN lower[3],
                                     const f32xN upper[3])
{
    mask32xN meet = f32xN_le(f32xN_splat(0.0f), f32xN_splat(0.0f));
    for (int k = 0; k < 3; k++)
    {
        meet = mask32xN_and(meet, f32xN_le(lower[k], f32xN_splat_rows(triangles->upper[k], r)));
        meet = mask32xN_and(meet, f32xN_le(f32xN_splat_rows(triangles->lower[k], r), upper[k]));
    }
    return meet;
}

/* The lanes whose boxes overlap triangles along the cross axes of one edge. */
static inline mask32xN edge_axes_overlap(const grz_edges8 *triangles, row_pair r, int c, const f32xN centre[3],
                                         const f32xN half[3])
{
    f32xN edge[3], size[3];
    mask32xN meet = f32xN_le(f32xN_splat(0.0f), f32xN_splat(0.0f));
    for (int k = 0; k < 3; k++)
    {
        edge[k] = f32xN_splat_rows(triangles->edges[c][k], r);
        size[k] = f32xN_abs(edge[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        f32xN height = f32xN_mul_sub(edge[p], centre[q], f32xN_splat_rows(triangles->middle[c][k], r));
        f32xN away = f32xN_abs(f32xN_sub_mul(height, edge[q], centre[p]));
        f32xN gap = f32xN_sub_mul(f32xN_sub_mul(away, size[p], half[q]), size[q], half[p]);
        meet = mask32xN_and(meet, f32xN_le(gap, f32xN_splat_rows(triangles->width[c][k], r)));
    }
    return meet;
}

static uint64_t edge_axes_kernel(const grz_edges8 *triangles, uint64_t pairs, const grz_boxes8 *boxes)
{
    f32xN lower[3], upper[3], centre[3], half[3], one_half = f32xN_splat(0.5f);
    unsigned left = 0;
    for (int k = 0; k < 3; k++)
    {
        lower[k] = f32xN_repeat8(boxes->lower[k]);
        upper[k] = f32xN_repeat8(boxes->upper[k]);
        centre[k] = f32xN_mul(one_half, f32xN_add(lower[k], upper[k]));
        half[k] = f32xN_mul(one_half, f32xN_sub(upper[k], lower[k]));
    }
    for (unsigned row = 0; row < GRZ_LANES; row++)
        left |= (unsigned)((pairs >> GRZ_LANES * row & 0xff) != 0) << row;
    uint64_t meet = 0;
    while (left != 0)
    {
        unsigned present;
        row_pair r = row_pair_take(&left, 0xff, &present);
        mask32xN given = aabbs_overlap(triangles, r, lower, upper);
        given = mask32xN_and(given, edge_axes_overlap(triangles, r, 0, centre, half));
        given = mask32xN_and(given, edge_axes_overlap(triangles, r, 1, centre, half));
        given = mask32xN_and(given, edge_axes_overlap(triangles, r, 2, centre, half));
        meet |= row_pair_place(r, mask32xN_bits(given) & present);
    }
    return pairs & meet;
}
