/* SPDX-License-Identifier: MIT */
/*
 * Pieces of motions as kernel motions; see enclosed_impact.h.
 *
 * A piece of a kernel motion is one of its own kind but for rounding. With t0 = n 2^-k, t1 = (n + 1) 2^-k, exact as
 * doubles, and u = 2^-53:
 * - a blend's entries at t0 and t1 are (1 - t) a + t b, rounded with an error of at most 4 u (|a| + |b|) each, so that
 *   a point is off by 4 u (|a| + |b|) |p|_1 of the matrix and 4 u (|a| + |b|) of the translation on each axis.
 * - a turn's quaternions at t0 and t1 have an error of 4 u ((1 - t) |q0| + t |q1|) in each component, 8 u in length;
 *   between them the error is as linear as the length is, and |q(t)| is at least that sum divided by sqrt 2, as the
 *   inner product is not negative. So directions are off by less than 12 u, and rotations by less than 24 u.
 * - paths: x0 + x1 t0 + x2 t0^2, (x1 + 2 x2 t0) h and x2 h^2 have fewer than eight roundings each of |x0| + |x1| + 2
 *   |x2|, and so has their sum at any time: 24 u of it.
 */
#include <math.h>

#include "math/interval.h"
#include "motion/curve_motion.h"
#include "motion/enclosed_impact.h"

static double blend_piece(const graze_motion *motion, double t0, double t1, double size, graze_motion *out)
{
    double most[2] = {0, 0};
    for (int i = 0; i < 12; i++)
    {
        double a = motion->start.m[i], b = motion->end.m[i];
        out->start.m[i] = (1 - t0) * a + t0 * b;
        out->end.m[i] = (1 - t1) * a + t1 * b;
        double *of = i % 4 < 3 ? &most[0] : &most[1];
        *of = fmax(*of, fabs(a) + fabs(b));
    }
    return 2 * 8 * GRZ_U * (most[0] * size + most[1]);
}

static double turn_piece(const graze_motion *motion, double t0, double t1, double reach, graze_motion *out)
{
    double path = 0, h = t1 - t0;
    bool ballistic = motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    double most = 0;
    for (int i = 0; i < 8; i++)
        most = fmax(most, fabs(motion->quaternion[i / 4][i % 4]));
    double scale = most < 0x1p-500 ? 0x1p500 : 1; /* their length does not matter, and denormals round more */
    for (int i = 0; i < 4; i++)
    {
        double a = scale * motion->quaternion[0][i], b = scale * motion->quaternion[1][i];
        out->quaternion[0][i] = (1 - t0) * a + t0 * b;
        out->quaternion[1][i] = (1 - t1) * a + t1 * b;
    }
    for (int k = 0; k < 3; k++)
    {
        double x0 = motion->path[0][k], x1 = motion->path[1][k], x2 = ballistic ? motion->path[2][k] : 0;
        out->path[0][k] = x0 + t0 * (x1 + x2 * t0);
        out->path[1][k] = h * (x1 + 2 * x2 * t0);
        out->path[2][k] = h * h * x2;
        path += fabs(x0) + fabs(x1) + 2 * fabs(x2);
    }
    return 64 * GRZ_U * reach + 32 * GRZ_U * path;
}

bool grz_motion_piece(const graze_motion *motion, uint32_t n, int k, double reach, double size, graze_motion *out,
                      double *out_deviation)
{
    double t0 = ldexp(n, -k), t1 = ldexp(n + 1.0, -k), deviation = 0;
    graze_motion piece = *motion;
    if (grz_motion_is_enclosed(motion))
        return graze_motion_enclose(motion, n, k, reach, out, out_deviation) == GRAZE_STATUS_OK;
    /* shortcut: pieces-of-kernel-motions */
    if (motion->kind == GRAZE_MOTION_BLEND)
        deviation = blend_piece(motion, t0, t1, size, &piece);
    else if (motion->kind != GRAZE_MOTION_STILL)
        deviation = turn_piece(motion, t0, t1, reach, &piece);
    if (!(deviation < 0x1p400) || graze_motion_check(&piece) != GRAZE_STATUS_OK)
        return false;
    *out = piece;
    *out_deviation = deviation + 0x1p-900;
    return true;
}
