/* SPDX-License-Identifier: MIT */
/* Turns and rotations in long doubles, by their formulas: the reference of enclosed motions. */
#ifndef TESTS_SUPPORT_ROTATIONS_H
#define TESTS_SUPPORT_ROTATIONS_H

#include <math.h>

#include "graze/motion.h"

/* R(q) (p - centre) with a quaternion of any length. */
static inline void rotate_about(const long double quaternion[4], const double p[3], const double centre[3],
                                long double out[3])
{
    long double q[4], v[3], c[3], d[3], length = 0;
    for (int i = 0; i < 4; i++)
        length += quaternion[i] * quaternion[i];
    for (int i = 0; i < 4; i++)
        q[i] = quaternion[i] / sqrtl(length);
    for (int k = 0; k < 3; k++)
        v[k] = (long double)p[k] - centre[k];
    for (int k = 0; k < 3; k++)
        c[k] = q[(k + 1) % 3 + 1] * v[(k + 2) % 3] - q[(k + 2) % 3 + 1] * v[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        d[k] = q[(k + 1) % 3 + 1] * c[(k + 2) % 3] - q[(k + 2) % 3 + 1] * c[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * q[0] * c[k] + 2 * d[k];
}

/* Where a turn has a point. */
static inline void place_turn(const graze_motion *turn, long double t, const double p[3], long double out[3])
{
    long double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = (1 - t) * turn->quaternion[0][i] + t * turn->quaternion[1][i];
    rotate_about(q, p, turn->centre, out);
    for (int k = 0; k < 3; k++)
        out[k] += turn->path[0][k] + t * turn->path[1][k];
}

static inline double distance_of_points(const long double a[3], const long double b[3])
{
    long double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return (double)sqrtl(sum);
}

#endif
