/* SPDX-License-Identifier: MIT */
/*
 * Two primitives in a few numbers (quick_body.h), placed: certainly apart, by a direction along which they are, or
 * certainly together, by a common point; or not known, within a small width around touching.
 */
#ifndef GRZ_SHAPE_QUICK_PAIR_H
#define GRZ_SHAPE_QUICK_PAIR_H

#include "shape/quick_body.h"

typedef struct grz_quick_placed
{
    const grz_quick_body *body; /* placed there */
    const graze_pose *pose;
} grz_quick_placed;

/* Whether the direction separates them: all of A lies before all of B. Certified. */
bool grz_quick_are_apart(grz_quick_placed a, grz_quick_placed b, const double direction[3]);

/* Whether the point lies in both. Certified. */
bool grz_quick_share_point(grz_quick_placed a, grz_quick_placed b, const double point[3]);

/* Searches for such a direction, which replaces *direction, or such a point. `direction` is where it begins; zeros:
   none. UNKNOWN where neither is found. */
graze_verdict grz_quick_pair_search(grz_quick_placed a, grz_quick_placed b, double direction[3], double out_point[3]);

#endif
