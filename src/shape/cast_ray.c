/* SPDX-License-Identifier: MIT */
/*
 * Ray casts. The part of a ray up to t is a segment that is placed exactly (small_shape.h); whether it meets a shape is
 * the query of two shapes, and grows with t: so the first t is found by halving an interval. Meshes, half-spaces and
 * curved bodies have ways of their own.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "convex/curved.h"
#include "pair/mesh_query/cast_ray.h"
#include "shape/convex_part.h"
#include "shape/core.h"
#include "shape/half_space.h"
#include "shape/leaves.h"
#include "shape/ray_estimate.h"
#include "shape/small_shape.h"

#define SHORTEST 0x1p-500

enum
{
    NARROWINGS = 6
};

typedef struct shape_ray
{
    grz_shape_query *q;
    double origin[3], direction[3], limit;
    int longest;
    bool still; /* the direction is zero */
    int power;  /* t along this direction times 2^power is t along the caller's */
} shape_ray;

static graze_shape_ray_hit hit_at(const shape_ray *ray, double lower, double upper)
{
    graze_shape_ray_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.triangle = hit.face = GRAZE_NO_TRIANGLE;
    hit.t_lower = lower > 0 ? lower : 0;
    hit.t_upper = fmin(fmax(upper, hit.t_lower), ray->limit);
    hit.t = hit.t_upper < INFINITY ? 0.5 * hit.t_lower + 0.5 * hit.t_upper : hit.t_lower;
    hit.t = fmin(fmax(hit.t, hit.t_lower), hit.t_upper);
    for (int k = 0; k < 3; k++)
        hit.point[k] = ray->origin[k] + (hit.t > 0 ? hit.t * ray->direction[k] : 0);
    return hit;
}

/* Whether the ray up to t meets the shape. */
static graze_status meets_until(const shape_ray *ray, const graze_placed *placed, double t, graze_verdict *out_verdict)
{
    grz_small_shape segment;
    grz_small_shape_ray(ray->q, ray->origin, ray->direction, t, &segment);
    graze_status status = grz_leaves_decide(ray->q, &segment.placed, placed, (grz_reach){0, false}, out_verdict, NULL);
    grz_small_shape_release(&segment);
    return status;
}

/* A double between two that are not negative: halfway in the order of doubles where they differ by more than a factor
   of 2, so that any interval is halved away in about 64 steps. */
static double between(double lower, double upper)
{
    if (lower > 0 && upper <= 2 * lower)
        return lower + 0.5 * (upper - lower);
    return grz_from_bits(grz_bits(lower) + (grz_bits(upper) - grz_bits(lower)) / 2);
}

/* A t beyond which the ray has left the box of the shape, or the limit. */
static double exit_of(const shape_ray *ray, const graze_box *box)
{
    double extent =
        fabs(ray->origin[ray->longest]) / 4 + fmax(fabs(box->lower[ray->longest]), fabs(box->upper[ray->longest])) / 4;
    /* shortcut: ray-leaves-bounds */
    double t = extent / fabs(ray->direction[ray->longest]) * 8 + GRZ_SMALLEST_NORMAL;
    return fmin(fmin(t, ray->limit), DBL_MAX);
}

/* Narrows the interval to one around an estimate, if it is good; wider ones are tried until the verdicts differ. */
static graze_status narrow(const shape_ray *ray, const grz_leaf_part *leaf, double *lower, double *upper)
{
    double t = grz_ray_estimate(&leaf->placed, ray->origin, ray->direction);
    graze_status status = GRAZE_STATUS_OK;
    for (int i = 0; i < NARROWINGS && t > *lower && t < *upper; i++)
    {
        double width = ldexp(0x1p-51, 5 * i);
        double ends[2] = {t * (1 - width), t * (1 + width)};
        graze_verdict verdicts[2] = {GRAZE_VERDICT_NO, GRAZE_VERDICT_NO};
        for (int k = 0; k < 2 && status == GRAZE_STATUS_OK; k++)
            if (ends[k] > *lower && ends[k] < *upper)
            {
                status = meets_until(ray, &leaf->placed, ends[k], &verdicts[k]);
                *(verdicts[k] == GRAZE_VERDICT_NO ? lower : upper) = ends[k];
            }
        if (status != GRAZE_STATUS_OK || (*lower >= ends[0] && *upper <= ends[1]))
            break;
    }
    return status;
}

static graze_status cast_by_halving(const shape_ray *ray, const grz_leaf_part *leaf, graze_verdict *out_found,
                                    graze_shape_ray_hit *out_hit)
{
    double lower = 0, upper = ray->still ? 0 : exit_of(ray, &leaf->bounds);
    graze_verdict verdict;
    graze_status status = meets_until(ray, &leaf->placed, upper, &verdict);
    *out_found = verdict;
    if (status != GRAZE_STATUS_OK || verdict != GRAZE_VERDICT_YES)
        return status;
    status = meets_until(ray, &leaf->placed, 0, &verdict);
    if (status == GRAZE_STATUS_OK && verdict == GRAZE_VERDICT_YES)
        upper = 0;
    else if (status == GRAZE_STATUS_OK)
        status = narrow(ray, leaf, &lower, &upper);
    while (status == GRAZE_STATUS_OK && lower < upper)
    {
        double middle = between(lower, upper);
        if (!(middle > lower && middle < upper))
            break;
        status = meets_until(ray, &leaf->placed, middle, &verdict);
        if (verdict == GRAZE_VERDICT_NO)
            lower = middle;
        else
            upper = middle;
    }
    *out_hit = hit_at(ray, lower, upper);
    return status;
}

/* ---- meshes ---- */

static graze_status cast_at_mesh(const shape_ray *ray, const grz_leaf_part *leaf, graze_verdict *out_found,
                                 graze_shape_ray_hit *out_hit)
{
    grz_shape_query *q = ray->q;
    const graze_placed *placed = &leaf->placed;
    graze_placed_mesh mesh;
    bool inside, found;
    *out_found = GRAZE_VERDICT_NO;
    if (placed->shape->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    graze_status status = grz_core_holds_point(q, placed, ray->origin, NULL, &inside);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(q, placed, &mesh);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (inside)
    {
        *out_found = GRAZE_VERDICT_YES;
        *out_hit = hit_at(ray, 0, 0);
        return status;
    }
    graze_mesh_ray_hit hit;
    graze_stats stats = {0};
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    options.budget = grz_monitor_budget(q->monitor);
    status =
        graze_placed_mesh_cast_ray(q->context, &mesh, ray->origin, ray->direction, ray->limit, &options, &found, &hit);
    status = grz_monitor_end_step(q->monitor, status, stats.box_tests);
    grz_shape_query_count(q, &stats);
    if (status != GRAZE_STATUS_OK || !found)
        return status;
    *out_found = GRAZE_VERDICT_YES;
    *out_hit = hit_at(ray, hit.t_lower, hit.t_upper);
    out_hit->t = hit.t;
    memcpy(out_hit->point, hit.point, sizeof out_hit->point);
    if (graze_shape_has_triangles(placed->shape))
    {
        out_hit->triangle = hit.triangle;
        out_hit->face = hit.face;
    }
    return status;
}

/* ---- half-spaces ---- */

/* Heights of origin and direction are d . origin - c and d . direction: the ray enters where their sum with t is 0. */
static void cast_at_plane(const shape_ray *ray, grz_half_space *h, grz_dyadic numbers[3], graze_verdict *out_found,
                          graze_shape_ray_hit *out_hit)
{
    const graze_pose identity = graze_pose_identity();
    grz_dyadic *height = &numbers[0], *slope = &numbers[1], *end = &numbers[2];
    grz_half_space_exact_height(h, ray->origin, &identity, height);
    *out_found = height->sign <= 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (height->sign <= 0)
    {
        *out_hit = hit_at(ray, 0, 0);
        return;
    }
    grz_dyadic_set(slope, 0);
    for (int k = 0; k < 3; k++)
    {
        grz_dyadic_set(end, ray->direction[k]);
        grz_dyadic_accumulate_product(slope, &h->exact_direction[k], end, false);
    }
    if (slope->sign >= 0)
        return;
    if (ray->limit < INFINITY)
    {
        grz_dyadic_multiply_double(end, slope, ray->limit);
        grz_dyadic_accumulate(end, height, false);
        if (end->sign > 0)
            return;
    }
    interval y = grz_dyadic_bounds(height), x = grz_dyadic_bounds(slope);
    interval t = interval_outward(y.lower / -x.lower, x.upper < 0 ? y.upper / -x.upper : INFINITY);
    *out_found = GRAZE_VERDICT_YES;
    *out_hit = hit_at(ray, t.lower, t.upper);
}

static graze_status cast_at_half_space(const shape_ray *ray, const grz_leaf_part *leaf, graze_verdict *out_found,
                                       graze_shape_ray_hit *out_hit)
{
    const graze_context *context = ray->q->context;
    grz_half_space *h = grz_allocate(context, 1, sizeof *h);
    grz_dyadic *numbers = grz_allocate(context, 3, sizeof *numbers);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (h != NULL && numbers != NULL)
    {
        status = grz_half_space_place(&leaf->placed, h) ? GRAZE_STATUS_OK : GRAZE_STATUS_SINGULAR;
        if (status == GRAZE_STATUS_OK)
            cast_at_plane(ray, h, numbers, out_found, out_hit);
    }
    grz_release(context, numbers);
    grz_release(context, h);
    return status;
}

/* ---- curved bodies ---- */

static void cast_at_curved(const shape_ray *ray, const grz_leaf_part *leaf, graze_verdict *out_found,
                           graze_shape_ray_hit *out_hit)
{
    grz_convex_body body;
    grz_curved_hit hit;
    grz_shape_convex_body(&leaf->placed, &body);
    grz_curved_ray(&body, ray->origin, ray->direction, ray->limit, &hit);
    *out_found = hit.hit;
    if (hit.hit != GRAZE_VERDICT_NO)
        *out_hit = hit_at(ray, hit.lower, hit.upper);
}

/* ---- all ---- */

static graze_status cast_at_leaf(const shape_ray *ray, const grz_leaf_part *leaf, graze_verdict *out_found,
                                 graze_shape_ray_hit *out_hit)
{
    const graze_shape *shape = leaf->placed.shape;
    if (shape->form == GRZ_FORM_HALF_SPACE)
        return cast_at_half_space(ray, leaf, out_found, out_hit);
    if (shape->form == GRZ_FORM_CORE)
        return shape->radius == 0 ? cast_at_mesh(ray, leaf, out_found, out_hit)
                                  : cast_by_halving(ray, leaf, out_found, out_hit);
    cast_at_curved(ray, leaf, out_found, out_hit);
    return GRAZE_STATUS_OK;
}

/* Of the leaves that are hit, the one with the least t; the true least t may be that of another whose bounds overlap
   its own, or of one that the ray may hit. A leaf that it may hit has a lower bound of t only. */
static graze_status cast_at_all(const shape_ray *ray, const grz_leaves *leaves, graze_verdict *out_found,
                                graze_shape_ray_hit *out_hit)
{
    graze_verdict verdict = GRAZE_VERDICT_NO;
    double lower = INFINITY, upper = INFINITY;
    for (size_t i = 0; i < leaves->count; i++)
    {
        graze_verdict found = GRAZE_VERDICT_NO;
        graze_shape_ray_hit hit = hit_at(ray, 0, ray->limit);
        ray->q->stats.box_tests++;
        if (!grz_monitor_box_tests(ray->q->monitor, 1))
            return grz_monitor_status(ray->q->monitor);
        graze_status status = cast_at_leaf(ray, &leaves->parts[i], &found, &hit);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (found != GRAZE_VERDICT_NO)
            lower = fmin(lower, hit.t_lower);
        if (found == GRAZE_VERDICT_UNKNOWN && verdict == GRAZE_VERDICT_NO)
            verdict = found;
        if (found != GRAZE_VERDICT_YES)
            continue;
        upper = fmin(upper, hit.t_upper);
        if (verdict == GRAZE_VERDICT_YES && out_hit->t <= hit.t)
            continue;
        verdict = found;
        hit.part = leaves->parts[i].number;
        *out_hit = hit;
    }
    if (verdict == GRAZE_VERDICT_YES)
    {
        out_hit->t_lower = lower;
        out_hit->t_upper = upper;
    }
    *out_found = verdict;
    return GRAZE_STATUS_OK;
}

static graze_status make_ray(const double origin[3], const double direction[3], double limit, shape_ray *out)
{
    grz_query_ray checked;
    graze_status status = grz_query_ray_make(origin, direction, limit, &checked);
    if (status != GRAZE_STATUS_OK)
        return status;
    memcpy(out->origin, checked.origin, sizeof out->origin);
    memcpy(out->direction, checked.direction, sizeof out->direction);
    out->limit = checked.limit;
    out->longest = checked.longest;
    out->still = out->direction[out->longest] == 0;
    out->power = 0;
    if (!(out->limit < INFINITY) && !out->still && fabs(out->direction[out->longest]) < SHORTEST)
    {
        /* No finite t might leave the shape. Longer by a power of two, and below 1, so that no bit is lost. */
        frexp(out->direction[out->longest], &out->power);
        out->power = -out->power;
        for (int k = 0; k < 3; k++)
            out->direction[k] = ldexp(out->direction[k], out->power);
    }
    return status;
}

/* To the caller's direction. */
static double scale_back(const shape_ray *ray, double t, double most)
{
    return fmin(ldexp(t, ray->power), most);
}

graze_status graze_shape_cast_ray(const graze_context *context, const graze_placed *placed, const double origin[3],
                                  const double direction[3], double limit, const graze_shape_options *options,
                                  graze_verdict *out_found, graze_shape_ray_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (placed == NULL || placed->shape == NULL || origin == NULL || direction == NULL || out_found == NULL ||
        !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape_options wanted = options != NULL ? *options : graze_shape_options_default();
    grz_shape_call call;
    shape_ray ray;
    grz_leaves leaves;
    graze_verdict found = GRAZE_VERDICT_NO;
    graze_shape_ray_hit hit;
    ray.q = grz_shape_call_begin(&call, context, &wanted.budget, NULL);
    graze_status status = make_ray(origin, direction, limit, &ray);
    if (status == GRAZE_STATUS_OK)
        status = grz_leaves_make(ray.q, placed, &leaves);
    if (status == GRAZE_STATUS_OK)
    {
        status = cast_at_all(&ray, &leaves, &found, &hit);
        grz_leaves_release(ray.q, &leaves);
    }
    if (status == GRAZE_STATUS_OK && found == GRAZE_VERDICT_YES) /* before rounding may be downward again */
    {
        hit.t = scale_back(&ray, hit.t, INFINITY);
        hit.t_lower = scale_back(&ray, hit.t_lower, DBL_MAX);
        hit.t_upper = scale_back(&ray, hit.t_upper, INFINITY);
    }
    grz_shape_call_end(&call, wanted.stats);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_found = found;
    if (found == GRAZE_VERDICT_YES && out_hit != NULL)
        *out_hit = hit;
    return status;
}
