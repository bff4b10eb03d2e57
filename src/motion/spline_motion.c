/* SPDX-License-Identifier: MIT */
/*
 * Splines: checked, made through poses, where they are at a time and bounds of their derivatives; see
 * graze/enclosed_motion.h and curve_motion.h.
 *
 * Second derivatives of cubics are linear in t, so that their length is largest at an end of an interval. A first one
 * is at most its length in the middle and half an interval times the second. With m <= |q(t)|: omega = 2 Im(q' conj q)
 * / |q|^2, so |omega| <= 2 |q'| / m. Its derivative is 2 Im(q'' conj q) / |q|^2 - 2 Im(q' conj q) (|q|^2)' / |q|^4, as
 * q' conj q' is real; with the parts of q' across and along q the second term is 4 |across| |along| / |q|^2 <= 2 |q'|^2
 * / m^2, so |alpha| <= 2 |q''| / m + 2 |q'|^2 / m^2.
 *
 * No inner product of Bezier points is negative, so |q|^2 >= sum B_i^2 |q_i|^2 >= min |q_i|^2 / 4.
 */
#include <float.h>
#include <math.h>

#include "base/environment.h"
#include "math/interval.h"
#include "motion/curve_motion.h"

#define UPWARD (1 + 64 * GRZ_U)

static bool finite_points(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

graze_status grz_spline_check(const graze_motion_spline *spline)
{
    if (spline == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!finite_points(spline->quaternion[0], 16) || !finite_points(spline->path[0], 12))
        return GRAZE_STATUS_NOT_FINITE;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
        {
            int sign = grz_quaternions_inner_sign(spline->quaternion[i], spline->quaternion[j]);
            if (sign < 0 || (i == j && sign == 0))
                return GRAZE_STATUS_BAD_ARGUMENT;
        }
    return GRAZE_STATUS_OK;
}

/* One coordinate of the Bezier points, and what its curve and the derivatives are at t. */
static interval between(interval a, interval b, interval t, interval rest)
{
    return interval_add(interval_mul(rest, a), interval_mul(t, b));
}

static interval times(double factor, interval x)
{
    return interval_mul(interval_point(factor), x);
}

typedef struct spline_jet
{
    interval value, first, second;
} spline_jet;

static spline_jet jet_at(double b0, double b1, double b2, double b3, double at)
{
    interval t = interval_point(at), rest = interval_sub(interval_point(1), t),
             row[4] = {interval_point(b0), interval_point(b1), interval_point(b2), interval_point(b3)};
    spline_jet jet;
    interval bend[2];
    for (int i = 0; i < 2; i++)
        bend[i] = interval_sub(interval_sub(row[i + 2], row[i + 1]), interval_sub(row[i + 1], row[i]));
    jet.second = times(6, between(bend[0], bend[1], t, rest));
    for (int count = 3; count > 1; count--) /* de Casteljau */
        for (int i = 0; i < count; i++)
            row[i] = between(row[i], row[i + 1], t, rest);
    jet.first = times(3, interval_sub(row[1], row[0]));
    jet.value = between(row[0], row[1], t, rest);
    if (at <= 0) /* without a rounding */
        jet.value = interval_point(b0);
    if (at >= 1)
        jet.value = interval_point(b3);
    return jet;
}

static double above(interval x)
{
    return fmax(fabs(x.lower), fabs(x.upper));
}

/* Quaternions are scaled by a power of two: their length does not matter. What becomes denormal is lost: as little as
   the interval of any sum is wider. */
static int quaternion_exponent(const graze_motion_spline *s)
{
    double largest = 0;
    int exponent;
    for (int i = 0; i < 16; i++)
        largest = fmax(largest, fabs(s->quaternion[i / 4][i % 4]));
    frexp(largest, &exponent);
    return -exponent;
}

static spline_jet quaternion_jet(const graze_motion_spline *s, int k, int exponent, double t)
{
    return jet_at(ldexp(s->quaternion[0][k], exponent), ldexp(s->quaternion[1][k], exponent),
                  ldexp(s->quaternion[2][k], exponent), ldexp(s->quaternion[3][k], exponent), t);
}

static spline_jet path_jet(const graze_motion_spline *s, int k, double t)
{
    return jet_at(s->path[0][k], s->path[1][k], s->path[2][k], s->path[3][k], t);
}

bool grz_spline_place(const graze_motion_spline *spline, double t, grz_curve_place *out)
{
    int exponent = quaternion_exponent(spline);
    double radius = 0, square = 0;
    *out = (grz_curve_place){.turn_error = 0};
    for (int k = 0; k < 4; k++)
    {
        interval x = quaternion_jet(spline, k, exponent, t).value;
        double middle = x.lower / 2 + x.upper / 2, r = fmax(x.upper - middle, middle - x.lower);
        out->quaternion[k] = middle;
        radius += r + GRZ_SMALLEST_NORMAL;
        square += middle * middle;
    }
    for (int k = 0; k < 3; k++)
    {
        interval x = path_jet(spline, k, t).value;
        out->path[k] = x.lower / 2 + x.upper / 2;
        out->path_error += fmax(x.upper - out->path[k], out->path[k] - x.lower) * UPWARD;
    }
    /* The real quaternion is no farther than the radius from the middle, so the sine of the angle between them is at
       most their quotient; asin x <= 1.05 x up to 1/2. */
    double sine = radius / sqrt(square) * UPWARD;
    if (!(sine < 0.25 && isfinite(out->path_error)))
        return false;
    out->turn_error = 2 * 1.05 * sine * UPWARD;
    grz_quaternion_normalise(out->quaternion);
    return true;
}

bool grz_spline_rates(const graze_motion_spline *spline, double t0, double t1, grz_curve_rates *out)
{
    double middle = 0.5 * (t0 + t1), half = fmax(t1 - middle, middle - t0) * UPWARD;
    int exponent = quaternion_exponent(spline);
    double bend[2] = {0, 0}, acceleration[2] = {0, 0}, speed = 0, length = 0, least = INFINITY;
    for (int k = 0; k < 4; k++)
    {
        spline_jet jet = quaternion_jet(spline, k, exponent, middle);
        speed += above(jet.first) * above(jet.first);
        double low = fmax(fmax(jet.value.lower, -jet.value.upper), 0);
        length += low * low;
        for (int side = 0; side < 2; side++)
        {
            double second = above(quaternion_jet(spline, k, exponent, side == 0 ? t0 : t1).second);
            bend[side] += second * second;
        }
    }
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++)
        {
            double second = above(path_jet(spline, k, side == 0 ? t0 : t1).second);
            acceleration[side] += second * second;
        }
    for (int i = 0; i < 4; i++)
    {
        double square = 0;
        for (int k = 0; k < 4; k++)
        {
            double x = ldexp(spline->quaternion[i][k], exponent);
            square += x * x;
        }
        least = fmin(least, 0.5 * sqrt(square) / UPWARD - 0x1p-500);
    }
    double second = sqrt(fmax(bend[0], bend[1])) * UPWARD + 0x1p-500;
    double first = (sqrt(speed) + half * second) * UPWARD + 0x1p-500;
    double m = fmax(least, (sqrt(length) - half * first) * (1 - 16 * GRZ_U) - 16 * GRZ_U * half * first);
    if (!(m > 0x1p-400))
        return false;
    /* shortcut: rates-of-a-spline */
    out->acceleration = sqrt(fmax(acceleration[0], acceleration[1])) * UPWARD + 0x1p-500;
    out->angular_speed = 2 * first / m * UPWARD;
    out->angular_acceleration = (2 * second / m + 2 * (first / m) * (first / m)) * UPWARD;
    return isfinite(out->acceleration) && isfinite(out->angular_speed) && isfinite(out->angular_acceleration);
}

/* ---- splines through poses ---- */

/* The Bezier points of one coordinate at four places in a row. */
static void set_points(const double at[4], bool from_before, bool to_after, double out[4])
{
    out[0] = at[1];
    out[1] = at[1] + (from_before ? (at[2] - at[0]) / 6 : (at[2] - at[1]) / 3);
    out[2] = at[2] - (to_after ? (at[3] - at[1]) / 6 : (at[2] - at[1]) / 3);
    out[3] = at[2];
}

static graze_status spline_through(const graze_pose *const poses[4], graze_motion_spline *spline)
{
    double q[4][4] = {{0}}, points[4];
    for (int i = 0; i < 4; i++)
        if (poses[i] != NULL && !grz_quaternion_of_pose(poses[i], q[i]))
            return GRAZE_STATUS_NOT_RIGID;
    static const int neighbours[3][2] = {{1, 2}, {1, 0}, {2, 3}}; /* each like the one before it */
    for (int i = 0; i < 3; i++)
    {
        double *to = q[neighbours[i][1]];
        if (grz_quaternions_inner_sign(q[neighbours[i][0]], to) < 0)
            for (int k = 0; k < 4; k++)
                to[k] = -to[k];
    }
    for (int k = 0; k < 7; k++)
    {
        double at[4] = {0};
        for (int i = 0; i < 4; i++)
            if (poses[i] != NULL)
                at[i] = k < 4 ? q[i][k] : poses[i]->m[4 * (k - 4) + 3];
        set_points(at, poses[0] != NULL, poses[3] != NULL, points);
        for (int i = 0; i < 4; i++)
            *(k < 4 ? &spline->quaternion[i][k] : &spline->path[i][k - 4]) = points[i];
    }
    return grz_spline_check(spline);
}

static graze_status spline_end_error(const graze_motion_spline *spline, const graze_pose *const ends[2],
                                     double *out_error)
{
    graze_motion motion = {.kind = GRAZE_MOTION_SPLINE, .spline = spline};
    *out_error = 0;
    for (int side = 0; side < 2; side++)
    {
        graze_pose pose;
        double bound;
        graze_status status = graze_motion_pose(&motion, side, &pose, &bound);
        if (status != GRAZE_STATUS_OK)
            return status;
        for (int i = 0; i < 12; i++)
            *out_error = fmax(*out_error, (fabs(pose.m[i] - ends[side]->m[i]) + bound) * UPWARD);
    }
    return isfinite(*out_error) ? GRAZE_STATUS_OK : GRAZE_STATUS_NOT_FINITE;
}

graze_status graze_motion_spline_through(const graze_pose *before, const graze_pose *start, const graze_pose *end,
                                         const graze_pose *after, graze_motion_spline *out_spline,
                                         double *out_end_error)
{
    if (start == NULL || end == NULL || out_spline == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_pose *const poses[4] = {before, start, end, after};
    for (int i = 0; i < 4; i++)
        if (poses[i] != NULL && graze_pose_check(poses[i], NULL) != GRAZE_STATUS_OK)
            return GRAZE_STATUS_NOT_FINITE;
    graze_motion_spline spline;
    double error = 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = spline_through(poses, &spline);
    if (status == GRAZE_STATUS_OK)
        status = spline_end_error(&spline, poses + 1, &error);
    grz_environment_leave_default(&environment);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_spline = spline;
    if (out_end_error != NULL)
        *out_end_error = error;
    return GRAZE_STATUS_OK;
}
