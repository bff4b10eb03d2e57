/* SPDX-License-Identifier: MIT */
/*
 * The volume of four corners of two moving triangles at a time, in double-doubles (base/double_double.h) with a
 * certified error: enough digits to tell between which neighbouring doubles it is 0.
 */
#ifndef GRZ_MOTION_VOLUME_AT_H
#define GRZ_MOTION_VOLUME_AT_H

#include <stdbool.h>

#include "graze/motion.h"

/* A volume is the determinant of three vectors, times the sign that is returned: of two edges, and of the way from a
   corner of one triangle to a corner of the other. Sides and corners are those of motion/moving_pair.h. */
int grz_volume_vectors(int side, int from[3], int to[3]);

typedef struct grz_volume
{
    double value, error; /* the real one is within `error` of `value` */
} grz_volume;

/* orient3d of a side at t, in [0, 1]. False where numbers are too large or too small for the bounds. In the default
   environment. */
bool grz_volume_at(const graze_moving_triangle *a, const graze_moving_triangle *b, int side, double t, grz_volume *out);

#endif
