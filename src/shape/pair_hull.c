/* SPDX-License-Identifier: MIT */
/* See pair_hull.h. */
#include "shape/pair_hull.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "convex/convex_pair.h"
#include "convex/wide_distance.h"
#include "shape/convex_part.h"

_Static_assert(sizeof(grz_hull_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache of two hulls fits");

enum
{
    WHOLE_CACHE = sizeof(grz_hull_cache),
    /* without the polytope, which only depths use; how large it is belongs to it */
    SEARCH_CACHE = offsetof(grz_hull_cache, convex) + offsetof(grz_convex_cache, points)
};

void grz_hull_pair_begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, bool depth,
                         grz_hull_pair *pair)
{
    const grz_hull *hulls[2] = {a->shape->hull, b->shape->hull};
    grz_shape_convex_body(a, &pair->bodies[0]);
    grz_shape_convex_body(b, &pair->bodies[1]);
    pair->cached = q->cache != NULL;
    if (!pair->cached)
        return;
    pair->cache_size = depth ? WHOLE_CACHE : SEARCH_CACHE;
    memcpy(&pair->cache, q->cache->state, pair->cache_size);
    for (int i = 0; i < 2; i++)
        if (pair->cache.hulls[i] != hulls[i] || pair->cache.counts[i] != hulls[i]->vertex_count)
        {
            memset(&pair->cache, 0, pair->cache_size);
            break;
        }
    for (int i = 0; i < 2; i++)
    {
        pair->cache.hulls[i] = hulls[i];
        pair->cache.counts[i] = hulls[i]->vertex_count;
    }
}

void grz_hull_pair_end(grz_shape_query *q, const grz_hull_pair *pair)
{
    if (pair->cached)
        memcpy(q->cache->state, &pair->cache, pair->cache_size);
}

/* False where these cores have no fast way. */
static bool begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, bool depth, grz_hull_pair *pair)
{
    if (q->slow || a->shape->hull == NULL || b->shape->hull == NULL)
        return false;
    grz_hull_pair_begin(q, a, b, depth, pair);
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
    if (!begin(q, a, b, false, &pair))
        return false;
    grz_convex_verdict verdict = grz_convex_pair_collide(&pair.bodies[0], &pair.bodies[1], grz_hull_pair_cache(&pair));
    grz_hull_pair_end(q, &pair);
    if (verdict == GRZ_CONVEX_UNDECIDED)
        return false;
    *out_verdict = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (verdict == GRZ_CONVEX_TOGETHER && out_hit != NULL)
        set_point(&pair, out_hit);
    return true;
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
    if (!begin(q, a, b, false, &pair))
        return false;
    const grz_convex_limits limits = {0, limit};
    grz_convex_distance d;
    grz_convex_pair_distance(&pair.bodies[0], &pair.bodies[1], grz_hull_pair_cache(&pair), &limits, &d);
    grz_hull_pair_end(q, &pair);
    graze_shape_hit hit = grz_shape_hit_none();
    if (d.verdict == GRZ_CONVEX_TOGETHER)
    {
        set_point(&pair, &hit);
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
    *out_distance = grz_shape_distance_zero(&hit);
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
    if (!begin(q, a, b, true, &pair))
        return false;
    grz_convex_depth d;
    grz_convex_pair_depth(&pair.bodies[0], &pair.bodies[1], grz_hull_pair_cache(&pair), relative_error, &d);
    grz_hull_pair_end(q, &pair);
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
