/* SPDX-License-Identifier: MIT */
/* Half-spaces against curved bodies and each other; half_space.h has the exact signs. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "convex/curved.h"
#include "shape/convex_part.h"
#include "shape/plane.h"

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
static void lowest_curved_point(grz_half_space *h, const graze_placed *curved, double out[3])
{
    grz_convex_body body;
    double d[3], lower, upper;
    grz_shape_convex_body(curved, &body);
    grz_plane_direction(h, d);
    for (int k = 0; k < 3; k++)
        d[k] = -d[k];
    grz_curved_support(&body, d, out, &lower, &upper);
}

graze_status grz_curved_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                     graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    grz_half_space *h;
    graze_status status = grz_plane_create(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval gap = curved_gap(a, b);
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    /* shortcut: curved-gap-by-bounds */
    if (gap.upper < reach.tolerance)
        verdict = GRAZE_VERDICT_YES;
    else if (gap.lower > reach.tolerance)
        verdict = GRAZE_VERDICT_NO;
    else if (reach.tolerance == 0)
        verdict = grz_half_space_meets_curved(h, a, reach.strict) ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
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
        status = grz_plane_create(q, b, &h);
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
        grz_plane_direction(h, d);
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
    graze_status status = grz_plane_create(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval gap = curved_gap(a, b);
    graze_shape_depth depth = grz_shape_depth_none();
    /* shortcut: curved-overlap-by-bounds */
    if (gap.upper < 0 || (gap.lower < 0 && grz_half_space_meets_curved(h, a, true)))
    {
        depth = grz_plane_depth(h, gap, GRAZE_VERDICT_YES);
        lowest_curved_point(h, a, depth.point);
        depth.has_point = true;
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
    graze_status status = grz_plane_create(q, a, out_a);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_plane_create(q, b, out_b);
    if (status != GRAZE_STATUS_OK)
        grz_release(q->context, *out_a);
    return status;
}

/* About a common point of half-spaces that meet, u . p <= a and v . p <= b: of those that face each other a point of
   the first plane; else 2 m (u + v) / |u + v|^2, m the lesser of a and b, whose heights along u and v are both m. */
static void common_point(grz_half_space *x, grz_half_space *y, double out[3])
{
    double u[3], v[3], a, b, square = 0;
    interval gap;
    grz_plane_estimate(x, u, &a);
    grz_plane_estimate(y, v, &b);
    bool facing = u[0] * v[0] + u[1] * v[1] + u[2] * v[2] < 0 && grz_half_spaces_gap(x, y, &gap);
    for (int k = 0; k < 3; k++)
        square += (u[k] + v[k]) * (u[k] + v[k]);
    for (int k = 0; k < 3; k++)
        out[k] = facing ? a * u[k] : 2 * fmin(a, b) * ((u[k] + v[k]) / square);
}

/* Half-spaces that meet, at that point, if it is within the range of doubles. */
static graze_shape_hit meeting_of(grz_half_space *x, grz_half_space *y)
{
    graze_shape_hit hit = grz_shape_hit_none();
    double point[3];
    common_point(x, y, point);
    grz_shape_hit_set_point(&hit, point);
    return hit;
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
        *out_hit = reach.tolerance > 0 ? grz_shape_hit_none() : meeting_of(x, y);
    grz_release(q->context, x);
    grz_release(q->context, y);
    return GRAZE_STATUS_OK;
}

/* The point of a plane closest to the origin, in doubles. */
static void point_of_plane(grz_half_space *h, double out[3])
{
    double d[3], offset;
    grz_plane_estimate(h, d, &offset);
    for (int k = 0; k < 3; k++)
        out[k] = d[k] * offset;
}

graze_status grz_plane_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    grz_half_space *x, *y;
    graze_status status = place_both(q, a, b, &x, &y);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape_hit hit = grz_shape_hit_none();
    bool meet = grz_half_spaces_meet(x, y, 0, false);
    if (meet)
        hit = meeting_of(x, y);
    graze_shape_distance d = grz_shape_distance_zero(&hit);
    interval gap;
    if (!meet)
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
            depth = grz_plane_depth(y, gap, GRAZE_VERDICT_YES);
        else
            depth = depth_without_end();
    }
    grz_release(q->context, x);
    grz_release(q->context, y);
    *out_depth = depth;
    return GRAZE_STATUS_OK;
}
