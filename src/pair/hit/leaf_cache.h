/* SPDX-License-Identifier: MIT */
/*
 * Leaves of two trees: tests of their triangles against each other, and of the triangles of one against boxes of the
 * other. The kernels' data for a leaf is cached, as a leaf usually comes up again soon.
 */
#ifndef GRZ_PAIR_HIT_LEAF_CACHE_H
#define GRZ_PAIR_HIT_LEAF_CACHE_H

#include "pair/relative_pose.h"

enum
{
    GRZ_CACHED_LEAVES = 16, /* cached leaves of each tree; a power of two */
    GRZ_OPENED_LEAVES = 8   /* opened leaves of each tree; a power of two */
};

/* A leaf's triangles as boxes with slabs, in its own frame and transformed into the other tree's. */
typedef struct grz_opened_leaf
{
    grz_boxes8 boxes;
    grz_transformed8 transformed;
    grz_edges8 edges; /* made when first needed, see has_edges */
    bool has_edges;
} grz_opened_leaf;

/* The cached leaves of one tree. */
typedef struct grz_cached_leaf_side
{
    uint32_t cached_keys[GRZ_CACHED_LEAVES], opened_keys[GRZ_OPENED_LEAVES];
    grz_corners8 cached[GRZ_CACHED_LEAVES]; /* A's in their own frame, B's rotated into A's axes */
    grz_opened_leaf opened[GRZ_OPENED_LEAVES];
} grz_cached_leaf_side;

typedef struct grz_cached_leaves
{
    const grz_kernels *kernels;
    const graze_tree *a, *b;
    const grz_tree_transform *to_a;
    const grz_float_transform *float_to_a, *float_to_b;
    bool has_rotation; /* whether `rotation` has been made */
    grz_leaf_transform rotation;
    grz_cached_leaf_side side_a, side_b;
} grz_cached_leaves;

/* Stores all arguments, which must outlive it. */
void grz_cached_leaves_start(grz_cached_leaves *leaves, const grz_kernels *kernels, const graze_tree *a,
                             const graze_tree *b, const grz_tree_transform *to_a, const grz_float_transform *float_to_a,
                             const grz_float_transform *float_to_b);

/* Two leaves by index, for the kernels. */
const grz_corners8 *grz_cached_leaf_a(grz_cached_leaves *leaves, uint32_t index);
const grz_corners8 *grz_cached_leaf_b(grz_cached_leaves *leaves, uint32_t index);

/* Queues the pairs of triangles of two leaves whose boxes overlap; leaves by index, triangles by masks. */
void grz_cached_leaves_queue(grz_cached_leaves *leaves, uint32_t leaf_a, unsigned rows, uint32_t leaf_b, unsigned lanes,
                             grz_pair_queue *queue);

/* Leaves are scattered in memory: prefetches one that is needed soon. Does nothing for a child that is no leaf. */
static inline void grz_prefetch_leaf(const graze_tree *tree, uint32_t child)
{
    if ((child & GRZ_LEAF_FLAG) == 0)
        return;
    const grz_leaf *leaf = &tree->leaves[child & ~GRZ_LEAF_FLAG];
    for (int i = 0; i < 3; i++)
        __builtin_prefetch(leaf->triangles.corners[i][i]); /* every 64 bytes */
    __builtin_prefetch(&leaf->count);
}

/* A leaf of A, or of B, as the boxes of its triangles. */
grz_opened_leaf *grz_open_leaf_a(grz_cached_leaves *leaves, uint32_t leaf_a);
grz_opened_leaf *grz_open_leaf_b(grz_cached_leaves *leaves, uint32_t leaf_b);

/* The edges of a leaf that was just opened, in the frame of the other tree. */
const grz_edges8 *grz_leaf_edges_a(grz_cached_leaves *leaves, uint32_t leaf_a, grz_opened_leaf *opened);
const grz_edges8 *grz_leaf_edges_b(grz_cached_leaves *leaves, uint32_t leaf_b, grz_opened_leaf *opened);

#endif
