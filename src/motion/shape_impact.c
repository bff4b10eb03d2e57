/* SPDX-License-Identifier: MIT */
/*
 * The first impact of two moving shapes; see graze/shape_motion.h. Polytopes, and meshes with whatever has a core, are
 * answered by their cores as moving meshes, with the radii as margin: a sum of radii that is rounded is asked for
 * twice, rounded up for the times before contact and down for the contact. All others advance by distances
 * (shape_advance.h).
 */
#include "graze/shape_motion.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/struct_size.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/half_space_impact.h"
#include "motion/impact_estimate.h"
#include "motion/motion_gap.h"
#include "motion/motion_pose.h"
#include "motion/near_parts.h"
#include "motion/shape_advance.h"
#include "shape/shape.h"

enum
{
    MOST_ADVANCES = 4000
};

typedef struct impact_query
{
    const graze_context *context;
    const graze_moving_shape *sides[2];
    const graze_impact_options *options;
    grz_monitor monitor;
    graze_impact_stats stats;
    graze_placed starts[2];
    grz_pose_error start_error[2]; /* of their poses */
} impact_query;

static const graze_shape_impact no_impact = {.verdict = GRAZE_IMPACT_NONE,
                                             .hit = {.triangle_a = GRAZE_NO_TRIANGLE,
                                                     .triangle_b = GRAZE_NO_TRIANGLE,
                                                     .face_a = GRAZE_NO_TRIANGLE,
                                                     .face_b = GRAZE_NO_TRIANGLE}};

/* ---- checks ---- */

/* Whether the shape takes rotations and mirrored ones only: then it refuses to be twice as large. */
static bool needs_rotation(const graze_shape *shape)
{
    graze_placed twice = {shape, {{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0}}};
    return graze_placed_check(&twice) == GRAZE_STATUS_NOT_RIGID;
}

/* A blend of two rotations is none but where both are the same. */
static bool blends_rotations(const graze_motion *motion)
{
    for (int i = 0; i < 12; i++)
        if (i % 4 != 3 && motion->start.m[i] != motion->end.m[i])
            return true;
    return false;
}

/* Both ends of the motion, where they are known as poses. */
static graze_status check_ends(const graze_moving_shape *side)
{
    const graze_motion *motion = &side->motion;
    graze_status status = GRAZE_STATUS_OK;
    if (motion->kind != GRAZE_MOTION_STILL && motion->kind != GRAZE_MOTION_BLEND)
        return GRAZE_STATUS_OK;
    const graze_placed ends[2] = {{side->shape, motion->start}, {side->shape, motion->end}};
    for (int i = 0; i < (motion->kind == GRAZE_MOTION_BLEND ? 2 : 1) && status == GRAZE_STATUS_OK; i++)
        status = graze_placed_check(&ends[i]);
    if (status == GRAZE_STATUS_OK && motion->kind == GRAZE_MOTION_BLEND && blends_rotations(motion) &&
        needs_rotation(side->shape))
        status = GRAZE_STATUS_NOT_RIGID;
    return status;
}

static graze_status check_options(const graze_impact_options *options)
{
    bool right =
        options->margin >= 0 && options->margin < INFINITY && options->resolution >= 0 && options->resolution <= 1;
    if (!right)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return options->margin > 0 && options->crossing ? GRAZE_STATUS_UNSUPPORTED : GRAZE_STATUS_OK;
}

/* ---- the start ---- */

static graze_status place_starts(impact_query *q)
{
    for (int side = 0; side < 2; side++)
    {
        graze_placed *placed = &q->starts[side];
        placed->shape = q->sides[side]->shape;
        graze_status status = grz_motion_pose(&q->sides[side]->motion, 0, &placed->pose, &q->start_error[side]);
        if (status == GRAZE_STATUS_OK)
            status = graze_placed_check(placed);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}

static graze_status collide_at_start(impact_query *q, graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    graze_stats stats = {0};
    graze_shape_options options = graze_shape_options_default();
    options.budget = grz_monitor_budget(&q->monitor);
    options.stats = &stats;
    graze_status status =
        graze_shape_pair_any(q->context, &q->starts[0], &q->starts[1], &options, out_verdict, out_hit);
    return grz_monitor_end_step(&q->monitor, status, stats.box_tests);
}

static void place_cores(const impact_query *q, graze_placed_mesh out[2])
{
    for (int side = 0; side < 2; side++)
        out[side] = (graze_placed_mesh){q->starts[side].shape->mesh, q->starts[side].shape->tree, q->starts[side].pose};
}

/* Whether the surfaces of both cores are more than the distance apart at the start, for the rounded poses. */
static graze_status surfaces_apart(impact_query *q, double distance, bool *out_apart)
{
    graze_placed_mesh placed[2];
    graze_stats stats = {0};
    graze_tolerance_options options = graze_tolerance_options_default();
    bool within = true;
    options.budget = grz_monitor_budget(&q->monitor);
    options.stats = &stats;
    place_cores(q, placed);
    *out_apart = false;
    if (!(distance < INFINITY))
        return GRAZE_STATUS_OK;
    graze_status status =
        graze_pair_tolerance_any(q->context, &placed[0], &placed[1], distance, &options, &within, NULL);
    *out_apart = status == GRAZE_STATUS_OK && !within;
    return grz_monitor_end_step(&q->monitor, status, stats.box_tests);
}

/* How far a point of a core may be from where its rounded pose has it. */
static double start_error(const impact_query *q)
{
    double error = 0;
    for (int side = 0; side < 2; side++)
    {
        graze_placed core = {q->starts[side].shape, graze_pose_identity()};
        graze_box box;
        double size = 0;
        error += 2 * q->start_error[side].translation;
        if (!(q->start_error[side].linear > 0) || graze_placed_bounds(&core, &box) != GRAZE_STATUS_OK)
            continue;
        for (int k = 0; k < 3 && box.lower[k] <= box.upper[k]; k++)
            size += fmax(fabs(box.lower[k]), fabs(box.upper[k]));
        error += 2 * q->start_error[side].linear * size;
    }
    return error;
}

/* Whether a part of one core may be within the other, or not, only because poses at the start are rounded. */
static graze_status part_passes(impact_query *q, double error, bool *out_passes)
{
    graze_placed_mesh placed[2];
    place_cores(q, placed);
    *out_passes = true;
    if (!(error < INFINITY))
        return GRAZE_STATUS_OK;
    return grz_find_near_part(q->context, &placed[0], &placed[1], error, &q->monitor, out_passes);
}

/* The surfaces do not touch at the start: whether one shape is within the other then, whatever they do later. */
static graze_status find_inside(impact_query *q, double margin, graze_shape_impact *out)
{
    graze_shape_impact surfaces = *out;
    graze_verdict verdict = GRAZE_VERDICT_NO;
    graze_shape_hit hit;
    double error = start_error(q);
    bool apart = true, passes = false;
    if (!graze_shape_is_solid(q->sides[0]->shape) && !graze_shape_is_solid(q->sides[1]->shape))
        return GRAZE_STATUS_OK;
    *out = no_impact;
    out->verdict = GRAZE_IMPACT_UNKNOWN; /* if the budget ends */
    graze_status status = collide_at_start(q, &verdict, &hit);
    /* shortcut: inside-despite-rounding */
    if (status == GRAZE_STATUS_OK && error > 0)
        status = surfaces_apart(q, (margin + error) * (1 + 16 * GRZ_U), &apart);
    if (status == GRAZE_STATUS_OK && verdict == GRAZE_VERDICT_NO && !apart)
        status = part_passes(q, error, &passes);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (verdict == GRAZE_VERDICT_NO && !passes)
        *out = surfaces;
    else if (verdict == GRAZE_VERDICT_YES && apart)
    {
        out->verdict = GRAZE_IMPACT_AT;
        out->at_start = true;
        out->hit = hit;
    }
    else if (surfaces.verdict == GRAZE_IMPACT_AT) /* they have met until the upper time, as surfaces have */
    {
        *out = surfaces;
        out->lower = 0;
    }
    return status;
}

/* ---- cores ---- */

static void name_triangles(const impact_query *q, const graze_impact *impact, graze_shape_hit *hit)
{
    const graze_shape *a = q->sides[0]->shape, *b = q->sides[1]->shape;
    if (graze_shape_has_triangles(a))
    {
        hit->triangle_a = impact->hit.triangle_a;
        hit->face_a = graze_mesh_triangle_face(a->mesh, hit->triangle_a);
    }
    if (graze_shape_has_triangles(b))
    {
        hit->triangle_b = impact->hit.triangle_b;
        hit->face_b = graze_mesh_triangle_face(b->mesh, hit->triangle_b);
    }
    if (graze_shape_has_triangles(a) && graze_shape_has_triangles(b))
        hit->contact = impact->hit.contact;
    hit->has_point = true;
    memcpy(hit->point, impact->point, sizeof hit->point);
}

static void add_stats(graze_impact_stats *to, const graze_impact_stats *from)
{
    to->box_tests += from->box_tests;
    to->intervals += from->intervals;
    to->leaf_pairs += from->leaf_pairs;
    to->triangle_tests += from->triangle_tests;
    to->distance_queries += from->distance_queries;
}

static graze_status impact_of_cores(impact_query *q, double margin, graze_impact *out)
{
    graze_moving_mesh meshes[2];
    graze_impact_stats stats = {0};
    graze_impact_options options = *q->options;
    for (int side = 0; side < 2; side++)
    {
        const graze_shape *shape = q->sides[side]->shape;
        meshes[side] = (graze_moving_mesh){.mesh = shape->mesh, .tree = shape->tree, .motion = q->sides[side]->motion};
    }
    options.margin = margin;
    options.solids = options.clearance = false;
    options.stats = &stats;
    options.budget = grz_monitor_budget(&q->monitor);
    graze_status status = graze_pair_impact(q->context, &meshes[0], &meshes[1], &options, out);
    const double radii[2] = {q->sides[0]->shape->radius, q->sides[1]->shape->radius};
    if (status == GRAZE_STATUS_OK && out->verdict == GRAZE_IMPACT_AT && (radii[0] > 0 || radii[1] > 0))
        grz_impact_estimate_rounded(&meshes[0], &meshes[1], radii, out);
    add_stats(&q->stats, &stats);
    return grz_monitor_end_step(&q->monitor, status, stats.box_tests);
}

/* A lower bound of the distance of shapes that do not meet: of convex ones and half-spaces by planes, which they may
   slide along; else that of their cores, less the sum of their radii. */
static graze_status find_clearance(impact_query *q, double *out_lower)
{
    const graze_shape *shapes[2] = {q->sides[0]->shape, q->sides[1]->shape};
    const graze_motion *motions[2] = {&q->sides[0]->motion, &q->sides[1]->motion};
    graze_moving_mesh sides[2];
    grz_moving_meshes meshes;
    double lower = 0;
    if (graze_motion_check(motions[0]) != GRAZE_STATUS_OK || graze_motion_check(motions[1]) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK; /* they are enclosed */
    graze_status status = GRAZE_STATUS_OK;
    bool faces = shapes[0]->form == GRZ_FORM_HALF_SPACE || shapes[1]->form == GRZ_FORM_HALF_SPACE;
    if (faces || (shapes[0]->hull != NULL && shapes[1]->hull != NULL))
    {
        grz_shape_advance a = {.context = q->context, .monitor = &q->monitor};
        if (grz_shape_advance_make(&a, shapes, motions))
            status = grz_shape_advance_clearance(&a, &lower);
        *out_lower = fmax(*out_lower, lower);
        return status;
    }
    for (int side = 0; side < 2; side++)
        sides[side] =
            (graze_moving_mesh){.mesh = shapes[side]->mesh, .tree = shapes[side]->tree, .motion = *motions[side]};
    status = grz_moving_meshes_open(&meshes, q->context, &sides[0], &sides[1], &q->monitor);
    if (status == GRAZE_STATUS_OK)
        status = grz_motion_clearance(&meshes, &q->monitor, &lower);
    grz_moving_meshes_close(&meshes);
    /* shortcut: clearance-less-radii */
    *out_lower =
        fmax(*out_lower, (lower - (shapes[0]->radius + shapes[1]->radius) * (1 + 4 * GRZ_U)) * (1 - 4 * GRZ_U));
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

static graze_status find_of_surfaces(impact_query *q, graze_shape_impact *out, double *out_margin)
{
    const double radii[2] = {q->sides[0]->shape->radius, q->sides[1]->shape->radius};
    interval sum = interval_add(interval_add(interval_point(radii[0]), interval_point(radii[1])),
                                interval_point(q->options->margin));
    double exact = radii[0] + radii[1] + q->options->margin;
    int zeros = !(radii[0] > 0) + !(radii[1] > 0) + !(q->options->margin > 0);
    if (zeros >= 2)
        sum = interval_point(exact);
    *out_margin = sum.upper;
    if (sum.upper > 0 && q->options->crossing)
        return GRAZE_STATUS_UNSUPPORTED;
    graze_impact impact;
    graze_status status = impact_of_cores(q, sum.upper, &impact);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out = no_impact;
    out->verdict = impact.verdict;
    if (impact.verdict == GRAZE_IMPACT_NONE)
        return GRAZE_STATUS_OK;
    out->lower = impact.lower;
    out->upper = impact.upper;
    /* shortcut: radii-rounded-both-ways */
    if (impact.verdict == GRAZE_IMPACT_AT && sum.lower < sum.upper)
    {
        status = impact_of_cores(q, sum.lower, &impact);
        out->verdict = impact.verdict == GRAZE_IMPACT_AT ? GRAZE_IMPACT_AT : GRAZE_IMPACT_UNKNOWN;
        out->upper = impact.upper;
    }
    if (status != GRAZE_STATUS_OK || out->verdict != GRAZE_IMPACT_AT)
        return status;
    out->at_start = !(out->upper > 0);
    name_triangles(q, &impact, &out->hit);
    memcpy(out->normal, impact.normal, sizeof out->normal);
    return GRAZE_STATUS_OK;
}

static graze_status find_by_cores(impact_query *q, graze_shape_impact *out)
{
    double margin = 0;
    *out = no_impact;
    graze_status status = find_of_surfaces(q, out, &margin);
    bool at_start = out->verdict == GRAZE_IMPACT_AT && out->at_start;
    if (status == GRAZE_STATUS_OK && !q->options->crossing && !at_start)
        status = find_inside(q, margin, out);
    if (status != GRAZE_STATUS_OK || out->verdict != GRAZE_IMPACT_NONE)
        return status;
    out->clearance_lower = q->options->margin;
    return q->options->clearance ? find_clearance(q, &out->clearance_lower) : status;
}

/* ---- all others ---- */

/* Point and normal, of where they are nearest at the time at which nothing had met yet. */
static graze_status describe(impact_query *q, grz_shape_advance *a, double t, graze_shape_impact *out)
{
    graze_placed placed[2];
    graze_shape_distance distance;
    for (int side = 0; side < 2; side++)
    {
        placed[side].shape = q->sides[side]->shape;
        graze_status status = graze_motion_pose(&a->movers[side].motion, t, &placed[side].pose, NULL);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.budget = grz_monitor_budget(&q->monitor);
    graze_status status = grz_monitor_end_step(
        &q->monitor, graze_shape_pair_distance(q->context, &placed[0], &placed[1], &options, &distance), 0);
    if (status != GRAZE_STATUS_OK || !distance.found)
        return status;
    double length = 0;
    for (int k = 0; k < 3; k++)
    {
        out->normal[k] = distance.point_b[k] - distance.point_a[k];
        length = hypot(length, out->normal[k]);
        out->hit.point[k] = 0.5 * distance.point_a[k] + 0.5 * distance.point_b[k];
    }
    for (int k = 0; k < 3; k++)
        out->normal[k] = length > 0 ? out->normal[k] / length : 0;
    out->hit.has_point = true;
    out->hit.part_a = distance.part_a;
    out->hit.part_b = distance.part_b;
    out->hit.triangle_a = distance.triangle_a;
    out->hit.triangle_b = distance.triangle_b;
    out->hit.face_a = distance.face_a;
    out->hit.face_b = distance.face_b;
    return GRAZE_STATUS_OK;
}

/* At the start there are poses to ask; where these are rounded, a contact must outlast that. */
static graze_status begin_by_distances(impact_query *q, graze_shape_impact *out)
{
    graze_verdict verdict;
    graze_shape_hit hit;
    double error = 0;
    for (int side = 0; side < 2; side++)
        error += q->start_error[side].linear + q->start_error[side].translation;
    if (error > 0 || q->options->margin > 0)
        return GRAZE_STATUS_OK;
    graze_status status = collide_at_start(q, &verdict, &hit);
    if (status != GRAZE_STATUS_OK || verdict != GRAZE_VERDICT_YES)
        return status;
    out->verdict = GRAZE_IMPACT_AT;
    out->at_start = true;
    out->hit = hit;
    return GRAZE_STATUS_OK;
}

/* Of a half-space and a core, if they are; a lower bound of the distance is sought for by distances. */
static graze_status find_by_face(impact_query *q, bool *out_known, graze_shape_impact *out)
{
    *out = no_impact;
    graze_status status = grz_half_space_impact(q->context, q->sides, q->options->margin, &q->monitor, out_known, out);
    if (status != GRAZE_STATUS_OK || !*out_known || out->verdict != GRAZE_IMPACT_NONE)
        return status;
    out->clearance_lower = q->options->margin;
    return q->options->clearance ? find_clearance(q, &out->clearance_lower) : status;
}

static graze_status find_by_distances(impact_query *q, graze_shape_impact *out)
{
    grz_shape_advance a = {
        .context = q->context, .monitor = &q->monitor, .margin = q->options->margin, .steps_left = MOST_ADVANCES};
    bool found = false, known = false;
    *out = no_impact;
    if (q->options->crossing)
        return GRAZE_STATUS_UNSUPPORTED;
    graze_status status = find_by_face(q, &known, out);
    if (status == GRAZE_STATUS_OK && !known)
        status = begin_by_distances(q, out);
    if (known)
        return status;
    if (status != GRAZE_STATUS_OK || out->verdict == GRAZE_IMPACT_AT)
        return status;
    out->verdict = GRAZE_IMPACT_UNKNOWN;
    if (!grz_shape_advance_make(&a, (const graze_shape *const[2]){q->sides[0]->shape, q->sides[1]->shape},
                                (const graze_motion *const[2]){&q->sides[0]->motion, &q->sides[1]->motion}))
        return GRAZE_STATUS_OK;
    status = grz_shape_advance_clear(&a, false, &out->lower);
    out->upper = out->lower;
    q->stats.distance_queries += (uint64_t)(MOST_ADVANCES - a.steps_left);
    if (status == GRAZE_STATUS_OK && out->lower >= 1)
    {
        double clearance = 0;
        *out = no_impact;
        if (q->options->clearance)
            status = grz_shape_advance_clearance(&a, &clearance);
        out->clearance_lower = fmax(clearance, q->options->margin);
        return status;
    }
    double upper = 1;
    if (status == GRAZE_STATUS_OK)
        status = grz_shape_advance_prove(&a, out->lower, false, &upper, &found);
    if (status != GRAZE_STATUS_OK || !found)
        return status;
    out->verdict = GRAZE_IMPACT_AT;
    out->upper = upper;
    out->at_start = !(upper > 0);
    return describe(q, &a, out->lower, out);
}

static bool has_core(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->mesh->triangle_count > 0;
}

/* A mesh without triangles, which nothing ever meets. */
static bool is_empty(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->hull == NULL && shape->mesh->triangle_count == 0;
}

/* Two convex bodies with a radius are sooner done by planes: cores may be as small as a point, and their space-time
   boxes all motion. Enclosed motions, which planes do not know, are left to cores. */
static bool asks_cores(const impact_query *q)
{
    const graze_shape *a = q->sides[0]->shape, *b = q->sides[1]->shape;
    bool plain = !(a->radius > 0) && !(b->radius > 0) && !(q->options->margin > 0);
    if (!has_core(a) || !has_core(b))
        return false;
    return plain || a->hull == NULL || b->hull == NULL ||
           graze_motion_check(&q->sides[0]->motion) == GRAZE_STATUS_UNSUPPORTED ||
           graze_motion_check(&q->sides[1]->motion) == GRAZE_STATUS_UNSUPPORTED;
}

static graze_status find_impact(impact_query *q, graze_shape_impact *out)
{
    graze_status status = GRAZE_STATUS_OK;
    bool cores = asks_cores(q);
    for (int side = 0; side < 2 && status == GRAZE_STATUS_OK; side++)
    {
        if (!cores)
            status = graze_motion_check(&q->sides[side]->motion);
        if (status == GRAZE_STATUS_OK)
            status = check_ends(q->sides[side]);
    }
    if (status == GRAZE_STATUS_OK)
        status = place_starts(q);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (is_empty(q->sides[0]->shape) || is_empty(q->sides[1]->shape))
    {
        *out = no_impact;
        out->clearance_lower = q->options->clearance || q->options->margin > 0 ? INFINITY : 0;
        return GRAZE_STATUS_OK;
    }
    status = cores ? find_by_cores(q, out) : find_by_distances(q, out);
    if (status == GRAZE_STATUS_UNFINISHED) /* as far as it came is what is known */
    {
        double lower = out->verdict == GRAZE_IMPACT_UNKNOWN ? out->lower : 0;
        *out = no_impact;
        out->verdict = GRAZE_IMPACT_UNKNOWN;
        out->lower = lower;
        out->upper = lower;
        status = GRAZE_STATUS_OK;
    }
    return status;
}

graze_status graze_shape_pair_impact(const graze_context *context, const graze_moving_shape *a,
                                     const graze_moving_shape *b, const graze_impact_options *options,
                                     graze_shape_impact *out_impact)
{
    GRZ_FULL_STRUCT(graze_impact_options, options);
    const graze_impact_options defaults = graze_impact_options_default();
    if (!options_fits || a == NULL || b == NULL || out_impact == NULL || a->shape == NULL || b->shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    impact_query q = {.context = context, .sides = {a, b}, .options = options != NULL ? options : &defaults};
    graze_shape_impact found = no_impact;
    graze_status status = check_options(q.options);
    if (status != GRAZE_STATUS_OK)
        return status;
    q.monitor = grz_monitor_make(&q.options->budget);
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = find_impact(&q, &found);
    grz_environment_leave_default(&environment);
    if (q.options->stats != NULL)
        *q.options->stats = q.stats;
    if (status == GRAZE_STATUS_OK)
        *out_impact = found;
    return status;
}
