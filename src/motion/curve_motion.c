/* SPDX-License-Identifier: MIT */
/*
 * Pieces of motions along curves as turns with a certified deviation; see curve_motion.h.
 *
 * In a piece of length h let |x''| <= X, |omega| <= W, |alpha| <= A, with h W <= 1 and h^2 A <= 3. The turn has the
 * rotations of both ends, and the line between both places of the centre.
 *
 * The path is off by at most h^2 X / 8: along any unit vector the difference vanishes at both ends and has a second
 * derivative of at most X.
 *
 * Rotations as unit quaternions p(t), so that p' = omega p / 2 and, as omega omega = -|omega|^2, p'' = alpha p / 2 -
 * |omega|^2 p / 4. Both ends span a plane (any through them, if they are equal) and are e <= h W / 2 <= 1/2 apart.
 *
 * Out of the plane. Let G be the largest distance of p from it, at t*, in the direction of the unit vector n, normal to
 * the plane. g = n.p vanishes at both ends, |g| <= G and |g''| <= A/2 + W^2 G / 4, so G <= h^2/8 (A/2 + W^2 G / 4), and
 * G <= (h^2 A / 16) / (1 - h^2 W^2 / 32) <= 1.0323 h^2 A / 16 < 1/5.
 *
 * In the plane the projection P of p has a length c, c^2 >= 1 - G^2, and an angle phi, from 0 to e. M = c^2 phi' = P x
 * P' has M' = P x P'' = P x (alpha p)_plane / 2, as P x P = 0: |M'| <= A/2, and |M| <= W/2. The integral of M differs
 * from the line between its ends by h^2 A / 16 at most. The rest of phi has the derivative M (1 - c^2) / c^2 <= W/2 *
 * 1.05 G^2, and so differs from its line by less than 2 s (1 - s) h times that, < 0.27 h W G^2 < 0.06 G. As |phi(1)| <=
 * h W / 2 * 1.05 < 1, phi ends at e and at no other angle of the same direction.
 *
 * So p is at most asin G + 0.06 G + h^2 A / 16 < 2.2 h^2 A / 16 from the even motion between the ends, and that is at
 * most half of a^3 (0.00401 + 0.00432 a^2), a = 2 e <= h W, from the turn (even_turn.c). Rotations are off by twice as
 * much: 0.275 h^2 A + a^3 (0.00401 + 0.00432 a^2).
 *
 * Ends that are off by d, lengths included, move the unnormalised quaternion of the turn by d at most, whose length is
 * at least cos(1/4): it is off by less than 1.1 d for d < 1/8. A rotation error of r is d = r/2, and lengths 8 u.
 *
 * A point that is at most `reach` from the centre moves by no more than the angle times that, and than 2 reach.
 */
#include "motion/curve_motion.h"

#include <math.h>

#include "math/interval.h"

/* Sums and products of fewer than 40 roundings of numbers that are not negative become upper bounds. */
#define UPWARD (1 + 64 * GRZ_U)

static bool has_bounds(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static graze_status check_function(const graze_motion_function *f)
{
    if (f == NULL || f->place == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const double bounds[5] = {f->acceleration, f->angular_speed, f->angular_acceleration, f->path_error, f->turn_error};
    if (!has_bounds(bounds, 5))
        return GRAZE_STATUS_NOT_FINITE;
    for (int i = 0; i < 5; i++)
        if (bounds[i] < 0)
            return GRAZE_STATUS_BAD_ARGUMENT;
    return GRAZE_STATUS_OK;
}

static bool function_place(const graze_motion_function *f, double t, grz_curve_place *out)
{
    double most = 0;
    *out = (grz_curve_place){.turn_error = f->turn_error, .path_error = f->path_error};
    if (!f->place(f->user, t, out->quaternion, out->path) || !has_bounds(out->quaternion, 4) ||
        !has_bounds(out->path, 3))
        return false;
    for (int i = 0; i < 4; i++)
        most = fmax(most, fabs(out->quaternion[i]));
    if (!(most > 0))
        return false;
    grz_quaternion_normalise(out->quaternion);
    return true;
}

graze_status grz_motion_check_enclosed(const graze_motion *motion)
{
    if (grz_motion_is_even(motion))
        return grz_motion_check_turn(motion);
    if (!grz_motion_is_curve(motion))
        return GRAZE_STATUS_UNSUPPORTED;
    if (!has_bounds(motion->centre, 3))
        return GRAZE_STATUS_NOT_FINITE;
    if (motion->kind == GRAZE_MOTION_FLIGHT)
        return motion->flight != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
    return motion->kind == GRAZE_MOTION_SPLINE ? grz_spline_check(motion->spline) : check_function(motion->function);
}

bool grz_curve_place_at(const graze_motion *motion, double t, grz_curve_place *out)
{
    if (motion->kind == GRAZE_MOTION_SPLINE)
        return grz_spline_place(motion->spline, t, out);
    if (motion->kind == GRAZE_MOTION_FLIGHT)
        return grz_flight_place(motion->flight, t, out);
    return function_place(motion->function, t, out);
}

bool grz_curve_rates_over(const graze_motion *motion, double t0, double t1, grz_curve_rates *out)
{
    if (motion->kind == GRAZE_MOTION_SPLINE)
        return grz_spline_rates(motion->spline, t0, t1, out);
    if (motion->kind == GRAZE_MOTION_FLIGHT)
        return grz_flight_rates(motion->flight, t0, t1, out);
    const graze_motion_function *f = motion->function;
    *out = (grz_curve_rates){f->acceleration, f->angular_speed, f->angular_acceleration};
    return true;
}

/* How far rotations between the ends may be off, as an angle; 2 where nothing is known. */
static double turn_deviation(const grz_curve_rates *rates, double h, double end_error)
{
    double a = h * rates->angular_speed * UPWARD, bend = h * h * rates->angular_acceleration * UPWARD;
    if (!(a <= 1 && bend <= 3 && end_error <= 0.125))
        return 2;
    /* shortcut: curve-deviation */
    double angle = 0.275 * bend + a * a * a * (0.00402 + 0.0044 * a * a) + 1.1 * end_error + 20 * GRZ_U;
    return fmin(angle * UPWARD, 2);
}

graze_status grz_curve_enclose(const graze_motion *motion, uint32_t n, int k, double reach, graze_motion *out_turn,
                               double *out_deviation)
{
    double t0 = ldexp(n, -k), t1 = ldexp(n + 1.0, -k), h = ldexp(1, -k), inner = 0, rounding = 0;
    grz_curve_place ends[2];
    grz_curve_rates rates;
    if (!grz_curve_place_at(motion, t0, &ends[0]) || !grz_curve_place_at(motion, t1, &ends[1]) ||
        !grz_curve_rates_over(motion, t0, t1, &rates))
        return GRAZE_STATUS_NOT_FINITE;
    graze_motion turn = {.kind = GRAZE_MOTION_TURN};
    for (int i = 0; i < 4; i++)
        inner += ends[0].quaternion[i] * ends[1].quaternion[i];
    for (int i = 0; i < 4; i++)
    {
        turn.quaternion[0][i] = ends[0].quaternion[i];
        turn.quaternion[1][i] = inner < 0 ? -ends[1].quaternion[i] : ends[1].quaternion[i];
    }
    for (int i = 0; i < 3; i++)
    {
        turn.centre[i] = motion->centre[i];
        turn.path[0][i] = ends[0].path[i];
        turn.path[1][i] = ends[1].path[i] - ends[0].path[i];
        rounding += 2 * GRZ_U * (fabs(ends[0].path[i]) + fabs(ends[1].path[i])) + 4 * GRZ_SMALLEST_NORMAL;
    }
    double turned = turn_deviation(&rates, h, fmax(ends[0].turn_error, ends[1].turn_error));
    double path = h * h * rates.acceleration / 8 + fmax(ends[0].path_error, ends[1].path_error);
    double deviation = (turned * reach + path + rounding) * UPWARD;
    if (!isfinite(deviation))
        return GRAZE_STATUS_NOT_FINITE;
    graze_status status = graze_motion_check(&turn);
    if (status != GRAZE_STATUS_OK) /* BAD_ARGUMENT: exactly opposite but for rounding; any turn would do */
        return GRAZE_STATUS_NOT_FINITE;
    *out_turn = turn;
    *out_deviation = deviation;
    return GRAZE_STATUS_OK;
}
