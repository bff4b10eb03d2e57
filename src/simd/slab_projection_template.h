/* SPDX-License-Identifier: MIT */
/*
 * Projection of boxes with oriented slabs onto another direction; shared by the overlap kernels and the distance
 * kernels.
 */
#ifndef GRZ_SIMD_SLAB_PROJECTION_TEMPLATE_H
#define GRZ_SIMD_SLAB_PROJECTION_TEMPLATE_H

#include "simd/fma.h"
#include "simd/kernels.h"

/* A table of three coordinates, [3][GRZ_LANES]: load3 loads all lanes, spread3 broadcasts one lane. */
static inline void load3(const float *table, f32x8 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = f32x8_load(table + k * GRZ_LANES);
}

static inline void spread3(const float *table, unsigned row, f32x8 out[3])
{
    for (unsigned k = 0; k < 3; k++)
        out[k] = f32x8_splat(table[k * GRZ_LANES + row]);
}

typedef struct slab_projection
{
    f32x8 lowest, highest;
} slab_projection;

/*
 * Projects boxes with slabs m onto w, in one frame. For any number k, w.y = (w - k m).y + k (m.y), where m.y lies in
 * the box's own slab and y in the box; k = w.m makes the first term small where the normals are parallel.
 */
static inline slab_projection project_onto(const f32x8 w[3], const f32x8 m[3], f32x8 m_lower, f32x8 m_upper,
                                           const f32x8 box_centre[3], const f32x8 box_half[3])
{
    f32x8 k = f32x8_dot(w, m);
    f32x8 rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = f32x8_sub_mul(w[i], k, m[i]);
        size[i] = f32x8_abs(rest[i]);
    }
    f32x8 centre = f32x8_dot(rest, box_centre), half = f32x8_dot(size, box_half);
    f32x8 one = f32x8_mul_add(k, m_lower, centre), other = f32x8_mul_add(k, m_upper, centre);
    slab_projection span = {f32x8_sub(f32x8_min(one, other), half), f32x8_add(f32x8_max(one, other), half)};
    return span;
}

#endif
