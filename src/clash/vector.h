/* SPDX-License-Identifier: MIT */
/* Vectors in rounded doubles, for estimates: placed points, normals, solid angles. Nothing here decides a verdict that
 * is called exact. */
#ifndef GRZ_CLASH_VECTOR_H
#define GRZ_CLASH_VECTOR_H

#include <math.h>
#include <stddef.h>

#include "graze/pose.h"

typedef struct vector
{
    double x, y, z;
} vector;

static inline vector vector_make(double x, double y, double z)
{
    return (vector){x, y, z};
}

static inline vector vector_add(vector a, vector b)
{
    return vector_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vector vector_sub(vector a, vector b)
{
    return vector_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vector vector_scale(double s, vector a)
{
    return vector_make(s * a.x, s * a.y, s * a.z);
}

static inline double vector_dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector vector_cross(vector a, vector b)
{
    return vector_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vector_length(vector a)
{
    return sqrt(vector_dot(a, a));
}

/* A point under a pose, rounded. */
static inline vector vector_place(const graze_pose *pose, const double *p)
{
    const double *m = pose->m;
    return vector_make(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                       m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
}

#endif
