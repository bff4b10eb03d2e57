/* SPDX-License-Identifier: MIT */
/* A tighter lower bound of a pair's distance in doubles: see axis_bound.c. */
#ifndef GRZ_PAIR_DISTANCE_AXIS_BOUND_H
#define GRZ_PAIR_DISTANCE_AXIS_BOUND_H

#include "pair/distance/triangle_distance.h"

/* Raises the lower bound of a pair that was measured in doubles, by one after the other of its 17 axes, until it is
   at most `enough` below the upper one. A pair whose bound is then above 0 is no longer open. The frame is usable. */
void grz_raise_lower_bound(const grz_measure_frame *frame, double enough, grz_closest_pair *gap);

#endif
