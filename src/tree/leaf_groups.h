/* SPDX-License-Identifier: MIT */
/*
 * Groups in a small tree, one that is a single node. Leaves whose boxes are about the same form a group, such as the
 * sides and the ends of a bar: queries then test the box of a group before, and often instead of, its leaves and
 * triangles.
 */
#ifndef GRZ_TREE_LEAF_GROUPS_H
#define GRZ_TREE_LEAF_GROUPS_H

#include "tree/tree.h"

/* Forms the groups of a tree of one node; other trees have none. Boxes and leaves must be up to date. */
void grz_tree_form_groups(graze_tree *tree);

#endif
