/* SPDX-License-Identifier: MIT */
/* A placed box in the frame of a placed tree, for the kernels for oriented boxes (simd/distance.h). */
#ifndef GRZ_PAIR_DISTANCE_ORIENTED_BOX_H
#define GRZ_PAIR_DISTANCE_ORIENTED_BOX_H

#include <stdbool.h>

#include "graze/pose.h"
#include "simd/distance.h"
#include "tree/tree.h"

/* The box reaches from -half to half on each axis of its own, under its pose. `unit` becomes a lower bound of the
   length in the world of a gap of 1 that the kernels give. False where the poses are no rotations, or numbers are out
   of range. */
bool grz_tree_frame_box_make(const graze_tree *tree, const graze_pose *tree_pose, const double half[3],
                             const graze_pose *box_pose, grz_tree_frame_box *out, double *out_unit);

/* Takes all that is no farther from the box than `radius` in the world: gaps are shorter by that. False where the
   radius is out of range. */
bool grz_tree_frame_box_set_radius(const graze_tree *tree, double radius, grz_tree_frame_box *box);

/* Sets the direction along which gaps are computed too, given in the world, of any length but 0; it should lead from
   the box to what is near. */
void grz_tree_frame_box_set_axis(const graze_pose *tree_pose, const double direction[3], grz_tree_frame_box *box);

#endif
