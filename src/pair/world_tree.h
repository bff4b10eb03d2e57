/* SPDX-License-Identifier: MIT */
/*
 * The tree of a placed mesh as the world sees it: boxes along the world's axes around what is below a node, so that
 * questions about one body (where is a point, what reaches into a box, how far does it reach) need not look at every
 * triangle.
 */
#ifndef GRZ_PAIR_WORLD_TREE_H
#define GRZ_PAIR_WORLD_TREE_H

#include "graze/pair.h"
#include "tree/tree.h"

typedef struct grz_world_tree
{
    const graze_tree *tree; /* NULL: there is none that helps */
    double origin[3];       /* the world's coordinates of the tree's origin, */
    double steps[3][3];     /* what each of the tree's axes adds to each of them, */
    double slack[3];        /* and what boxes are widened by */
} grz_world_tree;

/* A tree of the mesh, which may be NULL, under a pose; a NULL pose moves nothing. Without a tree where there is none,
   and at the far ends of the range. */
grz_world_tree grz_world_tree_make(const graze_mesh *mesh, const graze_tree *tree, const graze_pose *pose);

/* The boxes of a node's children, of those that are there. Each holds all that grz_place_point says of corners below,
   intervals and all. */
typedef struct grz_world_aabbs
{
    double lower[3][GRZ_TREE_WIDTH], upper[3][GRZ_TREE_WIDTH];
} grz_world_aabbs;

void grz_world_tree_child_aabbs(const grz_world_tree *world, uint32_t node, grz_world_aabbs *out_boxes);

/* The largest direction . v over all vertices v of triangles, as doubles give it, with the tree's help: the same number
   as from looking at each, or at most `tolerance` less. In the frame of the mesh. The tree is usable and has nodes.
   *vertex is where to look first, and becomes where that is. */
double grz_tree_support(const graze_tree *tree, const double direction[3], double tolerance, uint32_t *vertex);

#endif
