/* SPDX-License-Identifier: MIT */
/*
 * Fitting a tree to its mesh: all data of nodes and leaves that depends on vertex positions. Building decides which
 * triangles share a leaf and which leaves a node; fitting writes boxes, slabs and quantised leaves, all of them
 * conservative bounds of the real triangles in any rounding mode. Refitting is fitting again.
 */
#ifndef GRZ_TREE_FIT_H
#define GRZ_TREE_FIT_H

#include "base/shared_monitor.h"
#include "tree/tree.h"

/* Chooses origin and exponent so that all vertices fall into [-1, 1], or marks the tree unusable. */
void grz_tree_choose_frame(graze_tree *tree);

/*
 * Writes boxes, slabs and quantised corners below every node, and the bounds of the whole. Children, order and the
 * triangles of each leaf are set already, in the order of tree.h. Allocates a little memory when the context has
 * several threads, and works without them when there is none. False when the monitor, which may be NULL,
 * stopped it.
 */
bool grz_tree_fit(const graze_context *context, grz_shared_monitor *monitor, graze_tree *tree);

#endif
