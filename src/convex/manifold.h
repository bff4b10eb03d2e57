/* SPDX-License-Identifier: MIT */
/*
 * Contact manifolds of two convex bodies whose contact normal is known: their supporting features are projected along
 * it and intersected; each corner of the intersection is a contact point with a signed gap. See manifold.c.
 */
#ifndef GRZ_CONVEX_MANIFOLD_H
#define GRZ_CONVEX_MANIFOLD_H

#include <stdbool.h>

#include "convex/facet.h"

/* Relative, so that of points as far from the others the first one is kept, from frame to frame. */
#define GRZ_MANIFOLD_SAME_DISTANCE 1e-9

enum
{
    GRZ_MANIFOLD_MOST = 8,
    GRZ_MANIFOLD_CANDIDATES = 256, /* of which they are chosen, at most */
    GRZ_MANIFOLD_CORNERS = 2 * GRZ_FACET_MOST + 1
};

/* What the name of a feature speaks of, in its upper two bits. */
enum
{
    GRZ_MANIFOLD_VERTEX = 0,
    GRZ_MANIFOLD_EDGE = 1,
    GRZ_MANIFOLD_FACE = 2,
    GRZ_MANIFOLD_WITNESS = 3
};

/* It may alias, since callers see points of another type, of the same layout. */
typedef struct __attribute__((may_alias)) grz_manifold_point
{
    v3 point_a, point_b; /* on the surfaces */
    double gap;          /* along the normal; negative where they overlap */
    uint64_t feature;    /* of A in the upper half, of B in the lower one */
} grz_manifold_point;

/* One of the two bodies. */
typedef struct grz_manifold_side
{
    const grz_convex_body *body;
    const grz_hull *hull; /* of a polytope's vertices */
    v3 witness;           /* its point closest to the other one, or deepest in it, on the surface */
} grz_manifold_side;

/* Writes up to `most` points (1 to GRZ_MANIFOLD_MOST) whose gap is at most `margin`, the deepest first, and returns
   their number: at least 1 where the witnesses are that close. The normal has unit length and points from A to B. */
unsigned grz_manifold_make(const grz_manifold_side *a, const grz_manifold_side *b, v3 normal, double margin,
                           unsigned most, grz_manifold_point *points);

/* The same of known features, all of the points, in no order. */
unsigned grz_manifold_corners(const grz_manifold_side *a, const grz_manifold_side *b, const grz_facet facets[2],
                              v3 normal, double margin, grz_manifold_point points[GRZ_MANIFOLD_CORNERS]);

/* Whether a point is that of the witnesses, and not one of features that meet. */
bool grz_manifold_is_witness(const grz_manifold_point *point);

/* Moves the deepest point to the front, and, of more than `most`, those to keep behind it: always the one farthest from
   those before it. Of at most GRZ_MANIFOLD_CANDIDATES; returns how many are kept. */
unsigned grz_manifold_reduce(grz_manifold_point *points, unsigned count, unsigned most);

#endif
