/* SPDX-License-Identifier: MIT */
/*
 * Gaps that outlast motions; see motion_gap.h.
 *
 * Motion bound. At a time of the span around m a vertex v is at (matrix v + offset) + s (rate v + drift) + rest with
 * |s| <= half, where entries have the errors of motion_span.h and |rest| <= bend |v - centre| + bend_offset. So it is
 * within sum_k (|matrix_ik - Q_ik| + half |rate_ik| + errors) w_k + |offset_i - Q_i3| + half |drift_i| + errors of its
 * place at the pose Q on axis i, but for the rest, where w_k is the largest |v_k|. Points of triangles move no farther
 * than their corners. No two points of A and B come closer than their distance at the poses less the length of these
 * sums of A and B together, less both rests.
 *
 * Rounding: sums of fewer than 40 terms that are not negative have a relative error below 64 u. Overflow and NaN
 * compare as not smaller.
 */
#include "motion/motion_gap.h"

#include <math.h>

#include "graze/distance.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/motion_pose.h"
#include "pair/distance/proximity.h"

enum
{
    OPENINGS = 12,     /* node pairs that a search for a bound may open */
    MOST_BACKOFF = 64, /* motions without a search after searches that failed */
    MOST_MOTIONS = 256 /* gaps that last longer are as good */
};

/* Adds how far vertices may be from their places at a pose to `moves`, on each axis; returns a bound of the rest. */
static double add_moves(const grz_motion_span *span, const graze_mesh *mesh, const graze_pose *from, double moves[3])
{
    double w[3], arm[3], sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = mesh->lower[k], upper = mesh->upper[k];
        arm[k] = fmax(fabs(lower - span->centre[k]), fabs(upper - span->centre[k]));
        w[k] = fmax(fabs(lower), fabs(upper));
        sum += w[k];
    }
    double errors = (span->error + span->half * span->rate_error) * sum + span->offset_error;
    errors += span->half * span->drift_error;
    for (int i = 0; i < 3; i++)
    {
        double move = fabs(span->offset[i] - from->m[4 * i + 3]) + span->half * fabs(span->drift[i]) + errors;
        for (int k = 0; k < 3; k++)
            move += (fabs(span->matrix[i][k] - from->m[4 * i + k]) + span->half * fabs(span->rate[i][k])) * w[k];
        moves[i] += move;
    }
    return span->bend * grz_length_above(arm) + span->bend_offset;
}

double grz_motion_from(const grz_motion_span spans[2], const grz_moving_meshes *meshes, const graze_pose poses[2])
{
    double moves[3] = {0, 0, 0};
    double rest = add_moves(&spans[0], meshes->a.mesh, &poses[0], moves);
    rest += add_moves(&spans[1], meshes->b.mesh, &poses[1], moves);
    double length = sqrt(moves[0] * moves[0] + moves[1] * moves[1] + moves[2] * moves[2]);
    return (length + rest) * (1 + 64 * GRZ_U) + 0x1p-450;
}

graze_pose grz_span_pose(const grz_motion_span *span)
{
    graze_pose pose;
    for (int k = 0; k < 12; k++)
        pose.m[k] = k % 4 < 3 ? span->matrix[k / 4][k % 4] : span->offset[k / 4];
    return pose;
}

/* Searches for a lower bound at the poses in the middle of the motions that is more than `motion` and the margin. */
static bool search(grz_motion_gap *g, const grz_motion_span spans[2], const grz_moving_meshes *meshes, double margin,
                   grz_monitor *monitor)
{
    g->poses[0] = grz_span_pose(&spans[0]);
    g->poses[1] = grz_span_pose(&spans[1]);
    double motion = grz_motion_from(spans, meshes, g->poses) + margin;
    if (!(motion < 0x1p400))
        return false;
    const graze_placed_mesh a = {meshes->a.mesh, meshes->tree_a, g->poses[0]};
    const graze_placed_mesh b = {meshes->b.mesh, meshes->tree_b, g->poses[1]};
    double enough = motion > 0x1p-400 ? MOST_MOTIONS * motion : 0x1p300;
    g->searches++;
    g->gap = grz_distance_lower_bound(meshes->context, &a, &b, motion, enough, OPENINGS, monitor);
    return g->gap > motion;
}

double grz_motion_gap_find(grz_motion_gap *g, const grz_moving_meshes *meshes, double margin, grz_monitor *monitor)
{
    grz_motion_span spans[2];
    if (meshes->a.end_mesh != NULL || meshes->b.end_mesh != NULL || !(g->gap > 0 || g->wait == 0))
    {
        g->wait -= g->wait > 0;
        return 0;
    }
    if (!grz_motion_span_make(&meshes->a.motion, 0, 1, &spans[0]) ||
        !grz_motion_span_make(&meshes->b.motion, 0, 1, &spans[1]))
        return 0;
    /* shortcut: motion-below-distance */
    double left = g->gap > 0 ? g->gap - grz_motion_from(spans, meshes, g->poses) : 0;
    if (left > margin)
        return left * (1 - 4 * GRZ_U);
    g->gap = 0;
    if (g->wait > 0)
    {
        g->wait--;
        return 0;
    }
    if (!search(g, spans, meshes, margin, monitor))
    {
        g->gap = 0;
        g->wait = g->backoff;
        g->backoff = g->backoff == 0 ? 1 : g->backoff < MOST_BACKOFF ? 2 * g->backoff : MOST_BACKOFF;
        return 0;
    }
    g->backoff = 0;
    left = g->gap - grz_motion_from(spans, meshes, g->poses);
    return left > margin ? left * (1 - 4 * GRZ_U) : 0;
}

/* How far a vertex may be from its place at a pose that is off by so much. */
static double vertex_error(const graze_mesh *mesh, const grz_pose_error *error)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    double turned = error->linear > 0 ? error->linear * sum : 0;
    return 1.75 * (turned + error->translation); /* more than the root of 3 */
}

graze_status grz_motion_starts_apart(const grz_moving_meshes *meshes, bool apart, grz_monitor *monitor,
                                     graze_pose poses[2], double *out_off, bool *out_apart)
{
    grz_pose_error errors[2];
    *out_apart = false;
    *out_off = INFINITY;
    if (grz_motion_pose(&meshes->a.motion, 0, &poses[0], &errors[0]) != GRAZE_STATUS_OK ||
        grz_motion_pose(&meshes->b.motion, 0, &poses[1], &errors[1]) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    const graze_placed_mesh a = {meshes->a.mesh, meshes->tree_a, poses[0]};
    const graze_placed_mesh b = {meshes->b.mesh, meshes->tree_b, poses[1]};
    double off = *out_off = vertex_error(a.mesh, &errors[0]) + vertex_error(b.mesh, &errors[1]);
    /* shortcut: start-despite-rounding */
    *out_apart =
        (apart && !(off > 0)) || grz_distance_lower_bound(meshes->context, &a, &b, off, 0x1p300, OPENINGS, NULL) > off;
    if (*out_apart || !(off < 0x1p1000))
        return GRAZE_STATUS_OK;
    graze_tolerance_options options = graze_tolerance_options_default();
    options.budget = grz_monitor_budget(monitor);
    bool found = true;
    graze_status status = graze_pair_tolerance_any(meshes->context, &a, &b, off, &options, &found, NULL);
    *out_apart = status == GRAZE_STATUS_OK && !found;
    return grz_monitor_end_step(monitor, status, 0);
}
