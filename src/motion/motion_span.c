/* SPDX-License-Identifier: MIT */
/*
 * Motions around a time; see motion_span.h.
 *
 * Blends are linear in t, so that nothing is left out. A turn has the angular velocity omega = 2 n / w along a fixed
 * axis, with n the vector part of q1 conj(q0) and w = |q|^2: of q' conj(q), with q' = d = q1 - q0, the real part is
 * the change of length, and the rest of d conj(q0 + t d) is d conj(q0), as d conj(d) is real. So with r = R (p -
 * centre) a point has the velocity omega x r + path[1] + 2 t path[2], and the acceleration omega' x r + omega x (omega
 * x r) + 2 path[2], where |omega'| = 2 |n| |w'| / w^2 <= 4 |n| |d| / w^(3/2), since |w'| = 2 |q.d|. Taylor's theorem
 * gives the rest: half^2 / 2 times a bound of the acceleration over the span.
 *
 * Everything is computed in intervals, and ends up as a double and an error bound.
 */
#include "motion/motion_span.h"

#include <float.h>
#include <math.h>

#include "math/interval.h"
#include "motion/motion_pose.h"

/* Sums and products of numbers that are not negative, of fewer than 40 roundings each, are multiplied by this to be
   upper bounds. */
#define UPWARD (1 + 64 * GRZ_U)

/* The quaternions scaled by a common power of two, q1 - q0, and the vector part of q1 conj(q0). */
typedef struct turn_rates
{
    double q[2][4];
    interval n[3];
    double n_size, d_size; /* bounds of their lengths from above */
    double w_least;        /* of |q|^2 over the span, from below */
} turn_rates;

static double magnitude(interval x)
{
    return fmax(fabs(x.lower), fabs(x.upper));
}

static double length_above(const interval *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += magnitude(x[i]) * magnitude(x[i]);
    return sqrt(sum) * UPWARD + 0x1p-500;
}

static interval difference(double a, double b)
{
    return interval_sub(interval_point(a), interval_point(b));
}

static interval product(double a, double b)
{
    return interval_mul(interval_point(a), interval_point(b));
}

static interval square(interval x)
{
    interval s = interval_mul(x, x);
    s.lower = fmax(s.lower, 0);
    return s;
}

/* A lower bound of |q(t)|^2 over [t0, t1]: it is least at t0, at t1, or where q is normal to d, at the distance of the
   line from the origin; as a quadratic in t it is at least its value at the middle less what it can fall. */
static double least_square(double q[2][4], const interval d[4], double d_size, double middle, double half)
{
    interval at_middle = {0, 0}, slope = {0, 0};
    for (int i = 0; i < 4; i++)
    {
        interval x = interval_add(interval_point(q[0][i]), interval_mul(interval_point(middle), d[i]));
        at_middle = interval_add(at_middle, square(x));
        slope = interval_add(slope, interval_mul(x, d[i]));
    }
    /* |q(middle + s)|^2 = at_middle + 2 s slope + s^2 |d|^2 */
    double least = at_middle.lower - 2 * half * magnitude(slope) * UPWARD;
    /* and, with the foot of the perpendicular: at least at_middle - slope^2 / |d|^2 */
    double along = magnitude(slope) / d_size;
    double foot = at_middle.lower - along * along * (1 + 0x1p-40);
    return fmax(least, foot) * (1 - 16 * GRZ_U);
}

static bool turn_rates_make(const graze_motion *motion, double middle, double half, turn_rates *out)
{
    double largest = 0;
    for (int i = 0; i < 8; i++)
        largest = fmax(largest, fabs(motion->quaternion[i / 4][i % 4]));
    int exponent = 0;
    frexp(largest, &exponent);
    interval d[4];
    for (int i = 0; i < 8; i++)
        out->q[i / 4][i % 4] = ldexp(motion->quaternion[i / 4][i % 4], -exponent);
    double *p = out->q[0], *q = out->q[1];
    for (int i = 0; i < 4; i++)
        d[i] = difference(q[i], p[i]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        /* (q conj(p)) = q_v p_0 - q_0 p_v - q_v x p_v */
        interval turn = interval_sub(product(q[k + 1], p[0]), product(q[0], p[k + 1]));
        interval cross = interval_sub(product(q[i], p[j]), product(q[j], p[i]));
        out->n[k] = interval_sub(turn, cross);
    }
    out->n_size = length_above(out->n, 3);
    out->d_size = length_above(d, 4);
    out->w_least = least_square(out->q, d, out->d_size, middle, half);
    return out->w_least > 0x1p-400 && out->n_size < 0x1p400;
}

/* omega x R and its part in the drift; sets rate, drift and their errors. */
static bool set_turn_rates(const graze_motion *motion, const turn_rates *rates, grz_motion_span *span)
{
    interval w = {0, 0}, omega[3], rate[3][3], position_rate[3];
    for (int i = 0; i < 4; i++)
    {
        interval d = difference(rates->q[1][i], rates->q[0][i]);
        interval x = interval_add(interval_point(rates->q[0][i]), interval_mul(interval_point(span->middle), d));
        w = interval_add(w, square(x));
    }
    if (!(w.lower > 0))
        return false;
    interval factor = interval_outward(2 / w.upper, 2 / w.lower);
    for (int k = 0; k < 3; k++)
        omega[k] = interval_mul(factor, rates->n[k]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        interval time = interval_point(span->middle);
        position_rate[k] = interval_point(motion->path[1][k]);
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
            position_rate[k] = interval_add(position_rate[k],
                                            interval_mul(interval_add(time, time), interval_point(motion->path[2][k])));
        for (int column = 0; column < 3; column++)
        {
            interval r_i = {span->matrix[i][column] - span->error, span->matrix[i][column] + span->error};
            interval r_j = {span->matrix[j][column] - span->error, span->matrix[j][column] + span->error};
            rate[k][column] = interval_sub(interval_mul(omega[i], r_j), interval_mul(omega[j], r_i));
            position_rate[k] =
                interval_sub(position_rate[k], interval_mul(rate[k][column], interval_point(motion->centre[column])));
        }
    }
    for (int k = 0; k < 3; k++)
        for (int column = 0; column < 4; column++)
        {
            interval x = column < 3 ? rate[k][column] : position_rate[k];
            double value = x.lower / 2 + x.upper / 2, *error = column < 3 ? &span->rate_error : &span->drift_error;
            *(column < 3 ? &span->rate[k][column] : &span->drift[k]) = value;
            *error = fmax(*error, fmax(x.upper - value, value - x.lower) * UPWARD);
        }
    return true;
}

static bool turn_span(const graze_motion *motion, grz_motion_span *span)
{
    turn_rates rates;
    if (!turn_rates_make(motion, span->middle, span->half, &rates) || !set_turn_rates(motion, &rates, span))
        return false;
    double omega = 2 * rates.n_size / rates.w_least;
    double change = 4 * rates.n_size * rates.d_size / (rates.w_least * sqrt(rates.w_least));
    double halves = 0.5 * span->half * span->half * UPWARD, pull = 0;
    if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
        for (int k = 0; k < 3; k++)
            pull += 2 * fabs(motion->path[2][k]);
    /* shortcut: bend-of-a-turn */
    span->bend = halves * (omega * omega + change) * UPWARD;
    span->bend_offset = halves * pull * UPWARD;
    for (int k = 0; k < 3; k++)
        span->centre[k] = motion->centre[k];
    return true;
}

static void blend_span(const graze_motion *motion, grz_motion_span *span)
{
    for (int k = 0; k < 12; k++)
    {
        interval x = difference(motion->end.m[k], motion->start.m[k]);
        double value = motion->end.m[k] - motion->start.m[k];
        double *error = k % 4 < 3 ? &span->rate_error : &span->drift_error;
        *(k % 4 < 3 ? &span->rate[k / 4][k % 4] : &span->drift[k / 4]) = value;
        *error = fmax(*error, (x.upper - x.lower) * UPWARD);
    }
}

/* Where all numbers are in range. */
static bool take_span(const grz_motion_span *span, grz_motion_span *out)
{
    double total = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            total += fabs(span->rate[k][j]) + fabs(span->drift[k]) + fabs(span->matrix[k][j]) + fabs(span->offset[k]);
    total += span->rate_error + span->drift_error + span->error + span->offset_error;
    if (!(total + span->bend + span->bend_offset < 0x1p400)) /* also NaN */
        return false;
    *out = *span;
    return true;
}

static grz_motion_span empty_span(double t0, double t1)
{
    grz_motion_span span = {.middle = 0.5 * (t0 + t1)};
    span.half = fmax(t1 - span.middle, span.middle - t0);
    return span;
}

bool grz_motion_span_by_intervals(const graze_motion *motion, double t0, double t1, grz_motion_span *out)
{
    grz_motion_span span = empty_span(t0, t1);
    graze_pose pose;
    grz_pose_error error;
    if (grz_motion_pose(motion, span.middle, &pose, &error) != GRAZE_STATUS_OK)
        return false;
    span.error = error.linear;
    span.offset_error = error.translation;
    for (int k = 0; k < 12; k++)
        *(k % 4 < 3 ? &span.matrix[k / 4][k % 4] : &span.offset[k / 4]) = pose.m[k];
    if (motion->kind == GRAZE_MOTION_BLEND)
        blend_span(motion, &span);
    else if (motion->kind != GRAZE_MOTION_STILL && !turn_span(motion, &span))
        return false;
    return take_span(&span, out);
}

bool grz_motion_span_make(const graze_motion *motion, double t0, double t1, grz_motion_span *out)
{
    grz_motion_span span = empty_span(t0, t1);
    if (motion->kind == GRAZE_MOTION_STILL) /* its entries are exact */
    {
        for (int k = 0; k < 12; k++)
            *(k % 4 < 3 ? &span.matrix[k / 4][k % 4] : &span.offset[k / 4]) = motion->start.m[k];
        return take_span(&span, out);
    }
    bool turns = motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    if (turns && grz_turn_span_make(motion, &span))
        return take_span(&span, out);
    return grz_motion_span_by_intervals(motion, t0, t1, out);
}
