/* SPDX-License-Identifier: MIT */
/*
 * The two halves of a depth: the deepest point, which bounds it from below, and the way out, which bounds it from
 * above. Both may be run in turns; what one finds tells the other when to stop.
 */
#ifndef GRZ_PAIR_DEPTH_PENETRATION_WORK_H
#define GRZ_PAIR_DEPTH_PENETRATION_WORK_H

#include "graze/distance.h"
#include "pair/solid/overlap.h"

/* How much may still be looked at. */
typedef struct grz_depth_budget
{
    uint32_t queries, max_queries;
    grz_monitor *monitor; /* may be NULL */
} grz_depth_budget;

/* Whether there may be another query. */
bool grz_depth_budget_left(const grz_depth_budget *budget);

/* Measures a distance as one of them; the monitor's status where that has stopped it. */
graze_status grz_depth_distance(grz_depth_budget *budget, const graze_context *context, const graze_placed_mesh *a,
                                const graze_placed_mesh *b, double relative_error, graze_distance *out_distance);

/* ---- from below ---- */

/* A point of one body in the other. */
typedef struct grz_deepest_point
{
    double depth; /* its distance to the other surface, certified; 0: none found */
    int side;     /* whose it is */
    double point[3], nearest[3];
    uint32_t triangle, other_triangle; /* on which they lie; the first may be GRZ_NO_TRIANGLE */
} grz_deepest_point;

#define GRZ_NO_TRIANGLE UINT32_MAX

/* A piece of a triangle, or a box, or all triangles below a place of a tree, and the most that a point of it may be
   deep. */
typedef struct grz_depth_node
{
    double bound;
    double corners[3][3]; /* of a box: the lowest, the highest, and nothing */
    uint32_t triangle;    /* GRZ_NO_TRIANGLE: a box */
    uint8_t side;         /* whose piece it is; its depth is that in the other */
    uint8_t halvings;     /* since it was the triangle */
    bool measured;        /* whether the bound comes from a distance, not from boxes alone */
    bool branch;          /* of its side's tree: `triangle` is the child then, and has no corners here */
} grz_depth_node;

/* Points whose place with respect to a body was found out, and how far from its surface they are at least: what is
   nearer to one of them than that lies where it does. */
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
    grz_located_point points[GRZ_MOST_LOCATED_POINTS]; /* the last ones */
    size_t count;                                      /* of all there were */
} grz_located_points;

void grz_located_points_add(grz_located_points *known, const double point[3], double distance, bool inside);

/* Whether they tell where another point is that is so far from the surface at least. Exact. */
bool grz_located_points_classify(const grz_located_points *known, const double point[3], double distance,
                                 bool *out_inside);

typedef struct grz_depth_search
{
    const grz_body_pair *body_pair;
    grz_depth_budget *budget;
    double relative_error;
    graze_mesh *probe_mesh; /* one point, placed where the distance is asked for */
    graze_tree *probe_tree;
    bool *asked[2];                 /* vertices that were asked, merged */
    double errors[2];               /* how far a computed point may lie off its surface */
    grz_located_points known[2];    /* points that were located in each side */
    GRZ_ARRAY(grz_depth_node) heap; /* the most promising first */
    grz_deepest_point best;
} grz_depth_search;

/* Fails with OUT_OF_MEMORY, leaving nothing to release. */
graze_status grz_depth_search_start(grz_depth_search *search, const grz_body_pair *body_pair, grz_depth_budget *budget,
                                    double relative_error);

/* Searches until nothing can be deeper by more than the relative error, the depth is `enough`, or the budget or
   `max_queries` are used up. UNFINISHED when the time ends within a query: what was found before is right still. */
graze_status grz_depth_search_run(grz_depth_search *search, double enough, uint32_t max_queries);

/* Looks at the insides as well from now on, where both are closed: points of one body in the other need not lie on its
   surface. */
graze_status grz_depth_search_interior(grz_depth_search *search);

/* Measures the point that was found once more, without the relative error. */
graze_status grz_depth_search_refine(grz_depth_search *search);

void grz_depth_search_end(grz_depth_search *search);

/* ---- from above ---- */

/* A translation after which the two are apart; that of side 1 by it, or of side 0 by its negative. */
typedef struct grz_separating_translation
{
    double length; /* rounded up; INFINITY: none found */
    double translation[3];
} grz_separating_translation;

/* Looks for a short one. `deepest` guides, and nothing shorter than its depth is tried. */
graze_status grz_find_separating_translation(grz_body_pair *body_pair, const grz_hits *hits,
                                             const grz_deepest_point *deepest, double relative_error,
                                             grz_depth_budget *budget, grz_separating_translation *out_translation);

#endif
