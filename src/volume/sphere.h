/* SPDX-License-Identifier: MIT */
/* Spheres as bounding volumes. */
#ifndef GRZ_VOLUME_SPHERE_H
#define GRZ_VOLUME_SPHERE_H

#include <stdbool.h>

#include "math/interval.h"

typedef struct grz_bounding_sphere
{
    double centre[3], radius;
} grz_bounding_sphere;

static inline double grz_sphere_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Whether two spheres, enlarged by `slack`, overlap. The squared distance is too small by 8 u at most, and the square
   of the radii as well, which 2^-45 of it covers; `slack` is not 0. */
static inline bool grz_spheres_overlap(const grz_bounding_sphere *a, const double b_centre[3], double b_radius,
                                       double slack)
{
    double x = a->centre[0] - b_centre[0], y = a->centre[1] - b_centre[1], z = a->centre[2] - b_centre[2];
    double reach = (a->radius + b_radius + slack) * (1 + 0x1p-45);
    return x * x + y * y + z * z <= reach * reach;
}

/* Enlarges a sphere, in place, so that it contains another; rounded outward. */
static inline void grz_sphere_enclose(grz_bounding_sphere *sphere, const grz_bounding_sphere *other)
{
    double reach = (grz_sphere_distance(sphere->centre, other->centre) + other->radius) * (1 + 0x1p-45);
    sphere->radius = reach > sphere->radius ? reach : sphere->radius;
}

#endif
