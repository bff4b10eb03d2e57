/* SPDX-License-Identifier: MIT */
/*
 * Queries of two leaves: shapes that are no compounds. Each pair of forms (core, curved, half-space) has its methods,
 * found in one table; compounds are flattened before (leaves.h). All run in the default floating-point environment.
 */
#ifndef GRZ_SHAPE_QUERY_H
#define GRZ_SHAPE_QUERY_H

#include "base/budget_monitor.h"
#include "base/environment.h"
#include "graze/shape_query.h"
#include "math/interval.h"
#include "shape/shape.h"

/* A query under way. */
typedef struct grz_shape_query
{
    const graze_context *context;
    grz_monitor *monitor; /* NULL: no limits */
    graze_stats stats;
    graze_shape_cache *cache; /* of the two leaves asked for, in this order; NULL: none */
    bool slow;                /* exact queries only, for tests */
} grz_shape_query;

/* Whether the distance of two leaves is at most a tolerance, or below it when strict. When strict with tolerance 0:
   whether the interiors of balls and half-spaces overlap; false for other sets. */
typedef struct grz_reach
{
    double tolerance;
    bool strict;
} grz_reach;

/* What a method finds out. The numbers of leaves are not set by methods. */
typedef graze_status (*grz_decide_function)(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                            grz_reach reach, graze_verdict *out_verdict, graze_shape_hit *out_hit);
typedef graze_status (*grz_distance_function)(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                              const graze_shape_distance_options *wanted,
                                              graze_shape_distance *out_distance);
typedef graze_status (*grz_depth_function)(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                           const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);

typedef struct grz_leaf_methods
{
    grz_decide_function decide;
    grz_distance_function distance;
    grz_depth_function depth;
} grz_leaf_methods;

/* The methods of all pairs of forms; arguments of others are swapped. */
graze_status grz_core_core_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                  graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_core_core_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_core_core_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);
graze_status grz_core_curved_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                    graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_core_curved_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_core_curved_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);
graze_status grz_curved_curved_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                      graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_curved_curved_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                        const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_curved_curved_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);
graze_status grz_core_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                   graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_core_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_core_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                  const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);
graze_status grz_curved_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                     graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_curved_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                       const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_curved_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);
graze_status grz_plane_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                    graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_plane_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_plane_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);

/* Any two leaves, by that table. */
graze_status grz_leaves_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                               graze_verdict *out_verdict, graze_shape_hit *out_hit);
graze_status grz_leaves_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const graze_shape_distance_options *wanted, graze_shape_distance *out_distance);
graze_status grz_leaves_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                              const graze_shape_depth_options *wanted, graze_shape_depth *out_depth);

/* ---- results ---- */

/* A hit of which nothing is known yet. */
graze_shape_hit grz_shape_hit_none(void);
void grz_shape_hit_swap(graze_shape_hit *hit);
void grz_shape_hit_set_point(graze_shape_hit *hit, const double point[3]);

/* Shapes that share a point, at a hit. */
graze_shape_distance grz_shape_distance_zero(const graze_shape_hit *hit);

/* Shapes at least `lower` apart, not nearer than the limit. */
graze_shape_distance grz_shape_distance_none(double lower);
void grz_shape_distance_swap(graze_shape_distance *distance);

/* Sets the numbers of a distance in an interval whose upper end is above 0, of shapes that are certainly apart where
   `apart`; then it is not 0. */
void grz_shape_distance_set(graze_shape_distance *distance, interval bounds, bool apart);

/* Nothing in each other; and, for a start, anything. */
graze_shape_depth grz_shape_depth_none(void);
graze_shape_depth grz_shape_depth_unknown(void);
void grz_shape_depth_swap(graze_shape_depth *depth);

/* Which of two leaves comes first, in an order that depends on the shapes and poses only: -1, 0 or 1. */
int grz_placed_compare(const graze_placed *a, const graze_placed *b);

/* Whether the second comes first: in that order, or, with a cache, which is of one order, by form. */
bool grz_query_swaps(const grz_shape_query *q, const graze_placed *a, const graze_placed *b);

/* A call: its monitor, and the default floating-point environment while it lasts. */
typedef struct grz_shape_call
{
    grz_shape_query query;
    grz_monitor monitor;
    grz_environment environment;
} grz_shape_call;

grz_shape_query *grz_shape_call_begin(grz_shape_call *call, const graze_context *context, const graze_budget *budget,
                                      graze_shape_cache *cache);

/* Writes the cost where it is wanted. */
void grz_shape_call_end(grz_shape_call *call, graze_stats *out_stats);

/* Adds the cost of a step. */
void grz_shape_query_count(grz_shape_query *q, const graze_stats *step);

#endif
