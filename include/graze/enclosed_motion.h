/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Motions along curves: splines, rigid bodies in free flight, and functions of the caller's.
 *
 * They are *enclosed* motions (graze/motion.h): pieces of them are turns with a certified deviation
 * (graze_motion_enclose), so graze_pair_impact, graze_track and graze_pair_impact_visit give three-valued answers. The
 * deviation of a piece of length h is at most
 *
 *     h^2 |x''| / 8 + reach (0.275 h^2 |alpha| + 0.0041 (h |omega|)^3)
 *
 * but for terms of a higher order, with bounds of the acceleration x'' of the centre, the angular velocity omega and
 * the angular acceleration alpha in the piece.
 *
 * A motion points to its description, which belongs to the caller and must live and not change while it is in use.
 *
 *     graze_motion_spline spline;
 *     graze_motion_spline_through(&poses[0], &poses[1], &poses[2], &poses[3], &spline, NULL);
 *     graze_motion motion = {.kind = GRAZE_MOTION_SPLINE, .spline = &spline};
 */
#ifndef GRAZE_ENCLOSED_MOTION_H
#define GRAZE_ENCLOSED_MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "graze/context.h"
#include "graze/motion.h"

GRAZE_BEGIN_DECLS

/// A spline (GRAZE_MOTION_SPLINE): a cubic path and a cubic path of quaternions, by their Bezier points. With the
/// Bernstein polynomials B_i of degree 3, q(t) = sum B_i(t) quaternion[i], not normalised, and its rotation matrix
/// R(t), a point p of the body is at R(t) (p - centre) + sum B_i(t) path[i]. Quaternions are (w, x, y, z), none zero,
/// of any length; no inner product of two of them is negative, so that q(t) is never zero.
struct graze_motion_spline
{
    double quaternion[4][4], path[4][3];
};

/// A function (GRAZE_MOTION_FUNCTION): where the body is, given by the caller with bounds of the derivatives. A point p
/// of the body is at R(t) (p - centre) + x(t), with the rotation R(t) of the quaternion, of any length. What is stated
/// here is taken for true: answers are as certain as these bounds.
struct graze_motion_function
{
    /// Sets quaternion and x at a time in [0, 1]; false: it cannot, and nothing is known of the piece of time around.
    /// Called by any thread of the context, in the usual floating-point environment; the same time must always give
    /// the same numbers.
    bool (*place)(void *user, double t, double out_quaternion[4], double out_path[3]);
    void *user;
    double acceleration;  ///< |x''(t)| is at most this
    double angular_speed; ///< |omega(t)|, in radians for each unit of time
    double angular_acceleration;
    double path_error; ///< x may be this far off
    double turn_error; ///< R may be off by a rotation by this angle, in radians
};

/// A rigid body in free flight (GRAZE_MOTION_FLIGHT): its centre of mass runs along a parabola, and it turns by Euler's
/// equations, J omega' + omega x J omega = torque. A point p of the body is at R(t) (p - centre) + position + velocity
/// t
/// + acceleration t^2 / 2, with the centre of the graze_motion, which is the centre of mass. All per unit of t.
typedef struct graze_flight_def
{
    size_t struct_size;
    double position[3], velocity[3], acceleration[3];
    double orientation[4];      ///< quaternion of R(0), of any length
    double axes[4];             ///< quaternion that turns x, y and z to the principal axes of the body at R = 1
    double inertia[3];          ///< moments about the principal axes, all positive
    double angular_velocity[3]; ///< at t = 0, in radians, along the principal axes
    double torque[3];           ///< along the principal axes: it turns with the body
} graze_flight_def;

/// At rest: orientation and axes 1, inertia 1, the rest 0.
GRAZE_INLINE graze_flight_def graze_flight_def_default(void)
{
    graze_flight_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    def.orientation[0] = def.axes[0] = def.inertia[0] = def.inertia[1] = def.inertia[2] = 1;
    return def;
}

/// Solves the equations of a flight, with certified error bounds. These grow exponentially
/// for bodies that are not round, some e-fold for each radian, so that after many turns nothing is known.
/// The flight is immutable; any number of threads may use it. The caller owns *out_flight.
/// Fails with NOT_FINITE; BAD_ARGUMENT (a zero quaternion, an inertia that is not positive); UNSUPPORTED (a body that
/// turns by more than some hundred radians, or tumbles and is a thousand times as long as thick); OUT_OF_MEMORY.
GRAZE_API graze_status graze_flight_create(const graze_context *context, const graze_flight_def *def,
                                           graze_flight **out_flight);
GRAZE_API void graze_flight_destroy(graze_flight *flight);

/// A bound of |omega| at all times: the smaller of (|J omega(0)| + |torque|) / min J, by the angular momentum (Mirtich
/// and Canny 1995), and of what the energy allows. 0 for NULL.
GRAZE_API double graze_flight_speed_bound(const graze_flight *flight);

/// The spline from `start` to `end` that runs on smoothly into splines to their neighbours (Catmull and Rom 1974): its
/// velocity at `start` is half of the way from `before` to `end`, and that at `end` half of the way from `start` to
/// `after`; likewise in quaternions. `before` or `after` may be NULL: the ends of the whole path. Its centre is 0.
/// Guarantee: bounded. Each entry of the poses at t = 0 and t = 1 differs from that of `start` and `end` by at most
/// *out_end_error (may be NULL). Fails with NOT_FINITE; NOT_RIGID as graze_motion_between; BAD_ARGUMENT where
/// rounding makes an inner product negative, which takes two poses in a row that are half a turn apart.
GRAZE_API graze_status graze_motion_spline_through(const graze_pose *before, const graze_pose *start,
                                                   const graze_pose *end, const graze_pose *after,
                                                   graze_motion_spline *out_spline, double *out_end_error);

GRAZE_END_DECLS

#endif
