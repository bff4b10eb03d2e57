/* SPDX-License-Identifier: MIT */
/* Shape casts: over all pairs of leaves, by the ways of cast.h. */
#include "shape/cast.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "shape/leaves.h"

typedef struct shape_cast
{
    grz_shape_query *q;
    grz_cast_way way;
    grz_cast_found best;
    uint32_t part_a, part_b;
    double lower; /* the least of all pairs that may meet */
} shape_cast;

static bool is_half_space(const graze_placed *placed)
{
    return placed->shape->form == GRZ_FORM_HALF_SPACE;
}

static bool is_mesh(const graze_placed *placed)
{
    return placed->shape->form == GRZ_FORM_CORE && placed->shape->hull == NULL;
}

/*
 * With a half-space: the height of the other's lowest point is linear in s, so that they meet where they do at one of
 * the ends. It is the distance D at the start and minus the way out W at the end, and zero at D / (D + W).
 */
static graze_status cast_at_plane(shape_cast *c, const graze_placed *a, const graze_placed *b, const graze_placed *end,
                                  grz_cast_found *out)
{
    graze_shape_distance_options distance_options = graze_shape_distance_options_default();
    graze_shape_depth_options depth_options = graze_shape_depth_options_default();
    graze_shape_distance start;
    graze_shape_depth depth;
    graze_status status = grz_leaves_decide(c->q, a, end, (grz_reach){0, false}, &out->verdict, NULL);
    if (status != GRAZE_STATUS_OK || out->verdict == GRAZE_VERDICT_NO)
        return status;
    status = grz_leaves_distance(c->q, a, b, &distance_options, &start);
    if (status == GRAZE_STATUS_OK)
        status = grz_leaves_depth(c->q, a, end, &depth_options, &depth);
    if (status != GRAZE_STATUS_OK)
        return status;
    out->lower = 0;
    out->upper = 1;
    if (!start.found || !(start.lower > 0))
        return status;
    for (int k = 0; k < 3; k++)
    {
        out->point[k] = 0.5 * start.point_a[k] + 0.5 * start.point_b[k];
        out->normal[k] = (start.point_b[k] - start.point_a[k]) / start.distance;
    }
    /* The sum and the quotient round, by 2 u in all. */
    out->lower = depth.upper < INFINITY ? start.lower / (start.lower + depth.upper) * (1 - 4 * GRZ_U) : 0;
    out->upper = fmin(start.upper / (start.upper + depth.lower) * (1 + 4 * GRZ_U), 1);
    return status;
}

static graze_status cast_apart(shape_cast *c, const graze_placed *a, const graze_placed *b, grz_cast_found *out)
{
    graze_placed end = *b;
    double most = c->best.verdict == GRAZE_VERDICT_YES ? c->best.upper : 1;
    for (int k = 0; k < 3; k++)
        end.pose.m[4 * k + 3] = c->way.to[k];
    if (is_half_space(a) || is_half_space(b))
        return cast_at_plane(c, a, b, &end, out);
    if (is_mesh(a) || is_mesh(b))
        return grz_cast_meshes(c->q, a, b, &c->way, out);
    grz_cast_part part_a, part_b;
    grz_cast_part_of_leaf(a, &part_a);
    grz_cast_part_of_leaf(b, &part_b);
    graze_status status = grz_cast_convex(c->q, &part_a, &part_b, &c->way, most, out);
    if (status != GRAZE_STATUS_OK || out->verdict != GRAZE_VERDICT_UNKNOWN)
        return status;
    graze_verdict at_end; /* which may be certain */
    status = grz_leaves_decide(c->q, a, &end, (grz_reach){0, false}, &at_end, NULL);
    if (at_end == GRAZE_VERDICT_YES)
    {
        out->verdict = at_end;
        out->upper = 1;
    }
    return status;
}

/* The way of a leaf of B: compounds only turn their parts about, so that all parts move alike, but from a translation
   of their own, which is rounded; then the end is that of the start and the motion, rounded. */
static void set_way(grz_cast_way *way, const graze_pose *start, const graze_pose *end)
{
    for (int k = 0; k < 3; k++)
    {
        way->from[k] = start->m[4 * k + 3];
        way->to[k] = end->m[4 * k + 3];
        way->motion[k] = interval_sub(interval_point(way->to[k]), interval_point(way->from[k]));
    }
}

static graze_status cast_leaves(shape_cast *c, const graze_placed *a, const graze_placed *b, grz_cast_found *out)
{
    graze_shape_hit hit = grz_shape_hit_none();
    graze_verdict at_start;
    *out = grz_cast_nothing();
    graze_status status = grz_leaves_decide(c->q, a, b, (grz_reach){0, false}, &at_start, &hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (at_start == GRAZE_VERDICT_YES)
    {
        out->verdict = at_start;
        out->lower = out->upper = 0;
        memcpy(out->point, hit.point, sizeof out->point);
        out->triangle_a = hit.triangle_a;
        out->triangle_b = hit.triangle_b;
        out->face_a = hit.face_a;
        out->face_b = hit.face_b;
        return status;
    }
    status = cast_apart(c, a, b, out);
    if (at_start == GRAZE_VERDICT_UNKNOWN)
    {
        out->lower = 0;
        out->verdict = out->verdict == GRAZE_VERDICT_NO ? at_start : out->verdict;
        out->upper = out->verdict == GRAZE_VERDICT_YES ? out->upper : INFINITY;
    }
    return status;
}

static graze_status cast_pair(shape_cast *c, const grz_leaf_part *a, const grz_leaf_part *b, const grz_leaf_part *end)
{
    grz_cast_found found;
    set_way(&c->way, &b->placed.pose, &end->placed.pose);
    c->q->stats.box_tests++;
    if (!grz_monitor_box_tests(c->q->monitor, 1))
        return grz_monitor_status(c->q->monitor);
    if (grz_cast_box_entry(&a->bounds, &b->bounds, &c->way) >
        (c->best.verdict == GRAZE_VERDICT_YES ? c->best.upper : 1))
        return GRAZE_STATUS_OK;
    graze_status status = cast_leaves(c, &a->placed, &b->placed, &found);
    if (status != GRAZE_STATUS_OK || found.verdict == GRAZE_VERDICT_NO)
        return status;
    c->lower = fmin(c->lower, found.lower);
    bool better = found.verdict == GRAZE_VERDICT_YES
                      ? c->best.verdict != GRAZE_VERDICT_YES || found.upper < c->best.upper
                      : c->best.verdict == GRAZE_VERDICT_NO;
    if (!better)
        return status;
    c->best = found;
    c->part_a = a->number;
    c->part_b = b->number;
    return status;
}

static graze_status cast_pairs(shape_cast *c, const grz_leaves *a, const grz_leaves *b, const grz_leaves *end)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < a->count; i++)
        for (size_t j = 0; status == GRAZE_STATUS_OK && j < b->count; j++)
            status = cast_pair(c, &a->parts[i], &b->parts[j], &end->parts[j]);
    return status;
}

static graze_status cast_all(shape_cast *c, const graze_placed *a, const graze_placed *b, const graze_placed *end)
{
    const graze_placed *placed[3] = {a, b, end};
    grz_leaves leaves[3];
    int made = 0;
    graze_status status = GRAZE_STATUS_OK;
    while (made < 3 && status == GRAZE_STATUS_OK)
    {
        status = grz_leaves_make(c->q, placed[made], &leaves[made]);
        made += status == GRAZE_STATUS_OK ? 1 : 0;
    }
    if (status == GRAZE_STATUS_OK)
        status = cast_pairs(c, &leaves[0], &leaves[1], &leaves[2]);
    while (made-- > 0)
        grz_leaves_release(c->q, &leaves[made]);
    return status;
}

static void write_hit(const shape_cast *c, graze_shape_cast_hit *out)
{
    const grz_cast_found *f = &c->best;
    graze_shape_cast_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.part_a = c->part_a;
    hit.part_b = c->part_b;
    hit.triangle_a = f->triangle_a;
    hit.triangle_b = f->triangle_b;
    hit.face_a = f->face_a;
    hit.face_b = f->face_b;
    hit.t_lower = fmin(c->lower, f->upper);
    hit.t_upper = f->upper;
    hit.t = hit.t_upper - hit.t_lower < 0x1p-20 ? 0.5 * hit.t_lower + 0.5 * hit.t_upper : hit.t_lower;
    memcpy(hit.point, f->point, sizeof hit.point);
    memcpy(hit.normal, f->normal, sizeof hit.normal);
    *out = hit;
}

graze_status graze_shape_pair_cast(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                   const double to[3], const graze_shape_options *options, graze_verdict *out_found,
                                   graze_shape_cast_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || to == NULL || out_found == NULL ||
        !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape_options wanted = options != NULL ? *options : graze_shape_options_default();
    graze_placed end = *b;
    grz_shape_call call;
    shape_cast c;
    memset(&c, 0, sizeof c);
    c.best = grz_cast_nothing();
    c.lower = INFINITY;
    for (int k = 0; k < 3; k++)
        end.pose.m[4 * k + 3] = to[k];
    c.q = grz_shape_call_begin(&call, context, &wanted.budget, NULL);
    graze_status status = cast_all(&c, a, b, &end);
    grz_shape_call_end(&call, wanted.stats);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_found = c.best.verdict;
    if (c.best.verdict == GRAZE_VERDICT_YES && out_hit != NULL)
        write_hit(&c, out_hit);
    return status;
}
