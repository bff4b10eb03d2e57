/* SPDX-License-Identifier: MIT */
/* How far shapes reach, in their own frames and in that of another motion; see shape_advance.h. */
#include <math.h>

#include "math/interval.h"
#include "motion/motion_span.h"
#include "motion/shape_advance.h"
#include "shape/placed.h"
#include "shape/shape.h"

#define UPWARD (1 + 64 * GRZ_U)

static bool is_turn(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

/* A bound of the length of a pose's matrix as a vector. */
static double length_of(const graze_pose *pose)
{
    double rows[3];
    for (int k = 0; k < 3; k++)
        rows[k] = grz_length_above(pose->m + 4 * k);
    return grz_length_above(rows) * UPWARD;
}

/* A bound of |M|, where a point v of the body is at M (v - centre) + path. */
static double stretch_of(const graze_motion *motion)
{
    if (is_turn(motion))
        return 1;
    double start = length_of(&motion->start);
    return motion->kind == GRAZE_MOTION_BLEND ? fmax(start, length_of(&motion->end)) : start;
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

bool grz_shape_magnitudes(const graze_shape *shape, double out[3])
{
    const graze_placed placed = {shape, graze_pose_identity()};
    graze_box box;
    if (graze_placed_bounds(&placed, &box) != GRAZE_STATUS_OK)
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = box.lower[k] <= box.upper[k] ? fmax(fabs(box.lower[k]), fabs(box.upper[k])) : 0;
    return true;
}

double grz_shape_spread(const graze_shape *shape, const graze_pose *way, double reach)
{
    double spread = 0, point[3];
    if (shape->form != GRZ_FORM_COMPOUND)
    {
        if (!grz_shape_magnitudes(shape, point))
            return INFINITY;
        double own = 2 * (reach + way->m[3] + way->m[7] + way->m[11]); /* rotations change no length */
        for (int k = 0; k < 3; k++)
        {
            if (!(point[k] < INFINITY) && !(own < INFINITY))
                return INFINITY;
            point[k] = point[k] < INFINITY ? point[k] : own;
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                spread += way->m[4 * i + k] * (k < 3 ? point[k] : 1);
        return spread * UPWARD;
    }
    for (size_t part = 0; part < shape->part_count; part++)
    {
        const double *inner = shape->parts[part].pose.m;
        bool rigid = grz_pose_is_rigid(&shape->parts[part].pose);
        graze_pose further = {{0}};
        for (int i = 0; i < 12; i++)
        {
            for (int k = 0; k < 3; k++)
                further.m[i] += way->m[i / 4 * 4 + k] * fabs(inner[4 * k + i % 4]);
            further.m[i] = (further.m[i] + (i % 4 == 3 ? way->m[i] : 0)) * UPWARD;
        }
        spread = fmax(spread, grz_shape_spread(shape->parts[part].shape, &further, rigid ? reach : INFINITY));
    }
    return spread;
}

double grz_part_error(const graze_shape *shape, double spread, const graze_pose *pose)
{
    double turn = 0, away = 0;
    if (shape->form != GRZ_FORM_COMPOUND)
        return 0;
    for (int i = 0; i < 12; i++)
        if (i % 4 == 3)
            away += fabs(pose->m[i]);
        else
            turn = fmax(turn, fabs(pose->m[i]));
    /* shortcut: poses-of-moving-parts */
    return 8 * GRZ_U * (double)shape->depth * (3 * turn * spread + away) + 0x1p-500;
}
