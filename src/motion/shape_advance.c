/* SPDX-License-Identifier: MIT */
/* Conservative advancement of moving shapes; see shape_advance.h. */
#include "motion/shape_advance.h"

#include <float.h>
#include <math.h>

#include "graze/shape_query.h"
#include "math/interval.h"
#include "motion/motion_pose.h"
#include "motion/motion_span.h"
#include "shape/half_space.h"
#include "shape/placed.h"
#include "shape/shape.h"

enum
{
    SHORTEST = 30,      /* steps of 2^-30 */
    DISTANCE_TESTS = 32 /* for the budget: what a distance costs, in exact predicates */
};

#define UPWARD (1 + 64 * GRZ_U)

/* The velocity of a point from t0 to t1 is that at the middle, rate p + drift, but for half of the time times the bound
   of its acceleration, which is the bend over half of the square of half of the time (motion_span.h). */
static bool set_speed(grz_shape_mover *out, double t0, double t1)
{
    grz_motion_span span;
    out->spin = 0;
    if (out->motion.kind == GRAZE_MOTION_STILL)
        return true;
    if (!(out->size < 0x1p400) || !grz_motion_span_make(&out->motion, t0, t1, &span))
        return false;
    double centre = 0, rate = 0;
    for (int k = 0; k < 3; k++)
    {
        out->drift[k] = span.drift[k];
        centre += fabs(span.centre[k]);
        for (int j = 0; j < 3; j++)
            rate += span.rate[k][j] * span.rate[k][j];
    }
    double bend = 2 / span.half * (span.bend * (out->size + centre) + span.bend_offset);
    out->spin = sqrt(2 * span.bend) / span.half * UPWARD + 0x1p-500; /* the bend has its square times half of half^2 */
    double turning = sqrt(rate) + 0x1p-500;                          /* squares may underflow */
    out->speed =
        (turning * out->size + bend + 2 * (span.rate_error * out->size + span.drift_error)) * UPWARD + 0x1p-500;
    return true;
}

static bool make_mover(const graze_shape *shape, const graze_motion *motion, grz_shape_mover *out)
{
    const graze_pose identity = graze_pose_identity();
    double point[3];
    *out = (grz_shape_mover){.placed = {shape, identity}, .motion = *motion};
    if (!grz_shape_magnitudes(shape, point))
        return false;
    out->size = (point[0] + point[1] + point[2]) * UPWARD;
    return true;
}

static bool set_speeds(grz_shape_advance *a, double t0, double t1)
{
    double square = 0;
    for (int side = 0; side < 2; side++)
        if (!set_speed(&a->movers[side], t0, t1))
            return false;
    for (int k = 0; k < 3; k++)
    {
        double way = a->movers[0].drift[k] - a->movers[1].drift[k];
        square += way * way;
    }
    a->speed = (sqrt(square) + a->movers[0].speed + a->movers[1].speed) * UPWARD;
    return a->speed < INFINITY;
}

bool grz_shape_advance_make(grz_shape_advance *a, const graze_shape *const shapes[2],
                            const graze_motion *const motions[2])
{
    for (int side = 0; side < 2; side++)
        if (!make_mover(shapes[side], motions[side], &a->movers[side]))
            return false;
    /* shortcut: frame-of-a-half-space */
    for (int side = 0; side < 2; side++)
        if (!(a->movers[side].size < INFINITY) && grz_motion_keeps_lengths(motions[side]))
            a->movers[side].size = grz_shape_reach(motions[side], &a->movers[1 - side]);
    const graze_pose identity = graze_pose_identity();
    for (int side = 0; side < 2; side++)
        if (shapes[side]->form == GRZ_FORM_COMPOUND && motions[side]->kind != GRAZE_MOTION_STILL)
            a->movers[side].spread = grz_shape_spread(shapes[side], &identity, a->movers[side].size);
    return set_speeds(a, 0, 1);
}

/* Both at t, and how far a point may be from where it is then. False where the shapes may not be there. */
static bool place_at(grz_shape_advance *a, double t, graze_placed placed[2], double *out_error)
{
    *out_error = 0;
    for (int side = 0; side < 2; side++)
    {
        grz_shape_mover *m = &a->movers[side];
        grz_pose_error error = {0, 0};
        placed[side] = m->placed;
        if (grz_motion_pose(&m->motion, t, &placed[side].pose, &error) != GRAZE_STATUS_OK ||
            graze_placed_check(&placed[side]) != GRAZE_STATUS_OK)
            return false;
        m->pose_error = error.linear;
        if (error.linear > 0)
            *out_error += 2 * error.linear * m->size * UPWARD;
        *out_error += 2 * error.translation;
        if (m->motion.kind != GRAZE_MOTION_STILL) /* else it has its parts where the rounded product says, always */
            *out_error += grz_part_error(m->placed.shape, m->spread, &placed[side].pose);
    }
    return true;
}

static graze_status measure(grz_shape_advance *a, const graze_placed placed[2], graze_shape_distance *out)
{
    graze_stats stats = {0};
    graze_shape_distance_options options = graze_shape_distance_options_default();
    *out = (graze_shape_distance){0};
    if (!grz_monitor_exact_tests(a->monitor, DISTANCE_TESTS))
        return grz_monitor_status(a->monitor);
    options.relative_error = 0.125;
    options.budget = grz_monitor_budget(a->monitor);
    options.stats = &stats;
    graze_status status = graze_shape_pair_distance(a->context, &placed[0], &placed[1], &options, out);
    return grz_monitor_end_step(a->monitor, status, stats.box_tests);
}

/* The plane with this normal between the two points: how far it is from the shape on its side, from below. */
static graze_status height_over(grz_shape_advance *a, const graze_placed *placed, const double normal[3], double height,
                                double *out_height)
{
    graze_shape *beyond = NULL;
    graze_shape_distance distance;
    graze_status status = graze_shape_create_half_space(a->context, normal, height, &beyond);
    if (status == GRAZE_STATUS_OK)
    {
        const graze_placed pair[2] = {*placed, {beyond, graze_pose_identity()}};
        status = measure(a, pair, &distance);
        *out_height = status == GRAZE_STATUS_OK ? distance.lower : 0;
    }
    graze_shape_destroy(beyond);
    return status;
}

/* A plane between two shapes, at some time. */
typedef struct parting_plane
{
    double normal[3]; /* from the second shape to the first, of any length */
    double gap;       /* both together are at least so far from it; 0: there is none */
    double spin;      /* a bound of how fast its normal turns */
    double doubt;     /* how far the normal may be off, relative to its length, but for 8 u */
} parting_plane;

/* The normal of a half-space in the world. */
static bool own_normal(const grz_shape_mover *m, const graze_placed *placed, parting_plane *out)
{
    grz_half_space h;
    if (m->placed.shape->form != GRZ_FORM_HALF_SPACE || !grz_half_space_place(placed, &h))
        return false;
    double width = 0;
    for (int k = 0; k < 3; k++)
    {
        out->normal[k] = 0.5 * h.direction[k].lower + 0.5 * h.direction[k].upper;
        width += h.direction[k].upper - h.direction[k].lower;
    }
    out->spin = m->spin;
    out->doubt = width / h.length.lower + 4 * m->pose_error;
    return h.length.lower > 0x1p-400 && h.length.upper < 0x1p400 && out->doubt < 0x1p-20;
}

/* The velocity with which the second mover approaches the first against the normal: bounded from above, and with the
   other sign where time runs backward. */
static double approach(const grz_shape_advance *a, const parting_plane *plane, bool backward)
{
    const double *normal = plane->normal;
    double length = 0, along = 0, magnitude = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, normal[k]);
    for (int k = 0; k < 3; k++)
    {
        double part = (a->movers[0].drift[k] - a->movers[1].drift[k]) * (normal[k] / length);
        along += backward ? part : -part;
        magnitude += fabs(part);
    }
    double rest = (a->movers[0].speed + a->movers[1].speed + 2 * plane->doubt * a->speed) * UPWARD;
    return along + 32 * GRZ_U * magnitude + rest + 0x1p-500;
}

/* A plane between the closest points: the gap is less by `error`. */
static graze_status find_plane(grz_shape_advance *a, const graze_placed placed[2], const graze_shape_distance *d,
                               double error, parting_plane *out)
{
    double opposite[3], height = 0, heights[2] = {0, 0}, *normal = out->normal;
    graze_status status = GRAZE_STATUS_OK;
    double gap = d->lower; /* of a half-space whose normal is known */
    *out = (parting_plane){{0}, 0, 0, 0};
    if (own_normal(&a->movers[0], &placed[0], out))
        for (int k = 0; k < 3; k++)
            normal[k] = -normal[k];
    else if (!own_normal(&a->movers[1], &placed[1], out))
    {
        *out = (parting_plane){{0}, 0, 0, 0};
        for (int k = 0; k < 3; k++)
        {
            normal[k] = d->point_a[k] - d->point_b[k];
            opposite[k] = -normal[k];
        }
        for (int k = 0; k < 3; k++)
            height += normal[k] * (0.5 * d->point_a[k] + 0.5 * d->point_b[k]);
        if (!(fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]) > 0x1p-400) || !(fabs(height) < 0x1p900))
            return GRAZE_STATUS_OK;
        status = height_over(a, &placed[0], normal, height, &heights[0]);
        if (status == GRAZE_STATUS_OK && heights[0] > 0)
            status = height_over(a, &placed[1], opposite, -height, &heights[1]);
        gap = heights[1] > 0 ? heights[0] + heights[1] : 0;
    }
    gap -= error + 4 * GRZ_U * gap;
    out->gap = gap > 0 ? gap : 0;
    return status;
}

/* How long they stay on their sides of a plane between the closest points; 0 where none is found. The height over the
   face of a half-space falls by s times the approach, and, as its normal turns by s times the spin, by s^2 / 2 times
   the spin and the relative velocity. */
static graze_status time_of_plane(grz_shape_advance *a, const graze_placed placed[2], const graze_shape_distance *d,
                                  double error, bool backward, double *out_time)
{
    parting_plane plane;
    *out_time = 0;
    graze_status status = find_plane(a, placed, d, error + a->margin, &plane);
    if (status != GRAZE_STATUS_OK || !(plane.gap > 0))
        return status;
    /* shortcut: planes-between-moving-shapes */
    double speed = fmax(approach(a, &plane, backward), 0);
    double rate = speed + sqrt(speed * speed + 2 * plane.spin * a->speed * plane.gap);
    *out_time = rate > 0 ? 2 * plane.gap / rate * (1 - 0x1p-40) : INFINITY;
    return GRAZE_STATUS_OK;
}

/* From t, how long they certainly stay apart; 0: not known. */
static graze_status time_apart(grz_shape_advance *a, double t, bool backward, double enough, double *out_time)
{
    graze_placed placed[2];
    graze_shape_distance distance;
    double error;
    *out_time = 0;
    if (!place_at(a, t, placed, &error))
        return GRAZE_STATUS_OK;
    graze_status status = measure(a, placed, &distance);
    if (status != GRAZE_STATUS_OK)
        return status;
    double gap = distance.lower - error - a->margin - 4 * GRZ_U * distance.lower;
    if (!(gap > 0))
        return GRAZE_STATUS_OK;
    /* shortcut: advancement-of-shapes */
    *out_time = a->speed > 0 ? gap / a->speed * (1 - 0x1p-40) : INFINITY;
    if (*out_time > enough || !distance.found)
        return GRAZE_STATUS_OK;
    double longer;
    status = time_of_plane(a, placed, &distance, error, backward, &longer);
    *out_time = fmax(*out_time, longer);
    return status;
}

graze_status grz_shape_advance_clear(grz_shape_advance *a, bool backward, double *io_time)
{
    const double end = backward ? 0 : 1;
    for (; a->steps_left > 0; a->steps_left--)
    {
        double step, rest = fabs(end - *io_time) * UPWARD;
        graze_status status = time_apart(a, *io_time, backward, rest, &step);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (step > rest)
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

graze_status grz_shape_advance_gap(grz_shape_advance *a, double t0, double t1, double enough, double *out_lower,
                                   double *out_upper)
{
    graze_placed placed[2];
    graze_shape_distance distance;
    double error, middle = 0.5 * (t0 + t1), half = fmax(t1 - middle, middle - t0) * UPWARD;
    *out_lower = 0;
    *out_upper = INFINITY;
    if (!set_speeds(a, t0, t1) || !place_at(a, middle, placed, &error))
        return GRAZE_STATUS_OK;
    graze_status status = measure(a, placed, &distance);
    if (status != GRAZE_STATUS_OK || !distance.found)
        return status;
    *out_upper = (distance.upper + error) * UPWARD;
    /* shortcut: gap-less-motion-of-shapes */
    double lower = distance.lower - (error + half * a->speed) * UPWARD - 4 * GRZ_U * distance.lower;
    if (lower < fmin(enough, 0.5 * *out_upper))
    {
        parting_plane plane;
        status = find_plane(a, placed, &distance, error, &plane);
        double speed = fmax(approach(a, &plane, false), approach(a, &plane, true));
        double loss = half * (speed + 0.5 * half * plane.spin * a->speed);
        if (status == GRAZE_STATUS_OK && plane.gap > 0)
            lower = fmax(lower, plane.gap - loss * UPWARD);
    }
    *out_lower = fmax(lower * (1 - 4 * GRZ_U), 0); /* also NaN */
    return status;
}

/*
 * A cylinder, cone or ellipsoid within another, each point of which is at least `depth` below its surface; no shape for
 * other kinds, and where it is too small. A body that contains a ball of radius r around c contains
 * a ball of s r around each point of itself scaled by 1 - s at c, so s = depth / r. In an ellipsoid c is its centre and
 * r its smallest radius; in a cone c lies a quarter of the height above the base, from which the surface is as far as
 * `least` says.
 */
static graze_status make_shrunk(const grz_shape_advance *a, const graze_placed *placed, double depth, graze_placed *out)
{
    const graze_shape *shape = placed->shape;
    const double *n = shape->numbers;
    graze_shape *made = NULL;
    graze_status status = GRAZE_STATUS_OK;
    double size = n[0] + n[1], far = 0;
    for (int k = 0; k < 3; k++)
        far = fmax(far, fabs(placed->pose.m[4 * k + 3]));
    *out = *placed;
    depth = fmax(2 * depth, 64 * GRZ_U * (size + far)); /* more than is asked for, for roundings here */
    if (shape->kind == GRAZE_SHAPE_CYLINDER && 8 * depth < fmin(n[0], n[1]))
        status = graze_shape_create_cylinder(a->context, n[0] - 2 * depth, n[1] - depth, &made);
    else if (shape->kind == GRAZE_SHAPE_ELLIPSOID)
    {
        double scale = 1 - depth / fmin(n[0], fmin(n[1], n[2]));
        const double radii[3] = {n[0] * scale, n[1] * scale, n[2] * scale};
        if (scale > 0.875)
            status = graze_shape_create_ellipsoid(a->context, radii, &made);
    }
    else if (shape->kind == GRAZE_SHAPE_CONE)
    {
        double least = fmin(n[0] / 4, 0.75 * n[1] * (n[0] / hypot(n[0], n[1]))), share = depth / least;
        for (int k = 0; k < 3; k++)
            out->pose.m[4 * k + 3] -= placed->pose.m[4 * k + 2] * (share * (n[0] / 4));
        if (share < 0.125)
            status = graze_shape_create_cone(a->context, n[0] * (1 - share), n[1] * (1 - share), &made);
    }
    out->shape = made;
    return status;
}

static graze_status decide(grz_shape_advance *a, const graze_placed placed[2], graze_verdict *out_verdict,
                           graze_shape_hit *out_hit)
{
    graze_stats stats = {0};
    graze_shape_options options = graze_shape_options_default();
    options.budget = grz_monitor_budget(a->monitor);
    options.stats = &stats;
    graze_status status = graze_shape_pair_any(a->context, &placed[0], &placed[1], &options, out_verdict, out_hit);
    return grz_monitor_end_step(a->monitor, status, stats.box_tests);
}

/* Whether a common point is deeper than `error` in one of them that is a cylinder, cone or ellipsoid. */
static graze_status meets_shrunk(grz_shape_advance *a, const graze_placed placed[2], double error, bool *out_found)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int side = 0; side < 2 && !*out_found && status == GRAZE_STATUS_OK; side++)
    {
        graze_placed pair[2] = {placed[0], placed[1]};
        graze_verdict verdict = GRAZE_VERDICT_NO;
        status = make_shrunk(a, &placed[side], error, &pair[side]);
        if (status != GRAZE_STATUS_OK || pair[side].shape == NULL)
            continue;
        status = decide(a, pair, &verdict, NULL);
        *out_found = status == GRAZE_STATUS_OK && verdict == GRAZE_VERDICT_YES;
        graze_shape_destroy((graze_shape *)(uintptr_t)pair[side].shape);
    }
    return status;
}

/* Whether they are certainly within the margin. */
static graze_status meets_margin(grz_shape_advance *a, const graze_placed placed[2], double error, bool *out_found)
{
    graze_shape_distance distance;
    graze_status status = measure(a, placed, &distance);
    /* shortcut: contact-despite-rounding */
    *out_found = status == GRAZE_STATUS_OK && distance.found && (distance.upper + error) * UPWARD <= a->margin;
    return status;
}

/* A leaf of a placed shape. */
static graze_status find_leaf(graze_placed placed, uint32_t number, graze_placed *out)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; placed.shape->form == GRZ_FORM_COMPOUND && status == GRAZE_STATUS_OK; i++)
    {
        size_t count = placed.shape->parts[i].shape->leaf_count;
        if (number < count)
        {
            graze_placed part;
            status = grz_placed_part(&placed, i, &part);
            placed = part;
            i = SIZE_MAX; /* to its first part */
        }
        else
            number -= (uint32_t)count;
    }
    *out = placed;
    return status;
}

/* The parts that meet there. */
static graze_status find_leaves(const graze_placed placed[2], const graze_shape_hit *hit, graze_placed leaves[2])
{
    graze_status status = GRAZE_STATUS_OK;
    for (int side = 0; side < 2 && status == GRAZE_STATUS_OK; side++)
        status = find_leaf(placed[side], side == 0 ? hit->part_a : hit->part_b, &leaves[side]);
    return status;
}

static graze_status meets(grz_shape_advance *a, const graze_placed placed[2], double error, bool *out_found)
{
    graze_placed leaves[2];
    graze_verdict verdict;
    graze_shape_hit hit;
    graze_shape_depth depth;
    graze_shape_depth_options options = graze_shape_depth_options_default();
    if (a->margin > 0)
        return meets_margin(a, placed, error, out_found);
    graze_status status = decide(a, placed, &verdict, &hit);
    if (status == GRAZE_STATUS_OK && verdict == GRAZE_VERDICT_YES)
        status = find_leaves(placed, &hit, leaves);
    if (status != GRAZE_STATUS_OK || verdict != GRAZE_VERDICT_YES)
        return status;
    options.budget = grz_monitor_budget(a->monitor);
    status = graze_shape_pair_depth(a->context, &leaves[0], &leaves[1], &options, &depth);
    bool measured = status == GRAZE_STATUS_OK && depth.overlap == GRAZE_VERDICT_YES;
    status = grz_monitor_end_step(a->monitor, status == GRAZE_STATUS_UNSUPPORTED ? GRAZE_STATUS_OK : status, 0);
    /* shortcut: contact-despite-rounding */
    *out_found = measured && depth.depth_lower > error;
    return *out_found || status != GRAZE_STATUS_OK ? status : meets_shrunk(a, leaves, error, out_found);
}

graze_status grz_shape_advance_prove(grz_shape_advance *a, double from, bool backward, double *out_time,
                                     bool *out_found)
{
    graze_status status = GRAZE_STATUS_OK;
    *out_found = false;
    for (int k = SHORTEST + 1; k >= 0 && !*out_found && status == GRAZE_STATUS_OK; k--)
    {
        graze_placed placed[2];
        double error, step = k > SHORTEST ? 0 : ldexp(backward ? -1 : 1, -k), t = fmin(1, fmax(0, from + step));
        *out_time = t;
        if (place_at(a, t, placed, &error))
            status = meets(a, placed, error, out_found);
    }
    return status;
}
