/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles that move by kernel motions with small integers and neighbours of them, so that they are mostly
 * degenerate; and their contact at a time k/16, where all coordinates of both are integers after one scaling.
 */
#ifndef SUPPORT_MOVING_TRIANGLES_H
#define SUPPORT_MOVING_TRIANGLES_H

#include "graze/motion.h"
#include "support/random.h"

typedef struct moving_triangles
{
    double corners[2][3][3], end_corners[2][3][3];
    bool soft[2]; /* whether end_corners count */
    graze_motion motions[2];
    bool whole; /* all numbers are small integers */
} moving_triangles;

void moving_triangles_draw(test_random *random, moving_triangles *out);

graze_moving_triangle moving_triangle(const moving_triangles *pair, int side);

/* The contact at t = k/16 of a pair whose numbers are small integers. */
graze_triangle_contact moving_triangles_contact(const moving_triangles *pair, int k);

/* Whether the first impact is what Sturm chains say. */
bool moving_triangles_agree(const moving_triangles *pair, const graze_impact_interval *answer);

#endif
