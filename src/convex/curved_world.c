/* SPDX-License-Identifier: MIT */
#include "convex/curved_world.h"

#include <math.h>

/* Scaling is exact but for denormal results, which it changes by less than 2^-1074. */
double grz_curved_lower_to_world(double length, int exponent)
{
    if (!(length > 0))
        return 0;
    double world = fmin(ldexp(length, exponent), DBL_MAX);
    return world < 0x1p-1021 ? fmax(0, world - 0x1p-1074) : world;
}

double grz_curved_upper_to_world(double length, int exponent)
{
    if (!(length > 0))
        return 0;
    double world = ldexp(length, exponent);
    return world < 0x1p-1021 ? world + 0x1p-1074 : world;
}

double grz_curved_signed_lower_to_world(double value, int exponent)
{
    return value >= 0 ? grz_curved_lower_to_world(value, exponent) : -grz_curved_upper_to_world(-value, exponent);
}

double grz_curved_signed_upper_to_world(double value, int exponent)
{
    return value >= 0 ? grz_curved_upper_to_world(value, exponent) : -grz_curved_lower_to_world(-value, exponent);
}

double grz_curved_length_to_world(double length, int exponent)
{
    return ldexp(length, exponent);
}

/* The pair's origin is the anchor of its first body. */
void grz_curved_point_to_world(const grz_curved_pair *pair, const grz_convex_body *first, v3 point, double out[3])
{
    double offset[3];
    v3_store(point, offset);
    const double *m = first->pose.m;
    for (int i = 0; i < 3; i++)
    {
        double origin = m[4 * i + 3];
        if (first->kind == GRZ_CONVEX_POLYTOPE)
        {
            const double *v = first->vertices[0];
            origin += m[4 * i] * v[0] + m[4 * i + 1] * v[1] + m[4 * i + 2] * v[2];
        }
        out[i] = origin + ldexp(offset[i], pair->exponent);
    }
}
