/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Motions of rigid bodies and soft meshes over a time t in [0, 1], and when what moves meets for the first time
 * (continuous collision detection).
 *
 * **The contract.** A motion is a formula with doubles in it, taken at face value as real numbers at every real t in
 * [0, 1], as a pose is (graze/pose.h). Bodies are closed sets: touching counts as contact. The *first impact* is the
 * least t at which they share a point; since the sets are closed, it is attained.
 *
 * *Kernel* motions (still, blend, turn, ballistic turn) are rational in t: whether there is an impact is decided
 * exactly, and its time, an algebraic number, is returned as an interval [lower, upper] of doubles: nothing meets
 * before lower, something does within the interval. lower == upper if the time is a double; otherwise the two are
 * neighbouring doubles. upper == 0 exactly if they touch at the start (lower alone is 0 for impacts before 2^-1074).
 * *Enclosed* motions (the others) are cut into kernel motions with a certified deviation, so that their answers may be
 * unknown.
 *
 * Unless stated otherwise functions here hold in every rounding mode and with denormals flushed to zero.
 * Thread safety: all functions without a context are pure.
 */
#ifndef GRAZE_MOTION_H
#define GRAZE_MOTION_H

#include "graze/exact.h"
#include "graze/export.h"
#include "graze/mesh.h"
#include "graze/pose.h"
#include "graze/status.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef enum graze_motion_kind
{
    GRAZE_MOTION_STILL = 0,      ///< start, at all times
    GRAZE_MOTION_BLEND,          ///< each entry of the pose runs linearly from start to end
    GRAZE_MOTION_TURN,           ///< a rotation about a fixed axis while the centre moves along a line
    GRAZE_MOTION_BALLISTIC_TURN, ///< the same along a parabola
    GRAZE_MOTION_SCREW,          ///< enclosed: rotation about an axis in space, with even speed, and along it
    GRAZE_MOTION_SLERP,          ///< enclosed: rotation with even speed while the origin of the mesh moves along a line
    GRAZE_MOTION_TWIST,          ///< enclosed: constant velocity and angular velocity
    GRAZE_MOTION_SPLINE,         ///< enclosed: a cubic path and a cubic path of quaternions
    GRAZE_MOTION_FLIGHT,         ///< enclosed: free flight under gravity and torque
    GRAZE_MOTION_FUNCTION,       ///< enclosed: poses of a function with bounds of its derivatives
    GRAZE_MOTION_KIND_COUNT
} graze_motion_kind;

/// A motion. Still: `start`. Blend: every entry is (1 - t) start + t end.
/// Turn: with q(t) = (1 - t) quaternion[0] + t quaternion[1], not normalised, and its rotation matrix R(t), a point p
/// of the body is at R(t) (p - centre) + path[0] + path[1] t; in a ballistic turn + path[2] t^2. Quaternions are (w, x,
/// y, z), none zero, of any length; their inner product is not negative, so that q(t) is never zero. It is a rotation
/// at every t, though of uneven speed. What a kind does not mention is ignored.
/// Splines, flights and functions point to their descriptions: graze/enclosed_motion.h.
typedef struct graze_motion
{
    graze_motion_kind kind;
    graze_pose start, end;
    double quaternion[2][4], centre[3], path[3][3];
    const struct graze_motion_spline *spline;
    const struct graze_motion_function *function;
    const struct graze_flight *flight;
} graze_motion;

typedef struct graze_motion_spline graze_motion_spline;
typedef struct graze_motion_function graze_motion_function;
typedef struct graze_flight graze_flight;

/// A mesh that moves: rigidly, or (`end_mesh`, of the same triangles) with each vertex on a line, from where `start` of
/// the motion places the vertex of `mesh` to where `end` (if still: `start`) places that of `end_mesh`; the motion must
/// then be a blend or still.
typedef struct graze_moving_mesh
{
    const graze_mesh *mesh, *end_mesh; ///< end_mesh may be NULL: the mesh is rigid
    const graze_tree *tree;            ///< BVH of `mesh`; may be NULL
    graze_motion motion;
} graze_moving_mesh;

typedef enum graze_impact_verdict
{
    GRAZE_IMPACT_NONE = 0, ///< proved: no contact at any t in [0, 1]
    GRAZE_IMPACT_AT,       ///< proved: contact
    GRAZE_IMPACT_UNKNOWN   ///< enclosed motions, or a budget that was used up: neither is proved
} graze_impact_verdict;

/// When the first impact is. If unknown, nothing meets before lower, and what follows upper was not examined; if there
/// is none, both are 0.
typedef struct graze_impact_interval
{
    graze_impact_verdict verdict;
    double lower, upper;
} graze_impact_interval;

/// A triangle that moves. If end_corners[0] is not NULL, all three are given, and each corner runs on a line as the
/// vertices of an `end_mesh` do.
typedef struct graze_moving_triangle
{
    const double *corners[3], *end_corners[3];
    const graze_motion *motion;
} graze_moving_triangle;

/// How two moving triangles meet for the first time.
typedef struct graze_moving_contact
{
    graze_impact_interval when;
    bool crosses;                   ///< their interiors cross right after that time (else they only touch)
    graze_triangle_contact contact; ///< at that very time: the features that meet; if none is there, all 0
} graze_moving_contact;

/// Checks that a motion is one that exact queries take: a kernel motion whose numbers are finite and whose quaternions
/// are as graze_motion says. Fails with NOT_FINITE, BAD_ARGUMENT (no such kind; a zero quaternion, a negative inner
/// product), UNSUPPORTED (enclosed motions: see graze_motion_enclose).
GRAZE_API graze_status graze_motion_check(const graze_motion *motion);

/// The motion that stays at a pose.
/// Fails with NOT_FINITE.
GRAZE_API graze_status graze_motion_still(const graze_pose *pose, graze_motion *out_motion);

/// A motion from one pose to another: a blend, a turn, a slerp or a screw. A turn and a slerp move the origin of the
/// mesh along a line (its centre is 0) and rotates by half a turn at most; of two half turns one is taken. It is
/// rounded once, here: from then on the numbers in `out_motion` are what counts. Guarantee: bounded. Each entry of the
/// poses at t = 0 and t = 1 differs from that of `start` and `end` by at most *out_end_error (may be NULL); a blend has
/// 0. Fails with NOT_FINITE; BAD_ARGUMENT for other kinds; but for blends NOT_RIGID where R^T R of a pose differs from
/// the identity by more than 1e-5 or R mirrors (a blend takes any pose).
GRAZE_API graze_status graze_motion_between(const graze_pose *start, const graze_pose *end, graze_motion_kind kind,
                                            graze_motion *out_motion, double *out_end_error);

/// The pose at time t in [0, 1].
/// Guarantee: bounded. Each entry differs from the real one by at most *out_error_bound (may be NULL).
/// Fails as graze_motion_check, but takes enclosed motions too; BAD_ARGUMENT for other t; NOT_FINITE where an entry
/// overflows or the function of a motion says nothing.
GRAZE_API graze_status graze_motion_pose(const graze_motion *motion, double t, graze_pose *out_pose,
                                         double *out_error_bound);

/// An enclosed motion between t = n 2^-k and (n + 1) 2^-k as a turn between 0 and 1, with k up to 24: at equal times
/// every point of the body that is at most `reach` from the centre is at most *out_deviation from where the motion has
/// it. So a distance of the turn is wrong by no more than that. For pieces of screws, slerps and twists of angle a (up
/// to 1 radian) it is about 0.004 a^3 reach, beside rounding; for others see graze/enclosed_motion.h. A kernel motion
/// is not cut: UNSUPPORTED. Guarantee: bounded. Fails with NOT_FINITE (also where the function of a motion says
/// nothing); BAD_ARGUMENT (no such piece; as graze_motion_check).
GRAZE_API graze_status graze_motion_enclose(const graze_motion *motion, uint32_t n, int k, double reach,
                                            graze_motion *out_turn, double *out_deviation);

/// First impact of a vertex and a face whose corners run on lines: vertex[0] and face[0] at t = 0, vertex[1] and
/// face[1] at t = 1. The face is closed; if degenerate at some time it is then the segment or point it is. Guarantee:
/// exact (contract above). Fails with NOT_FINITE; OUT_OF_MEMORY (memory is needed in rare cases only).
GRAZE_API graze_status graze_vertex_face_impact(const double vertex[2][3], const double face[2][3][3],
                                                graze_impact_interval *out);

/// First impact of two edges whose ends run on lines: a[0] and b[0] at t = 0, a[1] and b[1] at t = 1.
/// Guarantee and failures as graze_vertex_face_impact.
GRAZE_API graze_status graze_edge_edge_impact(const double a[2][2][3], const double b[2][2][3],
                                              graze_impact_interval *out);

/// First impact of two moving triangles, each with its own motion; degenerate ones are the segments and points they
/// are. With `crossing` first crossing: the infimum of the times at which their interiors cross, so that touching does
/// not count; the contact is then that at this time. Guarantee: exact (contract above) for kernel motions. Fails as
/// graze_motion_check; NOT_FINITE; BAD_ARGUMENT also for end_corners with a motion that turns; OUT_OF_MEMORY.
GRAZE_API graze_status graze_triangle_impact(const graze_moving_triangle *a, const graze_moving_triangle *b,
                                             bool crossing, graze_moving_contact *out);

GRAZE_END_DECLS

#endif
