/* SPDX-License-Identifier: MIT */
/* The working state of a running traversal; shared by bvh_traversal.c, bvh_traversal_leaves.c and small_tree.c. */
#ifndef GRZ_PAIR_HIT_BVH_TRAVERSAL_WORK_H
#define GRZ_PAIR_HIT_BVH_TRAVERSAL_WORK_H

#include "pair/hit/bvh_traversal.h"
#include "pair/hit/leaf_cache.h"
#include "pair/hit/small_tree.h"
#include "simd/set_bits.h"

enum
{
    GRZ_FULL_MASK = 0xff
};

/* Pairs of triangles that are taken without the test of floats, GRZ_CONTACT_PAIRS at a time, from two lists: likely
   coplanar ones are in the second. */
typedef struct grz_untested_pairs
{
    unsigned batches; /* that are still taken so, */
    unsigned row;     /* and how many are in a row */
    bool started;     /* whether what follows is in use */
    grz_untested_list lists[2];
    uint32_t leaf_keys[2][GRZ_CACHED_LEAVES];
    grz_leaf_corners leaves[2][GRZ_CACHED_LEAVES]; /* of A and of B, cached */
} grz_untested_pairs;

typedef struct grz_traversal_work
{
    grz_traversal *traversal;
    const grz_kernels *kernels; /* copies from the traversal and its trees */
    const grz_node *nodes_a, *nodes_b;
    uint64_t box_tests;
    grz_node_pair *pairs;
    size_t count, capacity;
    grz_float_transform to_a, to_b;
    grz_transformed_nodes a_node_cache, b_node_cache;
    grz_cached_leaves leaves;
    grz_pair_queue queue;              /* triangle pairs yet to be tested */
    uint64_t queued[GRZ_QUEUE_LEAVES]; /* refs of their leaves, indexed as the queue's tables */
    grz_small_tree_side small_tree;    /* after the rest: before the leaves it cost the lab's `interior` 6 % */
    float b_scale;                     /* the length in A's tree coordinates of a length 1 in B's */
    grz_untested_pairs untested;
} grz_traversal_work;

static inline const grz_transformed8 *grz_transformed_node_a(grz_traversal_work *w, uint32_t node)
{
    return grz_transformed_node(&w->a_node_cache, w->traversal->a, node, w->kernels->transform, &w->to_b, &w->to_a);
}

static inline const grz_transformed8 *grz_transformed_node_b(grz_traversal_work *w, uint32_t node)
{
    return grz_transformed_node(&w->b_node_cache, w->traversal->b, node, w->kernels->transform, &w->to_a, &w->to_b);
}

static inline void grz_push_node_pair(grz_traversal_work *w, uint32_t ref_a, unsigned mask_a, uint32_t ref_b,
                                      unsigned mask_b)
{
    w->pairs[w->count++] = (grz_node_pair){grz_join_halves(ref_a, ref_b), grz_join_halves(mask_a, mask_b)};
}

/* A child named by its node's transformed bounds and its lane. */
typedef struct grz_transformed_child
{
    const grz_transformed8 *bounds; /* of its node */
    unsigned lane;
} grz_transformed_child;

/* Tests the leaves at two refs, the triangles in the masks only; pairs that may intersect are queued or tested. Returns
   false when the caller asked to stop. */
bool grz_test_leaf_pair(grz_traversal_work *w, uint64_t refs, uint64_t masks, uint32_t leaf_a, uint32_t leaf_b);

/* Tests the queued pairs, where there are any, and proposes those left. Returns false when the caller asked to stop. */
bool grz_test_last_triangles(grz_traversal_work *w);

#endif
