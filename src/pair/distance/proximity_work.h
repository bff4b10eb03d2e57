/* SPDX-License-Identifier: MIT */
/*
 * The working state of a proximity search of two trees: proximity_trees.c opens nodes, proximity_leaves.c bounds leaves
 * and proposes triangles, initial_bound.c finds an initial bound.
 */
#ifndef GRZ_PAIR_DISTANCE_PROXIMITY_WORK_H
#define GRZ_PAIR_DISTANCE_PROXIMITY_WORK_H

#include "pair/distance/aligned_frame.h"
#include "pair/transformed_nodes.h"

/* A pair yet to be visited; a and b are refs: node * 8 + lane. */
typedef struct grz_proximity_pair
{
    float square; /* square of its lower bound */
    uint32_t a, b;
} grz_proximity_pair;

enum
{
    GRZ_PROXIMITY_INLINE = 1024, /* pairs on the stack without an allocation */
    GRZ_PROXIMITY_CACHED = 32,   /* cached leaves of each tree; a power of two */
    GRZ_CHILD_PAIRS = GRZ_TREE_WIDTH * GRZ_TREE_WIDTH
};

/* Leaves in the kernels' format: A's in their own frame, B's rotated into A's axes. */
typedef struct grz_proximity_leaf_cache
{
    uint32_t keys[GRZ_PROXIMITY_CACHED];
    grz_facets8 facets[GRZ_PROXIMITY_CACHED];
    grz_leaf_placement placements[GRZ_PROXIMITY_CACHED]; /* B's only */
} grz_proximity_leaf_cache;

/* Leaves of both trees for the tests of overlap, B's rotated and widened by the bound, and their pairs of triangles not
   yet tested. */
typedef struct grz_proximity_overlaps
{
    grz_pair_queue queue;
    uint32_t keys[2][GRZ_PROXIMITY_CACHED];
    grz_corners8 corners[2][GRZ_PROXIMITY_CACHED];
    grz_leaf_transform rotation;
    float widening; /* of B's corners, in A's unit of length */
} grz_proximity_overlaps;

typedef struct grz_proximity_work
{
    grz_transformed_nodes a_node_cache, b_node_cache; /* first, as they are aligned */
    grz_proximity_search *proximity;
    grz_distance_frame frame;
    const grz_distance_kernels *distances;
    const grz_kernels *overlaps; /* NULL, or those for boxes widened by the bound, which does not shrink then */
    grz_float_transform wide_to_a, wide_to_b;
    grz_proximity_overlaps overlapping;
    const graze_pose *pose_a, *pose_b;
    grz_aligned_frame aligned;
    bool is_aligned;           /* whether lower bounds are computed in `aligned` */
    unsigned frames_left;      /* aligned frames that may still be made */
    unsigned trials_left;      /* pairs that may still be opened in them */
    uint32_t first_a, first_b; /* refs of the leaves whose pairs were proposed for the initial bound */
    float bound;               /* proximity->bound in the frame's unit, squared, rounded up */
    grz_proximity_leaf_cache a_leaves, b_leaves;
    grz_triangle_pair_batch batch;
    grz_proximity_pair *pairs;
    size_t count, capacity;
    grz_proximity_pair inline_pairs[GRZ_PROXIMITY_INLINE];
} grz_proximity_work;

static inline unsigned grz_lowest_lane(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline uint32_t grz_child_at(const graze_tree *tree, uint32_t ref)
{
    return tree->nodes[ref / GRZ_TREE_WIDTH].children[ref % GRZ_TREE_WIDTH];
}

/* Inserts into pairs that are sorted, the nearest first. */
static inline void grz_proximity_insert(grz_proximity_pair *pairs, unsigned count, grz_proximity_pair pair)
{
    unsigned i = count;
    for (; i > 0 && pairs[i - 1].square > pair.square; i--)
        pairs[i] = pairs[i - 1];
    pairs[i] = pair;
}

/* Which nodes of a pair are opened. */
typedef struct grz_descent
{
    bool a, b; /* neither when both are leaves */
} grz_descent;

grz_descent grz_choose_descent(const grz_proximity_work *w, uint32_t ref_a, uint32_t ref_b);

/* Converts the bound of the search to floats. */
void grz_proximity_update_bound(grz_proximity_work *w);

/* Collects the triangle pairs of the leaves at two refs that may be near; they are proposed in batches of eight, or at
   once while there is no bound. Returns false when the caller asked to stop. */
bool grz_proximity_test_leaves(grz_proximity_work *w, uint32_t ref_a, uint32_t ref_b);

/* Proposes the pairs of the queue that may be near, and all that are left. Returns false when the caller asked to stop.
 */
bool grz_proximity_finish(grz_proximity_work *w);

/* Proposes the collected pairs. Returns false when the caller asked to stop. */
bool grz_proximity_flush(grz_proximity_work *w);

/* Finds an initial bound, in a frame along the line between the centres. Returns false when the caller asked to stop.
 */
bool grz_proximity_initial_bound(grz_proximity_work *w);

#endif
