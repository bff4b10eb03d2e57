/* SPDX-License-Identifier: MIT */
/*
 * Half-spaces against cores, curved bodies and each other; half_space.h has the exact signs. Distances and ways out are
 * heights of the lowest vertex over the plane.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "convex/curved.h"
#include "mesh/mesh.h"
#include "shape/convex_part.h"
#include "shape/core.h"
#include "shape/half_space.h"

/* A placed half-space is large: it is not kept on the stack of callers. */
static graze_status place(grz_shape_query *q, const graze_placed *placed, grz_half_space **out)
{
    grz_half_space *h = grz_allocate(q->context, 1, sizeof *h);
    if (h == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (!grz_half_space_place(placed, h))
    {
        grz_release(q->context, h);
        return GRAZE_STATUS_SINGULAR;
    }
    *out = h;
    return GRAZE_STATUS_OK;
}

/* A unit vector along its direction, in doubles. */
static void unit_direction(const grz_half_space *h, double out[3])
{
    double d[3], largest = 0, length = 0;
    for (int k = 0; k < 3; k++)
    {
        d[k] = 0.5 * h->direction[k].lower + 0.5 * h->direction[k].upper;
        largest = fmax(largest, fabs(d[k]));
    }
    for (int k = 0; k < 3; k++)
    {
        out[k] = largest > 0 && largest < INFINITY ? d[k] / largest : 0;
        length = hypot(length, out[k]);
    }
    for (int k = 0; k < 3 && length > 0; k++)
        out[k] /= length;
}

/* The point of a ball around a vertex that is nearest to the plane, or deepest below it. */
static void lowest_point(const grz_half_space *h, const double vertex[3], const graze_pose *pose, double radius,
                         double out[3])
{
    double d[3];
    graze_pose_apply(pose, vertex, out);
    unit_direction(h, d);
    for (int k = 0; k < 3 && radius > 0; k++)
        out[k] -= radius * d[k];
}

static void name_triangle(const graze_shape *core, size_t vertex, uint32_t *out_triangle, uint32_t *out_face)
{
    *out_triangle = grz_core_vertex_triangle(core, vertex);
    *out_face =
        *out_triangle != GRAZE_NO_TRIANGLE ? graze_mesh_triangle_face(core->mesh, *out_triangle) : GRAZE_NO_TRIANGLE;
}

/* ---- core against half-space ---- */

graze_status grz_core_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                   graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    const double terms[2] = {a->shape->radius, reach.tolerance};
    grz_half_space *h;
    size_t count = grz_core_vertex_count(a->shape), i = 0;
    bool found = false;
    graze_status status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (; i < count && !found && grz_monitor_work(q->monitor, 1); i++)
        found = grz_half_space_meets_ball(h, grz_core_vertex(a->shape, i), &a->pose, terms, 2, reach.strict);
    if (found && out_hit != NULL)
    {
        double point[3];
        *out_hit = grz_shape_hit_none();
        name_triangle(a->shape, i - 1, &out_hit->triangle_a, &out_hit->face_a);
        lowest_point(h, grz_core_vertex(a->shape, i - 1), &a->pose, a->shape->radius, point);
        grz_shape_hit_set_point(out_hit, point);
    }
    grz_release(q->context, h);
    *out_verdict = found ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return grz_monitor_status(q->monitor);
}

/* The lowest vertex over the plane, and its height as a length in the world. */
typedef struct lowest_vertex
{
    size_t vertex;
    interval height;
} lowest_vertex;

static interval quotient(interval y, interval x)
{
    double lower = y.lower / (y.lower < 0 ? x.lower : x.upper), upper = y.upper / (y.upper < 0 ? x.upper : x.lower);
    return isnan(lower) || isnan(upper) ? (interval){-INFINITY, INFINITY} : interval_outward(lower, upper);
}

/* Finds candidates by intervals, and compares these exactly. The core has vertices. */
static graze_status find_lowest(grz_shape_query *q, const graze_placed *core, grz_half_space *h, lowest_vertex *out)
{
    size_t count = grz_core_vertex_count(core->shape);
    double most = INFINITY;
    for (size_t i = 0; i < count && grz_monitor_work(q->monitor, 1); i++)
        most = fmin(most, grz_half_space_height(h, grz_core_vertex(core->shape, i), &core->pose).upper);
    grz_dyadic *heights = grz_allocate(q->context, 2, sizeof *heights); /* the lowest, and another */
    bool found = false;
    if (heights == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && grz_monitor_work(q->monitor, 1); i++)
    {
        const double *vertex = grz_core_vertex(core->shape, i);
        if (grz_half_space_height(h, vertex, &core->pose).lower > most)
            continue;
        grz_half_space_exact_height(h, vertex, &core->pose, &heights[1]);
        if (found && grz_dyadic_compare(&heights[1], &heights[0]) >= 0)
            continue;
        grz_dyadic_copy(&heights[0], &heights[1]);
        out->vertex = i;
        found = true;
    }
    if (found)
        out->height = quotient(grz_dyadic_bounds(&heights[0]), grz_dyadic_root_bounds(&h->exact_length_sq));
    grz_release(q->context, heights);
    return grz_monitor_status(q->monitor);
}

/* A height less the radius of the core. */
static interval less_radius(const graze_placed *core, interval height)
{
    double radius = core->shape->radius;
    return radius == 0 ? height : interval_sub(height, interval_point(radius));
}

static graze_status core_plane_distance(grz_shape_query *q, const graze_placed *a, grz_half_space *h,
                                        const graze_shape_distance_options *wanted, graze_shape_distance *out)
{
    lowest_vertex lowest = {0};
    graze_status status = find_lowest(q, a, h, &lowest);
    if (status != GRAZE_STATUS_OK)
        return status;
    const double *vertex = grz_core_vertex(a->shape, lowest.vertex);
    const double terms[2] = {a->shape->radius, wanted->limit};
    graze_shape_hit hit = grz_shape_hit_none();
    double point[3], d[3];
    lowest_point(h, vertex, &a->pose, a->shape->radius, point);
    grz_shape_hit_set_point(&hit, point);
    name_triangle(a->shape, lowest.vertex, &hit.triangle_a, &hit.face_a);
    *out = grz_shape_distance_zero(&hit);
    if (grz_half_space_meets_ball(h, vertex, &a->pose, terms, 1, false))
        return GRAZE_STATUS_OK;
    interval bounds = less_radius(a, lowest.height);
    if (wanted->limit < INFINITY && !grz_half_space_meets_ball(h, vertex, &a->pose, terms, 2, false))
    {
        *out = grz_shape_distance_none(wanted->limit);
        return GRAZE_STATUS_OK;
    }
    grz_shape_distance_set(out, bounds, true);
    unit_direction(h, d);
    for (int k = 0; k < 3; k++)
        out->point_b[k] -= out->distance * d[k];
    return GRAZE_STATUS_OK;
}

graze_status grz_core_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    if (grz_core_vertex_count(a->shape) == 0)
    {
        *out_distance = grz_shape_distance_none(INFINITY);
        return GRAZE_STATUS_OK;
    }
    grz_half_space *h;
    graze_status status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = core_plane_distance(q, a, h, wanted, out_distance);
    grz_release(q->context, h);
    return status;
}

/* A way out along the normal: its length is minus the signed gap, and the deepest common point is as deep. */
static graze_shape_depth depth_along(const grz_half_space *h, interval gap, graze_verdict overlap)
{
    graze_shape_depth depth = grz_shape_depth_none();
    double d[3];
    depth.overlap = overlap;
    depth.lower = depth.depth_lower = gap.upper < 0 ? -gap.upper : 0;
    depth.upper = depth.depth_upper = gap.lower < 0 ? -gap.lower : 0;
    unit_direction(h, d);
    for (int k = 0; k < 3 && depth.upper < INFINITY; k++)
        depth.translation[k] = d[k] != 0 ? -d[k] * depth.upper : 0; /* of the half-space */
    return depth;
}

graze_status grz_core_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                  const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)wanted;
    graze_verdict overlap;
    grz_half_space *h;
    graze_status status = grz_core_plane_decide(q, a, b, (grz_reach){0, true}, &overlap, NULL);
    if (status == GRAZE_STATUS_OK && overlap == GRAZE_VERDICT_NO)
    {
        *out_depth = grz_shape_depth_none();
        return GRAZE_STATUS_OK;
    }
    if (status == GRAZE_STATUS_OK)
        status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    lowest_vertex lowest = {0};
    status = find_lowest(q, a, h, &lowest);
    if (status == GRAZE_STATUS_OK)
    {
        graze_shape_depth depth = depth_along(h, less_radius(a, lowest.height), overlap);
        lowest_point(h, grz_core_vertex(a->shape, lowest.vertex), &a->pose, a->shape->radius, depth.point);
        depth.has_point = true;
        *out_depth = depth;
    }
    grz_release(q->context, h);
    return status;
}

/* ---- curved body against half-space ---- */

/* Bounds of the signed gap; the half-space is not singular. */
static interval curved_gap(const graze_placed *curved, const graze_placed *plane)
{
    grz_convex_body body;
    const double *numbers = plane->shape->numbers;
    interval gap;
    grz_shape_convex_body(curved, &body);
    grz_curved_against_half_space(&body, numbers, numbers[3], &plane->pose, &gap.lower, &gap.upper);
    return gap;
}

/* About the lowest point of a curved body. */
static void lowest_curved_point(const grz_half_space *h, const graze_placed *curved, double out[3])
{
    grz_convex_body body;
    double d[3], lower, upper;
    grz_shape_convex_body(curved, &body);
    unit_direction(h, d);
    for (int k = 0; k < 3; k++)
        d[k] = -d[k];
    grz_curved_support(&body, d, out, &lower, &upper);
}

graze_status grz_curved_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                     graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    grz_half_space *h;
    graze_status status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval gap = curved_gap(a, b);
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    /* shortcut: curved-gap-by-bounds */
    if (gap.upper < reach.tolerance)
        verdict = GRAZE_VERDICT_YES;
    else if (gap.lower > reach.tolerance)
        verdict = GRAZE_VERDICT_NO;
    else if (reach.tolerance == 0 && !reach.strict)
        verdict = grz_half_space_meets_curved(h, a) ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (verdict == GRAZE_VERDICT_YES && out_hit != NULL)
    {
        double point[3];
        *out_hit = grz_shape_hit_none();
        lowest_curved_point(h, a, point);
        grz_shape_hit_set_point(out_hit, point);
    }
    grz_release(q->context, h);
    *out_verdict = verdict;
    return GRAZE_STATUS_OK;
}

graze_status grz_curved_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                       const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    graze_verdict meet;
    graze_shape_hit hit = grz_shape_hit_none();
    grz_half_space *h;
    graze_status status = grz_curved_plane_decide(q, a, b, (grz_reach){0, false}, &meet, &hit);
    if (status == GRAZE_STATUS_OK)
        status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval gap = curved_gap(a, b);
    if (meet == GRAZE_VERDICT_YES)
        *out_distance = grz_shape_distance_zero(&hit);
    else if (gap.lower > wanted->limit)
        *out_distance = grz_shape_distance_none(gap.lower);
    else
    {
        double point[3], d[3];
        lowest_curved_point(h, a, point);
        grz_shape_hit_set_point(&hit, point);
        graze_shape_distance distance = grz_shape_distance_zero(&hit);
        grz_shape_distance_set(&distance, gap, true);
        unit_direction(h, d);
        for (int k = 0; k < 3; k++)
            distance.point_b[k] -= distance.distance * d[k];
        *out_distance = distance;
    }
    grz_release(q->context, h);
    return GRAZE_STATUS_OK;
}

graze_status grz_curved_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)wanted;
    grz_half_space *h;
    graze_status status = place(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval gap = curved_gap(a, b);
    graze_shape_depth depth = grz_shape_depth_none();
    if (gap.lower < 0)
    {
        depth = depth_along(h, gap, gap.upper < 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN);
        lowest_curved_point(h, a, depth.point);
        depth.has_point = depth.overlap == GRAZE_VERDICT_YES;
    }
    grz_release(q->context, h);
    *out_depth = depth;
    return GRAZE_STATUS_OK;
}

/* ---- two half-spaces ---- */

/* Two placed half-spaces. */
static graze_status place_both(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_half_space **out_a,
                               grz_half_space **out_b)
{
    graze_status status = place(q, a, out_a);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = place(q, b, out_b);
    if (status != GRAZE_STATUS_OK)
        grz_release(q->context, *out_a);
    return status;
}

graze_status grz_plane_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                    graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    grz_half_space *x, *y;
    graze_status status = place_both(q, a, b, &x, &y);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_verdict = grz_half_spaces_meet(x, y, reach.tolerance, reach.strict) ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (*out_verdict == GRAZE_VERDICT_YES && out_hit != NULL)
        *out_hit = grz_shape_hit_none();
    grz_release(q->context, x);
    grz_release(q->context, y);
    return GRAZE_STATUS_OK;
}

/* The point of a plane closest to the origin, in doubles. */
static void point_of_plane(const grz_half_space *h, double out[3])
{
    double d[3], length = 0.5 * h->length.lower + 0.5 * h->length.upper, c = 0.5 * h->c.lower + 0.5 * h->c.upper;
    unit_direction(h, d);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0 && length < INFINITY ? d[k] * (c / length) : 0;
}

graze_status grz_plane_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    grz_half_space *x, *y;
    graze_status status = place_both(q, a, b, &x, &y);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape_hit hit = grz_shape_hit_none();
    graze_shape_distance d = grz_shape_distance_zero(&hit);
    interval gap;
    if (!grz_half_spaces_meet(x, y, 0, false))
    {
        grz_half_spaces_gap(x, y, &gap);
        grz_shape_distance_set(&d, gap, true);
        point_of_plane(x, d.point_a);
        point_of_plane(y, d.point_b);
        if (wanted->limit < INFINITY && !grz_half_spaces_meet(x, y, wanted->limit, false))
            d = grz_shape_distance_none(wanted->limit);
    }
    grz_release(q->context, x);
    grz_release(q->context, y);
    *out_distance = d;
    return GRAZE_STATUS_OK;
}

/* No translation separates them, and points lie as deep as one likes. */
static graze_shape_depth depth_without_end(void)
{
    graze_shape_depth depth = grz_shape_depth_none();
    depth.overlap = GRAZE_VERDICT_YES;
    depth.lower = depth.upper = depth.depth_lower = depth.depth_upper = INFINITY;
    return depth;
}

graze_status grz_plane_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)wanted;
    grz_half_space *x, *y;
    graze_status status = place_both(q, a, b, &x, &y);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape_depth depth = grz_shape_depth_none();
    interval gap;
    if (grz_half_spaces_meet(x, y, 0, true))
    {
        if (grz_half_spaces_gap(x, y, &gap))
            depth = depth_along(y, gap, GRAZE_VERDICT_YES);
        else
            depth = depth_without_end();
    }
    grz_release(q->context, x);
    grz_release(q->context, y);
    *out_depth = depth;
    return GRAZE_STATUS_OK;
}
