/* SPDX-License-Identifier: MIT */
/*
 * Rays against curved bodies. Whether they meet is decided as for the body and a segment. The first point is enclosed:
 * planes that separate points of the ray from the body move forward along it, after van den Bergen ("Ray casting
 * against general convex objects with application to continuous collision detection", 2004); a short segment of the
 * ray that certainly meets the body ends the interval.
 */
#include <math.h>

#include "base/environment.h"
#include "convex/curved.h"
#include "convex/curved_decide.h"

enum
{
    STEPS = 40
};

typedef struct ray
{
    grz_curved_pair pair; /* of the body and the ray's origin */
    wide3 origin;
    v3 direction; /* its largest coordinate is between 1/2 and 1 */
    double end;   /* of the parameter: the limit, or where the ray is certainly beyond the body */
    int exponent; /* parameters of the caller are 2^exponent times those here */
    double ends[2][3];
} ray;

static const double ZERO[1][3] = {{0, 0, 0}};

static bool ray_make(const grz_convex_body *body, const double origin[3], const double direction[3], double limit,
                     ray *r)
{
    grz_convex_body point = {.kind = GRZ_CONVEX_POLYTOPE, .vertices = ZERO, .vertex_count = 1};
    int exponent = 0;
    double largest = 0;
    for (int i = 0; i < 3; i++)
    {
        point.pose.m[5 * i] = 1;
        point.pose.m[4 * i + 3] = origin[i];
        largest = fmax(largest, fabs(direction[i]));
    }
    grz_curved_pair_make_ordered(body, &point, 0, &r->pair);
    r->origin = r->pair.b.wide_anchor;
    if (largest > 0)
        frexp(largest, &exponent);
    r->direction =
        v3_make(ldexp(direction[0], -exponent), ldexp(direction[1], -exponent), ldexp(direction[2], -exponent));
    r->exponent = r->pair.exponent - exponent;
    /* The body is within `size` of the frame's origin, and so is the ray's. A parameter s moves by at least s / 2. */
    double beyond = 5 * r->pair.size, scaled_limit = ldexp(limit, -r->exponent);
    r->end = largest == 0 ? 0 : fmin(beyond, scaled_limit);
    return r->pair.size < INFINITY;
}

/* Makes b of the pair the part of the ray between two parameters, or a point where they are equal. Its points are
   those of the ray up to a few roundings. */
static void set_segment(ray *r, double from, double to)
{
    grz_curved_operand *b = &r->pair.b;
    v3 along = v3_scale(to - from, r->direction);
    v3_store(v3_make(0, 0, 0), r->ends[0]);
    v3_store(along, r->ends[1]);
    *b = (grz_curved_operand){.kind = GRZ_CONVEX_POLYTOPE, .r = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .factor = 1};
    b->vertices = (const double(*)[3])r->ends;
    b->vertex_count = to > from ? 2 : 1;
    b->wide_anchor = wide3_add(r->origin, wide3_scale(dd_make(from), wide3_from(r->direction)));
    b->anchor = wide3_round(b->wide_anchor);
    b->extent = 2 * (to - from);
    r->pair.size =
        (r->pair.a.extent + b->extent + fabs(b->anchor.x) + fabs(b->anchor.y) + fabs(b->anchor.z)) * (1 + 0x1p-40);
    r->pair.slack = 0x1p-50 * (to + r->pair.size * 0x1p-20);
}

static graze_verdict decide(ray *r, double from, double to, grz_curved_goal goal, grz_curved_answer *found)
{
    set_segment(r, from, to);
    grz_curved_decide(&r->pair, goal, found);
    return found->verdict;
}

/* A parameter up to which no point of the ray is in the body. */
static double advance(ray *r, v3 *normal, bool *inside)
{
    double s = 0;
    for (int i = 0; i < STEPS; i++)
    {
        grz_curved_answer found;
        graze_verdict verdict = decide(r, s, s, GRZ_CURVED_DISTANCE, &found);
        *inside = i == 0 && verdict == GRAZE_VERDICT_YES;
        if (verdict != GRAZE_VERDICT_NO)
            break;
        *normal = found.normal;
        /* shortcut: curved-ray-plane. The plane is at least `lower` away; a rate passes fewer than 8 roundings. */
        double rate = -v3_dot(found.normal, r->direction) + 0x1p-49;
        if (!(rate > 0x1p-48))
            break;
        double next = fmin(r->end, (s + found.lower / rate) * (1 - 0x1p-50));
        bool slow = next - s <= 0x1p-46 * r->pair.size;
        s = fmax(s, next);
        if (slow || s >= r->end)
            break;
    }
    return s;
}

/* A parameter at or before which the ray certainly meets the body, which it does. */
static double enter(ray *r, double lower)
{
    double step = 0x1p-46 * r->pair.size;
    for (int i = 0; i < STEPS && lower + step < r->end; i++)
    {
        grz_curved_answer found;
        if (decide(r, fmax(0, lower - step), lower + step, GRZ_CURVED_VERDICT, &found) == GRAZE_VERDICT_YES)
            return (lower + step) * (1 + 0x1p-51);
        step *= 4;
    }
    return r->end;
}

static double to_caller(const ray *r, double s, bool up)
{
    double t = ldexp(s, r->exponent);
    if (up)
        return t < 0x1p-1021 && s > 0 ? t + 0x1p-1074 : t;
    t = fmin(t, DBL_MAX);
    return t < 0x1p-1021 ? fmax(0, t - 0x1p-1074) : t;
}

static void cast(const grz_convex_body *body, const double origin[3], const double direction[3], double limit,
                 grz_curved_hit *out)
{
    ray r;
    *out = (grz_curved_hit){GRAZE_VERDICT_UNKNOWN, 0, limit, {0, 0, 0}};
    if (!ray_make(body, origin, direction, limit, &r))
        return;
    grz_curved_answer found;
    out->hit = decide(&r, 0, r.end, GRZ_CURVED_VERDICT, &found);
    if (out->hit == GRAZE_VERDICT_NO)
        return;
    v3 normal = v3_make(0, 0, 0);
    bool inside = false;
    double lower = advance(&r, &normal, &inside);
    v3_store(normal, out->normal);
    if (inside)
    {
        out->hit = GRAZE_VERDICT_YES;
        out->upper = 0;
        return;
    }
    out->lower = fmin(limit, to_caller(&r, lower, false));
    if (out->hit == GRAZE_VERDICT_YES)
        out->upper = fmin(limit, to_caller(&r, enter(&r, lower), true));
}

void grz_curved_ray(const grz_convex_body *body, const double origin[3], const double direction[3], double limit,
                    grz_curved_hit *out_hit)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    cast(body, origin, direction, limit, out_hit);
    grz_environment_leave_default(&environment);
}
