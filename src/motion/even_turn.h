/* SPDX-License-Identifier: MIT */
/* Motions that turn at even speed: screw, slerp, twist; see graze_motion in graze/motion.h. */
#ifndef GRZ_MOTION_EVEN_TURN_H
#define GRZ_MOTION_EVEN_TURN_H

#include <stdbool.h>

#include "graze/motion.h"

enum
{
    GRZ_EVEN_DEPTH_MAX = 24 /* a piece is 2^-24 of the motion at least */
};

static inline bool grz_motion_is_even(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_SCREW || motion->kind == GRAZE_MOTION_SLERP ||
           motion->kind == GRAZE_MOTION_TWIST;
}

/* How far off rotations of the turn that encloses a piece of length 2^-k may be, as an angle. */
double grz_even_turn_error(const graze_motion *turn, int k);

/* Checks the numbers of a turn, even or not. */
graze_status grz_motion_check_turn(const graze_motion *motion);

#endif
