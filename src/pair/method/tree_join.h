/* SPDX-License-Identifier: MIT */
/*
 * Trees from the leaves up: triangles are put in the order of their centroids on a Morton curve, and neighbours there
 * are joined, those first whose box around both is smallest (Walter et al. 2008; D. Meister, J. Bittner, Parallel
 * locally-ordered clustering for bounding volume hierarchy construction, 2018).
 */
#ifndef GRZ_PAIR_METHOD_TREE_JOIN_H
#define GRZ_PAIR_METHOD_TREE_JOIN_H

#include "pair/method/binary_tree.h"

/* Two parts that were joined; a number below the count of elements is an element, the others are joints in order. */
typedef struct grz_tree_joint
{
    uint32_t parts[2];
    uint32_t count; /* of elements below */
} grz_tree_joint;

/* count - 1 joints, the last of all elements; the caller releases them. Without a mesh elements are points. False when
   out of memory or stopped. */
bool grz_tree_join(const graze_context *context, const graze_mesh *mesh, const double (*centroids)[3], size_t count,
                   grz_monitor *monitor, grz_tree_joint **out_joints);

#endif
