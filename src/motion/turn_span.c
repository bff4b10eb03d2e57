/* SPDX-License-Identifier: MIT */
/*
 * The span of a turn in plain doubles with derived errors: some twenty times as fast as in intervals, which remain for
 * numbers out of its range, and as its slow twin (motion_span.c).
 *
 * Errors, in the default environment, u = 2^-53. Let m be the largest |q_i| of both quaternions, q = (1 - t) q0 + t q1
 * at the middle, off by 4 u m in each component, and w = |q|^2 >= 2^-20 m^2, r = m^2 / w, which is at least 1/4.
 * Entries of N(q) and w are sums of four products of two components: off by 4 * 2 * 4 u m^2 for q and 4 * 4 u m^2 by
 * rounding, less than 50 u m^2 together. So the quotients R = N / w, |R| <= 1, are off by 100 u r + 3 u < 2^-46 r =: e.
 * With |c| the sum of the centre's |coordinates| and X the largest sum of |coefficients| of the path on an axis, the
 * offset x - R c is off by e |c| and 8 roundings of at most X + |c|. The vector part n of q1 conj(q0), four products of
 * at most m^2, is off by 16 u m^2; so the components of omega = 2 n / w, at most o, are off by 32 u r + o (51 u r + 2
 * u) < 2^-46 r (1 + o) =: f, those of omega x R by 2 f + 2 o e + 2 f e and 3 roundings of 2 o, so by 3 f + 3 o e + 8 u
 * o =: g; the drift, x' - (omega x R) c, by g |c| and 8 roundings of at most 2 X + 2 (o + f) |c|. Slope q.d of |q|^2 /
 * 2, d = q1 - q0 off by 2 u m: off by 4 (4 u m * 2 m + 2 u m * m) and 4 roundings of 4 * 2 m^2, so by 100 u m^2.
 * Underflow: m is within 2^-100 and 2^100, so that what is lost is below 2^-1000 before the division by w, for which
 * 2^-700 is added; of coordinates what is lost is below that, too.
 */
#include <math.h>

#include "motion/motion_span.h"

#define U 0x1p-53
#define LOST 0x1p-700

/* What the angular part of a turn is at a time; see above. */
typedef struct turn_state
{
    double q[4], d[4], n[3], most; /* most: m */
    double w, ratio;               /* r */
    double matrix[3][3], error;    /* e */
} turn_state;

static double sum_of_squares(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sum;
}

/* False where numbers are out of range. */
static bool state_make(const graze_motion *motion, double t, turn_state *s)
{
    const double *a = motion->quaternion[0], *b = motion->quaternion[1];
    s->most = 0;
    for (int i = 0; i < 4; i++)
    {
        s->most = fmax(s->most, fmax(fabs(a[i]), fabs(b[i])));
        s->q[i] = (1 - t) * a[i] + t * b[i];
        s->d[i] = b[i] - a[i];
    }
    const double *q = s->q;
    s->w = sum_of_squares(q, 4);
    if (!(s->most > 0x1p-100 && s->most < 0x1p100 && s->w >= 0x1p-20 * s->most * s->most))
        return false;
    s->ratio = s->most * s->most / s->w * (1 + 0x1p-20);
    s->error = 0x1p-46 * s->ratio;
    double inverse = 1 / s->w; /* one rounding more than a quotient: within the bound */
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double own = q[k + 1] * q[k + 1], first = q[i + 1] * q[i + 1], second = q[j + 1] * q[j + 1];
        s->matrix[k][k] = (q[0] * q[0] + own - first - second) * inverse;
        s->matrix[j][i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]) * inverse;
        s->matrix[i][j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]) * inverse;
        s->n[k] = b[k + 1] * a[0] - b[0] * a[k + 1] - (b[i + 1] * a[j + 1] - b[j + 1] * a[i + 1]);
    }
    return true;
}

/* The path: where the centre is, and how fast it moves; a bound of the magnitudes of both. */
static double follow_path(const graze_motion *motion, double t, double x[3], double speed[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
    {
        double bend = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? motion->path[2][k] : 0;
        x[k] = motion->path[0][k] + t * (motion->path[1][k] + t * bend);
        speed[k] = motion->path[1][k] + 2 * t * bend;
        most = fmax(most, fabs(motion->path[0][k]) + fabs(motion->path[1][k]) + fabs(bend));
    }
    return most;
}

/* A lower bound of |q|^2 over the span; see least_square of motion_span.c. The length of d is bounded from above, by
   2^-40 of it and 8 u m, for which 2^-38 of the square is taken, and 16 u m^2 of what the slope has beyond its error.
 */
static double least_square(const turn_state *s, double half, double d_size)
{
    double slope = 0, lost = 100 * U * s->most * s->most, w = s->w - lost;
    for (int i = 0; i < 4; i++)
        slope += s->q[i] * s->d[i];
    slope = fabs(slope) + lost;
    double d_least = d_size * (1 - 0x1p-38) - 12 * U * s->most; /* from below, as d_size is from above */
    double along = d_least > 0 ? slope / d_least : INFINITY;
    return fmax(w - 2 * half * slope, w - along * along * (1 + 0x1p-38)) * (1 - 0x1p-40) - 0x1p-30 * lost;
}

bool grz_turn_span_make(const graze_motion *motion, grz_motion_span *span)
{
    turn_state s;
    double t = span->middle, half = span->half, x[3], speed[3], omega[3], o = 0, arm = 0, pull = 0;
    if (!state_make(motion, t, &s))
        return false;
    double most = follow_path(motion, t, x, speed);
    double d_size = sqrt(sum_of_squares(s.d, 4)) * (1 + 0x1p-40) + 4 * U * s.most;
    double n_size = sqrt(sum_of_squares(s.n, 3)) * (1 + 0x1p-40) + 32 * U * s.most * s.most;
    double least = least_square(&s, half, d_size);
    if (!(least > 0x1p-40 * s.most * s.most))
        return false;
    for (int k = 0; k < 3; k++)
    {
        omega[k] = 2 * s.n[k] / s.w;
        o = fmax(o, fabs(omega[k]));
        arm += fabs(motion->centre[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        span->offset[k] = x[k];
        span->drift[k] = speed[k];
        for (int column = 0; column < 3; column++)
        {
            double entry = s.matrix[k][column];
            double rate = omega[i] * s.matrix[j][column] - omega[j] * s.matrix[i][column];
            span->matrix[k][column] = entry;
            span->rate[k][column] = rate;
            span->offset[k] -= entry * motion->centre[column];
            span->drift[k] -= rate * motion->centre[column];
        }
        span->centre[k] = motion->centre[k];
        pull += motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 2 * fabs(motion->path[2][k]) : 0;
    }
    /* shortcut: turn-in-doubles */
    double f = 0x1p-46 * s.ratio * (1 + o), g = 3 * f + 3 * o * s.error + 8 * U * o;
    span->error = s.error * (1 + 0x1p-20) + LOST;
    span->offset_error = (s.error * arm + 8 * U * (most + arm)) * (1 + 0x1p-20) + LOST;
    span->rate_error = g * (1 + 0x1p-20) + LOST;
    span->drift_error = (g * arm + 16 * U * (most + (o + f) * arm)) * (1 + 0x1p-20) + LOST;
    double turn = 2 * n_size / least, change = 4 * n_size * d_size / (least * sqrt(least));
    double halves = 0.5 * half * half;
    span->bend = halves * (turn * turn + change) * (1 + 0x1p-40) + LOST;
    span->bend_offset = halves * pull * (1 + 0x1p-40) + LOST;
    return true;
}
