/* SPDX-License-Identifier: MIT */
/*
 * First impacts of two moving triangles that need no integers: one volume of the fifteen is 0 at the time, it passes
 * through 0 there, and all else is certain in doubles and double-doubles. The answers are those of integers, bit for
 * bit; what is not certain is left to them.
 */
#ifndef GRZ_MOTION_ORDINARY_IMPACT_H
#define GRZ_MOTION_ORDINARY_IMPACT_H

#include "motion/triangle_filter.h"

typedef enum grz_ordinary_answer
{
    GRZ_ORDINARY_NONE = 0, /* they do not meet in the interval */
    GRZ_ORDINARY_FOUND,    /* they meet first in it */
    GRZ_ORDINARY_UNKNOWN
} grz_ordinary_answer;

/* How they meet, and the volume that is 0 then: which of motion/moving_pair.h, and its sign before, in the interval. */
typedef struct grz_ordinary_contact
{
    graze_moving_contact contact;
    int side, sign_before;
} grz_ordinary_contact;

/* Whether triangles that do not meet before an interval in which they may meet do so in it, and how. In the default
   environment. */
grz_ordinary_answer grz_ordinary_impact(const grz_moving_arcs *arcs, const graze_moving_triangle *a,
                                        const graze_moving_triangle *b, const grz_meeting_piece *piece,
                                        grz_ordinary_contact *out);

#endif
