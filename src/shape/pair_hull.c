/* SPDX-License-Identifier: MIT */
/* See pair_hull.h. */
#include "shape/pair_hull.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "convex/convex_pair.h"
#include "convex/wide_distance.h"
#include "shape/convex_part.h"
#include "shape/placed.h"

_Static_assert(sizeof(grz_hull_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache of two hulls fits");

/* Whether a cache is of this pair of hulls. */
static bool is_of(const grz_hull_cache *cache, const grz_hull *hull_a, const grz_hull *hull_b)
{
    return cache->hulls[0] == hull_a && cache->hulls[1] == hull_b && cache->counts[0] == hull_a->vertex_count &&
           cache->counts[1] == hull_b->vertex_count;
}

/* What is known of this pair of hulls. */
static grz_hull_cache *cache_of(graze_shape_cache *given, const grz_hull *hull_a, const grz_hull *hull_b)
{
    grz_hull_cache *cache = (grz_hull_cache *)given->state;
    if (is_of(cache, hull_a, hull_b))
        return cache;
    memset(cache, 0, sizeof *cache);
    cache->hulls[0] = hull_a;
    cache->hulls[1] = hull_b;
    cache->counts[0] = hull_a->vertex_count;
    cache->counts[1] = hull_b->vertex_count;
    cache->box_axis = GRZ_BOX_NO_AXIS;
    return cache;
}

uint32_t *grz_hulls_box_axis(graze_shape_cache *cache, const grz_hull *hull_a, const grz_hull *hull_b)
{
    return &cache_of(cache, hull_a, hull_b)->box_axis;
}

void grz_hull_pair_begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_hull_pair *pair)
{
    grz_shape_convex_body(a, &pair->bodies[0]);
    grz_shape_convex_body(b, &pair->bodies[1]);
    pair->cache = q->cache != NULL ? &cache_of(q->cache, a->shape->hull, b->shape->hull)->convex : NULL;
}

/* False where these cores have no fast way. */
static bool begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_hull_pair *pair)
{
    if (q->slow || a->shape->hull == NULL || b->shape->hull == NULL)
        return false;
    grz_hull_pair_begin(q, a, b, pair);
    return true;
}

/* Where two cores that collide do: between the points of their distance. */
static void set_point(grz_hull_pair *pair, graze_shape_hit *hit)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_distance d;
    double sum = pair->bodies[0].radius / 2 + pair->bodies[1].radius / 2,
           share = sum > 0 ? pair->bodies[0].radius / 2 / sum : 0.5, point[3];
    grz_convex_body a = pair->bodies[0], b = pair->bodies[1];
    a.radius = b.radius = 0;
    grz_convex_pair_distance(&a, &b, NULL, &limits, &d);
    *hit = grz_shape_hit_none();
    if (d.verdict == GRZ_CONVEX_UNDECIDED)
        return;
    for (int k = 0; k < 3; k++)
        point[k] = d.points[0][k] + share * (d.points[1][k] - d.points[0][k]);
    grz_shape_hit_set_point(hit, point);
}

bool grz_hulls_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_verdict *out_verdict,
                       graze_shape_hit *out_hit)
{
    grz_hull_pair pair;
    if (!begin(q, a, b, &pair))
        return false;
    grz_convex_verdict verdict = grz_convex_pair_collide(&pair.bodies[0], &pair.bodies[1], pair.cache);
    if (verdict == GRZ_CONVEX_UNDECIDED)
        return false;
    *out_verdict = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (verdict == GRZ_CONVEX_TOGETHER && out_hit != NULL)
        set_point(&pair, out_hit);
    return true;
}

/* Whether a core may have its pose, as long as all numbers are finite: others are beyond the limits of the bodies (see
   convex_support.h), for which nothing is recalled. */
static bool may_have_pose(const graze_placed *placed)
{
    return !grz_needs_rigid_pose(placed->shape->kind) || grz_pose_is_rigid(&placed->pose);
}

graze_verdict grz_hulls_recall(graze_shape_cache *cache, const graze_placed *a, const graze_placed *b)
{
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || a->shape->hull == NULL ||
        b->shape->hull == NULL || !is_of((const grz_hull_cache *)cache->state, a->shape->hull, b->shape->hull))
        return GRAZE_VERDICT_UNKNOWN;
    const grz_convex_part *part_a = grz_shape_convex_part(a->shape), *part_b = grz_shape_convex_part(b->shape);
    /* shortcut: recalled-verdict */
    if (part_a == NULL || part_b == NULL || !may_have_pose(a) || !may_have_pose(b))
        return GRAZE_VERDICT_UNKNOWN;
    switch (grz_convex_pair_recall(&part_a->body, &a->pose, &part_b->body, &b->pose,
                                   &((grz_hull_cache *)cache->state)->convex))
    {
    case GRZ_CONVEX_APART:
        return GRAZE_VERDICT_NO;
    case GRZ_CONVEX_TOGETHER:
        return GRAZE_VERDICT_YES;
    case GRZ_CONVEX_UNDECIDED:
        break;
    }
    return GRAZE_VERDICT_UNKNOWN;
}

/* As narrow as the distances of meshes are; with radii, those of the cores. */
static bool is_narrow(const grz_hull_pair *pair, const grz_convex_distance *d)
{
    return d->lower > 0 &&
           d->upper - d->lower <= 0x1p-33 * (d->upper + pair->bodies[0].radius + pair->bodies[1].radius);
}

/* Measures cores without radii in twice the precision, from the simplex where doubles ended. */
static void narrow(const grz_hull_pair *pair, grz_convex_distance *d)
{
    static const grz_convex_limits limits = {0, INFINITY};
    static const uint32_t any[1][2] = {{0, 0}};
    grz_convex_cache last;
    grz_convex_distance again;
    grz_wide_distance wide;
    memset(&last, 0, sizeof last);
    grz_convex_pair_distance(&pair->bodies[0], &pair->bodies[1], &last, &limits, &again);
    bool started = last.simplex_size > 0;
    if (pair->bodies[0].radius > 0 || pair->bodies[1].radius > 0 ||
        !grz_convex_wide_distance(&pair->bodies[0], &pair->bodies[1],
                                  started ? (const uint32_t(*)[2])last.simplex : any,
                                  started ? (int)last.simplex_size : 1, &wide))
        return;
    d->verdict = GRZ_CONVEX_APART;
    d->lower = wide.lower;
    d->upper = wide.upper;
    memcpy(d->points, wide.points, sizeof d->points);
}

bool grz_hulls_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double limit,
                        graze_shape_distance *out_distance)
{
    grz_hull_pair pair;
    if (!begin(q, a, b, &pair))
        return false;
    const grz_convex_limits limits = {0, limit};
    grz_convex_distance d;
    grz_convex_pair_distance(&pair.bodies[0], &pair.bodies[1], pair.cache, &limits, &d);
    if (d.verdict == GRZ_CONVEX_TOGETHER)
    {
        graze_shape_hit hit;
        set_point(&pair, &hit);
        if (hit.has_point)
            *out_distance = grz_shape_distance_zero(&hit);
        return hit.has_point;
    }
    if (d.lower > limit)
    {
        *out_distance = grz_shape_distance_none(d.lower);
        return true;
    }
    if (!is_narrow(&pair, &d))
        narrow(&pair, &d);
    /* On one side of the limit. */
    if (!(d.upper <= limit) || !is_narrow(&pair, &d))
        return false;
    memset(out_distance, 0, sizeof *out_distance);
    out_distance->found = true;
    out_distance->triangle_a = out_distance->triangle_b = GRAZE_NO_TRIANGLE;
    out_distance->face_a = out_distance->face_b = GRAZE_NO_TRIANGLE;
    memcpy(out_distance->point_a, d.points[0], sizeof out_distance->point_a);
    memcpy(out_distance->point_b, d.points[1], sizeof out_distance->point_b);
    grz_shape_distance_set(out_distance, (interval){d.lower, d.upper}, true);
    return true;
}

/* A common point of balls around cores that are apart: in the larger one, as deep as the smaller one lets it be. */
static void find_deepest(const grz_hull_pair *pair, graze_shape_depth *depth)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_body a = pair->bodies[0], b = pair->bodies[1];
    grz_convex_distance d;
    bool in_a = a.radius >= b.radius;
    double larger = in_a ? a.radius : b.radius, smaller = in_a ? b.radius : a.radius;
    if (larger == 0)
        return;
    a.radius = b.radius = 0;
    grz_convex_pair_distance(&a, &b, NULL, &limits, &d);
    if (d.verdict == GRZ_CONVEX_UNDECIDED)
        return;
    /* Deep by `larger` less the way to the other core beyond its radius; the sum rounds once, and its bound again. */
    double way = fmax(d.upper - smaller, 0) * (1 + 4 * GRZ_U);
    interval deep = interval_sub(interval_point(larger), interval_point(way));
    depth->depth_lower = fmin(fmax(deep.lower, 0), depth->upper);
    depth->has_point = true;
    for (int k = 0; k < 3; k++)
        depth->point[k] = d.points[in_a ? 0 : 1][k] + (in_a ? way : -way) * d.normal[k];
}

bool grz_hulls_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double relative_error,
                     graze_shape_depth *out_depth)
{
    grz_hull_pair pair;
    if (!begin(q, a, b, &pair))
        return false;
    grz_convex_depth d;
    grz_convex_pair_depth(&pair.bodies[0], &pair.bodies[1], pair.cache, relative_error, &d);
    if (d.verdict == GRZ_CONVEX_APART)
    {
        *out_depth = grz_shape_depth_none();
        return true;
    }
    if (d.verdict == GRZ_CONVEX_UNDECIDED || !(d.lower > 0) || !(d.upper < INFINITY))
        return false;
    graze_shape_depth depth = grz_shape_depth_none();
    depth.overlap = GRAZE_VERDICT_YES;
    depth.lower = d.lower;
    depth.upper = depth.depth_upper = d.upper;
    memcpy(depth.translation, d.translation, sizeof depth.translation);
    find_deepest(&pair, &depth);
    *out_depth = depth;
    return true;
}
