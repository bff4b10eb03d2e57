/* SPDX-License-Identifier: MIT */
/*
 * How deep two cores with radii are in each other. Let R be the sum of the radii.
 *
 * Cores apart at distance d: a shorter translation than R - d leaves them nearer than R. For convex ones it suffices,
 * along the line between their closest points.
 * Cores that meet: if no translation shorter than c separates their interiors, none shorter than c + R gives them a
 * distance of R: less the last R of it, it would separate them. Ways out are tried and certified by exact queries.
 */
#include <math.h>
#include <string.h>

#include "pair/solid/body.h"
#include "shape/core.h"
#include "shape/depth.h"
#include "shape/pair_hull.h"

enum
{
    STRETCHES = 8 /* of a way out, each 64 times the one before */
};

/* The body of a core for depth queries: the shape's own, or that of a surface, which is made for the call. A flat hull
   is one, though its mesh may have two sides and be closed. */
static graze_status body_for(grz_shape_query *q, const graze_shape *shape, graze_body **out_own,
                             const graze_body **out_body)
{
    *out_own = NULL;
    if (!shape->solid)
    {
        graze_status status = graze_body_create_surface(q->context, shape->mesh, NULL, out_own);
        *out_body = *out_own;
        return status;
    }
    return grz_derived_body(grz_shape_derived(shape), NULL, out_body);
}

/* graze_pair_interference of the cores. */
static graze_status depth_of_cores(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out)
{
    graze_placed_mesh first, second;
    graze_body *own_a = NULL, *own_b = NULL;
    graze_interference_options options = graze_interference_options_default();
    graze_interference found;
    graze_status status = grz_core_mesh(q, a, &first);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(q, b, &second);
    if (status == GRAZE_STATUS_OK)
        status = body_for(q, a->shape, &own_a, &options.body_a);
    if (status == GRAZE_STATUS_OK)
        status = body_for(q, b->shape, &own_b, &options.body_b);
    options.relative_error = wanted->relative_error;
    options.max_queries = wanted->max_queries;
    options.budget = grz_monitor_budget(q->monitor);
    if (status == GRAZE_STATUS_OK)
        status =
            grz_monitor_end_step(q->monitor, graze_pair_interference(q->context, &first, &second, &options, &found), 0);
    graze_body_destroy(own_a);
    graze_body_destroy(own_b);
    if (status == GRAZE_STATUS_OK && found.way_out.unfinished)
        status = grz_monitor_end_step(q->monitor, GRAZE_STATUS_UNFINISHED, 0);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape_depth depth = grz_shape_depth_none();
    depth.overlap = found.way_out.overlap;
    if (depth.overlap != GRAZE_VERDICT_NO)
    {
        depth.lower = found.way_out.lower;
        depth.upper = found.way_out.upper;
        memcpy(depth.translation, found.way_out.translation, sizeof depth.translation);
        depth.depth_lower = found.deepest.lower;
        depth.depth_upper = fmin(found.deepest.upper, found.way_out.upper);
        depth.has_point = found.deepest.lower > 0;
        memcpy(depth.point, found.deepest.point, sizeof depth.point);
    }
    *out = depth;
    return GRAZE_STATUS_OK;
}

/* Convex cores that lie apart: everything follows from the closest points. */
typedef struct apart_cores
{
    double direction[3]; /* from A to B; zeros: not known */
    double radius_a, radius_b;
    interval distance, radii;
} apart_cores;

/* A common point: where the ball of larger radius is met deepest on the line between the closest points. */
static void find_deepest(const apart_cores *c, const graze_shape_distance *between, graze_shape_depth *depth)
{
    bool in_a = c->radius_a >= c->radius_b;
    double larger = in_a ? c->radius_a : c->radius_b, smaller = in_a ? c->radius_b : c->radius_a;
    double step = fmax(c->distance.upper - smaller, 0), side = in_a ? step : -step;
    const double *from = in_a ? between->point_a : between->point_b;
    depth->depth_lower = fmin(depth->lower, larger);
    depth->has_point = true;
    for (int k = 0; k < 3; k++)
        depth->point[k] = from[k] + side * c->direction[k];
}

static apart_cores compare_cores(const graze_placed *a, const graze_placed *b, const graze_shape_distance *between)
{
    apart_cores c = {.radius_a = a->shape->radius, .radius_b = b->shape->radius};
    double length = 0;
    c.distance = (interval){between->lower, between->upper};
    c.radii = interval_add(interval_point(c.radius_a), interval_point(c.radius_b));
    for (int k = 0; k < 3; k++)
    {
        c.direction[k] = between->point_b[k] - between->point_a[k];
        length = hypot(length, c.direction[k]);
    }
    for (int k = 0; k < 3; k++)
        c.direction[k] = length > 0 ? c.direction[k] / length : 0;
    return c;
}

/* The ways out along the line between the closest points, a little longer each time until one is certified. */
static graze_status try_along(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                              const double direction[3], double length, graze_shape_depth *depth)
{
    graze_status status = GRAZE_STATUS_OK;
    double most = depth->upper;
    for (int i = 0; i < STRETCHES && status == GRAZE_STATUS_OK && depth->upper >= most; i++)
    {
        double way[3], longer = length * (1 + ldexp(0x1p-50, 6 * i));
        for (int k = 0; k < 3; k++)
            way[k] = direction[k] * longer;
        status = grz_depth_try_cores(q, a, b, way, depth);
    }
    return status;
}

static graze_status depth_of_apart(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_distance *between, graze_shape_depth *out)
{
    apart_cores c = compare_cores(a, b, between);
    interval way = interval_sub(c.radii, c.distance);
    graze_shape_depth depth = grz_shape_depth_unknown();
    depth.overlap = GRAZE_VERDICT_YES;
    depth.lower = way.lower > 0 ? way.lower : 0;
    find_deepest(&c, between, &depth);
    graze_status status = try_along(q, a, b, c.direction, way.upper, &depth);
    *out = depth;
    return status;
}

/* Cores that meet, or lie inside each other. */
static graze_status depth_of_meeting(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_depth_options *wanted, graze_shape_depth *out)
{
    interval radii = interval_add(interval_point(a->shape->radius), interval_point(b->shape->radius));
    graze_shape_depth cores, depth = grz_shape_depth_unknown();
    graze_status status = depth_of_cores(q, a, b, wanted, &cores);
    if (status != GRAZE_STATUS_OK)
        return status;
    depth.overlap = GRAZE_VERDICT_YES;
    depth.lower = fmax(interval_add(radii, interval_point(cores.lower)).lower, 0);
    depth.depth_lower = fmax(a->shape->radius, b->shape->radius); /* of a common point of the cores */
    double length = 0, direction[3];
    for (int k = 0; k < 3; k++)
        length = hypot(length, cores.translation[k]);
    for (int k = 0; k < 3; k++)
        direction[k] = length > 0 ? cores.translation[k] / length : 0;
    if (length > 0 && cores.upper < INFINITY)
        status = try_along(q, a, b, direction, length + radii.upper, &depth);
    *out = depth;
    return status;
}

graze_status grz_core_core_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    if (grz_hulls_depth(q, a, b, wanted->relative_error, out_depth))
        return GRAZE_STATUS_OK;
    if (a->shape->radius == 0 && b->shape->radius == 0)
        return depth_of_cores(q, a, b, wanted, out_depth);
    graze_verdict overlap = GRAZE_VERDICT_NO;
    graze_status status = grz_core_core_decide(q, a, b, (grz_reach){0, true}, &overlap, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (overlap == GRAZE_VERDICT_NO)
    {
        *out_depth = grz_shape_depth_none();
        return GRAZE_STATUS_OK;
    }
    graze_shape_distance between;
    status = grz_cores_distance(q, a, b, &between);
    if (status != GRAZE_STATUS_OK)
        return status;
    return between.lower > 0 ? depth_of_apart(q, a, b, &between, out_depth)
                             : depth_of_meeting(q, a, b, wanted, out_depth);
}
