/* SPDX-License-Identifier: MIT */
/*
 * Node bounds of a BVH transformed into the other tree's frame, in a direct-mapped cache: a simultaneous traversal of
 * two trees comes back to the same nodes often. Shared by the traversals for hits and for distances.
 */
#ifndef GRZ_PAIR_TRANSFORMED_NODES_H
#define GRZ_PAIR_TRANSFORMED_NODES_H

#include <string.h>

#include "tree/tree.h"

enum
{
    GRZ_TRANSFORMED_NODES = 64 /* cached nodes of a tree; a power of two */
};

/* The kernel: of grz_kernels for hits, of grz_distance_kernels for distances, which fuses no products. */
typedef void (*grz_transform_function)(const grz_boxes8 *boxes, const grz_float_transform *there,
                                       const grz_float_transform *back, grz_transformed8 *out);

typedef struct grz_transformed_nodes
{
    uint32_t keys[GRZ_TRANSFORMED_NODES]; /* node, or GRZ_NO_CHILD */
    grz_transformed8 transformed[GRZ_TRANSFORMED_NODES];
} grz_transformed_nodes;

/* A virtual node above the root: its only child is the root, its only box that of the whole tree. */
#define GRZ_ABOVE_ROOT UINT32_C(0x1fffffff)

static inline const grz_boxes8 *grz_child_boxes(const graze_tree *tree, uint32_t node)
{
    return node == GRZ_ABOVE_ROOT ? &tree->whole : &tree->nodes[node].boxes;
}

static inline unsigned grz_lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

/* Empties the cache. */
static inline void grz_transformed_nodes_start(grz_transformed_nodes *cache)
{
    memset(cache->keys, 0xff, sizeof cache->keys);
}

/* The transformed bounds of a node; `there` leads into the other tree's frame, `back` from it. */
static inline const grz_transformed8 *grz_transformed_node(grz_transformed_nodes *cache, const graze_tree *tree,
                                                           uint32_t node, grz_transform_function transform,
                                                           const grz_float_transform *there,
                                                           const grz_float_transform *back)
{
    if (cache->keys[node % GRZ_TRANSFORMED_NODES] != node)
    {
        transform(grz_child_boxes(tree, node), there, back, &cache->transformed[node % GRZ_TRANSFORMED_NODES]);
        cache->keys[node % GRZ_TRANSFORMED_NODES] = node;
    }
    return &cache->transformed[node % GRZ_TRANSFORMED_NODES];
}

#endif
