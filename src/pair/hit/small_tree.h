/* SPDX-License-Identifier: MIT */
/*
 * A small tree, of a single node, against the tree of a larger mesh. As its triangles are few, they are not tested leaf
 * by leaf: each node of the larger tree is visited once, with the set of all candidate triangles, and passes on to each
 * child those that may intersect it.
 */
#ifndef GRZ_PAIR_HIT_SMALL_TREE_H
#define GRZ_PAIR_HIT_SMALL_TREE_H

#include "pair/hit/bvh_traversal.h"

typedef enum grz_small_tree_kind
{
    GRZ_NO_SMALL_TREE,
    GRZ_SMALL_TREE_A, /* A is small, and B is larger */
    GRZ_SMALL_TREE_B
} grz_small_tree_kind;

/* The working state for the small tree during a traversal. */
typedef struct grz_small_tree_side
{
    grz_small_tree_kind is;
    const graze_tree *small, *large; /* the small and the larger tree, and the transforms between them */
    const grz_float_transform *to_small, *to_large;
    float scale;                  /* the length in the larger tree's coordinates of a length 1 in the small one's */
    float smallest;               /* smallest box size tested against groups instead of triangles */
    bool groups_ready;            /* whether `transformed` and `row_sums` have been made */
    grz_transformed8 transformed; /* bounds of the groups, transformed into the larger tree's frame */
    float row_sums[3];            /* of magnitudes in the matrix to the small tree */
    bool triangles_ready;         /* whether the fields below have been made, which takes longer */
    float largest;                /* size of the largest leaf, in the larger tree's coordinates */
    unsigned edge_mask;           /* lanes whose edges have been made */
    grz_triangle_boxes64 triangles;
    grz_edges8 edges[GRZ_LANES];
} grz_small_tree_side;

/* Refs on the stack that stand for a subset of the small tree's triangles, outside small_tree.c for the whole small
   tree. Both masks together are a set of groups (tree/leaf_groups.h), or of triangles: bit 8 lane + i is triangle i of
   the leaf in that lane. */
#define GRZ_GROUPS_REF (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 1)
#define GRZ_TRIANGLES_REF (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 2)

struct grz_traversal_work;
struct grz_transformed_child;

/* Determines which of both trees is small, and resets the state. */
void grz_small_tree_begin(struct grz_traversal_work *work);

/* Tests the whole small tree against the node of the larger tree at a ref, with the node's transformed bounds. */
void grz_small_tree_start(struct grz_traversal_work *work, uint32_t ref, struct grz_transformed_child transformed);

/* Tests a subset of the small tree, as stored on the stack, against the children of the larger tree's node at a ref. */
void grz_small_tree_open(struct grz_traversal_work *work, uint32_t ref, uint32_t small_ref, uint64_t part);

#endif
