/* SPDX-License-Identifier: MIT */
/*
 * Finds the pairs of triangles of two placed meshes that may be nearer to each other than a bound, which may shrink on
 * the way: what distance and tolerance have in common.
 *
 * With trees, both are visited at once, nearest pairs of boxes first; a few triangles that are too small for that are
 * compared with one tree. Where poses or numbers forbid both, boxes around the placed triangles are arranged in plain
 * binary trees made for the query, which is slower and right for everything.
 */
#ifndef GRZ_PAIR_DISTANCE_PROXIMITY_H
#define GRZ_PAIR_DISTANCE_PROXIMITY_H

#include "base/budget_monitor.h"
#include "pair/distance/triangle_distance.h"
#include "pair/relative_pose.h"

/* How near is near. */
typedef struct grz_distance_bound
{
    double distance; /* in world units; INFINITY is none */
    bool witnessed;  /* whether there are points about that far apart: these, in the world less A's translation, */
    double point_a[3], point_b[3]; /* which only guide the search */
} grz_distance_bound;

/* Pairs of triangles that may be nearer than the bound, up to eight at a time. May lessen it; returns false to stop. */
typedef bool (*grz_proximity_function)(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound);

typedef struct grz_proximity_search
{
    const graze_context *context;
    grz_distance_bound bound;
    grz_proximity_function propose;
    void *user;
    bool shrinking; /* whether the bound may get less: then a pair may be proposed twice, to have a bound soon */
    uint64_t most_node_pairs; /* of pairs of nodes and leaves, with trees; 0: any number */
    bool gave_up;             /* because of that: pairs may be missing */
    uint64_t box_tests, leaf_pairs;
    bool out_of_memory;
    grz_monitor *monitor; /* may be NULL; stopped by it, pairs may be missing */
} grz_proximity_search;

/* Proposes every pair whose distance is at most the bound that holds in the end, unless it is stopped. */
void grz_proximity_search_run(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);

/* Counts box tests, and pairs of leaves as those of their triangles. Returns whether to go on. */
static inline bool grz_proximity_goes_on(grz_proximity_search *proximity, uint64_t box_tests, uint64_t leaf_pairs)
{
    proximity->box_tests += box_tests;
    proximity->leaf_pairs += leaf_pairs;
    return proximity->monitor == NULL || (grz_monitor_work(proximity->monitor, leaf_pairs * GRZ_LANES * GRZ_LANES) &&
                                          grz_monitor_box_tests(proximity->monitor, box_tests));
}

/* The three ways: two trees; one tree and a few triangles; boxes made for the query. The first two return false, having
   done nothing, when they cannot. */
bool grz_proximity_trees(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);
bool grz_proximity_sphere(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);
void grz_proximity_aabbs(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b);

/* A lower bound on the distance of two meshes with trees, most of it or `enough`, when it is worth having,
   being `least` or more, and `openings` suffice to find it; otherwise 0, which is always right. The monitor may be
   NULL.
 */
double grz_distance_lower_bound(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                double least, double enough, unsigned openings, grz_monitor *monitor);

/* What two placed trees need to be compared. */
typedef struct grz_distance_frame
{
    const graze_tree *a, *b;
    grz_tree_transform to_a_exact;
    grz_float_transform to_a, to_b;
    double unit;              /* the world length of a length 1 in A's tree coordinates, at least */
    float factor_a, factor_b; /* squares of what lengths in tree coordinates count at least, in that unit */
    float b_scale;            /* a length in B's tree coordinates, in A's, about */
} grz_distance_frame;

/* A lower bound on the least singular value of a pose's matrix: how much of a length it keeps. 0 when there is none. */
double grz_least_singular_value(const graze_pose *pose);

/* False when trees or poses do not allow it. */
bool grz_distance_frame_make(grz_distance_frame *frame, const graze_placed_mesh *a, const graze_placed_mesh *b);

#endif
