/* SPDX-License-Identifier: MIT */
/*
 * Generates poses from bytes, of every kind that code may treat specially: identity, translations by integers,
 * decimals, one ulp, far away and tiny, negative zeros, quarter turns, reflections, scales, shears, singular matrices,
 * rotations, powers of two at the ends of the range.
 */
#ifndef FUZZ_POSES_H
#define FUZZ_POSES_H

#include "bytes.h"
#include "graze/pose.h"

void take_pose(fuzz_bytes *bytes, graze_pose *out);

/* A rotation or mirrored rotation, exact or rounded, with any translation: what shapes with a radius may have. */
void take_rigid_pose(fuzz_bytes *bytes, graze_pose *out);

/* Replaces poses with entries at the far ends of the range by the identity; see shape_tame. */
void pose_tame(graze_pose *pose);

/* A pose related to another: equal, with the same linear part, different by one ulp; or an independent one. */
void take_related_pose(fuzz_bytes *bytes, const graze_pose *other, graze_pose *out);

#endif
