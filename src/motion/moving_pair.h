/* SPDX-License-Identifier: MIT */
/* Two moving triangles as moving points: 0 to 2 are the corners of the first, 3 to 5 those of the second. */
#ifndef GRZ_MOTION_MOVING_PAIR_H
#define GRZ_MOTION_MOVING_PAIR_H

#include "motion/moving_body.h"
#include "motion/moving_points.h"

enum
{
    GRZ_PAIR_SIDES = 6 + 9 /* corners and faces, pairs of edges */
};

typedef struct grz_moving_pair
{
    grz_moving_points base;
    grz_moving_body *bodies[2]; /* what is not made yet is made when it is needed */
    grz_moving_body storage[2];
    struct grz_pair_sides /* orient3d of corners in the order of grz_pair_side_corners */
    {
        unsigned made;
        grz_polynomial polynomials[GRZ_PAIR_SIDES];
    } * sides, sides_storage;
} grz_moving_pair;

void grz_moving_pair_make(grz_moving_pair *pair, grz_scratch *scratch, const graze_moving_triangle *a,
                          const graze_moving_triangle *b);

/* Which volume orient3d(a, b, c, d) is, and whether it is the negated one; its corners: of a face and a corner of the
   other triangle, or of two edges. */
int grz_pair_side(int a, int b, int c, int d, bool *negated);
void grz_pair_side_corners(int side, int out[4]);

#endif
