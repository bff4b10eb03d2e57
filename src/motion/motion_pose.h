/* SPDX-License-Identifier: MIT */
/* The pose of a motion at a time, with an error bound for rotation and translation each: entries of the one are about
 * 1, those of the other as large as the unit of length makes them. */
#ifndef GRZ_MOTION_MOTION_POSE_H
#define GRZ_MOTION_MOTION_POSE_H

#include "graze/motion.h"

/* So a point p is off by at most `linear` |p|_1 + `translation` on each axis. */
typedef struct grz_pose_error
{
    double linear;      /* of each entry of the 3x3 matrix */
    double translation; /* of each coordinate of the translation */
} grz_pose_error;

/* graze_motion_pose with both bounds. */
graze_status grz_motion_pose(const graze_motion *motion, double t, graze_pose *out_pose, grz_pose_error *out_error);

#endif
