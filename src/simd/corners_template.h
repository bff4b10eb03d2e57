/* SPDX-License-Identifier: MIT */
/* The corners of a leaf's triangles; for the kernels that compare triangles and those that measure between them. */
#ifndef GRZ_SIMD_CORNERS_TEMPLATE_H
#define GRZ_SIMD_CORNERS_TEMPLATE_H

#include "simd/fused.h"
#include "simd/kernels.h"

static inline void subtract3(const lanes a[3], const lanes b[3], lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = lanes_sub(a[k], b[k]);
}

/* Grid coordinates in the leaf's own frame, turned by a matrix unless that is NULL. */
static inline void load_corners(const grz_triangles8 *leaf, const float (*matrix)[3], lanes corners[3][3])
{
    lanes unit = lanes_fill(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        lanes q[3];
        for (int k = 0; k < 3; k++)
            corners[c][k] = q[k] = lanes_mul(unit, lanes_load_short(leaf->corners[c][k]));
        for (int k = 0; matrix != NULL && k < 3; k++)
        {
            lanes x = lanes_mul(lanes_fill(matrix[k][0]), q[0]);
            x = lanes_mul_add(lanes_fill(matrix[k][1]), q[1], x);
            corners[c][k] = lanes_mul_add(lanes_fill(matrix[k][2]), q[2], x);
        }
    }
}

#endif
