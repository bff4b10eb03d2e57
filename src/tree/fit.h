/* SPDX-License-Identifier: MIT */
/*
 * Fitting a tree to its mesh: everything in nodes and leaves that depends on where vertices are. Building decides which
 * triangles share a leaf and which leaves a node; fitting writes boxes, slabs and leaf grids, all of them certain to
 * hold the real triangles in any rounding mode. Refitting is fitting again.
 */
#ifndef GRZ_TREE_FIT_H
#define GRZ_TREE_FIT_H

#include "base/shared_monitor.h"
#include "tree/tree.h"

/* Chooses origin and exponent so that all vertices fall into [-1, 1], or says that the tree cannot be used. */
void grz_tree_choose_frame(graze_tree *tree);

/*
 * Writes boxes, slabs and grids below every node, and the box around everything. Children, order and the triangles of
 * each leaf are there already, in the order that tree.h promises. Takes a little memory when the context has several
 * threads, and does without them when there is none. False when the monitor, which may be NULL, stopped it.
 */
bool grz_tree_fit(const graze_context *context, grz_shared_monitor *monitor, graze_tree *tree);

#endif
