/* SPDX-License-Identifier: MIT */
/*
 * Temporal coherence of motions: a lower bound of the distance of two rigid meshes at two poses proves that nothing
 * meets for as long as both together move by less (conservative advancement with one step). It is kept from one motion
 * to the next.
 */
#ifndef GRZ_MOTION_MOTION_GAP_H
#define GRZ_MOTION_MOTION_GAP_H

#include "base/budget_monitor.h"
#include "motion/mesh_impact.h"
#include "motion/motion_span.h"

/* All zeros: nothing is known yet. */
typedef struct grz_motion_gap
{
    double gap;          /* a lower bound of the distance at `poses`; 0: unknown */
    graze_pose poses[2]; /* of A and B */
    unsigned wait;       /* motions to go without a search for a bound, */
    unsigned backoff;    /* and how many after the next one that fails */
    uint64_t searches;
} grz_motion_gap;

/* A lower bound of the distance of A and B at all times of their motions; 0, which is always one, where none is found
   cheaply. In the default environment. The monitor may be NULL; once it has stopped the answer is 0. */
double grz_motion_gap_find(grz_motion_gap *gap, const grz_moving_meshes *meshes, double margin, grz_monitor *monitor);

/* How much closer two points of A and B may come in a span than they are at the poses, at most: motion_gap.c. */
double grz_motion_from(const grz_motion_span spans[2], const grz_moving_meshes *meshes, const graze_pose poses[2]);

/* The doubles of the pose in the middle of a span. */
graze_pose grz_span_pose(const grz_motion_span *span);

/* The poses at the start, rounded, and by how much vertices of both are off together: INFINITY where that is not known.
   Whether surfaces are certainly apart by more there: then no point gets into a body, or out of it, on the way from its
   rounded place to the real one. If it is known that they are `apart`, also where poses are not rounded at all.
   Enclosed motions too. In the default environment. The monitor may be NULL. Fails with OUT_OF_MEMORY and as the
   monitor says. */
graze_status grz_motion_starts_apart(const grz_moving_meshes *meshes, bool apart, grz_monitor *monitor,
                                     graze_pose poses[2], double *out_off, bool *out_apart);

/* A lower bound of the distance at all times of kernel motions that do not meet: about half of it, or 0 where that
   would take too long, the budget is used up, or a mesh is soft. In the default environment. clearance.c */
graze_status grz_motion_clearance(const grz_moving_meshes *meshes, grz_monitor *monitor, double *out_lower);

#endif
