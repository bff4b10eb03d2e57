/* SPDX-License-Identifier: MIT */
/* Trees of k-dops in bytes: a header, the nodes, their dops and the order of the triangles (Klosowski et al. 1998: 8 k
   + 12 bytes a node). */
#ifndef GRZ_PAIR_METHOD_DOP_TREE_SAVED_H
#define GRZ_PAIR_METHOD_DOP_TREE_SAVED_H

#include "pair/method/dop_tree.h"

/* 0 for a tree of own directions. */
size_t grz_dop_tree_saved_size(const grz_dop_tree *tree);
void grz_dop_tree_save(const grz_dop_tree *tree, void *buffer);

/* Fills a tree whose kind is set; released by the caller in any case. See graze_method_body_load. */
graze_status grz_dop_tree_load(grz_dop_tree *tree, const graze_context *context, const graze_mesh *mesh,
                               const void *bytes, size_t size);

#endif
