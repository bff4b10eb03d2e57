/* SPDX-License-Identifier: MIT */
/*
 * Motions: checked, made from two poses, and evaluated; see graze/motion.h.
 *
 * Poses at a time are computed in interval arithmetic (math/interval.h), which holds in every environment. Quaternions
 * are scaled by a common power of two first: lengths do not matter, and products stay in range. The scaling loses at
 * most a denormal of each entry, which interval_outward covers.
 */
#include "graze/motion.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/environment.h"
#include "exact/dyadic.h"
#include "graze/exact.h"
#include "math/interval.h"
#include "motion/curve_motion.h"
#include "motion/motion_pose.h"

/* Poses written with six digits pass; what they miss is part of the error that graze_motion_between reports. */
#define ROTATION_TOLERANCE 1e-5

static bool all_finite(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool is_zero(const double q[4])
{
    for (int i = 0; i < 4; i++)
        if (fpclassify(q[i]) != FP_ZERO) /* == may take denormals for zero */
            return false;
    return true;
}

/* The sign of the inner product of two quaternions. */
int grz_quaternions_inner_sign(const double p[4], const double q[4])
{
    /* Doubles decide where the sum exceeds its error bound: each product passes at most four roundings. */
    double sum = 0, magnitude = 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (int i = 0; i < 4; i++)
    {
        sum += p[i] * q[i];
        magnitude += fabs(p[i] * q[i]);
    }
    grz_environment_leave_default(&environment);
    /* shortcut: inner-product-of-quaternions */
    if (magnitude < DBL_MAX && fabs(sum) > 8 * GRZ_U * magnitude + 0x1p-900)
        return sum > 0 ? 1 : -1;
    grz_dyadic exact, a, b;
    grz_dyadic_set(&exact, 0);
    for (int i = 0; i < 4; i++)
    {
        grz_dyadic_set(&a, p[i]);
        grz_dyadic_set(&b, q[i]);
        grz_dyadic_accumulate_product(&exact, &a, &b, false);
    }
    return exact.sign;
}

graze_status grz_motion_check_turn(const graze_motion *motion)
{
    bool ballistic = motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    if (!all_finite(motion->quaternion[0], 4) || !all_finite(motion->quaternion[1], 4) ||
        !all_finite(motion->centre, 3) || !all_finite(motion->path[0], 3) || !all_finite(motion->path[1], 3) ||
        (ballistic && !all_finite(motion->path[2], 3)))
        return GRAZE_STATUS_NOT_FINITE;
    if (is_zero(motion->quaternion[0]) || is_zero(motion->quaternion[1]) ||
        grz_quaternions_inner_sign(motion->quaternion[0], motion->quaternion[1]) < 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return GRAZE_STATUS_OK;
}

graze_status graze_motion_check(const graze_motion *motion)
{
    if (motion == NULL || (int)motion->kind < 0 || motion->kind >= GRAZE_MOTION_KIND_COUNT)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status;
    switch (motion->kind)
    {
    case GRAZE_MOTION_STILL:
        return graze_pose_check(&motion->start, NULL);
    case GRAZE_MOTION_BLEND:
        status = graze_pose_check(&motion->start, NULL);
        return status != GRAZE_STATUS_OK ? status : graze_pose_check(&motion->end, NULL);
    case GRAZE_MOTION_TURN:
    case GRAZE_MOTION_BALLISTIC_TURN:
        return grz_motion_check_turn(motion);
    default:
        return GRAZE_STATUS_UNSUPPORTED;
    }
}

graze_status graze_motion_still(const graze_pose *pose, graze_motion *out_motion)
{
    if (pose == NULL || out_motion == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_motion motion = {.kind = GRAZE_MOTION_STILL, .start = *pose, .end = *pose};
    graze_status status = graze_motion_check(&motion);
    if (status == GRAZE_STATUS_OK)
        *out_motion = motion;
    return status;
}

/* (1 - t) a + t b. */
static interval lerp(double a, double b, double t)
{
    interval rest = interval_sub(interval_point(1), interval_point(t));
    return interval_add(interval_mul(rest, interval_point(a)), interval_mul(interval_point(t), interval_point(b)));
}

/* x / w for w > 0. */
static interval divide(interval x, interval w)
{
    double lower = x.lower / (x.lower < 0 ? w.lower : w.upper), upper = x.upper / (x.upper > 0 ? w.lower : w.upper);
    if (isnan(lower) || isnan(upper))
        return (interval){-INFINITY, INFINITY};
    return interval_outward(lower, upper);
}

/* The entries of N(q) = |q|^2 R(q), and |q|^2. */
static void rotation_numerators(const interval q[4], interval n[9], interval *w)
{
    interval products[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            products[i][j] = interval_mul(q[i], q[j]);
    for (int i = 0; i < 4; i++) /* a square is not negative */
        products[i][i].lower = products[i][i].lower > 0 ? products[i][i].lower : 0;
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        interval with = interval_add(products[0][0], products[k + 1][k + 1]);
        interval without = interval_add(products[i + 1][i + 1], products[j + 1][j + 1]);
        n[4 * k] = interval_sub(with, without);
        interval plane = i < j ? products[i + 1][j + 1] : products[j + 1][i + 1], axis = products[0][k + 1];
        interval sum = interval_add(plane, axis), difference = interval_sub(plane, axis);
        n[3 * i + j] = interval_add(difference, difference);
        n[3 * j + i] = interval_add(sum, sum);
    }
    *w = interval_add(interval_add(products[0][0], products[1][1]), interval_add(products[2][2], products[3][3]));
}

/* The rotation matrix of a turn at time t; false where intervals do not bound it. */
static bool rotation_at(const double quaternion[2][4], double t, interval r[9])
{
    double largest = 0;
    for (int i = 0; i < 8; i++)
        largest = fmax(largest, fabs(quaternion[i / 4][i % 4]));
    int exponent = 0;
    frexp(largest, &exponent);
    interval q[4], w;
    for (int i = 0; i < 4; i++)
    {
        interval x = lerp(ldexp(quaternion[0][i], -exponent), ldexp(quaternion[1][i], -exponent), t);
        q[i] = interval_outward(x.lower, x.upper);
    }
    rotation_numerators(q, r, &w);
    if (!(w.lower > 0))
        return false;
    for (int i = 0; i < 9; i++)
        r[i] = divide(r[i], w);
    return true;
}

static void path_at(const graze_motion *motion, double t, interval position[3])
{
    interval time = interval_point(t);
    for (int k = 0; k < 3; k++)
    {
        interval slope = interval_point(motion->path[1][k]);
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
            slope = interval_add(slope, interval_mul(time, interval_point(motion->path[2][k])));
        position[k] = interval_add(interval_point(motion->path[0][k]), interval_mul(time, slope));
    }
}

static bool turn_at(const graze_motion *motion, double t, interval entries[12])
{
    interval r[9], position[3];
    if (!rotation_at(motion->quaternion, t, r))
        return false;
    path_at(motion, t, position);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            entries[4 * i + j] = r[3 * i + j];
            position[i] = interval_sub(position[i], interval_mul(r[3 * i + j], interval_point(motion->centre[j])));
        }
    for (int i = 0; i < 3; i++)
        entries[4 * i + 3] = position[i];
    return true;
}

static bool entries_at(const graze_motion *motion, double t, interval entries[12])
{
    if (motion->kind >= GRAZE_MOTION_TURN) /* at 0 and 1 even turns too */
        return turn_at(motion, t, entries);
    bool at_end = t >= 1;
    for (int i = 0; i < 12; i++)
        if (motion->kind == GRAZE_MOTION_BLEND && t > 0 && !at_end)
            entries[i] = lerp(motion->start.m[i], motion->end.m[i], t);
        else
            entries[i] =
                interval_point(motion->kind == GRAZE_MOTION_BLEND && at_end ? motion->end.m[i] : motion->start.m[i]);
    return true;
}

/* From where a curve has its body: a rotation by an angle d changes no entry by more than d. */
static bool curve_entries_at(const graze_motion *motion, double t, interval entries[12])
{
    grz_curve_place place;
    interval q[4], r[9], w;
    if (!grz_curve_place_at(motion, t, &place))
        return false;
    for (int i = 0; i < 4; i++)
        q[i] = interval_point(place.quaternion[i]);
    rotation_numerators(q, r, &w);
    for (int i = 0; i < 3; i++)
    {
        interval position = interval_outward(place.path[i] - place.path_error, place.path[i] + place.path_error);
        for (int j = 0; j < 3; j++)
        {
            interval entry = divide(r[3 * i + j], w);
            entry = interval_outward(entry.lower - place.turn_error, entry.upper + place.turn_error);
            entries[4 * i + j] = entry;
            position = interval_sub(position, interval_mul(entry, interval_point(motion->centre[j])));
        }
        entries[4 * i + 3] = position;
    }
    return true;
}

/* The largest distance of a double of the interval from x. */
static double error_from(interval i, double x)
{
    interval error = interval_sub(i, interval_point(x));
    return fmax(fabs(error.lower), fabs(error.upper));
}

static graze_status pose_at(const graze_motion *motion, double t, graze_pose *out_pose, grz_pose_error *out_error)
{
    interval entries[12];
    if (!(grz_motion_is_curve(motion) ? curve_entries_at(motion, t, entries) : entries_at(motion, t, entries)))
        return GRAZE_STATUS_NOT_FINITE;
    graze_pose pose;
    grz_pose_error errors = {0, 0};
    for (int i = 0; i < 12; i++)
    {
        double *error = i % 4 < 3 ? &errors.linear : &errors.translation;
        bool exact = memcmp(&entries[i].lower, &entries[i].upper, sizeof(double)) == 0;
        pose.m[i] = exact ? entries[i].lower : entries[i].lower / 2 + entries[i].upper / 2;
        *error = exact ? *error : fmax(*error, error_from(entries[i], pose.m[i]));
    }
    if (graze_pose_check(&pose, NULL) != GRAZE_STATUS_OK || !isfinite(errors.linear + errors.translation))
        return GRAZE_STATUS_NOT_FINITE;
    *out_pose = pose;
    *out_error = errors;
    return GRAZE_STATUS_OK;
}

/* Of the turn that encloses the finest piece. Entries of R differ by the angle at most, translations by as much as the
   origin moves. */
static graze_status even_pose_at(const graze_motion *motion, double t, graze_pose *out_pose, grz_pose_error *out_error)
{
    double scaled = ldexp(t, GRZ_EVEN_DEPTH_MAX), reach = 0, deviation;
    grz_pose_error error;
    uint32_t last = (UINT32_C(1) << GRZ_EVEN_DEPTH_MAX) - 1, n = scaled < last ? (uint32_t)scaled : last;
    graze_motion turn;
    graze_pose pose;
    for (int k = 0; k < 3; k++)
        reach += fabs(motion->centre[k]) * (1 + 4 * GRZ_U);
    graze_status status = graze_motion_enclose(motion, n, GRZ_EVEN_DEPTH_MAX, reach, &turn, &deviation);
    if (status == GRAZE_STATUS_OK)
        status = pose_at(&turn, scaled - n, &pose, &error);
    if (status != GRAZE_STATUS_OK)
        return status;
    double angle = grz_even_turn_error(&turn, GRZ_EVEN_DEPTH_MAX);
    *out_pose = pose;
    out_error->linear = (error.linear + angle) * (1 + 4 * GRZ_U);
    out_error->translation = (error.translation + deviation) * (1 + 4 * GRZ_U);
    return GRAZE_STATUS_OK;
}

graze_status graze_motion_pose(const graze_motion *motion, double t, graze_pose *out_pose, double *out_error_bound)
{
    grz_pose_error error;
    graze_status status = grz_motion_pose(motion, t, out_pose, &error);
    if (status == GRAZE_STATUS_OK && out_error_bound != NULL)
        *out_error_bound = error.linear < error.translation ? error.translation : error.linear;
    return status;
}

graze_status grz_motion_pose(const graze_motion *motion, double t, graze_pose *out_pose, grz_pose_error *out_error)
{
    if (motion == NULL || out_pose == NULL || !(t >= 0 && t <= 1))
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool even = grz_motion_is_even(motion), enclosed = even || grz_motion_is_curve(motion);
    graze_status status = enclosed ? grz_motion_check_enclosed(motion) : graze_motion_check(motion);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment; /* ldexp and fmax may not hold in others */
    grz_environment_enter_default(&environment);
    status = even ? even_pose_at(motion, t, out_pose, out_error) : pose_at(motion, t, out_pose, out_error);
    grz_environment_leave_default(&environment);
    return status;
}

static bool is_rotation(const graze_pose *pose)
{
    const double *m = pose->m;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
        {
            double entry = m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j];
            if (!(fabs(entry - (i == j ? 1 : 0)) <= ROTATION_TOLERANCE)) /* also NaN */
                return false;
        }
    return graze_pose_handedness(pose) > 0;
}

/* The quaternion of a rotation matrix, from its largest component (Shepperd, Quaternion from rotation matrix, 1978). */
static void quaternion_of(const graze_pose *pose, double q[4])
{
    const double *m = pose->m;
    double trace = m[0] + m[5] + m[10];
    int k = m[0] > m[5] ? (m[0] > m[10] ? 0 : 2) : (m[5] > m[10] ? 1 : 2);
    if (trace > m[5 * k])
    {
        double s = 1 + trace, f = 0.5 / sqrt(s);
        q[0] = f * s;
        q[1] = f * (m[9] - m[6]);
        q[2] = f * (m[2] - m[8]);
        q[3] = f * (m[4] - m[1]);
        return;
    }
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double s = 1 + m[5 * k] - m[5 * i] - m[5 * j], f = 0.5 / sqrt(s);
    q[0] = f * (m[4 * j + i] - m[4 * i + j]);
    q[k + 1] = f * s;
    q[i + 1] = f * (m[4 * i + k] + m[4 * k + i]);
    q[j + 1] = f * (m[4 * j + k] + m[4 * k + j]);
}

/*
 * The point of the body on the axis of the screw, next to the origin of the mesh. With the relative quaternion (w, v)
 * and d the way of the origin, d' its part across v: the origin is at -(d' + (w / v.v) v x d') / 2 from the axis.
 * Estimated: any centre makes a motion between the poses; where hardly anything turns, it is 0.
 */
static void screw_centre(graze_motion *motion)
{
    const double *p = motion->quaternion[0], *q = motion->quaternion[1], *m = motion->start.m;
    double w = 0, v[3], d[3], vv = 0, vd = 0, from_axis[3];
    for (int i = 0; i < 4; i++)
        w += p[i] * q[i];
    for (int k = 0; k < 3; k++) /* of q times the conjugate of p */
    {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        v[k] = p[0] * q[k + 1] - q[0] * p[k + 1] - (q[i] * p[j] - q[j] * p[i]);
        d[k] = motion->end.m[4 * k + 3] - m[4 * k + 3];
        vv += v[k] * v[k];
        vd += v[k] * d[k];
    }
    if (!(vv > 1e-12))
        return;
    for (int k = 0; k < 3; k++)
        d[k] -= vd / vv * v[k];
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        from_axis[k] = 0.5 * (d[k] + w / vv * (v[i] * d[j] - v[j] * d[i]));
    }
    for (int k = 0; k < 3; k++)
        motion->centre[k] = m[k] * from_axis[0] + m[4 + k] * from_axis[1] + m[8 + k] * from_axis[2];
}

bool grz_quaternion_of_pose(const graze_pose *pose, double q[4])
{
    if (!is_rotation(pose))
        return false;
    quaternion_of(pose, q);
    return true;
}

static graze_status turn_between(const graze_pose *start, const graze_pose *end, graze_motion *motion)
{
    if (!is_rotation(start) || !is_rotation(end))
        return GRAZE_STATUS_NOT_RIGID;
    quaternion_of(start, motion->quaternion[0]);
    quaternion_of(end, motion->quaternion[1]);
    if (grz_quaternions_inner_sign(motion->quaternion[0], motion->quaternion[1]) < 0)
        for (int i = 0; i < 4; i++)
            motion->quaternion[1][i] = -motion->quaternion[1][i];
    if (motion->kind == GRAZE_MOTION_SCREW)
        screw_centre(motion);
    for (int k = 0; k < 3; k++)
    {
        double placed[2];
        const graze_pose *ends[2] = {start, end};
        for (int side = 0; side < 2; side++)
        {
            const double *m = ends[side]->m + 4 * k;
            placed[side] = m[0] * motion->centre[0] + m[1] * motion->centre[1] + m[2] * motion->centre[2] + m[3];
        }
        motion->path[0][k] = placed[0];
        motion->path[1][k] = placed[1] - placed[0];
    }
    return grz_motion_check_turn(motion);
}

/* How far the entries of a turn at t = 0 and t = 1 are from those of its poses. */
static graze_status end_error_of(const graze_motion *motion, double *out_error)
{
    const graze_pose *ends[2] = {&motion->start, &motion->end};
    double error = 0;
    for (int side = 0; side < 2; side++)
    {
        interval entries[12];
        if (!entries_at(motion, side, entries))
            return GRAZE_STATUS_NOT_FINITE;
        for (int i = 0; i < 12; i++)
            error = fmax(error, error_from(entries[i], ends[side]->m[i]));
    }
    if (!isfinite(error))
        return GRAZE_STATUS_NOT_FINITE;
    *out_error = error;
    return GRAZE_STATUS_OK;
}

graze_status graze_motion_between(const graze_pose *start, const graze_pose *end, graze_motion_kind kind,
                                  graze_motion *out_motion, double *out_end_error)
{
    bool known = kind == GRAZE_MOTION_BLEND || kind == GRAZE_MOTION_TURN || kind == GRAZE_MOTION_SLERP ||
                 kind == GRAZE_MOTION_SCREW;
    if (start == NULL || end == NULL || out_motion == NULL || !known)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (graze_pose_check(start, NULL) != GRAZE_STATUS_OK || graze_pose_check(end, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_NOT_FINITE;
    graze_motion motion = {.kind = kind, .start = *start, .end = *end};
    double error = 0;
    graze_status status = GRAZE_STATUS_OK;
    if (kind != GRAZE_MOTION_BLEND)
    {
        grz_environment environment;
        grz_environment_enter_default(&environment);
        status = turn_between(start, end, &motion);
        if (status == GRAZE_STATUS_OK)
            status = end_error_of(&motion, &error);
        grz_environment_leave_default(&environment);
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_motion = motion;
    if (out_end_error != NULL)
        *out_end_error = error;
    return GRAZE_STATUS_OK;
}
