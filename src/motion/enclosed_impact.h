/* SPDX-License-Identifier: MIT */
/*
 * Three-valued first impacts: of motions that are enclosed by turns with a certified deviation (screw, slerp, twist),
 * and with a margin, where bodies count as meeting once they are no farther apart.
 */
#ifndef GRZ_MOTION_ENCLOSED_IMPACT_H
#define GRZ_MOTION_ENCLOSED_IMPACT_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "motion/mesh_impact.h"

/* mesh_impact.c: checks options, and two motions of two meshes. */
graze_status grz_impact_check_options(const graze_impact_options *options);
graze_status grz_impact_check_motions(const graze_moving_mesh *a, const graze_moving_mesh *b,
                                      const graze_motion *motion_a, const graze_motion *motion_b);

/* Whether a query is three-valued. */
bool grz_impact_is_enclosed(const grz_moving_meshes *meshes, const graze_impact_options *options);

/* The first impact of rigid meshes whose motions have been checked; `inside` is not asked. In the default environment.
   The monitor may be NULL. Adds to the stats. Returns OK (also when the budget is used up), OUT_OF_MEMORY or
   CANCELLED. */
graze_status grz_enclosed_impact(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                 grz_monitor *monitor, graze_impact_stats *stats, graze_impact *out);

typedef GRZ_ARRAY(graze_pair_impact_hit) grz_enclosed_hits;

/* Adds every pair of triangles that meets, or may meet, with its first interval, in no order. As grz_enclosed_impact
   does; returns UNFINISHED when the budget is used up. */
graze_status grz_enclosed_visit(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                grz_monitor *monitor, graze_impact_stats *stats, grz_enclosed_hits *hits);

/* Bounds of the distances of its points from the centre of the motion, and of the sums of their coordinates. */
void grz_moving_mesh_extent(const graze_moving_mesh *m, double *out_reach, double *out_size);

/* The piece [n, n + 1] 2^-k of a motion as a kernel motion over [0, 1]: points at most `reach` from its centre, whose
   coordinates are at most `size` in sum, are at most *out_deviation from it. k is from 1 on. False where numbers are
   out of range. */
bool grz_motion_piece(const graze_motion *motion, uint32_t n, int k, double reach, double size, graze_motion *out,
                      double *out_deviation);

#endif
