/* SPDX-License-Identifier: MIT */
/*
 * What boxes with slabs span along another direction; shared by the kernels that compare boxes and those that measure
 * between them.
 */
#ifndef GRZ_SIMD_SLAB_TEMPLATE_H
#define GRZ_SIMD_SLAB_TEMPLATE_H

#include "simd/fused.h"

typedef struct slab_span
{
    lanes lowest, highest;
} slab_span;

/*
 * Along w, for boxes with slabs m of the same frame. For any number k, w.y = (w - k m).y + k (m.y), where m.y lies in
 * the box's own slab and y in the box; k = w.m makes the first part small where the normals are parallel.
 */
static inline slab_span span_along(const lanes w[3], const lanes m[3], lanes m_lower, lanes m_upper,
                                   const lanes box_centre[3], const lanes box_half[3])
{
    lanes k = lanes_dot(w, m);
    lanes rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = lanes_sub_mul(w[i], k, m[i]);
        size[i] = lanes_abs(rest[i]);
    }
    lanes centre = lanes_dot(rest, box_centre), half = lanes_dot(size, box_half);
    lanes one = lanes_mul_add(k, m_lower, centre), other = lanes_mul_add(k, m_upper, centre);
    slab_span span = {lanes_sub(lanes_min(one, other), half), lanes_add(lanes_max(one, other), half)};
    return span;
}

#endif
