/* SPDX-License-Identifier: MIT */
/*
 * A lower bound of the distance at all times of two motions; see motion_gap.h.
 *
 * Branch and bound: in an interval of time nothing comes closer than the distance in its middle less the motion there
 * (motion_gap.c). Where that is less than half of the least distance seen so far, the interval is halved.
 */
#include <math.h>

#include "graze/distance.h"
#include "math/interval.h"
#include "motion/motion_gap.h"

enum
{
    MOST_HALVINGS = 20,
    MOST_DISTANCES = 2000
};

#define RELATIVE_ERROR 0.1
#define SHARE 0.5

typedef struct clearance_search
{
    const grz_moving_meshes *meshes;
    grz_monitor *monitor;
    double least, nearest; /* the least bound, and the least distance in any middle */
    unsigned distances;
    graze_status status;
} clearance_search;

/* The bound in an interval; negative where nothing is known. */
static double bound_in(clearance_search *s, double t0, double t1)
{
    grz_motion_span spans[2];
    graze_placed_mesh placed[2] = {{s->meshes->a.mesh, s->meshes->tree_a, graze_pose_identity()},
                                   {s->meshes->b.mesh, s->meshes->tree_b, graze_pose_identity()}};
    if (!grz_motion_span_make(&s->meshes->a.motion, t0, t1, &spans[0]) ||
        !grz_motion_span_make(&s->meshes->b.motion, t0, t1, &spans[1]))
        return -1;
    for (int side = 0; side < 2; side++)
        placed[side].pose = grz_span_pose(&spans[side]);
    graze_distance_options options = graze_distance_options_default();
    options.relative_error = RELATIVE_ERROR;
    options.budget = grz_monitor_budget(s->monitor);
    graze_distance distance;
    const graze_pose poses[2] = {placed[0].pose, placed[1].pose};
    s->distances++;
    s->status = graze_pair_distance(s->meshes->context, &placed[0], &placed[1], &options, &distance);
    s->status = grz_monitor_end_step(s->monitor, s->status, 0);
    if (s->status != GRAZE_STATUS_OK)
        return -1;
    s->nearest = fmin(s->nearest, distance.upper);
    /* shortcut: distance-less-motion */
    return (distance.lower - grz_motion_from(spans, s->meshes, poses)) * (1 - 4 * GRZ_U);
}

static void search(clearance_search *s, double t0, double t1, int halvings)
{
    double bound = bound_in(s, t0, t1), middle = 0.5 * (t0 + t1);
    if (s->status != GRAZE_STATUS_OK || s->least <= 0)
        return;
    if (bound >= SHARE * s->nearest || halvings == 0 || s->distances >= MOST_DISTANCES)
    {
        s->least = fmin(s->least, fmax(bound, 0)); /* also NaN */
        return;
    }
    search(s, t0, middle, halvings - 1);
    search(s, middle, t1, halvings - 1);
}

graze_status grz_motion_clearance(const grz_moving_meshes *meshes, grz_monitor *monitor, double *out_lower)
{
    clearance_search s = {
        .meshes = meshes, .monitor = monitor, .least = INFINITY, .nearest = INFINITY, .status = GRAZE_STATUS_OK};
    *out_lower = 0;
    if (meshes->a.end_mesh != NULL || meshes->b.end_mesh != NULL)
        return GRAZE_STATUS_OK;
    search(&s, 0, 1, MOST_HALVINGS);
    if (s.status == GRAZE_STATUS_UNFINISHED)
        return GRAZE_STATUS_OK;
    if (s.status == GRAZE_STATUS_OK && s.least < INFINITY)
        *out_lower = s.least;
    return s.status;
}
