/* SPDX-License-Identifier: MIT */
/* What queries of half-spaces share. */
#ifndef GRZ_SHAPE_PLANE_H
#define GRZ_SHAPE_PLANE_H

#include "shape/half_space.h"
#include "shape/query.h"

/* A placed half-space, which is large: allocated, and released by the caller. Fails with SINGULAR or OUT_OF_MEMORY. */
graze_status grz_plane_create(grz_shape_query *q, const graze_placed *placed, grz_half_space **out);

/* A unit vector along its direction, in doubles, and how far along it the plane is from the origin: not finite where
   that is beyond their range. */
void grz_plane_estimate(grz_half_space *h, double out_direction[3], double *out_offset);
void grz_plane_direction(grz_half_space *h, double out[3]);

/* A way out along the normal: its length is minus the signed gap, and the deepest common point is as deep. */
graze_shape_depth grz_plane_depth(grz_half_space *h, interval gap, graze_verdict overlap);

#endif
