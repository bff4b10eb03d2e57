/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Motions along curves: splines, and functions of the caller's.
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

/// The spline from `start` to `end` that runs on smoothly into splines to their neighbours (Catmull and Rom 1974): its
/// velocity at `start` is half of the way from `before` to `end`, and that at `end` half of the way from `start` to
/// `after`; likewise in quaternions. `before` or `after` may be NULL: the ends of the whole path. Its centre is 0.
/// Guarantee: bounded. Each entry of the poses at t = 0 and t = 1 differs from that of `start` and `end` by at most
/// *out_end_error (may be NULL). Fails with NOT_FINITE; NOT_RIGID as graze_motion_between; BAD_ARGUMENT where poses
/// turn so much that two quaternions would have a negative inner product: more than about half a turn over all of them.
GRAZE_API graze_status graze_motion_spline_through(const graze_pose *before, const graze_pose *start,
                                                   const graze_pose *end, const graze_pose *after,
                                                   graze_motion_spline *out_spline, double *out_end_error);

GRAZE_END_DECLS

#endif
