/* SPDX-License-Identifier: MIT */
/*
 * What the places of some points tell of others; see penetration_work.h. A ray through a body takes as long as a
 * distance, and the points that are asked for lie close to one another.
 *
 * Why that is exact. A ball around a point p with a radius of its distance to a surface holds no point of the surface
 * within. So every point q of the ball is reached from p along a segment that meets no surface, and lies inside or
 * outside as p does. It does not matter which of the two the ball is around.
 *
 * Rounding, with u = GRZ_U: a difference of coordinates is off by u, its square by 3 u and one more rounding, the sum
 * of three by 2 u more: 16 u covers the sum and that of the product with it, 4 u the square of the distance. What
 * underflows or is taken for zero is less than 2^-1018 in all; 2^-1000 covers it. A sum that overflows is below
 * nothing.
 */
#include <string.h>

#include "math/interval.h"
#include "pair/depth/penetration_work.h"

void grz_located_points_add(grz_located_points *known, const double point[3], double distance, bool inside)
{
    grz_located_point *located = &known->points[known->count++ % GRZ_MOST_LOCATED_POINTS];
    memcpy(located->point, point, sizeof located->point);
    located->distance = distance;
    located->inside = inside;
}

bool grz_located_points_classify(const grz_located_points *known, const double point[3], double distance,
                                 bool *out_inside)
{
    size_t count = known->count < GRZ_MOST_LOCATED_POINTS ? known->count : GRZ_MOST_LOCATED_POINTS;
    for (size_t i = 0; i < count; i++)
    {
        const grz_located_point *located = &known->points[i];
        double radius = distance > located->distance ? distance : located->distance, square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += (point[axis] - located->point[axis]) * (point[axis] - located->point[axis]);
        if (!(square * (1 + 16 * GRZ_U) + 0x1p-1000 < radius * radius * (1 - 4 * GRZ_U)))
            continue;
        /* shortcut: located-nearby */
        *out_inside = located->inside;
        return true;
    }
    return false;
}
