/* SPDX-License-Identifier: MIT */
/*
 * Two placed polytopes with radii: whether they share a point, their distance, and the shortest translation that
 * separates them. GJK and EPA search in doubles; what is answered is certified by error bounds or exact signs, in every
 * rounding mode and with denormals flushed. What neither decides is UNDECIDED, and bounds are then wide: the caller
 * asks the exact queries of meshes.
 *
 * A cache keeps the last simplex, direction and inner polytope of one pair of bodies in this order, and makes the next
 * query quick when they have moved little; no answer depends on it but for the width of bounds. Zeroed memory is an
 * empty cache. It may be NULL. Neither function allocates or fails.
 */
#ifndef GRZ_CONVEX_CONVEX_PAIR_H
#define GRZ_CONVEX_CONVEX_PAIR_H

#include <stdbool.h>

#include "convex/convex_body.h"

typedef enum grz_convex_verdict
{
    GRZ_CONVEX_UNDECIDED = 0,
    GRZ_CONVEX_APART,   /* certainly no common point */
    GRZ_CONVEX_TOGETHER /* certainly a common point: touching counts */
} grz_convex_verdict;

enum
{
    GRZ_CONVEX_CACHED_POINTS = 20, /* more help less than it costs to place them anew */
    GRZ_CONVEX_CACHED_FACES = 2 * GRZ_CONVEX_CACHED_POINTS - 4
};

/* Points of the Minkowski difference A - B are pairs of vertices. */
typedef struct __attribute__((may_alias)) grz_convex_cache
{
    double direction[3];   /* from A to B, along which they were last found apart; all 0: none */
    uint32_t simplex_size; /* of the last search */
    uint32_t simplex[4][2];
    uint32_t start[2];                            /* where hill climbing begins */
    uint32_t point_count, face_count;             /* of the inner polytope of depth */
    uint32_t points[GRZ_CONVEX_CACHED_POINTS][2]; /* vertices of A and B */
    uint8_t faces[GRZ_CONVEX_CACHED_FACES][3];    /* counter-clockwise from outside */
} grz_convex_cache;

/* Whether two polytopes share a point; radii included. */
grz_convex_verdict grz_convex_pair_collide(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache);

/* What the plane or the tetrahedron of the last query says of two polytopes at these poses, instead of those of the
   bodies; where it says nothing, in the default floating-point environment, what a search from it finds. */
grz_convex_verdict grz_convex_pair_recall(const grz_convex_body *a, const graze_pose *pose_a, const grz_convex_body *b,
                                          const graze_pose *pose_b, grz_convex_cache *cache);

typedef struct grz_convex_limits
{
    double absolute_error; /* upper - lower need be no smaller; 0: as small as doubles give */
    double enough;         /* stop when lower exceeds this, but for rounding; INFINITY: never */
} grz_convex_limits;

typedef struct grz_convex_distance
{
    grz_convex_verdict
        verdict;         /* TOGETHER: both bounds are 0; APART: they may differ by rounding only, or as allowed */
    double lower, upper; /* certified bounds of the distance; upper may be INFINITY */
    double points[2][3]; /* where it is assumed, on A and on B, rounded; their distance is about `upper` */
    double normal[3];    /* about a unit vector from A to B; 0 where unknown */
} grz_convex_distance;

/* The distance of two polytopes, radii subtracted. */
void grz_convex_pair_distance(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                              const grz_convex_limits *limits, grz_convex_distance *out_distance);

typedef struct grz_convex_depth
{
    grz_convex_verdict verdict; /* as grz_convex_pair_collide */
    double lower, upper;        /* certified bounds of the length of the shortest translation after which interiors are
                                   disjoint; both 0 where apart; upper may be INFINITY */
    double translation[3];      /* of B; certainly separates, and its length is at most `upper` */
} grz_convex_depth;

/* The shortest separating translation, radii included. The search ends when upper - lower <= relative_error * upper, or
   where doubles give no more. */
void grz_convex_pair_depth(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                           double relative_error, grz_convex_depth *out_depth);

#endif
