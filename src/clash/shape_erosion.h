/* SPDX-License-Identifier: MIT */
/*
 * Erosion: what is left of a convex shape at some depth below its surface, {x : the ball around x of that radius lies
 * in the shape}. A body meets it exactly where it reaches that deep into the shape. Sizes are rounded, so that what is
 * made is a little smaller or larger on purpose.
 */
#ifndef GRZ_CLASH_SHAPE_EROSION_H
#define GRZ_CLASH_SHAPE_EROSION_H

#include "graze/shape.h"

typedef struct grz_clash_eroded
{
    graze_placed placed; /* its shape is NULL where nothing is left */
    graze_shape *own;
} grz_clash_eroded;

/* Whether grz_clash_erode can do that: spheres, capsules, rounded points, segments, triangles and boxes, boxes,
 * cylinders, cones and ellipsoids, whose poses are rigid up to 1e-9. */
bool grz_clash_is_erodible(const graze_placed *placed);

/* An upper bound of the depth of its deepest point. */
double grz_clash_inner_radius(const graze_placed *placed);

/* What is left at a depth above 0: `side` = 1: at least that; -1: at most that. Of ellipsoids the two differ by more
 * than roundings. Fails as the functions that create shapes; release in any case. */
graze_status grz_clash_erode(const graze_context *context, const graze_placed *placed, double depth, int side,
                             grz_clash_eroded *out_eroded);
void grz_clash_eroded_release(grz_clash_eroded *eroded);

#endif
