/* SPDX-License-Identifier: MIT */
/*
 * What another frame sees of boxes with slabs; for the kernels that compare boxes and those that measure between them.
 *
 * In any rounding mode a float operation is off by at most 2^-23 of its result, a fused one too. What the map's margins
 * must cover is derived in pair/relative.c, for products rounded before they are added.
 */
#ifndef GRZ_SIMD_MAP_TEMPLATE_H
#define GRZ_SIMD_MAP_TEMPLATE_H

#include <float.h>

#include "simd/fused.h"
#include "simd/kernels.h"

/* Centres and half sizes of eight boxes. */
typedef struct centred
{
    lanes centre[3], half[3];
} centred;

static inline centred centre_boxes(const grz_boxes8 *boxes)
{
    centred c;
    lanes one_half = lanes_fill(0.5f);
    for (int k = 0; k < 3; k++)
    {
        lanes lower = lanes_load(boxes->lower[k]), upper = lanes_load(boxes->upper[k]);
        c.centre[k] = lanes_mul(one_half, lanes_add(lower, upper));
        c.half[k] = lanes_mul(one_half, lanes_sub(upper, lower));
    }
    return c;
}

/* The axis-parallel boxes, in the other frame, around eight boxes. */
static inline void map_boxes(const centred *c, const grz_float_map *map, lanes lower[3], lanes upper[3])
{
    for (int k = 0; k < 3; k++)
    {
        /* shortcut: mapped-boxes */
        lanes centre = lanes_fill(map->offset[k]), half = lanes_fill(map->margin[k]);
        for (int j = 0; j < 3; j++)
        {
            lanes factor = lanes_fill(map->matrix[k][j]);
            centre = lanes_mul_add(factor, c->centre[j], centre);
            half = lanes_mul_add(lanes_abs(factor), c->half[j], half);
        }
        lower[k] = lanes_sub(centre, half);
        upper[k] = lanes_add(centre, half);
    }
}

/*
 * Slabs: the height n.x of a point x = matrix y + offset along a unit normal n is w.y + n.offset with
 * w = matrix^T n. The constant and the margin go into the interval.
 */
static void map_kernel(const grz_boxes8 *boxes, const grz_float_map *there, const grz_float_map *back, grz_mapped8 *out)
{
    centred c = centre_boxes(boxes);
    /* shortcut: slab-gaps */
    lanes lower[3], upper[3], normal[3], shift = lanes_fill(0.0f), margin = lanes_fill(back->slab_margin);
    map_boxes(&c, there, lower, upper);
    for (int k = 0; k < 3; k++)
    {
        lanes_store(out->lower[k], lower[k]);
        lanes_store(out->upper[k], upper[k]);
        lanes_store(out->centre[k], c.centre[k]);
        lanes_store(out->half[k], c.half[k]);
        normal[k] = lanes_load(boxes->normal[k]);
        shift = lanes_mul_add(normal[k], lanes_fill(back->offset[k]), shift);
    }
    for (int k = 0; k < 3; k++)
    {
        lanes w = lanes_mul(lanes_fill(back->matrix[0][k]), normal[0]);
        w = lanes_mul_add(lanes_fill(back->matrix[1][k]), normal[1], w);
        lanes_store(out->direction[k], lanes_mul_add(lanes_fill(back->matrix[2][k]), normal[2], w));
    }
    out->slab_mask = truth_bits(lanes_lt(lanes_load(boxes->slab_upper), lanes_fill(FLT_MAX)));
    lanes_store(out->size, lanes_max(lanes_max(c.half[0], c.half[1]), c.half[2]));
    lanes_store(out->slab_lower, lanes_sub(lanes_sub(lanes_load(boxes->slab_lower), shift), margin));
    lanes_store(out->slab_upper, lanes_add(lanes_sub(lanes_load(boxes->slab_upper), shift), margin));
}

#endif
