/* SPDX-License-Identifier: MIT */
/* See pair_hull.h. */
#include "shape/pair_hull.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "convex/convex_pair.h"
#include "convex/wide_distance.h"
#include "shape/convex_part.h"

/* What a cache of shapes holds of two convex cores. Indices of vertices are valid for hulls of these sizes only. */
typedef struct hull_cache
{
    const grz_hull *hulls[2];
    uint64_t counts[2];
    grz_convex_cache convex;
} hull_cache;

_Static_assert(sizeof(hull_cache) <= sizeof((graze_shape_cache *)0)->state, "the cache of two hulls fits");

enum
{
    WHOLE_CACHE = sizeof(hull_cache),
    /* without the polytope, which only depths use; how large it is belongs to it */
    SEARCH_CACHE = offsetof(hull_cache, convex) + offsetof(grz_convex_cache, points)
};

/* Two bodies, and the cache of their pair: as many of its first bytes as the query uses. */
typedef struct hull_pair
{
    grz_convex_body a, b;
    hull_cache cache;
    size_t cache_size;
    bool cached;
} hull_pair;

/* False where these cores have no fast way. */
static bool begin(grz_shape_query *q, const graze_placed *a, const graze_placed *b, size_t cache_size, hull_pair *pair)
{
    if (q->slow || a->shape->hull == NULL || b->shape->hull == NULL)
        return false;
    grz_shape_convex_body(a, &pair->a);
    grz_shape_convex_body(b, &pair->b);
    pair->cached = q->cache != NULL;
    if (!pair->cached)
        return true;
    const grz_hull *hulls[2] = {a->shape->hull, b->shape->hull};
    pair->cache_size = cache_size;
    memcpy(&pair->cache, q->cache->state, cache_size);
    for (int i = 0; i < 2; i++)
        if (pair->cache.hulls[i] != hulls[i] || pair->cache.counts[i] != hulls[i]->vertex_count)
        {
            memset(&pair->cache, 0, cache_size);
            break;
        }
    for (int i = 0; i < 2; i++)
    {
        pair->cache.hulls[i] = hulls[i];
        pair->cache.counts[i] = hulls[i]->vertex_count;
    }
    return true;
}

static void end(grz_shape_query *q, const hull_pair *pair)
{
    if (pair->cached)
        memcpy(q->cache->state, &pair->cache, pair->cache_size);
}

static grz_convex_cache *cache_of(hull_pair *pair)
{
    return pair->cached ? &pair->cache.convex : NULL;
}

/* Where two cores that collide do: between the points of their distance. */
static void set_point(hull_pair *pair, graze_shape_hit *hit)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_distance d;
    double sum = pair->a.radius / 2 + pair->b.radius / 2, share = sum > 0 ? pair->a.radius / 2 / sum : 0.5, point[3];
    grz_convex_body a = pair->a, b = pair->b;
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
    hull_pair pair;
    if (!begin(q, a, b, SEARCH_CACHE, &pair))
        return false;
    grz_convex_verdict verdict = grz_convex_pair_collide(&pair.a, &pair.b, cache_of(&pair));
    end(q, &pair);
    if (verdict == GRZ_CONVEX_UNDECIDED)
        return false;
    *out_verdict = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (verdict == GRZ_CONVEX_TOGETHER && out_hit != NULL)
        set_point(&pair, out_hit);
    return true;
}

/* As narrow as the distances of meshes are; with radii, those of the cores. */
static bool is_narrow(const hull_pair *pair, const grz_convex_distance *d)
{
    return d->lower > 0 && d->upper - d->lower <= 0x1p-33 * (d->upper + pair->a.radius + pair->b.radius);
}

/* Measures cores without radii in twice the precision, from the simplex where doubles ended. */
static void narrow(const hull_pair *pair, grz_convex_distance *d)
{
    static const grz_convex_limits limits = {0, INFINITY};
    static const uint32_t any[1][2] = {{0, 0}};
    grz_convex_cache last;
    grz_convex_distance again;
    grz_wide_distance wide;
    memset(&last, 0, sizeof last);
    grz_convex_pair_distance(&pair->a, &pair->b, &last, &limits, &again);
    bool started = last.simplex_size > 0;
    if (pair->a.radius > 0 || pair->b.radius > 0 ||
        !grz_convex_wide_distance(&pair->a, &pair->b, started ? (const uint32_t(*)[2])last.simplex : any,
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
    hull_pair pair;
    if (!begin(q, a, b, SEARCH_CACHE, &pair))
        return false;
    const grz_convex_limits limits = {0, limit};
    grz_convex_distance d;
    grz_convex_pair_distance(&pair.a, &pair.b, cache_of(&pair), &limits, &d);
    end(q, &pair);
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
static void find_deepest(const hull_pair *pair, graze_shape_depth *depth)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_body a = pair->a, b = pair->b;
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
    hull_pair pair;
    if (!begin(q, a, b, WHOLE_CACHE, &pair))
        return false;
    grz_convex_depth d;
    grz_convex_pair_depth(&pair.a, &pair.b, cache_of(&pair), relative_error, &d);
    end(q, &pair);
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
