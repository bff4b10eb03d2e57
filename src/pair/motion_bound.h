/* SPDX-License-Identifier: MIT */
/*
 * How far placed vertices move when poses change, at most. When a pose changes by D, a vertex v moves along axis i by
 * |sum_k D_ik v_k + D_i3| <= sum_k |D_ik| w_k, where w_k is the largest |v_k| of the mesh and w_3 = 1. So no two points
 * of A and B come closer to each other than their old distance less sqrt(sum_i (a_i + b_i)^2), with these sums for
 * both. That holds for any matrices, rotations or not. In floating point every term is a product of a difference, not
 * negative, so that the sum of squares has a relative error below 40 u; underflow costs less than the 2^-900 that is
 * added. Overflow and NaN compare as not smaller.
 */
#ifndef GRZ_PAIR_MOTION_BOUND_H
#define GRZ_PAIR_MOTION_BOUND_H

#include <math.h>

#include "graze/pose.h"
#include "math/interval.h"

/* Upper bound of the squared relative motion of any two points of A and B, by the weights w of both. */
static inline double grz_motion_sq(const graze_pose *old_a, const graze_pose *a, const double weights_a[4],
                                   const graze_pose *old_b, const graze_pose *b, const double weights_b[4])
{
    double moves[3][4], sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row_a = a->m + 4 * axis, *row_b = b->m + 4 * axis;
        const double *before_a = old_a->m + 4 * axis, *before_b = old_b->m + 4 * axis;
        for (int k = 0; k < 4; k++) /* vectorized over the axes */
            moves[axis][k] = fabs(row_a[k] - before_a[k]) * weights_a[k] + fabs(row_b[k] - before_b[k]) * weights_b[k];
    }
    for (int axis = 0; axis < 3; axis++)
    {
        double move = (moves[axis][0] + moves[axis][1]) + (moves[axis][2] + moves[axis][3]);
        sum += move * move;
    }
    return sum * (1 + 64 * GRZ_U) + 0x1p-900;
}

#endif
