/* SPDX-License-Identifier: MIT */
/*
 * Bytes become poses of every kind that code may treat in a way of its own: identity, translations by integers,
 * decimals, one unit in the last place, far away and tiny, negative zeros, quarter turns, mirrors, scales, shears,
 * singular ones, rotations, powers of two at the ends of the range.
 */
#ifndef FUZZ_POSES_H
#define FUZZ_POSES_H

#include "bytes.h"
#include "graze/pose.h"

void take_pose(fuzz_bytes *bytes, graze_pose *out);

/* The identity instead of one with entries at the far ends of the range; see shape_tame. */
void pose_tame(graze_pose *pose);

/* A pose that has to do with another: equal, of the same linear part, off by one unit somewhere; or one of its own. */
void take_related_pose(fuzz_bytes *bytes, const graze_pose *other, graze_pose *out);

#endif
