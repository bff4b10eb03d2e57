/* SPDX-License-Identifier: MIT */
/* The point of a simplex that is nearest to the origin. See simplex.c. */
#ifndef GRZ_CONVEX_SIMPLEX_H
#define GRZ_CONVEX_SIMPLEX_H

#include "math/vector.h"

typedef struct grz_simplex_point
{
    v3 point;
    double weights[4]; /* of the corners; not negative, their sum is 1 but for rounding */
    unsigned corners;  /* bits of those with a weight above 0; all four: the origin is inside */
} grz_simplex_point;

/* Finds it for one to four corners. It only guides searches, and serves as a mixture of corners: any weights would be
   right for that. */
void grz_simplex_nearest(const v3 *corners, int count, grz_simplex_point *out_nearest);

#endif
