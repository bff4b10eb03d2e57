/* SPDX-License-Identifier: MIT */
/*
 * The filter before the exact test of two moving triangles: separating planes over short intervals of time, in doubles.
 */
#ifndef GRZ_MOTION_PAIR_DOUBT_H
#define GRZ_MOTION_PAIR_DOUBT_H

#include "motion/space_time.h"

/* A time up to which two triangles are certainly more than search->margin apart from the start of the current frame on;
   INFINITY where they are so until its end, or until search->latest. In the default environment. */
double grz_pair_doubt(const grz_space_time *search, uint32_t triangle_a, uint32_t triangle_b);

#endif
