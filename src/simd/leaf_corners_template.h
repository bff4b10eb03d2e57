/* SPDX-License-Identifier: MIT */
/* The corners of a leaf's triangles; for the overlap kernels and the distance kernels. */
#ifndef GRZ_SIMD_LEAF_CORNERS_TEMPLATE_H
#define GRZ_SIMD_LEAF_CORNERS_TEMPLATE_H

#include "simd/fma.h"
#include "simd/kernels.h"

static inline void subtract3(const f32x8 a[3], const f32x8 b[3], f32x8 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = f32x8_sub(a[k], b[k]);
}

/* Grid coordinates in the leaf's own frame, rotated by a matrix unless that is NULL. */
static inline void load_corners(const grz_triangles8 *leaf, const float (*matrix)[3], f32x8 corners[3][3])
{
    f32x8 unit = f32x8_splat(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        f32x8 q[3];
        for (int k = 0; k < 3; k++)
            corners[c][k] = q[k] = f32x8_mul(unit, f32x8_load_i16(leaf->corners[c][k]));
        for (int k = 0; matrix != NULL && k < 3; k++)
        {
            f32x8 x = f32x8_mul(f32x8_splat(matrix[k][0]), q[0]);
            x = f32x8_mul_add(f32x8_splat(matrix[k][1]), q[1], x);
            corners[c][k] = f32x8_mul_add(f32x8_splat(matrix[k][2]), q[2], x);
        }
    }
}

#endif
