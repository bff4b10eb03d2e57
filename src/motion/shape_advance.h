/* SPDX-License-Identifier: MIT */
/*
 * Conservative advancement (Mirtich 1996) of two moving shapes of any kinds, by certified distances. Where two are
 * apart by d and no two points of them approach one another faster than L, they do not meet within d / L. Along the
 * normal of a separating plane the velocity of the bodies counts with its sign, so that shapes that pass one another
 * are soon done with. That they meet is proved at a double t, by a common point that is deeper inside one of the two
 * than the poses at t are rounded, or, with a margin, by a distance below it. So answers are three-valued: shapes that
 * only graze one another are not told.
 */
#ifndef GRZ_MOTION_SHAPE_ADVANCE_H
#define GRZ_MOTION_SHAPE_ADVANCE_H

#include "base/budget_monitor.h"
#include "graze/motion.h"
#include "graze/shape.h"

enum
{
    GRZ_ADVANCES_OF_STEPS = 400 /* of a pair over a step of a scene */
};

/* A shape along its motion. */
typedef struct grz_shape_mover
{
    graze_placed placed;
    graze_motion motion;
    double drift[3]; /* velocity of the origin of the body in the middle of the time in question */
    double speed;    /* bound of what else a point's velocity is in that time */
    double size;     /* bound of the sum of the coordinates of a point of the body */
    double spread;   /* of a compound: the same of a point of a part, with all that its poses add up */
} grz_shape_mover;

typedef struct grz_shape_advance
{
    const graze_context *context;
    grz_monitor *monitor;
    grz_shape_mover movers[2];
    double speed;   /* bound of the relative velocity of two points */
    double margin;  /* what is no farther apart has met */
    int steps_left; /* of time */
} grz_shape_advance;

/* Of kernel motions that have been checked. False where no bound of the velocities is known: a body of unbounded or
   huge size that moves. The other fields are set by the caller. */
bool grz_shape_advance_make(grz_shape_advance *a, const graze_shape *const shapes[2],
                            const graze_motion *const motions[2]);

/* From t = 0 onward, or from 1 backward: *io_time becomes a time up to which, from there, they are apart; the other end
   if that is all of it. Takes the default floating-point environment, as what follows. */
graze_status grz_shape_advance_clear(grz_shape_advance *a, bool backward, double *io_time);

/* Bounds between t0 and t1: nothing comes closer than *out_lower, which may be 0, and something as close as *out_upper,
   which may be INFINITY. A lower bound of `enough` is as good as any. Velocities are those of this time from then on.
 */
graze_status grz_shape_advance_gap(grz_shape_advance *a, double t0, double t1, double enough, double *out_lower,
                                   double *out_upper);

/* A lower bound of the distance at all times of motions that do not meet: about half of it, or 0 where that would take
   too long, or the budget is used up. The last question. shape_clearance.c */
graze_status grz_shape_advance_clearance(grz_shape_advance *a, double *out_lower);

/* The first of some times from `from` on, ever farther away, at which they certainly meet; *out_found is false where
   none is found. */
graze_status grz_shape_advance_prove(grz_shape_advance *a, double from, bool backward, double *out_time,
                                     bool *out_found);

#endif
