/* SPDX-License-Identifier: MIT */
/*
 * The first impact of a half-space and a shape with a core, both moving: of a polytope or mesh exactly, of one with a
 * radius, or with a margin, by the half-space moved out by it: where that is no double, by those of both doubles around
 * it.
 */
#ifndef GRZ_MOTION_HALF_SPACE_IMPACT_H
#define GRZ_MOTION_HALF_SPACE_IMPACT_H

#include "base/budget_monitor.h"
#include "graze/shape_motion.h"

/* Of kernel motions that were checked, in the default environment; *out_known is false where it is none of these pairs,
   or not known: then ask otherwise. Sets all but the clearance. */
graze_status grz_half_space_impact(const graze_context *context, const graze_moving_shape *const sides[2],
                                   double margin, grz_monitor *monitor, bool *out_known, graze_shape_impact *out);

#endif
