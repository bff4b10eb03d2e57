/* SPDX-License-Identifier: MIT */
/*
 * The first time at which a mesh meets a half-space, both moving: that at which the first corner of a triangle is in
 * it, exactly. So it is the same for the convex hull, and for a solid.
 */
#ifndef GRZ_MOTION_PLANE_IMPACT_H
#define GRZ_MOTION_PLANE_IMPACT_H

#include "base/budget_monitor.h"
#include "graze/mesh.h"
#include "graze/motion.h"

/* The points n . q <= d of its body. */
typedef struct grz_moving_half_space
{
    const graze_motion *motion;
    double normal[3], offset;
} grz_moving_half_space;

typedef struct grz_plane_impact
{
    bool known; /* false: a matrix of the half-space may have no inverse at some time */
    bool found;
    double lower, upper; /* the doubles around it: equal, or neighbours; both 0: at the start */
    uint32_t triangle;   /* one with such a corner; */
    int corner;          /* it is this one */
} grz_plane_impact;

/* Of kernel motions that were checked, in the default environment. OUT_OF_MEMORY, and as the monitor says. */
graze_status grz_plane_impact_find(const graze_context *context, const grz_moving_half_space *half_space,
                                   const graze_mesh *mesh, const graze_motion *motion, grz_monitor *monitor,
                                   grz_plane_impact *out);

#endif
