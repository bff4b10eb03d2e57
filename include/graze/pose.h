/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Poses, and the contract under which Graze's answers are exact.
 *
 * **The contract.** Vertices are doubles. A pose is twelve doubles, a 3x4 matrix [R|t] row by row. Both are taken
 * at face value, as real numbers: the placed vertex is R v + t with no rounding anywhere. So an answer depends
 * neither on the order of the arguments nor on the frame the code works in, the instruction set, the number of
 * threads or the platform. R may scale, shear, mirror or be singular. Every finite double is legal.
 * Triangles are closed sets: touching counts as colliding. Degenerate triangles are the segments or points they are.
 * Decisions are exact; constructed numbers are doubles with a stated error bound. This holds in every rounding mode and
 * with denormals flushed to zero; docs/environments.md lists the calls.
 */
#ifndef GRAZE_POSE_H
#define GRAZE_POSE_H

#include "graze/export.h"
#include "graze/status.h"

GRAZE_BEGIN_DECLS

/// [R|t], row by row: x' = m[0] x + m[1] y + m[2] z + m[3], and so on for m[4..7] and m[8..11].
typedef struct graze_pose
{
    double m[12];
} graze_pose;

/// The identity.
GRAZE_API graze_pose graze_pose_identity(void);

/// A pure translation.
GRAZE_API graze_pose graze_pose_translation(double x, double y, double z);

/// Rotation by the quaternion (w, x, y, z), which need not have unit length, then translation (NULL: none).
/// Guarantee: bounded. The matrix is rounded once, here; each entry differs from the true rotation matrix by at most
/// 16 * 2^-52. From then on the matrix itself is what counts.
/// Fails with GRAZE_STATUS_NOT_FINITE on NaN or infinity, GRAZE_STATUS_BAD_ARGUMENT on the zero quaternion.
GRAZE_API graze_status graze_pose_from_quaternion(const double wxyz[4], const double translation[3],
                                                  graze_pose *out_pose);

/// Rotation by `angle` radians about `axis` (any length but zero), then translation (NULL: none).
/// Guarantee and failures as graze_pose_from_quaternion.
GRAZE_API graze_status graze_pose_from_axis_angle(const double axis[3], double angle, const double translation[3],
                                                  graze_pose *out_pose);

/// Takes a 3x4 (rows == 3) or 4x4 (rows == 4) row-major matrix. A 4x4 must end in 0 0 0 1.
/// Fails with GRAZE_STATUS_NOT_FINITE or GRAZE_STATUS_BAD_ARGUMENT; error->index is the entry at fault.
GRAZE_API graze_status graze_pose_from_matrix(const double *matrix, int rows, graze_error *error, graze_pose *out_pose);

/// Checks that all twelve entries are finite; out_index (may be NULL) gets the first that is not.
GRAZE_API graze_status graze_pose_check(const graze_pose *pose, uint64_t *out_index);

/// `outer` after `inner`: x -> outer(inner(x)).
/// Guarantee: each entry of the result is that of the real product, rounded once, to nearest, in every rounding mode;
/// it differs by at most *out_error_bound (may be NULL). Fails with GRAZE_STATUS_NOT_FINITE when an entry overflows.
GRAZE_API graze_status graze_pose_compose(const graze_pose *outer, const graze_pose *inner, graze_pose *out_pose,
                                          double *out_error_bound);

/// The inverse pose.
/// Guarantee: bounded. Each entry differs from the real inverse by at most *out_error_bound (may be NULL).
/// Fails with GRAZE_STATUS_SINGULAR when R has no inverse, or none that doubles can bound.
GRAZE_API graze_status graze_pose_invert(const graze_pose *pose, graze_pose *out_pose, double *out_error_bound);

/// Places a point, rounding: for display, never for decisions.
GRAZE_API void graze_pose_apply(const graze_pose *pose, const double point[3], double out_point[3]);

GRAZE_END_DECLS

#endif
