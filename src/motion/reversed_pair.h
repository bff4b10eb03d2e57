/* SPDX-License-Identifier: MIT */
/* Two motions backward in time: the last contact of a pair is the first one of the reversed pair. */
#ifndef GRZ_MOTION_REVERSED_PAIR_H
#define GRZ_MOTION_REVERSED_PAIR_H

#include <stdbool.h>

#include "graze/motion.h"

/* Kernel motions, that have been checked, at 1 - t instead of t, but for a motion of the world that both share: so
   bodies meet at t under the reversed ones where they do at 1 - t under these. Exact; false where no doubles are. In
   the default floating-point environment. */
bool grz_motions_reverse(const graze_motion *a, const graze_motion *b, graze_motion *out_a, graze_motion *out_b);

/* The double of 1 - t next to it, below or above; itself where that is a double. */
double grz_time_reversed_below(double t);
double grz_time_reversed_above(double t);

#endif
