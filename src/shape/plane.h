/* SPDX-License-Identifier: MIT */
/* What queries of half-spaces share. */
#ifndef GRZ_SHAPE_PLANE_H
#define GRZ_SHAPE_PLANE_H

#include "shape/half_space.h"
#include "shape/query.h"

/* A placed half-space, which is large: allocated, and released by the caller. Fails with SINGULAR or OUT_OF_MEMORY. */
graze_status grz_plane_create(grz_shape_query *q, const graze_placed *placed, grz_half_space **out);

/* A unit vector along its direction, in doubles. */
void grz_plane_direction(const grz_half_space *h, double out[3]);

/* A way out along the normal: its length is minus the signed gap, and the deepest common point is as deep. */
graze_shape_depth grz_plane_depth(const grz_half_space *h, interval gap, graze_verdict overlap);

#endif
