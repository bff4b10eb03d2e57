/* SPDX-License-Identifier: MIT */
/* A tree whose nodes have one volume each, of a fixed size: what trees of boxes prepare, own and release. A method's
   state begins with it. */
#ifndef GRZ_PAIR_METHOD_VOLUME_TREE_H
#define GRZ_PAIR_METHOD_VOLUME_TREE_H

#include "pair/method/binary_tree.h"

typedef struct grz_volume_tree
{
    grz_method_tree tree;
    void *volumes; /* by node */
    size_t volume_size;
} grz_volume_tree;

/* Fits all volumes of a state; false when out of memory or stopped. */
typedef bool (*grz_volume_fitter)(void *state, const graze_context *context, const graze_mesh *mesh,
                                  grz_monitor *monitor);

/* Builds the tree by a plan and the caller's parameters, and fits the volumes, which are zeros before. */
graze_status grz_volume_tree_prepare(grz_volume_tree *state, const graze_context *context, const graze_mesh *mesh,
                                     const grz_method_tree_plan *plan, size_t volume_size, grz_volume_fitter fit,
                                     grz_monitor *monitor);

/* As grz_method.release and .memory: `state` begins with a grz_volume_tree, and owns nothing else. */
void grz_volume_tree_release(void *state, const graze_context *context);
size_t grz_volume_tree_memory(const void *state);

#endif
