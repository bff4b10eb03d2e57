/* SPDX-License-Identifier: MIT */
/*
 * The k-dop paper's ways of tumbling (Klosowski et al. 1998, 3.3), beside duality (volume/k_dop.h): around the moved
 * vertices of a node's dop as it was built, never of one that was moved, or it would grow from pose to pose; and of the
 * root exactly, by walks on the body's convex hull to its extreme vertices.
 */
#ifndef GRZ_PAIR_METHOD_DOP_TUMBLING_H
#define GRZ_PAIR_METHOD_DOP_TUMBLING_H

#include "pair/method/dop_tree.h"

typedef struct grz_dop_tumbling grz_dop_tumbling;

/* What a way needs of a tree whose dops are fitted; *out stays NULL where duality and corners are all. Of own
   directions no vertices are kept: the one that is farthest along a direction is found by the dual simplex method
   (grz_dop_support), which bounds the dop by the same number. */
graze_status grz_dop_tumbling_create(const grz_dop_tree *tree, const graze_context *context, const graze_mesh *mesh,
                                     graze_tumbling way, grz_monitor *monitor, grz_dop_tumbling **out);
void grz_dop_tumbling_destroy(grz_dop_tumbling *tumbling, const graze_context *context);
size_t grz_dop_tumbling_memory(const grz_dop_tumbling *tumbling);

/* The moved dop of a node; false where it is to be moved by duality. */
bool grz_dop_tumble(const grz_dop_mover *mover, uint32_t node, double *out);

#endif
