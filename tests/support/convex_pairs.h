/* SPDX-License-Identifier: MIT */
/* Pairs of convex bodies on and near decisions, with their hulls, tables and meshes, and the exact answer. */
#ifndef SUPPORT_CONVEX_PAIRS_H
#define SUPPORT_CONVEX_PAIRS_H

#include "base/random.h"
#include "convex/convex_pair.h"
#include "convex/convex_table.h"
#include "convex/hull.h"
#include "graze/mesh.h"
#include "graze/tree.h"
#include "support/oracle.h"

typedef struct convex_body
{
    grz_hull *hull;
    grz_convex_table table;
    grz_convex_body body; /* with its pose */
    graze_mesh *mesh;     /* its faces; a segment or point is one triangle with equal corners */
} convex_body;

typedef struct convex_pair
{
    convex_body a, b;
} convex_pair;

typedef enum convex_pair_kind
{
    CONVEX_RANDOM,        /* turned, near contact */
    CONVEX_GRID,          /* small integers, not turned */
    CONVEX_TURNED_GRID,   /* the same turned by a common rotation, rounded */
    CONVEX_QUARTER_TURNS, /* turned by a quarter each */
    CONVEX_DECIMALS,      /* multiples of 0.1 */
    CONVEX_ULP,           /* grids, one coordinate of a translation off by an ulp or a few */
    CONVEX_FLAT,          /* polygons, segments and points on the grid */
    CONVEX_EQUAL,         /* the same body twice, shifted or not */
    CONVEX_SHEARED,       /* poses that scale, shear, mirror, or are singular */
    CONVEX_CONTAINED,     /* one inside of the other */
    CONVEX_KINDS
} convex_pair_kind;

/* Fails the test when out of memory. */
void convex_body_make(const double (*points)[3], size_t count, convex_body *out_body);
void convex_body_release(convex_body *body);
void convex_pair_make(grz_random *random, convex_pair_kind kind, convex_pair *out_pair);
void convex_pair_release(convex_pair *pair);

/* Multiplies vertices and translations by 2^exponent. */
void convex_pair_scale(convex_pair *pair, int exponent);

/* Whether the two share a point, without radii: exact queries of their meshes, and the oracle for containment. */
bool convex_pair_collide_exactly(oracle *judge, const convex_pair *pair);

#endif
