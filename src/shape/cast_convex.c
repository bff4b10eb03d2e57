/* SPDX-License-Identifier: MIT */
/*
 * Shape casts of two convex bodies. Planes that separate them move forward along the way, after van den Bergen ("Ray
 * casting against general convex objects with application to continuous collision detection", 2004): along a direction
 * n the gap of A and of B at s is linear in s, g(s) = g(0) + s n . motion, so that a plane certified at s holds up to
 * the zero of g. Where planes end, the first position behind them at which the bodies certainly overlap by more than
 * the rounding of that position proves that they meet. Bodies that only graze each other are left to exact arithmetic,
 * or unknown with curved ones.
 */
#include <math.h>
#include <string.h>

#include "convex/convex_pair.h"
#include "convex/curved.h"
#include "math/vector.h"
#include "mesh/mesh.h"
#include "shape/cast.h"
#include "shape/convex_part.h"

#define LEAST_PROGRESS 0x1p-48 /* of the way, below which planes no longer move */

enum
{
    MOST_PLANES = 64
};

grz_cast_found grz_cast_nothing(void)
{
    grz_cast_found found;
    memset(&found, 0, sizeof found);
    found.verdict = GRAZE_VERDICT_NO;
    found.lower = found.upper = INFINITY;
    found.triangle_a = found.triangle_b = found.face_a = found.face_b = GRAZE_NO_TRIANGLE;
    return found;
}

graze_pose grz_cast_pose_at(const graze_pose *pose, const grz_cast_way *way, double s, double *out_error)
{
    graze_pose at = *pose;
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double t = s <= 0 ? way->from[k] : s >= 1 ? way->to[k] : way->from[k] + s * (way->to[k] - way->from[k]);
        interval real = interval_add(interval_point(way->from[k]), interval_mul(interval_point(s), way->motion[k]));
        interval off = interval_sub(real, interval_point(t));
        double most = s <= 0 || s >= 1 ? 0 : fmax(fabs(off.lower), fabs(off.upper));
        at.m[4 * k + 3] = t;
        sum += most;
    }
    *out_error = sum * (1 + 8 * GRZ_U); /* the sum bounds the length */
    return at;
}

void grz_cast_part_of_leaf(const graze_placed *leaf, grz_cast_part *out)
{
    grz_shape_convex_body(leaf, &out->body);
    out->mesh = leaf->shape->form == GRZ_FORM_CORE ? leaf->shape->mesh : NULL;
    out->first = 0;
    out->triangle_count = out->mesh != NULL ? (uint32_t)out->mesh->triangle_count : 0;
}

void grz_cast_part_of_triangle(const graze_placed *mesh, uint32_t triangle, grz_cast_part *out)
{
    out->mesh = mesh->shape->mesh;
    out->first = triangle;
    out->triangle_count = 1;
    for (size_t c = 0; c < 3; c++)
        memcpy(out->corners[c], grz_mesh_vertex(out->mesh, out->mesh->triangles[3 * (size_t)triangle + c]),
               sizeof out->corners[c]);
    out->body = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                                  .vertices = (const double(*)[3])out->corners,
                                  .vertex_count = 3,
                                  .radius = mesh->shape->radius,
                                  .pose = mesh->pose};
}

/* Two bodies, b at the start of the way. */
typedef struct convex_cast
{
    const grz_convex_body *a, *b;
    const grz_cast_way *way;
    bool polytopes;
} convex_cast;

/* ---- planes ---- */

/* The bodies with b at s, if they are apart there: about the direction from a to b, and points of both. */
static bool find_direction(const convex_cast *c, double s, double direction[3], double points[2][3])
{
    grz_convex_body b = *c->b;
    double error;
    b.pose = grz_cast_pose_at(&c->b->pose, c->way, s, &error);
    if (c->polytopes)
    {
        static const grz_convex_limits limits = {0, INFINITY};
        grz_convex_distance d;
        grz_convex_pair_distance(c->a, &b, NULL, &limits, &d);
        memcpy(points, d.points, sizeof d.points);
        memcpy(direction, d.normal, sizeof d.normal);
        return d.verdict == GRZ_CONVEX_APART;
    }
    grz_curved_distance d;
    if (grz_curved_distance_between(c->a, &b, &d) != GRAZE_VERDICT_NO)
        return false;
    memcpy(points[0], d.witness_a, sizeof d.witness_a);
    memcpy(points[1], d.witness_b, sizeof d.witness_b);
    v3 apart = v3_sub(v3_load(points[1]), v3_load(points[0]));
    double length = v3_length(apart);
    if (!(length > 0 && length < INFINITY))
        return false;
    v3_store(v3_scale(1 / length, apart), direction);
    return true;
}

/* g(s) = gap + s rate along a direction. */
typedef struct linear_gap
{
    interval gap, rate;
} linear_gap;

/* Supports are taken without translations, whose difference is exact for bodies anywhere. */
static linear_gap gap_along(const convex_cast *c, const double direction[3])
{
    grz_convex_body a = *c->a, b = *c->b;
    linear_gap g = {interval_point(0), interval_point(0)};
    double highest, lowest, other;
    for (int k = 0; k < 3; k++)
    {
        interval n = interval_point(direction[k]);
        interval between = interval_sub(interval_point(c->way->from[k]), interval_point(a.pose.m[4 * k + 3]));
        g.gap = interval_add(g.gap, interval_mul(n, between));
        g.rate = interval_add(g.rate, interval_mul(n, c->way->motion[k]));
        a.pose.m[4 * k + 3] = b.pose.m[4 * k + 3] = 0;
    }
    grz_curved_extent(&a, direction, &other, &highest);
    grz_curved_extent(&b, direction, &lowest, &other);
    g.gap = interval_add(g.gap, interval_sub(interval_point(lowest), interval_point(highest)));
    return g;
}

static double gap_at(const linear_gap *g, double s)
{
    return interval_add(g->gap, interval_mul(interval_point(s), g->rate)).lower;
}

static const double origin[3] = {0, 0, 0};

/* An s up to which nothing is common: 1 and *out_clear where that is the whole way. Points and direction are those of
   the last plane. Ends beyond `most`. */
static double advance(const convex_cast *c, double most, bool *out_clear, double direction[3], double points[2][3])
{
    double s = 0, next_direction[3], next_points[2][3];
    *out_clear = false;
    graze_pose_apply(&c->b->pose, c->b->kind == GRZ_CONVEX_POLYTOPE ? c->b->vertices[0] : origin, points[0]);
    for (int i = 0; i < MOST_PLANES && find_direction(c, s, next_direction, next_points); i++)
    {
        linear_gap g = gap_along(c, next_direction);
        double here = gap_at(&g, s);
        memcpy(direction, next_direction, sizeof next_direction);
        memcpy(points, next_points, sizeof next_points);
        if (!(here > 0))
            break;
        /* shortcut: cast-planes. Above 0 at both ends, and so between them. */
        if (gap_at(&g, 1) > 0)
        {
            *out_clear = true;
            return 1;
        }
        double next = fmin(s + here / -g.rate.lower, 1);
        for (int k = 0; k < 8 && next > s && !(gap_at(&g, next) > 0); k++)
            next -= ldexp(0x1p-52, 3 * k);
        if (!(next > s && gap_at(&g, next) > 0))
            break;
        bool done = next - s < LEAST_PROGRESS || next > most;
        s = next;
        if (done)
            break;
    }
    return s;
}

/* ---- overlaps ---- */

/* Whether the bodies certainly share a point with b at s, wherever its rounded position really is: a translation by
   less than the way out leaves one. */
/* shortcut: cast-overlap */
static bool overlaps_at(const convex_cast *c, double s)
{
    grz_convex_body b = *c->b;
    double error;
    b.pose = grz_cast_pose_at(&c->b->pose, c->way, s, &error);
    if (c->polytopes)
    {
        grz_convex_depth depth;
        grz_convex_pair_depth(c->a, &b, NULL, 0.5, &depth);
        return depth.verdict == GRZ_CONVEX_TOGETHER && depth.lower > error;
    }
    grz_curved_depth depth;
    return grz_curved_depth_of(c->a, &b, &depth) == GRAZE_VERDICT_YES && depth.lower > error;
}

/* The first of some positions behind `lower` at which they do; above `most` where there is none. */
static double find_overlap(const convex_cast *c, double lower, double most)
{
    double step = 0x1p-50;
    for (;;)
    {
        double s = fmin(lower + step, most);
        if (overlaps_at(c, s))
            return s;
        if (!(s < most))
            return INFINITY;
        step *= 4;
    }
}

/* The least s from which on nothing is common, by planes that move backward from the end of the way. */
static double last_common(const convex_cast *c)
{
    grz_cast_way back;
    convex_cast reverse = *c;
    grz_convex_body b = *c->b;
    double direction[3], points[2][3];
    bool clear;
    for (int k = 0; k < 3; k++)
    {
        back.from[k] = c->way->to[k];
        back.to[k] = c->way->from[k];
        back.motion[k] = (interval){-c->way->motion[k].upper, -c->way->motion[k].lower};
        b.pose.m[4 * k + 3] = back.from[k];
    }
    reverse.b = &b;
    reverse.way = &back;
    return fmin(interval_sub(interval_point(1), interval_point(advance(&reverse, 1, &clear, direction, points))).upper,
                1);
}

graze_status grz_cast_convex(grz_shape_query *q, const grz_cast_part *a, const grz_cast_part *b,
                             const grz_cast_way *way, double most, grz_cast_found *out)
{
    convex_cast c = {&a->body, &b->body, way,
                     a->body.kind == GRZ_CONVEX_POLYTOPE && b->body.kind == GRZ_CONVEX_POLYTOPE};
    double points[2][3];
    bool clear, meets = false;
    graze_status status = GRAZE_STATUS_OK;
    *out = grz_cast_nothing();
    if (!grz_monitor_exact_tests(q->monitor, 8))
        return grz_monitor_status(q->monitor);
    double lower = advance(&c, most, &clear, out->normal, points);
    if (clear || lower > most)
        return status;
    out->lower = lower;
    out->upper = find_overlap(&c, lower, most);
    memcpy(out->point, points[0], sizeof out->point); /* b's has moved on since the last plane */
    if (out->upper <= 1)
        out->verdict = GRAZE_VERDICT_YES;
    else if (!c.polytopes || most < 1) /* the caller knows a contact at `most`: none before it is certain */
        out->verdict = GRAZE_VERDICT_UNKNOWN;
    else
    {
        status = grz_cast_sweep_meets(q, a, b, way, &meets);
        out->verdict = meets ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
        out->upper = meets ? fmax(last_common(&c), lower) : INFINITY;
    }
    return status;
}
