/* SPDX-License-Identifier: MIT */
/*
 * Conservative advancement (Mirtich 1996) of two moving shapes of any kinds, by certified distances. Where two are
 * apart by d and no two points of them approach one another faster than L, they do not meet within d / L. Along the
 * normal of a separating plane the velocity of the bodies counts with its sign, so that shapes that pass one another
 * are soon done with. That they meet is proved at a double t, by a common point that is deeper inside one of the two
 * than the poses at t are rounded, or, with a margin, by a distance below it. So answers are three-valued: shapes that
 * only graze one another are not told.
 *
 * A half-space, or a compound with one, has no bounds. But in its own frame it stands still, and a point of the other
 * body moves by the difference of its velocity and that of the frame where the point is. So the distance changes as if
 * the body were as large as what the other one comes to in its frame.
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
    double drift[3];   /* velocity of the origin of the body in the middle of the time in question */
    double speed;      /* bound of what else a point's velocity is in that time */
    double pose_error; /* of each entry of the matrix it was placed by last */
    double spin;       /* bound of its angular velocity then */
    double size;       /* bound of the sum of the |coordinates| of a point of the body; of one without bounds, of all
                          places in its frame that the other body comes to */
    double spread;     /* of a compound: the same of a point of a part, with all that its poses add up */
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

/* Of kernel motions that have been checked. False where no bound of the velocities is known: bodies of huge size that
   move, one without bounds that is sheared while it moves, or two without bounds. The other fields are set by the
   caller. */
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

/* Internal, shape_reach.c: whether lengths in the frame of a motion are those in the world, but for roundings, at all
   times; then a bound of |q|_1 for the places q in that frame that a mover comes to. */
bool grz_motion_keeps_lengths(const graze_motion *motion);
double grz_shape_reach(const graze_motion *frame, const grz_shape_mover *other);

/* Internal, shape_reach.c: the largest magnitudes of the coordinates of a shape's points in its own frame. Then the sum
   of those of all leaves below a shape, at the magnitudes of the poses on the way to it; of leaves without bounds where
   they are within `reach` of the origin of the compound, which rotations must keep. */
bool grz_shape_magnitudes(const graze_shape *shape, double out[3]);
double grz_shape_spread(const graze_shape *shape, const graze_pose *way, double reach);

/* shape_reach.c: how far points of the parts of a compound with that spread may be from where the real product of the
   poses has them, at this pose and at another one of such magnitudes together: at each level a product of poses has
   four roundings of sums of magnitudes. 0 for other shapes. */
double grz_part_error(const graze_shape *shape, double spread, const graze_pose *pose);

#endif
