/* SPDX-License-Identifier: MIT */
/*
 * Newton's method for distance(origin + t direction, core) = radius. The distance from a convex set is a convex
 * function of t, so that steps from the left never pass the first root; its derivative is that along the line to the
 * closest point.
 */
#include "shape/ray_estimate.h"

#include <math.h>

#include "convex/convex_pair.h"
#include "shape/convex_part.h"

enum
{
    MOST_STEPS = 48
};

/* The distance of a point from the core, and the unit vector to its closest point. False where it is not known. */
static bool measure(const grz_convex_body *core, const double point[3], double *out_distance, double out_way[3])
{
    static const grz_convex_limits limits = {0, INFINITY};
    const grz_convex_body body = {.kind = GRZ_CONVEX_POLYTOPE,
                                  .vertices = (const double(*)[3])point,
                                  .vertex_count = 1,
                                  .pose = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    grz_convex_distance d;
    double length = 0;
    grz_convex_pair_distance(&body, core, NULL, &limits, &d);
    if (d.verdict != GRZ_CONVEX_APART)
        return false;
    for (int k = 0; k < 3; k++)
    {
        out_way[k] = d.points[1][k] - d.points[0][k];
        length = hypot(length, out_way[k]);
    }
    for (int k = 0; k < 3 && length > 0; k++)
        out_way[k] /= length;
    *out_distance = 0.5 * d.lower + 0.5 * d.upper;
    return length > 0 && *out_distance < INFINITY;
}

double grz_ray_estimate(const graze_placed *placed, const double origin[3], const double direction[3])
{
    grz_convex_body core;
    double t = 0;
    if (!grz_shape_convex_body(placed, &core))
        return -1;
    core.radius = 0;
    for (int step = 0; step < MOST_STEPS; step++)
    {
        double point[3], distance, way[3], speed = 0;
        for (int k = 0; k < 3; k++)
            point[k] = origin[k] + t * direction[k];
        if (!measure(&core, point, &distance, way))
            return -1;
        for (int k = 0; k < 3; k++)
            speed += way[k] * direction[k];
        double gap = distance - placed->shape->radius, next = t + gap / speed;
        if (!(speed > 0) || !(next < INFINITY))
            return -1;
        if (!(next > t))
            return t;
        t = next;
    }
    return t;
}
