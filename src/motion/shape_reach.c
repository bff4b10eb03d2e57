/* SPDX-License-Identifier: MIT */
/* What a moving shape comes to in the frame of another motion; see shape_advance.h. */
#include <math.h>

#include "math/interval.h"
#include "motion/shape_advance.h"
#include "shape/placed.h"

#define UPWARD (1 + 64 * GRZ_U)

static bool is_turn(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

/* A bound of |M|, where a point v of the body is at M (v - centre) + path. */
static double stretch_of(const graze_motion *motion)
{
    double sums[2] = {0, 0};
    for (int k = 0; k < 12; k++)
        if (k % 4 != 3)
        {
            sums[0] += motion->start.m[k] * motion->start.m[k];
            sums[1] += motion->end.m[k] * motion->end.m[k];
        }
    double end = motion->kind == GRAZE_MOTION_BLEND ? sums[1] : 0;
    return is_turn(motion) ? 1 : sqrt(fmax(sums[0], end)) * UPWARD;
}

/* The coefficients of the path on an axis. */
static void path_of(const graze_motion *motion, int axis, double out[3])
{
    double from = motion->start.m[4 * axis + 3], to = motion->end.m[4 * axis + 3];
    bool blends = motion->kind == GRAZE_MOTION_BLEND;
    for (int i = 0; i < 3; i++)
        out[i] = motion->path[i][axis];
    if (motion->kind != GRAZE_MOTION_BALLISTIC_TURN)
        out[2] = 0;
    if (is_turn(motion))
        return;
    out[0] = from;
    out[1] = blends ? to - from : 0;
}

bool grz_motion_keeps_lengths(const graze_motion *motion)
{
    for (int k = 0; k < 12 && motion->kind == GRAZE_MOTION_BLEND; k++)
        if (k % 4 != 3 && (motion->start.m[k] < motion->end.m[k] || motion->start.m[k] > motion->end.m[k]))
            return false;
    return is_turn(motion) || grz_pose_is_rigid(&motion->start);
}

/* |q - c| is the length of x' - x, the difference of the paths, and of what the other body has around its centre. */
double grz_shape_reach(const graze_motion *frame, const grz_shape_mover *other)
{
    double centre = 0, way = 0, arm = other->size;
    for (int k = 0; k < 3; k++)
    {
        double own[3], others[3];
        path_of(frame, k, own);
        path_of(&other->motion, k, others);
        for (int i = 0; i < 3; i++)
            way += fabs(others[i] - own[i]) + 4 * GRZ_U * (fabs(others[i]) + fabs(own[i]));
        centre += is_turn(frame) ? fabs(frame->centre[k]) : 0;
        arm += is_turn(&other->motion) ? fabs(other->motion.centre[k]) : 0;
    }
    return 1.75 * (way + stretch_of(&other->motion) * arm) * UPWARD + centre; /* more than the root of 3 */
}
