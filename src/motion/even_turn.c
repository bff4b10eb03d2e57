/* SPDX-License-Identifier: MIT */
/*
 * Pieces of even turns as turns, with a certified deviation; see graze_motion_enclose.
 *
 * Quaternions in the middle of others come by halving: the mean of two unit quaternions, divided by its length, is the
 * one in the middle of their arc. Only + * / and sqrt are used, so that no library function needs a bound.
 *
 * The turn of a piece of angle a = 2 e passes the same rotations as the even motion, early or late. With unit
 * quaternions at an angle e the turn has at t the angle f(t), tan f = t sin e / (1 - t + t cos e), so f' = sin e / (1 -
 * x) with x = 2 t (1 - t) (1 - cos e), and f(0) = 0, f(1/2) = e/2. For e <= 1/2, expanding sin and cos, f' - e = e^3
 * (-1/6 + t (1 - t))
 * + R with |R| <= e^5 (1/120 + 1/16 + 1.07/16) < 0.138 e^5. So up to t = 1/2, and by symmetry after it, |f - t e| <=
 * e^3 t (1 - t) (1 - 2 t) / 6 + 0.069 e^5 <= e^3 (0.01604 + 0.069 e^2), and the rotation is off by twice that: a^3
 * (0.00401 + 0.00432 a^2). For larger pieces it is off by at most a.
 *
 * Rounding, u = 2^-53. A unit quaternion is off by 4 u when made; a mean of two that are at most a quarter circle apart
 * has a length of at least sqrt 2, then 1.84, 1.96 and so on, so errors grow by less than 1.6 in all, and each halving
 * adds at most 6 u: 1.6 (4 + 6 k) u < 10 (k + 1) u. Between the ends of a piece the error is at most sqrt 2 times that
 * (their mean is shorter), lengths that differ by as much included twice, and the rotation is off by twice it: less
 * than 60 (k + 1) u.
 */
#include "motion/even_turn.h"

#include <math.h>

#include "base/environment.h"
#include "math/interval.h"
#include "motion/curve_motion.h"

/* Divides by the length. Scaling by a power of two first keeps squares in range. */
void grz_quaternion_normalise(double q[4])
{
    double largest = 0, sum = 0;
    int exponent;
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(q[i]));
    frexp(largest, &exponent);
    for (int i = 0; i < 4; i++)
    {
        q[i] = ldexp(q[i], -exponent);
        sum += q[i] * q[i];
    }
    double length = sqrt(sum);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* The ends of the arc of piece n of 2^k. */
static void cut_arc(double ends[2][4], uint32_t n, int k)
{
    grz_quaternion_normalise(ends[0]);
    grz_quaternion_normalise(ends[1]);
    for (int bit = k - 1; bit >= 0; bit--)
    {
        double middle[4];
        for (int i = 0; i < 4; i++)
            middle[i] = ends[0][i] + ends[1][i];
        grz_quaternion_normalise(middle);
        for (int i = 0; i < 4; i++)
            ends[(n >> bit & 1) != 0 ? 0 : 1][i] = middle[i];
    }
}

/* How far off rotations of the piece may be, as an angle. */
static double angle_error(const double ends[2][4], int k)
{
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (ends[1][i] - ends[0][i]) * (ends[1][i] - ends[0][i]);
    /* An arc of angle e has the chord 2 sin(e/2); asin x <= x (1 + x^2 / 5) up to 1/2, <= x pi / 2 always. */
    double chord = sqrt(square) + 64 * GRZ_U, e = chord <= 1 ? chord * (1 + chord * chord / 20) : chord * 1.5708;
    double angle = 2 * e;
    /* shortcut: even-turn-deviation */
    double uneven = angle <= 1 ? angle * angle * angle * (0.00402 + 0.0044 * angle * angle) : angle;
    return uneven + 60 * (k + 1) * GRZ_U;
}

double grz_even_turn_error(const graze_motion *turn, int k)
{
    return angle_error((const double(*)[4])turn->quaternion, k) * (1 + 8 * GRZ_U);
}

static graze_status enclose(const graze_motion *motion, uint32_t n, int k, double reach, graze_motion *turn,
                            double *out_deviation)
{
    double start = ldexp(n, -k), span = ldexp(1, -k), rounding = 0;
    *turn = *motion;
    turn->kind = GRAZE_MOTION_TURN;
    cut_arc(turn->quaternion, n, k);
    for (int i = 0; i < 3; i++)
    {
        turn->path[0][i] = motion->path[0][i] + motion->path[1][i] * start;
        turn->path[1][i] = motion->path[1][i] * span;
        rounding += 2 * GRZ_U * (fabs(motion->path[0][i]) + fabs(motion->path[1][i])) + 4 * GRZ_SMALLEST_NORMAL;
    }
    double deviation = angle_error((const double(*)[4])turn->quaternion, k) * reach + rounding;
    *out_deviation = deviation * (1 + 8 * GRZ_U);
    if (!isfinite(deviation))
        return GRAZE_STATUS_NOT_FINITE;
    graze_status status = graze_motion_check(turn);
    return status == GRAZE_STATUS_BAD_ARGUMENT ? GRAZE_STATUS_INTERNAL : status;
}

graze_status graze_motion_enclose(const graze_motion *motion, uint32_t n, int k, double reach, graze_motion *out_turn,
                                  double *out_deviation)
{
    if (motion == NULL || out_turn == NULL || out_deviation == NULL || k < 1 || k > GRZ_EVEN_DEPTH_MAX || n >> k != 0 ||
        !(reach >= 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if ((int)motion->kind < 0 || motion->kind >= GRAZE_MOTION_KIND_COUNT)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_motion_check_enclosed(motion);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_motion turn;
    double deviation;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = (grz_motion_is_even(motion) ? enclose : grz_curve_enclose)(motion, n, k, reach, &turn, &deviation);
    grz_environment_leave_default(&environment);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_turn = turn;
    *out_deviation = deviation;
    return GRAZE_STATUS_OK;
}
