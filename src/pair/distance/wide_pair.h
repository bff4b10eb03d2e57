/* SPDX-License-Identifier: MIT */
/* Distances of triangle pairs that doubles leave too wide, in twice the precision. See wide_pair.c. */
#ifndef GRZ_PAIR_DISTANCE_WIDE_PAIR_H
#define GRZ_PAIR_DISTANCE_WIDE_PAIR_H

#include "pair/distance/triangle_distance.h"

/* Measures a pair again whose points are known in doubles (`shifted`): bounds at most 2^-36 of the distance apart, and
   it does not meet. False where that does not succeed: then nothing is changed. The result depends on the pair alone.
 */
bool grz_measure_widely(const grz_measure_frame *frame, grz_closest_pair *gap);

#endif
