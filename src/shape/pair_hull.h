/* SPDX-License-Identifier: MIT */
/*
 * Fast queries of two convex cores with radii, by convex/convex_pair.h. Each returns whether it decided; if not, the
 * exact queries of meshes do (pair_core.c).
 */
#ifndef GRZ_SHAPE_PAIR_HULL_H
#define GRZ_SHAPE_PAIR_HULL_H

#include "convex/convex_pair.h"
#include "shape/query.h"

/* What a cache of shapes holds of two convex cores. Indices of vertices are valid for hulls of these sizes only. */
typedef struct grz_hull_cache
{
    const grz_hull *hulls[2];
    uint64_t counts[2];
    grz_convex_cache convex;
} grz_hull_cache;

/* Two bodies, and the cache of their pair: as many of its first bytes as the query uses. */
typedef struct grz_hull_pair
{
    grz_convex_body bodies[2];
    grz_hull_cache cache;
    size_t cache_size;
    bool cached;
} grz_hull_pair;

/* Fills in the bodies, and the cache where the query has one; `depth`: with what depths need. Both have hulls. */
void grz_hull_pair_begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, bool depth,
                         grz_hull_pair *pair);
void grz_hull_pair_end(grz_shape_query *q, const grz_hull_pair *pair);

static inline grz_convex_cache *grz_hull_pair_cache(grz_hull_pair *pair)
{
    return pair->cached ? &pair->cache.convex : NULL;
}

bool grz_hulls_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_verdict *out_verdict,
                       graze_shape_hit *out_hit);

/* The distance, which is 0 where they collide; with relative and absolute errors of rounding. */
bool grz_hulls_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double limit,
                        graze_shape_distance *out_distance);

bool grz_hulls_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double relative_error,
                     graze_shape_depth *out_depth);

#endif
