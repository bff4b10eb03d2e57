/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles whose first impact follows from doubles, without the exact test of two moving triangles: those
 * that share the features of an impact that is known, and those that cross at the start.
 *
 * A vertex that meets a face belongs to some six triangles, and two edges that meet to four pairs: nearly all pairs
 * that are in doubt near the first impact meet at that very time.
 */
#ifndef GRZ_MOTION_SHARED_IMPACT_H
#define GRZ_MOTION_SHARED_IMPACT_H

#include "motion/motion_span.h"
#include "motion/pair_kernel.h"

/* Where two bodies are in an interval of time. All zeros: nothing is known. */
typedef struct grz_span_pair
{
    grz_motion_span spans[2];
    double from, until;
    bool made, usable;
} grz_span_pair;

/* Spans of the motions at hand: at the start, and up to the impact that is known. Zero it for other motions. */
typedef struct grz_shared_impact
{
    grz_span_pair start, before;
} grz_shared_impact;

/* Whether triangles of A and B certainly cross at the start of their motions. In the default environment. */
bool grz_pair_crosses_at_start(grz_shared_impact *shared, const graze_moving_mesh *a, const graze_moving_mesh *b,
                               uint32_t triangle_a, uint32_t triangle_b, grz_pair_time *out);

/* Whether triangles that do not meet before `from` certainly meet first at the time of `best`, a first impact after the
   start: then *out is that time and their contact, except for `crosses`, which is false: it is not known. In the
   default environment. */
bool grz_pair_shares_impact(grz_shared_impact *shared, const graze_moving_mesh *a, const graze_moving_mesh *b,
                            const grz_pair_time *best, uint32_t triangle_a, uint32_t triangle_b, double from,
                            grz_pair_time *out);

#endif
