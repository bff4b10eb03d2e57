/* SPDX-License-Identifier: MIT */
/*
 * Points in tree coordinates; see tree_point.h.
 *
 * Let W(q) = o + S q be the map from tree coordinates to the world, |S d| >= unit |d|. For the point p, any q, and a
 * corner x of a box: |p - W(x)| >= unit |q - x| - |p - W(q)|. So q need not be accurate: the residual |p - W(q)| counts
 * for all errors of q, which is rounded to floats. Its own error: o and S are those of world_tree.c, whose error is at
 * most 64 u times the sum of the magnitudes of all terms, for coordinates up to 2; here that many times `size`, which
 * is enough while |q| <= 64.
 *
 * Distances to boxes (simd/distance_template.h) are sums of three squares of differences of floats: each has a relative
 * error of 2^-23 in any rounding mode, squares and sums add less than 2^-21. Those to slabs have the same errors, and
 * 2^-22 for the length of their direction. Underflow: gaps below 2^-75 may count as 0, which only makes boxes nearer.
 */
#include "pair/depth/tree_point.h"

#include <math.h>

#include "math/matrix.h"
#include "pair/distance/proximity.h"

#define FARTHEST 64.0 /* of coordinates in the tree's frame */

grz_tree_frame grz_tree_frame_make(const grz_placed_body *body)
{
    grz_tree_frame frame = {.world = &body->world};
    if (body->world.tree == NULL)
        return frame;
    double linear[9], error, unit = grz_least_singular_value(&body->placed->pose) * body->world.tree->scale;
    for (int axis = 0; axis < 3; axis++)
    {
        double size = fabs(body->placed->pose.m[4 * axis + 3]) + fabs(body->world.origin[axis]);
        for (int k = 0; k < 3; k++)
        {
            linear[3 * axis + k] = body->world.steps[axis][k];
            size += fabs(body->placed->pose.m[4 * axis + k]) *
                    (fabs(body->world.tree->origin[k]) + 2 * body->world.tree->scale);
        }
        frame.size = fmax(frame.size, size);
    }
    if (unit > 0x1p-200 && unit < 0x1p200 && frame.size < 0x1p200 && matrix_invert(linear, frame.inverse, &error))
        frame.unit = unit * (1 - 8 * GRZ_U);
    return frame;
}

bool grz_tree_point_make(const grz_tree_frame *frame, const double point[3], grz_tree_point *out)
{
    const grz_world_tree *world = frame->world;
    double from[3], sum = 0;
    if (!(frame->unit > 0))
        return false;
    for (int axis = 0; axis < 3; axis++)
        from[axis] = point[axis] - world->origin[axis];
    for (int k = 0; k < 3; k++)
    {
        const double *row = frame->inverse + 3 * k;
        double at = row[0] * from[0] + row[1] * from[1] + row[2] * from[2];
        if (!(fabs(at) < FARTHEST))
            return false;
        out->at[k] = (float)at;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        const double *steps = world->steps[axis];
        double image = world->origin[axis] +
                       (steps[0] * (double)out->at[0] + steps[1] * (double)out->at[1] + steps[2] * (double)out->at[2]);
        double off = point[axis] - image;
        sum += off * off;
    }
    out->unit = frame->unit;
    /* shortcut: residual-of-tree-points */
    out->residual = sqrt(sum) * (1 + 8 * GRZ_U) + 64 * FARTHEST * GRZ_U * frame->size + 0x1p-690;
    return true;
}

float grz_tree_point_limit(const grz_tree_point *point, double distance)
{
    double limit = (distance + point->residual) / point->unit;
    double square = limit * limit * (1 + 0x1p-18) + 0x1p-100;
    return square < 0x1p100 ? (float)square : INFINITY;
}
