/* SPDX-License-Identifier: MIT */
/* Moving triangles that certainly stay apart, decided in doubles: the first stage of triangle_impact.c. */
#ifndef GRZ_MOTION_TRIANGLE_FILTER_H
#define GRZ_MOTION_TRIANGLE_FILTER_H

#include <stdbool.h>

#include "graze/motion.h"

/* Whether two triangles with kernel motions certainly have no point in common at any t in [lower, upper], of [0, 1].
   In the default environment. False where that is not shown, or numbers are too large or too small for its bounds. */
bool grz_moving_triangles_apart(const graze_moving_triangle *a, const graze_moving_triangle *b, double lower,
                                double upper);

#endif
