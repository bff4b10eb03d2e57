/* SPDX-License-Identifier: MIT */
/*
 * Boxes of moving parts. Under a turn the point p of the mesh is at R(t) (p - c) + x(t). R(t) (p - c) runs along an arc
 * of at most half a turn, so it is no farther from the chord between its ends than the sagitta r (1 - cos(a / 2)) of
 * the arc, where a is the angle of the whole turn and r at most the distance of p and c. The chord lies in the hull of
 * the boxes of both ends, x(t) in the box of its terms. Under a blend points run along lines between their ends.
 */
#include "clash/swept_box.h"

#include <float.h>
#include <math.h>

enum
{
    ENDS = 2
};

/* What the sum is made of: the rotated or blended box at both ends, and the path. */
typedef struct box_sweep
{
    graze_pose ends[ENDS]; /* linear parts; of a blend with translations */
    double entry_error;    /* of each entry of them */
    double centre[3];
    double path[3][3]; /* terms of x(t): constant, and those that are at most these, in their direction */
    double sagitta;    /* as a share of the distance from the centre */
} box_sweep;

/* 1 - cos(a / 2), rounded up: 1 where the quaternions are of a length that hides it. */
static double sagitta_share(const graze_motion *motion)
{
    const double *p = motion->quaternion[0], *q = motion->quaternion[1];
    double dot = 0, p_sq = 0, q_sq = 0;
    for (int i = 0; i < 4; i++)
    {
        dot += p[i] * q[i];
        p_sq += p[i] * p[i];
        q_sq += q[i] * q[i];
    }
    bool is_usual = p_sq > 1e-100 && p_sq < 1e100 && q_sq > 1e-100 && q_sq < 1e100;
    double cosine = is_usual ? dot / sqrt(p_sq * q_sq) : 0;
    return fmin(1, fmax(0, 1 - cosine) + 32 * DBL_EPSILON);
}

static bool take_turn(const graze_motion *motion, box_sweep *s)
{
    double errors[ENDS];
    for (int end = 0; end < ENDS; end++)
        if (graze_motion_pose(motion, end, &s->ends[end], &errors[end]) != GRAZE_STATUS_OK)
            return false;
    s->entry_error = fmax(errors[0], errors[1]);
    s->sagitta = sagitta_share(motion);
    for (int axis = 0; axis < 3; axis++)
    {
        s->centre[axis] = motion->centre[axis];
        s->path[0][axis] = motion->path[0][axis];
        s->path[1][axis] = motion->path[1][axis];
        s->path[2][axis] = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? motion->path[2][axis] : 0;
        for (int end = 0; end < ENDS; end++)
            s->ends[end].m[4 * axis + 3] = 0;
    }
    return true;
}

/* The bounds along one axis: a sum of at most ten terms, moved outward by more than their rounding. */
static void sweep_axis(const graze_box *box, const box_sweep *s, double reach, int axis, double *out_lower,
                       double *out_upper)
{
    double lower = INFINITY, upper = -INFINITY, size = 0, spread = 0;
    for (int end = 0; end < ENDS; end++)
    {
        const double *row = s->ends[end].m + 4 * axis;
        double low = row[3], high = row[3], terms = fabs(row[3]);
        spread = 1;
        for (int k = 0; k < 3; k++)
        {
            double from = box->lower[k] - s->centre[k], to = box->upper[k] - s->centre[k];
            low += fmin(row[k] * from, row[k] * to);
            high += fmax(row[k] * from, row[k] * to);
            terms += fabs(row[k]) * fmax(fabs(from), fabs(to));
            spread += fmax(fabs(from), fabs(to));
        }
        lower = fmin(lower, low);
        upper = fmax(upper, high);
        size = fmax(size, terms);
    }
    double sag = s->sagitta > 0 ? s->sagitta * reach : 0;
    lower += s->path[0][axis] + fmin(s->path[1][axis], 0) + fmin(s->path[2][axis], 0) - sag;
    upper += s->path[0][axis] + fmax(s->path[1][axis], 0) + fmax(s->path[2][axis], 0) + sag;
    size += fabs(s->path[0][axis]) + fabs(s->path[1][axis]) + fabs(s->path[2][axis]) + sag;
    /* shortcut: swept-part-boxes */
    double error = 16 * DBL_EPSILON * size + 2 * s->entry_error * spread + 64 * DBL_MIN;
    bool is_known = size < DBL_MAX / 4 && error < DBL_MAX / 4;
    *out_lower = is_known ? lower - error : -INFINITY;
    *out_upper = is_known ? upper + error : INFINITY;
}

/* The distance from the centre that no point of the box exceeds, rounded up. */
static double reach_of(const graze_box *box, const double centre[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double far = fmax(fabs(box->lower[k] - centre[k]), fabs(box->upper[k] - centre[k]));
        sum = hypot(sum, far);
    }
    return sum * (1 + 16 * DBL_EPSILON);
}

graze_box grz_clash_sweep_box(const graze_box *box, const graze_motion *motion)
{
    graze_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    box_sweep s = {.ends = {motion->start, motion->start}};
    bool turns = motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    if (motion->kind == GRAZE_MOTION_BLEND)
        s.ends[1] = motion->end;
    bool is_kernel = turns || motion->kind <= GRAZE_MOTION_BLEND;
    for (int axis = 0; axis < 3; axis++)
        is_kernel = is_kernel && isfinite(box->lower[axis]) && isfinite(box->upper[axis]);
    if (!is_kernel || (turns && !take_turn(motion, &s)))
        return all;
    double reach = turns ? reach_of(box, s.centre) : 0;
    for (int axis = 0; axis < 3; axis++)
        sweep_axis(box, &s, reach, axis, &all.lower[axis], &all.upper[axis]);
    return all;
}

/* The bounds of a part in its own frame. */
static graze_box own_box(const grz_clash_part *part)
{
    graze_box box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const graze_placed placed = {part->placed_shape.shape, graze_pose_identity()};
    if (!part->is_shape)
        return graze_mesh_bounds(part->placed.mesh);
    if (graze_placed_bounds(&placed, &box) != GRAZE_STATUS_OK)
        return (graze_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return box;
}

/* That at its pose. */
static graze_box placed_box(const grz_clash_part *part)
{
    return (graze_box){{part->lower[0], part->lower[1], part->lower[2]},
                       {part->upper[0], part->upper[1], part->upper[2]}};
}

graze_box grz_clash_swept_box(const grz_clash_part *part, uint32_t frame)
{
    if (part->motions == NULL)
        return placed_box(part);
    graze_box box = own_box(part);
    return grz_clash_sweep_box(&box, &part->motions[frame]);
}

graze_box grz_clash_reach_box(const grz_clash_part *part)
{
    return part->motions != NULL ? part->swept : placed_box(part);
}

void grz_clash_sweep_parts(grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
    {
        grz_clash_part *part = &parts->parts[i];
        part->swept = placed_box(part);
        for (uint32_t frame = 0; part->motions != NULL && frame < part->motion_count; frame++)
        {
            graze_box box = grz_clash_swept_box(part, frame);
            for (int axis = 0; axis < 3; axis++)
            {
                part->swept.lower[axis] = fmin(part->swept.lower[axis], box.lower[axis]);
                part->swept.upper[axis] = fmax(part->swept.upper[axis], box.upper[axis]);
            }
        }
    }
}

bool grz_clash_do_boxes_meet(const graze_box *a, const graze_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis])
            return false;
    return true;
}
