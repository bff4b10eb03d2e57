/* SPDX-License-Identifier: MIT */
/*
 * A handful of triangles, a mesh whose tree is a single node, against the tree of a larger mesh. As its triangles are
 * few, they are not taken leaf by leaf: each node of the larger tree is visited once, with the set of all triangles
 * still in question there, and hands on to each child those that may meet it.
 */
#ifndef GRZ_PAIR_HIT_SMALL_TREE_H
#define GRZ_PAIR_HIT_SMALL_TREE_H

#include "pair/hit/bvh_traversal.h"

typedef enum grz_small_tree_kind
{
    GRZ_NO_SMALL_TREE,
    GRZ_SMALL_TREE_A, /* A is one, and B is larger */
    GRZ_SMALL_TREE_B
} grz_small_tree_kind;

/* What is known of the handful during a visit. */
typedef struct grz_small_tree_side
{
    grz_small_tree_kind is;
    const graze_tree *few, *many; /* the handful and the other tree, and the ways between them */
    const grz_float_transform *to_few, *to_many;
    float scale;           /* a length of the handful's, in the other's coordinates */
    float smallest;        /* size of boxes that are compared with groups */
    bool has_groups;       /* whether these are known: */
    grz_transformed8 seen; /* the boxes of groups, as the other tree sees them */
    float row_sums[3];     /* of magnitudes in the matrix to the handful */
    bool has_triangles;    /* and these, which takes longer: */
    float largest;         /* size of a leaf, in the other tree's coordinates */
    unsigned edged;        /* lanes whose edges are known */
    grz_triangle_boxes64 triangles;
    grz_edges8 edges[GRZ_LANES];
} grz_small_tree_side;

/* On the stack these stand for a part of the handful, to others for the handful as a whole. Both masks together are the
   set of groups (tree/leaf_groups.h), or the set of triangles: bit 8 lane + ref is one in the leaf in that lane. */
#define GRZ_GROUPS_REF (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 1)
#define GRZ_TRIANGLES_REF (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 2)

struct grz_traversal_work;
struct grz_transformed_child;

/* Which of both trees is a handful; nothing else is known of it. */
void grz_small_tree_begin(struct grz_traversal_work *work);

/* The whole handful against the node of the other tree at a ref, seen as given. */
void grz_small_tree_start(struct grz_traversal_work *work, uint32_t ref, struct grz_transformed_child seen);

/* A part of the handful, as it is on the stack, against the children of what is at a ref of the other tree. */
void grz_small_tree_open(struct grz_traversal_work *work, uint32_t ref, uint32_t few_ref, uint64_t part);

#endif
