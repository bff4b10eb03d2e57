/* SPDX-License-Identifier: MIT */
/*
 * Where in time two moving triangles may meet, decided in doubles: the first stage of triangle_impact.c. In the default
 * environment.
 */
#ifndef GRZ_MOTION_TRIANGLE_FILTER_H
#define GRZ_MOTION_TRIANGLE_FILTER_H

#include "motion/moving_arcs.h"

/* The interval [n, n + 1] 2^-k of time. */
typedef struct grz_time_piece
{
    int n, k;
    grz_arc pieces[2];
} grz_time_piece;

typedef struct grz_meeting_search
{
    grz_moving_arcs arcs;
    grz_time_piece stack[GRZ_ARC_DEPTH_MAX + 2];
    int count, tested;
    int rest;    /* what begins at this 2^-GRZ_ARC_DEPTH_MAX is not on the stack yet */
    double from; /* they do not meet before this: 0 at the start */
} grz_meeting_search;

/* An interval [n, n + 1] 2^-k in which they may meet, or, after too many of them, all from n 2^-k on. */
typedef struct grz_meeting_piece
{
    int n, k;
    bool to_the_end;
    grz_near_points near; /* throughout the interval, if usable; then also how corners move */
    grz_arc_moves moves;
} grz_meeting_piece;

/* False where numbers are too large or too small: then nothing is known. */
bool grz_meeting_search_start(grz_meeting_search *search, const graze_moving_triangle *a,
                              const graze_moving_triangle *b);

/* The next interval in which they may meet, if it begins at most at `until`; before it, and between intervals, they
   certainly do not. False when there is none. */
bool grz_meeting_search_next(grz_meeting_search *search, double until, grz_meeting_piece *out);

#endif
