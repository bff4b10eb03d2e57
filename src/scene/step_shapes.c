/* SPDX-License-Identifier: MIT */
/*
 * Pairs over a step of which one has a shape that is not made of triangles: conservative advancement (Mirtich 1996) by
 * certified distances, from either end of the step. Where two are apart by d, and no two points of them approach one
 * another faster than L, there is no contact within d / L. That there is one is proved at a double t, by a common point
 * that is deeper inside one of the two than the poses at t are rounded. So answers are three-valued: shapes that only
 * graze one another are not told.
 */
#include <float.h>
#include <math.h>

#include "base/environment.h"
#include "graze/shape_query.h"
#include "math/interval.h"
#include "motion/motion_span.h"
#include "scene/scene.h"
#include "shape/shape.h"

enum
{
    ADVANCES_MAX = 400,
    SHORTEST = 30 /* steps of 2^-30 */
};

#define UPWARD (1 + 64 * GRZ_U)

/* A shape along its motion. */
typedef struct mover
{
    graze_placed placed;
    graze_motion motion;
    double drift[3]; /* velocity of the origin of the body at the middle of the step */
    double speed;    /* bound of what else a point's velocity is */
    double size;     /* bound of the sum of the coordinates of a point of the body */
} mover;

typedef struct advance
{
    const graze_scene *scene;
    mover movers[2];
    double speed; /* bound of the relative velocity of two points */
    const graze_budget *budget;
    uint64_t box_tests;
} advance;

/* The velocity of a point is that at the middle of the step, rate p + drift, but for half of the bound of its
   acceleration, which is 8 times the bend (motion_span.h). False where nothing is known. */
static bool make_mover(const graze_scene *scene, uint32_t index, mover *out)
{
    graze_box box;
    grz_world_sphere ball;
    grz_motion_span span;
    const graze_pose identity = graze_pose_identity();
    grz_scene_step_motion(scene, index, &out->motion);
    grz_world_bounds_of_shape(out->placed.shape, &identity, &box, &ball);
    double centre = 0, rate = 0;
    out->size = 0;
    for (int k = 0; k < 3; k++)
        out->size += fmax(fabs(box.lower[k]), fabs(box.upper[k])) * UPWARD;
    if (out->motion.kind == GRAZE_MOTION_STILL)
    {
        out->drift[0] = out->drift[1] = out->drift[2] = out->speed = 0;
        return true;
    }
    if (!(out->size < 0x1p400) || !grz_motion_span_make(&out->motion, 0, 1, &span))
        return false;
    for (int k = 0; k < 3; k++)
    {
        out->drift[k] = span.drift[k];
        centre += fabs(span.centre[k]);
        for (int j = 0; j < 3; j++)
            rate += span.rate[k][j] * span.rate[k][j];
    }
    double bend = 4 * (span.bend * (out->size + centre) + span.bend_offset);
    out->speed = (sqrt(rate) * out->size + bend + 2 * span.rate_error * (out->size + 1)) * UPWARD + 0x1p-500;
    return true;
}

/* Both at t, and how far a point may be from where it is then. False where the shapes may not be there. */
static bool place_at(const advance *a, double t, graze_placed placed[2], double *out_error)
{
    *out_error = 0;
    for (int side = 0; side < 2; side++)
    {
        const mover *m = &a->movers[side];
        double error;
        placed[side] = m->placed;
        if (graze_motion_pose(&m->motion, t, &placed[side].pose, &error) != GRAZE_STATUS_OK ||
            graze_placed_check(&placed[side]) != GRAZE_STATUS_OK)
            return false;
        if (error > 0)
            *out_error += 2 * error * (m->size + 1) * UPWARD;
    }
    return true;
}

/* A bound of their distance at t from below. */
static graze_status distance_at(advance *a, double t, double *out_distance)
{
    graze_placed placed[2];
    graze_shape_distance distance;
    graze_stats stats = {0};
    double error;
    *out_distance = 0;
    if (!place_at(a, t, placed, &error))
        return GRAZE_STATUS_OK;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.relative_error = 0.125;
    options.budget = *a->budget;
    options.stats = &stats;
    graze_status status = graze_shape_pair_distance(&a->scene->context, &placed[0], &placed[1], &options, &distance);
    a->box_tests += stats.box_tests;
    if (status == GRAZE_STATUS_OK)
        *out_distance = distance.lower - error - 4 * GRZ_U * distance.lower;
    return status;
}

/* From t = 0 onward, or from 1 backward: *io_time becomes a time up to which, from there, they are apart; the other end
   of the step if that is all of it. */
static graze_status advance_from(advance *a, bool backward, double *io_time)
{
    const double end = backward ? 0 : 1;
    for (int i = 0; i < ADVANCES_MAX; i++)
    {
        double distance;
        graze_status status = distance_at(a, *io_time, &distance);
        if (status != GRAZE_STATUS_OK || !(distance > 0))
            return status;
        /* shortcut: advancement-of-shapes */
        double step = distance / a->speed * (1 - 0x1p-40);
        if (!(a->speed > 0) || step > fabs(end - *io_time) * UPWARD)
        {
            *io_time = end;
            return GRAZE_STATUS_OK;
        }
        double next = *io_time + (backward ? -step : step);
        bool moved = backward ? next < *io_time : next > *io_time;
        if (!moved || step < ldexp(1, -SHORTEST))
            return GRAZE_STATUS_OK;
        *io_time = backward ? nextafter(next, 1) : nextafter(next, 0);
    }
    return GRAZE_STATUS_OK;
}

/*
 * A cylinder or ellipsoid within another, each point of which is at least `depth` below its surface; NULL for other
 * kinds, where it is too small, and for lack of memory. Of an ellipsoid with the smallest radius r this is the one
 * scaled by 1 - s, s = depth / r, since s times it contains a ball of that radius.
 */
static graze_shape *shrunk(const advance *a, const graze_shape *shape, double depth)
{
    graze_shape *made = NULL;
    double n[3];
    if (shape->kind != GRAZE_SHAPE_CYLINDER && shape->kind != GRAZE_SHAPE_ELLIPSOID)
        return NULL;
    bool round = shape->kind == GRAZE_SHAPE_ELLIPSOID;
    double least = fmin(shape->numbers[0], shape->numbers[1]);
    least = round ? fmin(least, shape->numbers[2]) : least;
    double least_depth = fmax(2 * depth, 64 * GRZ_U * shape->numbers[0]); /* twice, for roundings */
    if (!(8 * least_depth < least))
        return NULL;
    for (int k = 0; k < (round ? 3 : 2); k++)
        n[k] =
            round ? shape->numbers[k] * (1 - least_depth / least) : shape->numbers[k] - (k == 0 ? 2 : 1) * least_depth;
    graze_status status = round ? graze_shape_create_ellipsoid(&a->scene->context, n, &made)
                                : graze_shape_create_cylinder(&a->scene->context, n[0], n[1], &made);
    return status == GRAZE_STATUS_OK ? made : NULL;
}

/* Whether a common point is deeper than `error` in one of them that is a cylinder or an ellipsoid. */
static graze_status meets_shrunk(const advance *a, const graze_placed placed[2], double error, bool *out_found)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int side = 0; side < 2 && !*out_found && status == GRAZE_STATUS_OK; side++)
    {
        graze_shape *inner = shrunk(a, placed[side].shape, error);
        graze_placed pair[2] = {placed[0], placed[1]};
        graze_verdict verdict = GRAZE_VERDICT_NO;
        graze_shape_options options = graze_shape_options_default();
        options.budget = *a->budget;
        pair[side].shape = inner;
        if (inner != NULL)
            status = graze_shape_pair_any(&a->scene->context, &pair[0], &pair[1], &options, &verdict, NULL);
        *out_found = verdict == GRAZE_VERDICT_YES;
        graze_shape_destroy(inner);
    }
    return status;
}

/* The first of some times from `from` on, ever farther away, at which they certainly meet; false where none is found.
 */
static graze_status prove_contact(advance *a, double from, bool backward, double *out_time, bool *out_found)
{
    *out_found = false;
    for (int k = SHORTEST; k >= 0 && !*out_found; k--)
    {
        graze_placed placed[2];
        graze_shape_depth depth;
        double error, t = fmin(1, fmax(0, from + ldexp(backward ? -1 : 1, -k)));
        if (!place_at(a, t, placed, &error))
            continue;
        graze_shape_depth_options options = graze_shape_depth_options_default();
        options.budget = *a->budget;
        graze_status status = graze_shape_pair_depth(&a->scene->context, &placed[0], &placed[1], &options, &depth);
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNSUPPORTED)
            return status;
        *out_time = t;
        /* shortcut: contact-despite-rounding */
        *out_found = status == GRAZE_STATUS_OK && depth.overlap == GRAZE_VERDICT_YES && depth.depth_lower > error;
        if (!*out_found)
            status = meets_shrunk(a, placed, error, out_found);
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNSUPPORTED)
            return status;
    }
    return GRAZE_STATUS_OK;
}

static graze_status first_contact(advance *a, grz_contact *contact)
{
    bool found = false, event = contact->colliding || contact->reported;
    double lower = 0, upper = 1;
    graze_status status = advance_from(a, false, &lower);
    if (status != GRAZE_STATUS_OK || lower >= 1)
    {
        contact->first[0] = contact->first[1] = 1;
        return status;
    }
    status = prove_contact(a, lower, false, &upper, &found);
    contact->first[0] = lower;
    contact->first[1] = found ? upper : 1;
    contact->passed = found && !contact->colliding;
    contact->has_witness = contact->has_witness && contact->colliding;
    contact->unknown = status == GRAZE_STATUS_OK && !found && !event;
    return status;
}

static graze_status last_contact(advance *a, grz_contact *contact)
{
    bool found = false;
    double upper = 1, lower = 0;
    graze_status status = advance_from(a, true, &upper);
    if (status == GRAZE_STATUS_OK)
        status = prove_contact(a, upper, true, &lower, &found);
    contact->last[0] = fmax(contact->first[0], found ? lower : 0);
    contact->last[1] = fmax(contact->last[0], upper);
    return status;
}

static graze_status run(advance *a, grz_contact *contact)
{
    if (!make_mover(a->scene, contact->a, &a->movers[0]) || !make_mover(a->scene, contact->b, &a->movers[1]))
    {
        contact->first[1] = 1;
        contact->unknown = !contact->colliding && !contact->reported;
        return GRAZE_STATUS_OK;
    }
    double square = 0;
    for (int k = 0; k < 3; k++)
    {
        double way = a->movers[0].drift[k] - a->movers[1].drift[k];
        square += way * way;
    }
    a->speed = (sqrt(square) + a->movers[0].speed + a->movers[1].speed) * UPWARD;
    graze_status status = GRAZE_STATUS_OK;
    bool began = contact->before == GRZ_PAIR_COLLIDING;
    if (!began)
        status = first_contact(a, contact);
    if (status == GRAZE_STATUS_OK && (began || contact->passed || (contact->reported && !contact->colliding)))
        status = last_contact(a, contact);
    return status;
}

graze_status grz_step_advance(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                              uint64_t *out_box_tests)
{
    advance a = {.scene = scene, .budget = budget};
    if (!grz_scene_as_shape(scene, contact->a, &a.movers[0].placed) ||
        !grz_scene_as_shape(scene, contact->b, &a.movers[1].placed))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = run(&a, contact);
    grz_environment_leave_default(&environment);
    *out_box_tests += a.box_tests;
    return status;
}
