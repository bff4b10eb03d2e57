/* SPDX-License-Identifier: MIT */
/*
 * The slow twin of convex bodies: support functions in long double, and the distance of two bodies by the closest point
 * of a growing simplex, found by trying all of its faces. It shares no code with src/convex. Both bounds hold for any
 * simplex, up to the rounding of long doubles: a convex combination of points of a - b is one, and every direction
 * gives a lower bound.
 */
#ifndef FUZZ_SHAPE_TWIN_H
#define FUZZ_SHAPE_TWIN_H

#include "leaves.h"

/* A convex body: a leaf, or one triangle of it. */
typedef struct twin_body
{
    const placed_leaf *leaf;
    uint32_t triangle; /* UINT32_MAX: all of the core */
} twin_body;

typedef struct twin_distance
{
    long double lower, upper;
    long double depth; /* a ball of this radius around the origin lies in a - b */
    long double error; /* of all three */
} twin_distance;

/* The farthest point of the body along w. */
void twin_support(const twin_body *body, const long double w[3], long double out[3]);

twin_distance twin_measure(const twin_body *a, const twin_body *b);

/* Of any two leaves but half-spaces: the least over the triangles of meshes, 0 also inside of solids. */
twin_distance twin_leaves(const placed_leaf *a, const placed_leaf *b);

/* Of a leaf and a half-space: bounds of the signed height of its lowest point. */
twin_distance twin_height(const placed_leaf *leaf, const placed_leaf *half_space);

#endif
