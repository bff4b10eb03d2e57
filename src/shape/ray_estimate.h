/* SPDX-License-Identifier: MIT */
/* An estimate of where a ray enters a convex core with a radius. */
#ifndef GRZ_SHAPE_RAY_ESTIMATE_H
#define GRZ_SHAPE_RAY_ESTIMATE_H

#include "graze/shape.h"

/* About the least t >= 0 with origin + t direction in the shape, a convex core with a radius, where there is one;
   decides nothing. Negative where none was found. */
double grz_ray_estimate(const graze_placed *placed, const double origin[3], const double direction[3]);

#endif
