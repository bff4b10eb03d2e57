/* SPDX-License-Identifier: MIT */
/*
 * src/math: vectors, intervals and poses in plain doubles: inline, short names, never installed. May use base. Nothing
 * here decides predicates: rounded vectors serve constructions and bounds; src/exact decides signs.
 */
#ifndef GRZ_MATH_VECTOR_H
#define GRZ_MATH_VECTOR_H

#include <math.h>

#include "base/strict_float.h"

typedef struct v3
{
    double x, y, z;
} v3;

static inline v3 v3_make(double x, double y, double z)
{
    v3 v = {x, y, z};
    return v;
}

static inline v3 v3_load(const double *p)
{
    return v3_make(p[0], p[1], p[2]);
}

static inline void v3_store(v3 a, double *p)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

/* The point that a pose's twelve entries move a point to, with the roundings of graze_pose_apply. */
static inline v3 v3_place(const double m[12], const double p[3])
{
    return v3_make(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                   m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
}

static inline v3 v3_add(v3 a, v3 b)
{
    return v3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline v3 v3_sub(v3 a, v3 b)
{
    return v3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline v3 v3_scale(double s, v3 a)
{
    return v3_make(s * a.x, s * a.y, s * a.z);
}

static inline double v3_dot(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline v3 v3_cross(v3 a, v3 b)
{
    return v3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_length(v3 a)
{
    return sqrt(v3_dot(a, a));
}

#endif
