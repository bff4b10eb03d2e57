/* SPDX-License-Identifier: MIT */
/*
 * The BVH of a placed mesh in world coordinates: AABBs in the world around the children of a node, so that queries
 * about one body (point location, overlap with a box, support) need not test every triangle.
 */
#ifndef GRZ_PAIR_WORLD_TREE_H
#define GRZ_PAIR_WORLD_TREE_H

#include "graze/pair.h"
#include "tree/tree.h"

typedef struct grz_world_tree
{
    const graze_tree *tree; /* NULL: no usable tree */
    double origin[3];       /* the tree's origin in the world */
    double steps[3][3];     /* the tree's axes in the world, by row: world axis, tree axis */
    double slack[3];        /* added to boxes on each side */
} grz_world_tree;

/* A tree of the mesh, which may be NULL, under a pose; a NULL pose is the identity. `tree` is NULL in the result
   without a usable tree, and at the far ends of the range. */
grz_world_tree grz_world_tree_make(const graze_mesh *mesh, const graze_tree *tree, const graze_pose *pose);

/* World AABBs of a node's children; those of absent ones are undefined. Each contains the intervals that
   grz_place_point gives for the corners below. */
typedef struct grz_world_aabbs
{
    double lower[3][GRZ_TREE_WIDTH], upper[3][GRZ_TREE_WIDTH];
} grz_world_aabbs;

void grz_world_tree_child_aabbs(const grz_world_tree *world, uint32_t node, grz_world_aabbs *out_boxes);

/* The support function: the largest direction . v, computed in doubles, over all vertices v of triangles, by a
   traversal of the tree; the same number as from testing each vertex, or at most `tolerance` less. In the frame of the
   mesh. The tree is usable and has nodes. *vertex is tested first, and is set to the support vertex. */
double grz_tree_support(const graze_tree *tree, const double direction[3], double tolerance, uint32_t *vertex);

#endif
