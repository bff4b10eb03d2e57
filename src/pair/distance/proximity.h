/* SPDX-License-Identifier: MIT */
/*
 * Proximity search: finds the pairs of triangles of two placed meshes that may be nearer to each other than a bound,
 * which may shrink during the search. Distance and tolerance queries are built on it.
 *
 * With two trees it is a branch and bound over both, depth first, the nearest child pair first. A few triangles that
 * are too small for that are compared with one tree. Where poses or numbers allow neither, binary trees of the placed
 * triangles' AABBs are made for the query, which is slower and works for every input.
 */
#ifndef GRZ_PAIR_DISTANCE_PROXIMITY_H
#define GRZ_PAIR_DISTANCE_PROXIMITY_H

#include "base/budget_monitor.h"
#include "pair/distance/triangle_distance.h"
#include "pair/relative_pose.h"

/* The current upper bound of a search. */
typedef struct grz_distance_bound
{
    double distance;               /* in world units; INFINITY: no bound */
    bool witnessed;                /* whether the points below are set, about that far apart */
    double point_a[3], point_b[3]; /* in the world less A's translation; they only guide the search */
} grz_distance_bound;

/* Pairs of triangles that may be nearer than the bound, up to eight at a time. May reduce it; returns false to stop. */
typedef bool (*grz_proximity_function)(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound);

typedef struct grz_proximity_search
{
    const graze_context *context;
    grz_distance_bound bound;
    grz_proximity_function propose;
    void *user;
    bool shrinking; /* whether the bound may shrink: then a pair may be proposed twice, to find an initial bound */
    uint64_t most_node_pairs; /* limit of the node and leaf pairs opened, with trees; 0: none */
    bool gave_up;             /* the limit was reached: pairs may be missing */
    uint64_t box_tests, leaf_pairs;
    bool out_of_memory;
    grz_monitor *monitor; /* may be NULL; when it stops the search, pairs may be missing */
} grz_proximity_search;

/* Proposes every pair whose distance is at most the final bound, unless it is stopped. */
void grz_proximity_search_run(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);

/* Counts box tests, and leaf pairs as their triangle pairs. Returns whether to continue. */
static inline bool grz_proximity_may_continue(grz_proximity_search *proximity, uint64_t box_tests, uint64_t leaf_pairs)
{
    proximity->box_tests += box_tests;
    proximity->leaf_pairs += leaf_pairs;
    return proximity->monitor == NULL || (grz_monitor_work(proximity->monitor, leaf_pairs * GRZ_LANES * GRZ_LANES) &&
                                          grz_monitor_box_tests(proximity->monitor, box_tests));
}

/* The four methods: one tree and the oriented box around a few triangles; two trees; one tree and the bounding sphere
   of a few triangles; AABB trees made for the query. All but the last return false, having done nothing, where they do
   not apply. */
bool grz_proximity_box(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);
bool grz_proximity_trees(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);
bool grz_proximity_sphere(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);
void grz_proximity_aabbs(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);

/* A lower bound of the distance of two meshes with trees: a large share of the distance, or `enough`. It is 0, which is
   always valid, where that would be less than `least`, or where `openings` node pairs do not suffice to find it. The
   monitor may be NULL. */
double grz_distance_lower_bound(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                double least, double enough, unsigned openings, grz_monitor *monitor);

/* The transforms and scales for comparing two placed trees. */
typedef struct grz_distance_frame
{
    const graze_tree *a, *b;
    grz_tree_transform to_a_exact;
    grz_float_transform to_a, to_b;
    double unit;              /* lower bound of the world length of a length 1 in A's tree coordinates */
    double unit_b;            /* the same of B's */
    float factor_a, factor_b; /* of squared tree lengths, for lower bounds of squared lengths in that unit */
    float b_scale;            /* the length in A's tree coordinates, about, of a length 1 in B's */
} grz_distance_frame;

/* A lower bound of the least singular value of a pose's matrix: how much it shortens a vector at most. 0 when none is
   known. */
double grz_least_singular_value(const graze_pose *pose);

/* False when trees or poses do not allow it. */
bool grz_distance_frame_make(grz_distance_frame *frame, const graze_placed_mesh *a, const graze_placed_mesh *b);

#endif
