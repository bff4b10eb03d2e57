/* SPDX-License-Identifier: MIT */
/*
 * Depth of two placed polytopes: the least support of A - B over all directions, by the expanding polytope algorithm
 * (van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001). The nearest face of
 * a polytope inside of A - B gives the lower bound, the support along its normal an upper one; then the support point
 * is added. Radii add to both. The polytope of the last query is the first one, where it still encloses the origin.
 *
 * Errors: corners err by 8 u S on each axis, heights of a face's corners over the origin by that and 4 u in evaluation:
 * 16 u |S| cover the error of a face's distance. A unit vector w is one up to 8 u.
 */
#include "base/bits.h"
#include "convex/box_axes.h"
#include "convex/convex_pair.h"
#include "convex/convex_scaling.h"
#include "convex/expanding_polytope.h"

enum
{
    MOST_STEPS = 2 * GRZ_EXPANDING_POINTS
};

typedef struct depth_search
{
    grz_gjk *g;
    double support;  /* the least certified upper bound of w . (x - y) over x in A, y in B, */
    v3 direction;    /* and its w, about a unit vector */
    double accuracy; /* error bound of distances of faces */
    double relative_error;
    double lower;
} depth_search;

/* The support along a direction of any length; the point where it is assumed comes from the vertices. */
static double probe_direction(depth_search *s, v3 n, uint32_t vertices[2])
{
    v3 w = v3_scale(1 / v3_length(n), n);
    double support = -grz_gjk_gap(s->g, w, vertices);
    if (support < s->support)
    {
        s->support = support;
        s->direction = w;
    }
    return support;
}

static v3 difference(const grz_gjk *g, const uint32_t vertices[2])
{
    return grz_convex_difference(grz_convex_place(&g->operands, vertices[0], vertices[1]));
}

/* ---- the first tetrahedron ---- */

static v3 unit_axis(int axis)
{
    return v3_make(axis == 0, axis == 1, axis == 2);
}

/* A direction in which the next corner may lie: away from a point, an edge or a plane. */
static v3 way_out(const grz_gjk *g, int axis)
{
    const v3 *p = g->corners;
    if (g->count == 1)
        return unit_axis(axis);
    if (g->count == 2)
        return v3_cross(v3_sub(p[1], p[0]), unit_axis(axis));
    return v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
}

/* Distance from the first corner, area with the first two, volume with all three; up to factors. */
static double extent(const grz_gjk *g, v3 point)
{
    v3 x = v3_sub(point, g->corners[0]);
    if (g->count == 1)
        return v3_length(x);
    v3 n = v3_cross(v3_sub(g->corners[1], g->corners[0]), x);
    if (g->count == 2)
        return v3_length(n);
    return fabs(v3_dot(n, v3_sub(g->corners[2], g->corners[0])));
}

/* Adds corners until there are four. False where A - B is flat, as far as doubles can tell. */
static bool complete_polytope(depth_search *s)
{
    grz_gjk *g = s->g;
    while (g->count < 4)
    {
        double most = 0;
        uint32_t best[2] = {0, 0};
        for (int way = 0; way < (g->count < 3 ? 6 : 2); way++)
        {
            uint32_t vertices[2];
            v3 n = v3_scale(way % 2 == 0 ? 1 : -1, way_out(g, way / 2));
            double square = v3_dot(n, n);
            if (!(square > 0x1p-800 && square < 0x1p800))
                continue;
            probe_direction(s, n, vertices);
            double found = extent(g, difference(g, vertices));
            if (found > most)
            {
                most = found;
                best[0] = vertices[0];
                best[1] = vertices[1];
            }
        }
        if (!(most > 0))
            return false;
        grz_gjk_set_corner(g, g->count++, best[0], best[1]);
    }
    return true;
}

/* The polytope to begin with. */
static bool begin(depth_search *s, grz_expanding_polytope *p)
{
    grz_gjk *g = s->g;
    if (g->count == 4 && grz_expanding_polytope_start(g, p))
        return true;
    g->count = g->count < 4 ? g->count : 3;
    return complete_polytope(s) && grz_expanding_polytope_start(g, p);
}

/* ---- expansion ---- */

/* Expands until the bounds meet, which is returned. `enclosed`: whether the polytope certainly goes around the origin.
 */
static bool expand(depth_search *s, grz_expanding_polytope *p, bool enclosed)
{
    for (int steps = 0; steps < MOST_STEPS; steps++)
    {
        unsigned nearest = grz_expanding_polytope_nearest(p);
        double distance = p->distance[nearest];
        enclosed = enclosed && distance > s->accuracy;
        if (s->support < INFINITY && s->support - distance <= s->relative_error * s->support)
            break;
        if (!(distance > -INFINITY))
            break;
        uint32_t vertices[2];
        const uint32_t *near = p->vertices[p->corners[nearest][0]];
        s->g->operands.starts[0] = near[0];
        s->g->operands.starts[1] = near[1];
        double support = probe_direction(s, v3_make(p->x[nearest], p->y[nearest], p->z[nearest]), vertices);
        /* distances are no better known than this */
        if (support - distance <= 4 * s->accuracy || support - distance <= s->relative_error * support)
            break;
        if (!grz_expanding_polytope_add(p, difference(s->g, vertices), vertices, nearest))
            break;
    }
    double distance = p->distance[grz_expanding_polytope_nearest(p)];
    if (!enclosed)
        enclosed = grz_expanding_polytope_encloses(p, s->g->operands.size);
    /* shortcut: convex-inner-ball */
    double lower = distance * (1 - 16 * GRZ_U) - s->accuracy;
    s->lower = enclosed && lower > 0 ? lower : 0;
    return s->support - s->lower <= 2 * s->relative_error * s->support + 8 * s->accuracy;
}

/* ---- the answer ---- */

/* A translation along w by (h + radius |w|) / |w|^2 separates; 32 u more cover its roundings. */
static void set_answer(const depth_search *s, grz_convex_verdict verdict, grz_convex_depth *r)
{
    double radius = s->g->radius, square = v3_dot(s->direction, s->direction);
    double sum = radius > 0 ? s->support + radius * sqrt(square) * (1 + 8 * GRZ_U) : s->support;
    *r = (grz_convex_depth){.verdict = verdict, .upper = INFINITY};
    if (!(s->support < INFINITY))
        return;
    r->upper = 0;
    if (sum <= -s->accuracy)
    {
        r->verdict = GRZ_CONVEX_APART;
        return;
    }
    if (sum > 0)
    {
        /* shortcut: convex-translation */
        v3 translation = v3_scale(sum * (1 + 32 * GRZ_U) / square, s->direction);
        v3_store(translation, r->translation);
        r->upper = v3_length(translation) * (1 + 16 * GRZ_U);
    }
    r->lower = radius > 0 ? (s->lower + radius) * (1 - 4 * GRZ_U) : s->lower;
    r->lower = r->lower < r->upper ? r->lower : r->upper;
    if (s->lower > 0)
        r->verdict = GRZ_CONVEX_TOGETHER;
}

/* Cores apart: the depth of the radii along the shortest distance; where they are too near each other for that to have
   a direction in doubles, along the shortest way out. */
static void measure_rounded(depth_search *s, grz_expanding_polytope *p, grz_convex_cache *cache, grz_convex_depth *r)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_gjk *g = s->g;
    uint32_t unused[2];
    grz_gjk_start(g, cache);
    grz_convex_verdict verdict = grz_gjk_run(g, GRZ_GJK_DISTANCE, &limits);
    double upper = verdict == GRZ_CONVEX_TOGETHER ? 0 : grz_gjk_upper(g);
    if (g->along > 0)
        probe_direction(s, g->direction, unused);
    if (!(s->support < INFINITY) && begin(s, p))
        expand(s, p, false);
    s->lower = 0;
    verdict = g->radius > upper ? GRZ_CONVEX_TOGETHER : GRZ_CONVEX_UNDECIDED;
    double lower = (g->radius - upper) - 4 * GRZ_U * (g->radius + upper);
    set_answer(s, verdict, r);
    if (r->verdict == GRZ_CONVEX_APART)
        return;
    lower = lower > 0 ? lower : 0;
    r->lower = lower < r->upper ? lower : r->upper;
}

static void keep(const grz_gjk *g, const grz_expanding_polytope *p, grz_convex_cache *cache)
{
    cache->simplex_size = (uint32_t)g->count;
    for (int i = 0; i < g->count; i++)
    {
        cache->simplex[i][0] = g->vertices[i][0];
        cache->simplex[i][1] = g->vertices[i][1];
    }
    cache->point_count = cache->face_count = 0;
    if (p != NULL)
        grz_expanding_polytope_store(p, cache);
}

static void measure_cold(depth_search *s, grz_expanding_polytope *p, grz_convex_cache *cache, grz_convex_depth *r)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_gjk *g = s->g;
    double radius = g->radius;
    g->radius = 0;
    grz_gjk_start(g, cache);
    grz_convex_verdict verdict = grz_gjk_run(g, GRZ_GJK_ANY, &limits);
    g->radius = radius;
    if (verdict == GRZ_CONVEX_APART)
    {
        *r = (grz_convex_depth){.verdict = GRZ_CONVEX_APART};
        if (radius > 0)
            measure_rounded(s, p, cache, r);
        if (cache != NULL)
            keep(g, NULL, cache);
        return;
    }
    bool enclosed = verdict == GRZ_CONVEX_TOGETHER && g->count == 4 && grz_gjk_encloses(g);
    bool expanded = begin(s, p);
    if (expanded)
        expand(s, p, enclosed);
    set_answer(s, verdict, r);
    if (cache != NULL)
        keep(g, expanded ? p : NULL, cache);
}

/* By the axes of boxes. False where they are none, touch, or are apart but for their radii. */
static bool measure_boxes(depth_search *s, grz_convex_depth *r)
{
    const grz_convex_operands *o = &s->g->operands;
    grz_box_axis axis;
    uint32_t unused[2];
    if (!o->bodies[0]->table->is_box || !o->bodies[1]->table->is_box || !grz_box_axes_find(o, &axis))
        return false;
    double support = probe_direction(s, axis.direction, unused);
    s->lower = axis.lower;
    if (axis.lower > 0)
        set_answer(s, GRZ_CONVEX_TOGETHER, r);
    else if (support < 0 && s->g->radius == 0)
        *r = (grz_convex_depth){.verdict = GRZ_CONVEX_APART};
    else
        s->support = INFINITY;
    return s->support < INFINITY;
}

static void measure(grz_gjk *g, grz_convex_cache *cache, double relative_error, grz_convex_depth *r)
{
    grz_expanding_polytope p;
    v3 size = g->operands.size;
    depth_search s = {.g = g, .support = INFINITY, .relative_error = relative_error};
    s.accuracy = 16 * GRZ_U * v3_length(size) + GRZ_CONVEX_TINY;
    if (measure_boxes(&s, r))
        return;
    if (cache != NULL && cache->point_count > 0)
    {
        g->count = 0;
        g->operands.starts[0] = cache->points[0][0];
        g->operands.starts[1] = cache->points[0][1];
        if (grz_expanding_polytope_load(g, cache, &p))
        {
            bool met = expand(&s, &p, true);
            set_answer(&s, GRZ_CONVEX_TOGETHER, r);
            grz_expanding_polytope_store(&p, cache);
            if (met)
                return;
        }
        s.support = INFINITY;
        cache->point_count = 0;
    }
    measure_cold(&s, &p, cache, r);
}

void grz_convex_pair_depth(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                           double relative_error, grz_convex_depth *out_depth)
{
    grz_gjk g;
    grz_convex_scaled pair;
    if (a->table != NULL && b->table != NULL && grz_convex_prepare(a, b, &g.operands))
    {
        g.radius = a->radius + b->radius;
        measure(&g, cache, relative_error, out_depth);
        return;
    }
    *out_depth = (grz_convex_depth){.upper = INFINITY};
    if (grz_convex_scaled_make(a, b, &pair))
    {
        g.operands = pair.operands;
        g.radius = pair.radius;
        measure(&g, cache, relative_error, out_depth);
        out_depth->lower = grz_scale(out_depth->lower, pair.exponent);
        out_depth->upper = grz_convex_scaled_raise(out_depth->upper, pair.exponent);
        for (int axis = 0; axis < 3; axis++)
            out_depth->translation[axis] = grz_scale(out_depth->translation[axis], pair.exponent);
    }
}
