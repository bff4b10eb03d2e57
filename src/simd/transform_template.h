/* SPDX-License-Identifier: MIT */
/*
 * Transform of boxes with oriented slabs into another frame; for the overlap kernels and the distance kernels.
 *
 * In any rounding mode a float operation, fused or not, has an error of at most 2^-23 of its result. The margins of the
 * transform are derived in pair/relative_pose.c, for products rounded before they are added.
 */
#ifndef GRZ_SIMD_TRANSFORM_TEMPLATE_H
#define GRZ_SIMD_TRANSFORM_TEMPLATE_H

#include <float.h>

#include "simd/fma.h"
#include "simd/kernels.h"

/* Centres and half sizes of eight boxes. */
typedef struct centred
{
    f32x8 centre[3], half[3];
} centred;

static inline centred centre_boxes(const grz_boxes8 *boxes)
{
    centred c;
    f32x8 one_half = f32x8_splat(0.5f);
    for (int k = 0; k < 3; k++)
    {
        f32x8 lower = f32x8_load(boxes->lower[k]), upper = f32x8_load(boxes->upper[k]);
        c.centre[k] = f32x8_mul(one_half, f32x8_add(lower, upper));
        c.half[k] = f32x8_mul(one_half, f32x8_sub(upper, lower));
    }
    return c;
}

/* The AABBs, in the other frame, of eight boxes. */
static inline void transform_boxes(const centred *c, const grz_float_transform *transform, f32x8 lower[3],
                                   f32x8 upper[3])
{
    for (int k = 0; k < 3; k++)
    {
        /* shortcut: transformed-boxes */
        f32x8 centre = f32x8_splat(transform->offset[k]), half = f32x8_splat(transform->margin[k]);
        for (int j = 0; j < 3; j++)
        {
            f32x8 factor = f32x8_splat(transform->matrix[k][j]);
            centre = f32x8_mul_add(factor, c->centre[j], centre);
            half = f32x8_mul_add(f32x8_abs(factor), c->half[j], half);
        }
        lower[k] = f32x8_sub(centre, half);
        upper[k] = f32x8_add(centre, half);
    }
}

/*
 * Slabs: the height n.x of a point x = matrix y + offset along a unit normal n is w.y + n.offset with
 * w = matrix^T n. The constant and the margin go into the interval.
 */
static void transform_kernel(const grz_boxes8 *boxes, const grz_float_transform *there, const grz_float_transform *back,
                             grz_transformed8 *out)
{
    centred c = centre_boxes(boxes);
    /* shortcut: slab-gaps */
    f32x8 lower[3], upper[3], normal[3], shift = f32x8_splat(0.0f), margin = f32x8_splat(back->slab_margin);
    transform_boxes(&c, there, lower, upper);
    for (int k = 0; k < 3; k++)
    {
        f32x8_store(out->lower[k], lower[k]);
        f32x8_store(out->upper[k], upper[k]);
        f32x8_store(out->centre[k], c.centre[k]);
        f32x8_store(out->half[k], c.half[k]);
        normal[k] = f32x8_load(boxes->normal[k]);
        shift = f32x8_mul_add(normal[k], f32x8_splat(back->offset[k]), shift);
    }
    for (int k = 0; k < 3; k++)
    {
        f32x8 w = f32x8_mul(f32x8_splat(back->matrix[0][k]), normal[0]);
        w = f32x8_mul_add(f32x8_splat(back->matrix[1][k]), normal[1], w);
        f32x8_store(out->direction[k], f32x8_mul_add(f32x8_splat(back->matrix[2][k]), normal[2], w));
    }
    out->slab_mask = mask32x8_bits(f32x8_lt(f32x8_load(boxes->slab_upper), f32x8_splat(FLT_MAX)));
    f32x8_store(out->size, f32x8_max(f32x8_max(c.half[0], c.half[1]), c.half[2]));
    f32x8_store(out->slab_lower, f32x8_sub(f32x8_sub(f32x8_load(boxes->slab_lower), shift), margin));
    f32x8_store(out->slab_upper, f32x8_add(f32x8_sub(f32x8_load(boxes->slab_upper), shift), margin));
}

#endif
