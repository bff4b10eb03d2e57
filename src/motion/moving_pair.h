/* SPDX-License-Identifier: MIT */
/* Two moving triangles as moving points: 0 to 2 are the corners of the first, 3 to 5 those of the second. */
#ifndef GRZ_MOTION_MOVING_PAIR_H
#define GRZ_MOTION_MOVING_PAIR_H

#include "motion/moving_body.h"
#include "motion/moving_points.h"

typedef struct grz_moving_pair
{
    grz_moving_points base;
    grz_moving_body *bodies[2]; /* what is not made yet is made when it is needed */
    grz_moving_body storage[2];
} grz_moving_pair;

void grz_moving_pair_make(grz_moving_pair *pair, grz_scratch *scratch, const graze_moving_triangle *a,
                          const graze_moving_triangle *b);

#endif
