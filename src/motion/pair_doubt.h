/* SPDX-License-Identifier: MIT */
/*
 * The filter before the exact test of two moving triangles: separating planes over short intervals of time, in doubles.
 */
#ifndef GRZ_MOTION_PAIR_DOUBT_H
#define GRZ_MOTION_PAIR_DOUBT_H

#include "motion/space_time.h"

/* Sets the second word of each pair of triangles to the bits of a time up to which they are certainly more than
   search->margin apart from the start of the current frame on; INFINITY where they are so until its end, or until
   search->latest. In the default environment. */
void grz_pair_doubts(const grz_space_time *search, grz_node_pair *pairs, size_t count);

#endif
