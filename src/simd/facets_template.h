/* SPDX-License-Identifier: MIT */
/*
 * Data of a leaf's triangles for the triangle-triangle kernels; part of kernels_template.h.
 */
#include <float.h>

#include "simd/leaf_corners_template.h"
#include "simd/quantized_boxes.h"

/* Writes all four components at once: they are read so, and narrower stores would stall store-to-load forwarding. */
static inline void place_transformed(const grz_triangles8 *leaf, const grz_leaf_transform *turn, grz_corners8 *out)
{
    double x = (double)leaf->centre[0], y = (double)leaf->centre[1], z = (double)leaf->centre[2];
    double unit = (double)leaf->unit;
    for (int k = 0; k < 4; k++)
        out->centre[k] = turn->offset[k] + turn->columns[0][k] * x + turn->columns[1][k] * y + turn->columns[2][k] * z;
    for (int k = 0; k < 4; k++)
        out->error[k] = (float)(1.001 * (turn->error[k] + unit * turn->unit_error[k]));
}

/* Without rotation only quantisation errs: the error bound is the same on each axis. Boxes are widened slightly more,
   for roundings (pair_queue_template.h). */
static inline void place_own(const grz_triangles8 *leaf, grz_corners8 *out)
{
    double centre[4] = {(double)leaf->centre[0], (double)leaf->centre[1], (double)leaf->centre[2], 0};
    float own = GRZ_QUANTIZATION_ERROR * leaf->unit, error[4] = {own, own, own, 0};
    memcpy(out->centre, centre, sizeof centre);
    memcpy(out->error, error, sizeof error);
    out->scale = QUANTIZED_STRIDES / (65536 * leaf->unit);
    /* shortcut: quantized-aabbs */
    out->margin = 1.02f * GRZ_QUANTIZATION_ERROR * QUANTIZED_STRIDES / 65536;
}

/* Stores first corners, edges and sizes, and returns the triangles' bounds. */
static inline void store_corners(f32x8 corners[3][3], grz_corners8 *out, f32x8 lower[3], f32x8 upper[3])
{
    f32x8 size = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
    {
        lower[k] = f32x8_min(f32x8_min(corners[0][k], corners[1][k]), corners[2][k]);
        upper[k] = f32x8_max(f32x8_max(corners[0][k], corners[1][k]), corners[2][k]);
        size = f32x8_max(size, f32x8_sub(upper[k], lower[k]));
        f32x8_store(out->start[k], corners[0][k]);
        f32x8_store(out->edges[0][k], f32x8_sub(corners[1][k], corners[0][k]));
        f32x8_store(out->edges[1][k], f32x8_sub(corners[2][k], corners[0][k]));
    }
    f32x8_store(out->size, size);
}

/* Fills only the fields that the triangle-triangle kernels read. */
static void corners_kernel(const grz_triangles8 *leaf, const grz_leaf_transform *turn, grz_corners8 *out)
{
    f32x8 corners[3][3], lower[3], upper[3], zero = f32x8_splat(0.0f);
    if (turn == NULL)
    {
        load_corners(leaf, NULL, corners);
        store_corners(corners, out, lower, upper);
        quantized_ends(leaf->corners, out->rows);
        place_own(leaf, out);
        return;
    }
    load_corners(leaf, turn->matrix, corners);
    store_corners(corners, out, lower, upper);
    for (int k = 0; k < 3; k++)
    {
        f32x8_store(out->ends[k], lower[k]);
        f32x8_store(out->ends[k] + GRZ_LANES, f32x8_sub(zero, upper[k]));
    }
    place_transformed(leaf, turn, out);
}

/*
 * The box of each triangle, and as its slab the plane it lies in. Error bound of a height along the unit normal: |n|_1
 * unit, |n|_1 < 1.74, and at most 11 roundings of numbers up to 1.74 times the largest coordinates of centre and
 * corners. Any unit vector is valid: where the corners are collinear, it is the rounding error of the cross product, if
 * that is not 0.
 */
static void facet_boxes_kernel(const grz_triangles8 *leaf, grz_boxes8 *out)
{
    f32x8 corners[3][3], e[3], g[3], normal[3], zero = f32x8_splat(0.0f);
    load_corners(leaf, NULL, corners);
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    f32x8_cross(e, g, normal);
    f32x8 length = f32x8_sqrt(f32x8_dot(normal, normal));
    mask32x8 has_plane = f32x8_lt(f32x8_splat(0x1p-60f), length);
    f32x8 inverse = f32x8_select(has_plane, f32x8_div(f32x8_splat(1.0f), length), zero);
    f32x8 shift = zero, extent = zero, heights[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++)
    {
        f32x8 centre = f32x8_splat(leaf->centre[k]), size = f32x8_abs(centre);
        f32x8 margin = f32x8_mul_add(f32x8_splat(0x1p-21f), size, f32x8_splat(1.5f * leaf->unit));
        f32x8 lower = f32x8_min(f32x8_min(corners[0][k], corners[1][k]), corners[2][k]);
        f32x8 upper = f32x8_max(f32x8_max(corners[0][k], corners[1][k]), corners[2][k]);
        f32x8_store(out->lower[k], f32x8_sub(f32x8_add(lower, centre), margin));
        f32x8_store(out->upper[k], f32x8_add(f32x8_add(upper, centre), margin));
        normal[k] = f32x8_mul(normal[k], inverse);
        f32x8_store(out->normal[k], normal[k]);
        shift = f32x8_mul_add(normal[k], centre, shift);
        extent = f32x8_max(extent, f32x8_add(size, f32x8_max(f32x8_abs(lower), f32x8_abs(upper))));
        for (int c = 0; c < 3; c++)
            heights[c] = f32x8_mul_add(normal[k], corners[c][k], heights[c]);
    }
    /* shortcut: facet-slabs */
    f32x8 margin = f32x8_mul_add(f32x8_splat(0x1p-18f), extent, f32x8_splat(1.8f * leaf->unit));
    f32x8 lowest = f32x8_min(f32x8_min(heights[0], heights[1]), heights[2]);
    f32x8 highest = f32x8_max(f32x8_max(heights[0], heights[1]), heights[2]);
    lowest = f32x8_sub(f32x8_add(lowest, shift), margin);
    highest = f32x8_add(f32x8_add(highest, shift), margin);
    f32x8_store(out->slab_lower, f32x8_select(has_plane, lowest, f32x8_splat(-FLT_MAX)));
    f32x8_store(out->slab_upper, f32x8_select(has_plane, highest, f32x8_splat(FLT_MAX)));
}
