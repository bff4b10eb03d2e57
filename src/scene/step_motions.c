/* SPDX-License-Identifier: MIT */
/*
 * Motions of the step of a continuous update, and bounds around them: a box for the broad phase, and a sphere whose
 * centre runs on a line (a swept sphere, or capsule in space-time).
 *
 * A point runs on a curve p(t) with |p''| <= K, so that it is within K/8 of the point (1-t) p(0) + t p(1) of its chord.
 * The span of the whole motion (motion_span.h) has bend = K/8 for each unit of distance from the centre. So, with
 * bounds of the body at t = 0 and t = 1, the chord of each point is in their convex hull: the box around both boxes,
 * and the sphere that runs from one centre to the other with the larger radius.
 */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/environment.h"
#include "base/tasks.h"
#include "math/interval.h"
#include "motion/motion_span.h"
#include "scene/scene.h"

enum
{
    CHUNK = 64 /* objects per task */
};

static graze_motion still_at(const graze_pose *pose)
{
    return (graze_motion){.kind = GRAZE_MOTION_STILL, .start = *pose};
}

graze_status graze_scene_move_along(graze_scene *scene, graze_object object, const graze_motion *motion)
{
    if (scene == NULL || motion == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if (record->parent != GRZ_NO_OBJECT)
        return GRAZE_STATUS_UNSUPPORTED;
    graze_pose end;
    float defect;
    graze_status status = graze_motion_check(motion);
    if (status == GRAZE_STATUS_OK)
        status = graze_motion_pose(motion, 1, &end, NULL);
    if (status == GRAZE_STATUS_OK)
        status = grz_scene_check_world_pose(record, &end, &defect);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (record->pending == 0)
    {
        if (!GRZ_PUSH(&scene->context, &scene->pending, *motion))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        record->pending = (uint32_t)scene->pending.count;
    }
    scene->pending.data[record->pending - 1] = *motion;
    record->along = true;
    record->pose = end;
    record->defect = defect;
    grz_scene_mark_dirty(scene, object.index);
    return GRAZE_STATUS_OK;
}

void grz_scene_step_motion(const graze_scene *scene, uint32_t index, graze_motion *out_motion)
{
    uint32_t rank = scene->placed_ranks.data[index];
    *out_motion = rank != 0 ? scene->steps.data[rank - 1].motion : still_at(&scene->world_states.data[index].world);
}

graze_status graze_scene_step_motion(const graze_scene *scene, graze_object object, graze_motion *out_motion)
{
    if (scene == NULL || out_motion == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL || !record->placed)
        return GRAZE_STATUS_BAD_INDEX;
    if (scene->stepped)
        grz_scene_step_motion(scene, object.index, out_motion);
    else
        *out_motion = still_at(&scene->world_states.data[object.index].world);
    return GRAZE_STATUS_OK;
}

static bool same_matrix(const graze_pose *a, const graze_pose *b)
{
    for (int row = 0; row < 3; row++)
        if (memcmp(a->m + 4 * row, b->m + 4 * row, 3 * sizeof(double)) != 0)
            return false;
    return true;
}

/* step->bend becomes how far the motion misses `start` and `end`; INFINITY: they are not its poses. */
static graze_status make_motion(const graze_scene *scene, const grz_object_record *record, const graze_pose *old,
                                const graze_pose *new, grz_step *step)
{
    graze_motion *out = &step->motion;
    step->bend = 0;
    step->jumps = record->along || record->reshaped;
    if (record->along)
    {
        *out = scene->pending.data[record->pending - 1];
        step->bend = out->kind == GRAZE_MOTION_BLEND ? 0 : INFINITY;
        return GRAZE_STATUS_OK;
    }
    if (!record->placed || scene->step_kind == GRAZE_MOTION_STILL || memcmp(old, new, sizeof *old) == 0 ||
        !grz_record_has_geometry(record))
    {
        *out = still_at(new);
        return GRAZE_STATUS_OK;
    }
    /* A translation along a line: as a blend it misses neither pose, and needs no rotation. */
    graze_motion_kind kind = same_matrix(old, new) ? GRAZE_MOTION_BLEND : scene->step_kind;
    return graze_motion_between(old, new, kind, out, &step->bend);
}

typedef struct step_work
{
    graze_scene *scene;
    atomic_int status; /* the least failure */
} step_work;

static void make_chunk(void *argument, size_t chunk)
{
    step_work *work = argument;
    graze_scene *scene = work->scene;
    size_t end = (chunk + 1) * CHUNK < scene->placed.count ? (chunk + 1) * CHUNK : scene->placed.count;
    for (size_t i = chunk * CHUNK; i < end; i++)
    {
        uint32_t index = scene->placed.data[i];
        const grz_object_record *record = &scene->objects.data[index];
        const graze_pose *new = record->parent != GRZ_NO_OBJECT ? &scene->world_poses.data[i] : &record->pose;
        graze_status status =
            make_motion(scene, record, &scene->world_states.data[index].world, new, &scene->steps.data[i]);
        int known = atomic_load(&work->status), mine = (int)status;
        while (status != GRAZE_STATUS_OK && (known == GRAZE_STATUS_OK || mine < known) &&
               !atomic_compare_exchange_weak(&work->status, &known, mine))
            continue;
    }
}

graze_status grz_scene_make_steps(graze_scene *scene)
{
    step_work work = {.scene = scene};
    atomic_init(&work.status, GRAZE_STATUS_OK);
    if (!GRZ_RESERVE(&scene->context, &scene->steps, scene->placed.count))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_parallel_for(&scene->context, (scene->placed.count + CHUNK - 1) / CHUNK, make_chunk, &work);
    return (graze_status)atomic_load(&work.status);
}

static void bounds_at(const grz_object_record *record, const graze_pose *pose, graze_box *box, grz_world_sphere *ball)
{
    if (record->shape != NULL)
        grz_world_bounds_of_shape(record->shape, pose, box, ball);
    else
        grz_world_bounds(record->mesh, pose, box, ball);
}

/* How far a point of the body may be from its chord between the poses at t = 0 and t = 1, which have been rounded;
   INFINITY where nothing is known. */
static double chord_error(const graze_motion *motion, const grz_world_sphere *start, double pose_error)
{
    grz_motion_span span;
    double reach = 0, sum = 1;
    if (motion->kind != GRAZE_MOTION_TURN && motion->kind != GRAZE_MOTION_BALLISTIC_TURN)
        return 0; /* poses and chords are exact */
    if (!(start->radius < 0x1p400) || !grz_motion_span_make(motion, 0, 1, &span))
        return INFINITY;
    for (int k = 0; k < 3; k++)
    {
        double way = start->centre[k] - motion->path[0][k];
        reach += way * way;
        sum += fabs(motion->centre[k]);
    }
    /* Of any point from the centre: rotations preserve it. */
    reach = (sqrt(reach) + start->radius + start->error) * (1 + 32 * GRZ_U);
    /* shortcut: swept-spheres */
    double bend = fmin(span.bend, 2) * reach + span.bend_offset;
    double rounding = 2 * pose_error * (sum + 2 * reach);
    return (bend + rounding) * (1 + 32 * GRZ_U) + 0x1p-500;
}

/* Its own sphere, all the time. */
static void bound_still(const graze_box *box, const grz_world_sphere *ball, grz_step *step)
{
    step->box = *box;
    step->radius = ball->radius;
    step->bend = 0;
    memcpy(step->from, ball->centre, sizeof step->from);
    memcpy(step->to, ball->centre, sizeof step->to);
}

static void include_box(graze_box *box, const graze_box *other)
{
    for (int axis = 0; axis < 3 && other != NULL; axis++)
    {
        box->lower[axis] = fmin(box->lower[axis], other->lower[axis]);
        box->upper[axis] = fmax(box->upper[axis], other->upper[axis]);
    }
}

/* In the default environment, where poses are given at both ends. */
static void bound_moving(const grz_object_record *record, const graze_pose ends[2], double pose_error, grz_step *step)
{
    graze_box box;
    grz_world_sphere balls[2];
    bounds_at(record, &ends[0], &step->box, &balls[0]);
    bounds_at(record, &ends[1], &box, &balls[1]);
    include_box(&step->box, &box);
    double error = chord_error(&step->motion, &balls[0], pose_error);
    for (int axis = 0; axis < 3; axis++)
    {
        /* shortcut: swept-boxes */
        double lower = step->box.lower[axis] - error, upper = step->box.upper[axis] + error;
        step->box.lower[axis] = fmax(lower - 4 * GRZ_U * fabs(lower), -DBL_MAX);
        step->box.upper[axis] = fmin(upper + 4 * GRZ_U * fabs(upper), DBL_MAX);
    }
    memcpy(step->from, balls[0].centre, sizeof step->from);
    memcpy(step->to, balls[1].centre, sizeof step->to);
    step->bend = error;
    step->radius = (fmax(balls[0].radius, balls[1].radius) + error) * (1 + 8 * GRZ_U);
}

void grz_step_bound(const grz_object_record *record, const grz_world_state *placed, const graze_box *before,
                    grz_step *step)
{
    const graze_motion *motion = &step->motion;
    double pose_error = step->bend;
    bound_still(&record->box, &placed->sphere, step);
    if (!(record->box.lower[0] <= record->box.upper[0])) /* an empty shape */
        return;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    if (motion->kind != GRAZE_MOTION_STILL)
    {
        graze_pose ends[2] = {motion->start, motion->end};
        double errors[2] = {pose_error, pose_error};
        graze_status status = GRAZE_STATUS_OK;
        for (int side = 0; side < 2 && isinf(pose_error) && status == GRAZE_STATUS_OK; side++)
            status = graze_motion_pose(motion, side, &ends[side], &errors[side]);
        bound_moving(record, ends, status == GRAZE_STATUS_OK ? fmax(errors[0], errors[1]) : INFINITY, step);
    }
    include_box(&step->box, &record->box);
    include_box(&step->box, before);
    grz_environment_leave_default(&environment);
}

/* A line of centres, and the radius. */
typedef struct chord
{
    double ends[2][3], radius;
} chord;

static void chord_of(const graze_scene *scene, uint32_t index, chord *out)
{
    uint32_t rank = scene->placed_ranks.data[index];
    const grz_world_sphere *ball = &scene->world_states.data[index].sphere;
    const grz_step *step = rank != 0 ? &scene->steps.data[rank - 1] : NULL;
    memcpy(out->ends[0], step != NULL ? step->from : ball->centre, sizeof out->ends[0]);
    memcpy(out->ends[1], step != NULL ? step->to : ball->centre, sizeof out->ends[1]);
    out->radius = step != NULL ? step->radius : ball->radius;
}

/*
 * The centres run on a line relative to one another. A plane, normal to the vector n from one centre to the other where
 * they are nearest, separates the spheres all the time if it does so at both ends: n . (a - b) > |n| (r + s) there. Any
 * n would do. A rounding is u / 2 at most. The left side has at most four of the sum of its magnitudes, of a - b, of
 * the products and two sums; the right side has 4.5 of itself: 1.5 and 1 of the root, 2 of the sum and product.
 */
bool grz_steps_apart(const graze_scene *scene, uint32_t a, uint32_t b)
{
    chord x, y;
    double way[2][3], along[3], dot = 0, square = 0, n_sq = 0, n[3], least = INFINITY, most = 0;
    chord_of(scene, a, &x);
    chord_of(scene, b, &y);
    for (int k = 0; k < 3; k++)
    {
        way[0][k] = x.ends[0][k] - y.ends[0][k];
        way[1][k] = x.ends[1][k] - y.ends[1][k];
        along[k] = way[1][k] - way[0][k];
        dot -= way[0][k] * along[k];
        square += along[k] * along[k];
    }
    double t = square > 0 ? fmin(fmax(dot / square, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
    {
        n[k] = way[0][k] + t * along[k];
        n_sq += n[k] * n[k];
    }
    for (int end = 0; end < 2; end++)
    {
        double height = 0, magnitude = 0;
        for (int k = 0; k < 3; k++)
        {
            height += n[k] * way[end][k];
            magnitude += fabs(n[k]) * (fabs(x.ends[end][k]) + fabs(y.ends[end][k]));
        }
        least = fmin(least, height);
        most = fmax(most, magnitude);
    }
    double radii = sqrt(n_sq) * (x.radius + y.radius);
    /* shortcut: swept-spheres-apart */
    return n_sq > 0x1p-900 && least - radii > 3 * GRZ_U * (most + radii) + 0x1p-900;
}
