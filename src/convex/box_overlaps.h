/* SPDX-License-Identifier: MIT */
/*
 * Overlaps of two boxes on their fifteen axes, as numbers: estimates, for contact manifolds (box_manifold.h). The
 * bounds of box_axes.h are not needed there. Axes: 0 to 2 those of A, 3 to 5 those of B, 6 + 3 i + k the product of
 * axis i of A and axis k of B.
 */
#ifndef GRZ_CONVEX_BOX_OVERLAPS_H
#define GRZ_CONVEX_BOX_OVERLAPS_H

#include "convex/box_manifold.h"
#include "simd/f64x2.h"

typedef struct grz_box_overlaps
{
    const grz_placed_box *box[2];
    const double *half[2]; /* half edges */
    double c[3][4];        /* a_i . b_k; and, last, a_i . D: D is the vector between the centres */
    double between[4];     /* b_k . D */
    double d[3];           /* D */
} grz_box_overlaps;

/* False where a pose is no rotation, mirrored or not, up to 2^-40, or where sizes or the distance are not usual: below
   2^-90 or above 2^90, NaN or infinite. */
bool grz_box_overlaps_prepare(const grz_placed_box *a, const grz_placed_box *b, grz_box_overlaps *out_pair);

/* The overlap on one axis. */
double grz_box_overlap_on(const grz_box_overlaps *pair, uint32_t axis);

/* The least overlap, and its axis: the first one of equal ones, faces before products of edges. */
double grz_box_overlap_least(const grz_box_overlaps *pair, uint32_t *out_axis);

#endif
