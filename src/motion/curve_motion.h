/* SPDX-License-Identifier: MIT */
/*
 * Motions along curves (graze/enclosed_motion.h): where they have their body at one time, and bounds of their
 * derivatives over an interval; and, from these alone, their pieces as turns. In the default environment.
 */
#ifndef GRZ_MOTION_CURVE_MOTION_H
#define GRZ_MOTION_CURVE_MOTION_H

#include "graze/enclosed_motion.h"
#include "motion/even_turn.h"

/* Where the body is at one time: a rotation of the centre, and where the centre is. */
typedef struct grz_curve_place
{
    double quaternion[4]; /* of length 1 but for 4 u */
    double path[3];
    double turn_error; /* the rotation may be off by this angle, beside the length of the quaternion */
    double path_error; /* the path may be this far off */
} grz_curve_place;

/* Bounds from above over an interval of time. */
typedef struct grz_curve_rates
{
    double acceleration, angular_speed, angular_acceleration;
} grz_curve_rates;

static inline bool grz_motion_is_curve(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_SPLINE || motion->kind == GRAZE_MOTION_FLIGHT ||
           motion->kind == GRAZE_MOTION_FUNCTION;
}

static inline bool grz_motion_is_enclosed(const graze_motion *motion)
{
    return grz_motion_is_even(motion) || grz_motion_is_curve(motion);
}

/* Checks the numbers of any enclosed motion: BAD_ARGUMENT, NOT_FINITE; UNSUPPORTED for those that are none. */
graze_status grz_motion_check_enclosed(const graze_motion *motion);

/* Both of a motion that has been checked; false where numbers are out of range, or the function does not say. */
bool grz_curve_place_at(const graze_motion *motion, double t, grz_curve_place *out);
bool grz_curve_rates_over(const graze_motion *motion, double t0, double t1, grz_curve_rates *out);

/* graze_motion_enclose of a curve that has been checked. */
graze_status grz_curve_enclose(const graze_motion *motion, uint32_t n, int k, double reach, graze_motion *out_turn,
                               double *out_deviation);

/* spline_motion.c */
graze_status grz_spline_check(const graze_motion_spline *spline);
bool grz_spline_place(const graze_motion_spline *spline, double t, grz_curve_place *out);
bool grz_spline_rates(const graze_motion_spline *spline, double t0, double t1, grz_curve_rates *out);

/* flight.c */
bool grz_flight_place(const graze_flight *flight, double t, grz_curve_place *out);
bool grz_flight_rates(const graze_flight *flight, double t0, double t1, grz_curve_rates *out);

/* motion.c: the sign of the inner product of two quaternions, exactly; that of a rotation matrix, false for others. */
int grz_quaternions_inner_sign(const double p[4], const double q[4]);
bool grz_quaternion_of_pose(const graze_pose *pose, double q[4]);

/* even_turn.c: divides by the length. */
void grz_quaternion_normalise(double q[4]);

#endif
