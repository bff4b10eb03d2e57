/* SPDX-License-Identifier: MIT */
/* Where two moving triangles meet and along which normal: estimates, for results. */
#ifndef GRZ_MOTION_IMPACT_ESTIMATE_H
#define GRZ_MOTION_IMPACT_ESTIMATE_H

#include "graze/motion_query.h"

/* The corners of a triangle of a moving mesh at time t, rounded. */
void grz_moving_corners(const graze_moving_mesh *moving, uint32_t triangle, double t, double out[3][3]);

/* Fills point and normal of an impact whose times and hit are set. */
void grz_impact_estimate(const graze_moving_mesh *a, const graze_moving_mesh *b, graze_impact *impact);

/* The point of an impact of rounded shapes whose cores are these meshes, once its times and triangles are set: midway
   between both surfaces, on the line between the closest points of the cores. */
void grz_impact_estimate_rounded(const graze_moving_mesh *a, const graze_moving_mesh *b, const double radii[2],
                                 graze_impact *impact);

#endif
