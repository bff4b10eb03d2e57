/* SPDX-License-Identifier: MIT */
/*
 * Fast queries of two convex cores with radii, by convex/convex_pair.h. Each returns whether it decided; if not, the
 * exact queries of meshes do (pair_core.c).
 */
#ifndef GRZ_SHAPE_PAIR_HULL_H
#define GRZ_SHAPE_PAIR_HULL_H

#include "convex/convex_pair.h"
#include "shape/query.h"

/* What a cache of shapes holds of two convex cores. Indices of vertices are valid for hulls of these sizes only. It may
   alias, since callers see other types. */
typedef struct __attribute__((may_alias)) grz_hull_cache
{
    const grz_hull *hulls[2];
    uint64_t counts[2];
    uint32_t box_axis; /* on which two boxes were far apart when their contacts were asked for last, or none */
    grz_convex_cache convex;
} grz_hull_cache;

/* Two bodies, and the cache of their pair, which is the caller's; NULL: none. */
typedef struct grz_hull_pair
{
    grz_convex_body bodies[2];
    grz_convex_cache *cache;
} grz_hull_pair;

/* Fills in the bodies, and the cache where the query has one: empty if it was of another pair. Both have hulls. */
void grz_hull_pair_begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_hull_pair *pair);

/* What the cache says of two shapes at once, or a search from it, before anything is prepared: whether they collide, in
   every floating-point environment, or UNKNOWN. Any arguments; checked where the answer is known. */
graze_verdict grz_hulls_recall(graze_shape_cache *cache, const graze_placed *a, const graze_placed *b);

/* The axis of the contacts of these two boxes, in the cache: see box_manifold.h. */
uint32_t *grz_hulls_box_axis(graze_shape_cache *cache, const grz_hull *hull_a, const grz_hull *hull_b);

bool grz_hulls_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_verdict *out_verdict,
                       graze_shape_hit *out_hit);

/* The distance, which is 0 where they collide; with relative and absolute errors of rounding. Written where it decided
   only. */
bool grz_hulls_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double limit,
                        graze_shape_distance *out_distance);

bool grz_hulls_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double relative_error,
                     graze_shape_depth *out_depth);

#endif
