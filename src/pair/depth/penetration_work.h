/* SPDX-License-Identifier: MIT */
/*
 * The two searches of a penetration depth: the deepest point, a lower bound, and the separating translation, an upper
 * bound. They may alternate; each stops when it reaches the bound of the other.
 */
#ifndef GRZ_PAIR_DEPTH_PENETRATION_WORK_H
#define GRZ_PAIR_DEPTH_PENETRATION_WORK_H

#include "graze/distance.h"
#include "pair/solid/overlap.h"

/* Queries made and allowed: distance queries and trial translations; and the time limit. */
typedef struct grz_depth_budget
{
    uint32_t queries, max_queries;
    grz_monitor *monitor; /* may be NULL */
} grz_depth_budget;

/* Whether another query is allowed. */
bool grz_depth_budget_left(const grz_depth_budget *budget);

/* Measures a distance as one of them; the monitor's status where that has stopped it. */
graze_status grz_depth_distance(grz_depth_budget *budget, const graze_context *context, const graze_placed_mesh *a,
                                const graze_placed_mesh *b, double relative_error, graze_distance *out_distance);

/* Two bodies in the order of grz_arguments_swapped, and their hits. */
typedef struct grz_pair_hits
{
    grz_body_pair body_pair;
    grz_hits hits;
    bool swapped;
} grz_pair_hits;

/* Makes both bodies, unless they are given, and finds all hits. penetration_depth.c */
graze_status grz_pair_hits_make(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_body *body_a, const graze_body *body_b, grz_monitor *monitor,
                                grz_pair_hits *out);
void grz_pair_hits_release(grz_pair_hits *s);

/* BAD_ARGUMENT also unless the relative error and the seconds are not negative, and the former is finite. */
graze_status grz_depth_check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b, double relative_error,
                                       double seconds);

graze_pair_counts grz_count_hits(const grz_hits *hits);

/* ---- lower bound ---- */

/* A point of one body inside the other. */
typedef struct grz_deepest_point
{
    double depth; /* certified lower bound of its distance to the other surface; 0: none found */
    int side;     /* the body it belongs to */
    double point[3], nearest[3];
    uint32_t triangle, other_triangle; /* of `point`, GRZ_NO_TRIANGLE in the interior; and of `nearest` */
} grz_deepest_point;

#define GRZ_NO_TRIANGLE UINT32_MAX

/* A piece of a triangle, an AABB, or a tree node with all triangles below it. */
typedef struct grz_depth_node
{
    double bound;         /* upper bound of the depth of its points */
    double corners[3][3]; /* of an AABB or tree node: lower, upper, unused; of the root: unused */
    uint32_t triangle;    /* GRZ_NO_TRIANGLE: an AABB */
    uint8_t side;         /* the body it belongs to; its depth is that in the other */
    uint8_t halvings;     /* bisections since the whole triangle or AABB */
    bool measured;        /* whether the bound comes from a distance query, not from AABBs alone */
    bool branch;          /* a node of its side's tree: `triangle` is the node or, with GRZ_LEAF_FLAG, the leaf */
} grz_depth_node;

/* A point with its location in a body and a lower bound of its distance to the surface: every point nearer to it than
   that has the same location. */
typedef struct grz_located_point
{
    double point[3], distance;
    bool inside;
} grz_located_point;

enum
{
    GRZ_MOST_LOCATED_POINTS = 64
};

typedef struct grz_located_points
{
    grz_located_point points[GRZ_MOST_LOCATED_POINTS]; /* ring buffer */
    size_t count;                                      /* of all points ever added */
} grz_located_points;

void grz_located_points_add(grz_located_points *known, const double point[3], double distance, bool inside);

/* Whether the cache decides the location of a point whose distance to the surface is at least `distance`. Exact. */
bool grz_located_points_classify(const grz_located_points *known, const double point[3], double distance,
                                 bool *out_inside);

typedef struct grz_depth_search
{
    const grz_body_pair *body_pair;
    grz_depth_budget *budget;
    double relative_error;
    graze_mesh *probe_mesh; /* a single point, translated to each query point */
    graze_tree *probe_tree;
    bool *asked[2];                 /* per merged vertex: whether it was measured */
    double errors[2];               /* error bound of computed surface points, per side */
    grz_located_points known[2];    /* points located in each side */
    GRZ_ARRAY(grz_depth_node) heap; /* largest bound first */
    grz_deepest_point best;
} grz_depth_search;

/* Fails with OUT_OF_MEMORY, leaving nothing to release. */
graze_status grz_depth_search_start(grz_depth_search *search, const grz_body_pair *body_pair, grz_depth_budget *budget,
                                    double relative_error);

/* Searches until no point can be deeper by more than the relative error, the depth is at least `enough`, or the budget
   or `max_queries` are used up. UNFINISHED when the time ends during a query: `best` stays valid. */
graze_status grz_depth_search_run(grz_depth_search *search, double enough, uint32_t max_queries);

/* Adds interior points to the search when both bodies are closed. */
graze_status grz_depth_search_interior(grz_depth_search *search);

/* Measures the best point again, with relative error 0. */
graze_status grz_depth_search_refine(grz_depth_search *search);

void grz_depth_search_end(grz_depth_search *search);

/* ---- upper bound ---- */

/* A translation of side 1, or its negative of side 0, after which the bodies do not overlap. */
typedef struct grz_separating_translation
{
    double length; /* rounded up; INFINITY: none found */
    double translation[3];
} grz_separating_translation;

/* Searches for a short separating translation. `deepest` suggests a direction; `shortest` is a lower bound. */
graze_status grz_find_separating_translation(grz_body_pair *body_pair, const grz_hits *hits,
                                             const grz_deepest_point *deepest, double shortest, double relative_error,
                                             grz_depth_budget *budget, grz_separating_translation *out_translation);

/* Tries the few translations in directions out of the contact that are hardly longer than the deepest point is deep. */
graze_status grz_find_short_separation(grz_body_pair *body_pair, const grz_hits *hits, const grz_deepest_point *deepest,
                                       double relative_error, grz_depth_budget *budget,
                                       grz_separating_translation *out_translation);

/* The answer of graze_pair_depth but for counts, `reached` and `queries`. penetration_depth.c */
graze_depth grz_depth_report(const grz_pair_hits *s, const grz_deepest_point *deepest,
                             const grz_separating_translation *way, graze_verdict overlap);

#endif
