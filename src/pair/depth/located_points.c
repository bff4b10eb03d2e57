/* SPDX-License-Identifier: MIT */
/*
 * A cache of located points, which locates points near them without a ray; see penetration_work.h. A ray takes as long
 * as a distance query, and the query points lie close to one another.
 *
 * Why this is exact. The open ball around a point p whose radius is its distance to a surface contains no point of the
 * surface. So the segment from p to any point q of the ball does not meet the surface, and q is inside or outside like
 * p. The ball may as well be centred at q.
 *
 * Rounding, with u = GRZ_U: a difference of coordinates has a relative error of u, its square 3 u and one more
 * rounding, the sum of three 2 u more: 16 u covers the sum and the product with it, 4 u the squared radius. Underflow
 * and flushed denormals amount to less than 2^-1018 in all; 2^-1000 covers them. A sum that overflows fails the
 * comparison.
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
