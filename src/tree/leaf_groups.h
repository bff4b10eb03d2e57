/* SPDX-License-Identifier: MIT */
/*
 * A tree that is a single node stands for a handful of triangles. Its leaves form groups, those together whose boxes
 * are about the same, such as the sides and the ends of a bar: queries then compare the box around a group before, and
 * often instead of, its leaves and triangles.
 */
#ifndef GRZ_TREE_LEAF_GROUPS_H
#define GRZ_TREE_LEAF_GROUPS_H

#include "tree/tree.h"

/* Forms the groups of a tree of one node; of others there are none. Boxes and leaves must be up to date. */
void grz_tree_form_groups(graze_tree *tree);

#endif
