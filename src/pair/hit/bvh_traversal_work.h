/* SPDX-License-Identifier: MIT */
/* What a traversal works with while it goes on; shared by bvh_traversal.c and small_tree.c. */
#ifndef GRZ_PAIR_HIT_BVH_TRAVERSAL_WORK_H
#define GRZ_PAIR_HIT_BVH_TRAVERSAL_WORK_H

#include "pair/hit/bvh_traversal.h"
#include "pair/hit/leaf_cache.h"
#include "pair/hit/small_tree.h"

enum
{
    GRZ_FULL_MASK = 0xff,
    GRZ_TRANSFORMED_NODES = 64 /* nodes of each tree whose bounds in the other's frame is kept; a power of two */
};

/* Images of nodes in the other tree's frame. */
typedef struct grz_transformed_node_cache
{
    uint32_t keys[GRZ_TRANSFORMED_NODES]; /* node, or GRZ_NO_CHILD */
    grz_transformed8 transformed[GRZ_TRANSFORMED_NODES];
} grz_transformed_node_cache;

typedef struct grz_traversal_work
{
    grz_traversal *traversal;
    const grz_kernels *kernels; /* the traversal's; and the nodes of its trees */
    const grz_node *nodes_a, *nodes_b;
    uint64_t box_tests;
    grz_node_pair *pairs;
    size_t count, capacity;
    grz_float_transform to_a, to_b;
    grz_transformed_node_cache a_node_cache, b_node_cache;
    grz_cached_leaves leaves;
    grz_pair_queue queue;              /* triangles yet to be judged, */
    uint64_t queued[GRZ_QUEUE_LEAVES]; /* and the refs of their leaves, as in the queue's tables */
    grz_small_tree_side
        small_tree; /* further away than what every query needs: before the leaves it cost interior 6 % */
    float b_scale;  /* a length in B's tree coordinates, in A's */
} grz_traversal_work;

static inline unsigned grz_lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

static inline const grz_boxes8 *grz_child_boxes(const graze_tree *tree, uint32_t node)
{
    return node == GRZ_ABOVE_ROOT ? &tree->whole : &tree->nodes[node].boxes;
}

/* Not inlined: looking whether an bounds is kept must stay short. */
void grz_transform_node(const grz_kernels *kernels, const graze_tree *tree, uint32_t node,
                        const grz_float_transform *there, const grz_float_transform *back,
                        grz_transformed_node_cache *cache);

static inline const grz_transformed8 *grz_transformed_node_a(grz_traversal_work *w, uint32_t node)
{
    if (w->a_node_cache.keys[node % GRZ_TRANSFORMED_NODES] != node)
        grz_transform_node(w->kernels, w->traversal->a, node, &w->to_b, &w->to_a, &w->a_node_cache);
    return &w->a_node_cache.transformed[node % GRZ_TRANSFORMED_NODES];
}

static inline const grz_transformed8 *grz_transformed_node_b(grz_traversal_work *w, uint32_t node)
{
    if (w->b_node_cache.keys[node % GRZ_TRANSFORMED_NODES] != node)
        grz_transform_node(w->kernels, w->traversal->b, node, &w->to_a, &w->to_b, &w->b_node_cache);
    return &w->b_node_cache.transformed[node % GRZ_TRANSFORMED_NODES];
}

static inline void grz_push_node_pair(grz_traversal_work *w, uint32_t ref_a, unsigned mask_a, uint32_t ref_b,
                                      unsigned mask_b)
{
    w->pairs[w->count++] = (grz_node_pair){grz_join_halves(ref_a, ref_b), grz_join_halves(mask_a, mask_b)};
}

/* A child named by its place, as a box in its own frame and in the other. */
typedef struct grz_transformed_child
{
    const grz_transformed8 *bounds; /* of its node */
    unsigned lane;
} grz_transformed_child;

/* Compares the leaves at two refs, as far as triangles are in question; what may meet is judged now or later. Returns
   false when the caller asked to stop. */
bool grz_test_leaf_pair(grz_traversal_work *w, uint64_t refs, uint64_t masks, uint32_t leaf_a, uint32_t leaf_b);

/* Judges the queue and proposes what is left of it. Returns false when the caller asked to stop. */
bool grz_test_queued_triangles(grz_traversal_work *w);

/* Turns rows of bits into columns: an 8 x 8 transposition, by exchanging squares of half the size each time. */
static inline uint64_t grz_transpose_8x8(uint64_t x)
{
    uint64_t swap = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ swap ^ swap << 28;
}

#endif
