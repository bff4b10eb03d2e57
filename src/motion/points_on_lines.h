/* SPDX-License-Identifier: MIT */
/* Four points that move on lines: a vertex and a face, or two edges. */
#ifndef GRZ_MOTION_POINTS_ON_LINES_H
#define GRZ_MOTION_POINTS_ON_LINES_H

#include "motion/moving_points.h"

enum
{
    GRZ_POINTS_ON_LINES = 4
};

typedef struct grz_points_on_lines
{
    grz_moving_points base;
    grz_polynomial x[GRZ_POINTS_ON_LINES][3];
} grz_points_on_lines;

/* places[i][0] is point i at t = 0, places[i][1] at t = 1. Each axis has a unit of its own, a power of two, which
   changes no sign. */
void grz_points_on_lines_make(grz_points_on_lines *points, grz_scratch *scratch, double places[4][2][3]);

#endif
