/* SPDX-License-Identifier: MIT */
/*
 * Two placed polytopes with radii; see convex_pair.h. What was true last time is tried first: the separating plane, or
 * the simplex that encloses the origin. Numbers beyond the limits of convex_support.h are scaled by a power of two.
 */
#include "convex/convex_pair.h"

#include "base/bits.h"
#include "base/environment.h"
#include "convex/convex_scaling.h"
#include "convex/gjk.h"

static void keep_simplex(const grz_gjk *g, grz_convex_cache *cache)
{
    cache->simplex_size = (uint32_t)g->count;
    for (int i = 0; i < g->count; i++)
    {
        cache->simplex[i][0] = g->vertices[i][0];
        cache->simplex[i][1] = g->vertices[i][1];
    }
    cache->start[0] = g->operands.starts[0];
    cache->start[1] = g->operands.starts[1];
}

static void keep_direction(const grz_gjk *g, grz_convex_cache *cache)
{
    v3_store(g->along > 0 ? v3_scale(1 / g->along, g->direction) : v3_make(0, 0, 0), cache->direction);
}

static bool has_plane(const grz_convex_cache *cache)
{
    const double *d = cache->direction;
    double size = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
    return size > 0.5 && size < 4;
}

/* Whether the plane that separated them last time still does. */
static bool is_still_apart(grz_gjk *g, const grz_convex_cache *cache)
{
    const double *d = cache->direction;
    if (!has_plane(cache) || cache->start[0] >= g->operands.bodies[0]->vertex_count ||
        cache->start[1] >= g->operands.bodies[1]->vertex_count)
        return false;
    g->operands.starts[0] = cache->start[0];
    g->operands.starts[1] = cache->start[1];
    return grz_gjk_separates(g, v3_load(d));
}

/* Whether the tetrahedron of the last search still encloses the origin. */
static bool is_still_together(grz_gjk *g, const grz_convex_cache *cache)
{
    if (cache->simplex_size != 4)
        return false;
    grz_gjk_start(g, cache);
    return g->count == 4 && grz_gjk_encloses(g);
}

/* From the simplex that was started. */
static grz_convex_verdict search(grz_gjk *g, grz_convex_cache *cache)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_verdict verdict = grz_gjk_run(g, GRZ_GJK_ANY, &limits);
    if (cache != NULL)
    {
        keep_simplex(g, cache);
        g->along = verdict == GRZ_CONVEX_APART ? g->along : 0;
        keep_direction(g, cache);
    }
    return verdict;
}

static grz_convex_verdict collide(grz_gjk *g, grz_convex_cache *cache)
{
    if (cache != NULL && is_still_apart(g, cache))
    {
        cache->start[0] = g->operands.starts[0];
        cache->start[1] = g->operands.starts[1];
        return GRZ_CONVEX_APART;
    }
    grz_gjk_start(g, cache);
    return search(g, cache);
}

/* Goes on where the plane or tetrahedron fails, with all that was prepared; the bodies get their poses, which exact
   decisions read. */
static grz_convex_verdict search_on(grz_gjk *g, const graze_pose *pose_a, const graze_pose *pose_b, bool started,
                                    grz_convex_cache *cache)
{
    if (!grz_environment_is_default())
        return GRZ_CONVEX_UNDECIDED;
    grz_convex_body a = *g->operands.bodies[0], b = *g->operands.bodies[1];
    a.pose = *pose_a;
    b.pose = *pose_b;
    g->operands.bodies[0] = g->operands.given[0] = &a;
    g->operands.bodies[1] = g->operands.given[1] = &b;
    if (!started)
        grz_gjk_start(g, cache);
    return search(g, cache);
}

grz_convex_verdict grz_convex_pair_recall(const grz_convex_body *a, const graze_pose *pose_a, const grz_convex_body *b,
                                          const graze_pose *pose_b, grz_convex_cache *cache)
{
    grz_gjk g;
    bool apart = has_plane(cache);
    if (a->table == NULL || b->table == NULL || !(apart || cache->simplex_size == 4) ||
        !grz_convex_prepare_at(a, pose_a, b, pose_b, &g.operands))
        return GRZ_CONVEX_UNDECIDED;
    g.radius = a->radius + b->radius;
    if (!apart)
        return is_still_together(&g, cache) ? GRZ_CONVEX_TOGETHER : search_on(&g, pose_a, pose_b, true, cache);
    if (!is_still_apart(&g, cache))
    {
        cache->direction[0] = cache->direction[1] = cache->direction[2] = 0; /* not to be tried again */
        return search_on(&g, pose_a, pose_b, false, cache);
    }
    cache->start[0] = g.operands.starts[0];
    cache->start[1] = g.operands.starts[1];
    return GRZ_CONVEX_APART;
}

grz_convex_verdict grz_convex_pair_collide(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache)
{
    grz_gjk g;
    grz_convex_scaled pair;
    if (a->table == NULL || b->table == NULL || !grz_convex_prepare(a, b, &g.operands))
    {
        if (!grz_convex_scaled_make(a, b, &pair))
            return pair.is_point ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
        g.operands = pair.operands;
        g.radius = pair.radius;
        return collide(&g, cache);
    }
    g.radius = a->radius + b->radius;
    return collide(&g, cache);
}

/* lower - radius and upper - radius have one rounding; sums of radii too. */
static void subtract_radius(const grz_gjk *g, double lower, double upper, grz_convex_distance *r)
{
    double error = 4 * GRZ_U * g->radius;
    r->lower = g->radius > 0 ? (lower - g->radius) - (2 * GRZ_U * lower + error) : lower;
    r->upper = g->radius > 0 ? (upper - g->radius) + (2 * GRZ_U * upper + error) : upper;
    r->lower = r->lower > 0 ? r->lower : 0;
    r->verdict = r->lower > 0 ? GRZ_CONVEX_APART : GRZ_CONVEX_UNDECIDED;
    if (g->radius > 0 && r->upper <= 0)
    {
        r->verdict = GRZ_CONVEX_TOGETHER;
        r->upper = 0;
    }
}

static void set_witnesses(const grz_gjk *g, const grz_convex_body *a, const grz_convex_body *b, v3 on_a, v3 on_b,
                          grz_convex_distance *r)
{
    v3 apart = v3_sub(on_b, on_a);
    double length = v3_length(apart), radius_a = a->radius, radius_b = b->radius;
    if (length > 0)
    {
        v3 n = v3_scale(1 / length, apart);
        v3_store(n, r->normal);
        /* where the balls overlap, both points are between their cores */
        double factor = length < g->radius ? length / g->radius : 1;
        on_a = v3_add(on_a, v3_scale(radius_a * factor, n));
        on_b = v3_sub(on_b, v3_scale(radius_b * factor, n));
    }
    for (int axis = 0; axis < 3; axis++)
    {
        double t = a->pose.m[4 * axis + 3];
        r->points[0][axis] = t + (axis == 0 ? on_a.x : axis == 1 ? on_a.y : on_a.z);
        r->points[1][axis] = t + (axis == 0 ? on_b.x : axis == 1 ? on_b.y : on_b.z);
    }
}

/* `along` has 4 roundings, the quotient one. */
static void measure(grz_gjk *g, const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                    const grz_convex_limits *limits, grz_convex_distance *r)
{
    grz_gjk_start(g, cache);
    grz_convex_verdict verdict = grz_gjk_run(g, GRZ_GJK_DISTANCE, limits);
    grz_convex_both on = grz_gjk_mix(g);
    *r = (grz_convex_distance){.verdict = verdict};
    if (verdict != GRZ_CONVEX_TOGETHER)
    {
        /* shortcut: convex-lower-distance */
        double lower = g->along > 0 && g->gap > 0 ? g->gap / g->along * (1 - 8 * GRZ_U) : 0;
        subtract_radius(g, lower, grz_gjk_upper(g), r);
    }
    set_witnesses(g, a, b, grz_convex_of(on, 0), grz_convex_of(on, 1), r);
    if (cache != NULL)
    {
        keep_simplex(g, cache);
        g->along = r->verdict == GRZ_CONVEX_APART ? g->along : 0;
        keep_direction(g, cache);
    }
}

void grz_convex_pair_distance(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                              const grz_convex_limits *limits, grz_convex_distance *out_distance)
{
    static const grz_convex_limits none = {0, INFINITY};
    limits = limits != NULL ? limits : &none;
    grz_gjk g;
    grz_convex_scaled pair;
    if (a->table != NULL && b->table != NULL && grz_convex_prepare(a, b, &g.operands))
    {
        g.radius = a->radius + b->radius;
        measure(&g, a, b, cache, limits, out_distance);
        return;
    }
    *out_distance = (grz_convex_distance){.upper = INFINITY};
    if (grz_convex_scaled_make(a, b, &pair))
    {
        grz_convex_limits scaled = {grz_scale(limits->absolute_error, -pair.exponent), limits->enough};
        if (limits->enough < INFINITY)
            scaled.enough = grz_scale(limits->enough, -pair.exponent);
        g.operands = pair.operands;
        g.radius = pair.radius;
        measure(&g, &pair.a, &pair.b, cache, &scaled, out_distance);
        out_distance->lower = grz_scale(out_distance->lower, pair.exponent);
        out_distance->upper = grz_convex_scaled_raise(out_distance->upper, pair.exponent);
        for (int i = 0; i < 6; i++)
            out_distance->points[i / 3][i % 3] = grz_scale(out_distance->points[i / 3][i % 3], pair.exponent);
    }
    else if (pair.is_point)
        *out_distance = (grz_convex_distance){.verdict = GRZ_CONVEX_TOGETHER};
}
