/* SPDX-License-Identifier: MIT */
/* Curved surfaces in motion, and what their first impact must be. */
#ifndef SUPPORT_MOVING_SURFACES_H
#define SUPPORT_MOVING_SURFACES_H

#include "graze/motion_method.h"

/* One that stands at the origin. */
graze_moving_surface moving_surface_make(graze_curved_kind kind, double x, double y, double z);

/* From (x, y, z) on it moves by (dx, dy, dz). */
void moving_surface_shift(graze_moving_surface *surface, double x, double y, double z, double dx, double dy, double dz);

graze_motion_method_answer moving_surface_ask(const graze_moving_surface *a, const graze_moving_surface *b);

/* They meet first at that time, which is found to 2^-20. */
void moving_surface_expect(const graze_moving_surface *a, const graze_moving_surface *b, double time);

#endif
