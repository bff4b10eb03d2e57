/* SPDX-License-Identifier: MIT */
/*
 * The deepest common point of two bodies whose hits are known; see graze_pair_deepest_point.
 */
#ifndef GRZ_PAIR_DEPTH_DEEPEST_COMMON_POINT_H
#define GRZ_PAIR_DEPTH_DEEPEST_COMMON_POINT_H

#include "pair/depth/located_triangles.h"
#include "pair/depth/penetration_work.h"

typedef struct grz_deepest_common_point
{
    double depth; /* certified lower bound of the depth of `point`; 0: none found */
    double upper; /* upper bound of the depth of all common points */
    double sum; /* certified lower bound of the largest sum of a common point's depths in both sides; at least depth */
    int side;   /* the side it is deep in */
    double point[3], nearest[3];
    uint32_t triangle; /* of `side`: that of `nearest` */
    uint32_t cells;
    grz_separating_translation way; /* found on the way: it is an upper bound too */
    uint32_t queries;               /* translations tried */
} grz_deepest_common_point;

typedef struct grz_deepest_wish
{
    double relative_error, absolute_error;
    uint32_t max_cells;   /* 0: the usual number */
    uint32_t max_queries; /* of translations */
} grz_deepest_wish;

/* Searches two bodies that overlap or may. Fails with OUT_OF_MEMORY or CANCELLED; a budget that ends widens the
   interval. */
graze_status grz_find_deepest_common_point(grz_body_pair *body_pair, const grz_hits *hits,
                                           const grz_located_surfaces *located, const grz_deepest_wish *wish,
                                           grz_deepest_common_point *out_deepest);

/* The answer of graze_pair_deepest_point. */
graze_deepest_point grz_deepest_report(const grz_pair_hits *hits, const grz_deepest_common_point *found,
                                       const grz_deepest_wish *wish, graze_verdict overlap);

#endif
