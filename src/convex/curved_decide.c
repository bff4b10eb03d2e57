/* SPDX-License-Identifier: MIT */
#include "convex/curved_decide.h"

#include <math.h>

#include "convex/inner_polytope.h"
#include "convex/origin_simplex.h"

static v3 mix(const v3 points[4], const double weights[4])
{
    v3 p = v3_make(0, 0, 0);
    for (int i = 0; i < 4; i++)
        p = v3_add(p, v3_scale(weights[i], points[i]));
    return p;
}

/* A point of both bodies: the origin of M is a mixture of its points, and so is the common point of those of a. */
static double common_of(const grz_curved_wide_vertex *const vertices[4], v3 *out_common)
{
    wide3 m[4];
    v3 a[4];
    double weights[4];
    for (int i = 0; i < 4; i++)
    {
        m[i] = vertices[i]->m;
        a[i] = vertices[i]->a;
    }
    double least = grz_origin_weights(m, weights);
    if (least > -INFINITY)
        *out_common = mix(a, weights);
    return least;
}

/* The faces of the polytope seen from its first vertex: the tetrahedron in which the origin is deepest. */
static v3 common_of_polytope(const grz_inner_polytope *p)
{
    v3 common = p->vertices[0].a;
    double best = -INFINITY;
    for (int i = 0; i < p->face_count; i++)
    {
        const grz_inner_face *f = &p->faces[i];
        if (!f->alive || f->vertices[0] == 0 || f->vertices[1] == 0 || f->vertices[2] == 0)
            continue;
        const grz_curved_wide_vertex *vertices[4] = {&p->vertices[0], &p->vertices[f->vertices[0]],
                                                     &p->vertices[f->vertices[1]], &p->vertices[f->vertices[2]]};
        v3 point;
        double least = common_of(vertices, &point);
        if (least > best)
        {
            best = least;
            common = point;
        }
    }
    return common;
}

/* Four points that GJK found around the origin, when doubles suffice to prove that they are. */
static bool simplex_proves(const grz_curved_pair *pair, const grz_curved_simplex *s, v3 *out_common)
{
    if (s->count != 4)
        return false;
    v3 m[4];
    const grz_curved_wide_vertex *vertices[4];
    for (int i = 0; i < 4; i++)
    {
        m[i] = wide3_round(s->vertices[i].m);
        vertices[i] = &s->vertices[i];
    }
    if (!grz_origin_is_surrounded(m, GRZ_CURVED_ERROR * pair->size + pair->slack))
        return false;
    common_of(vertices, out_common);
    return true;
}

/* The origin is inside of M or near its surface: a polytope inside of M proves it, or says how deep it is. */
static void decide_inside(const grz_curved_pair *pair, const grz_curved_simplex *simplex, grz_curved_goal goal,
                          grz_curved_answer *out)
{
    grz_inner_polytope polytope;
    if (!grz_inner_polytope_start(&polytope, pair, simplex))
    {
        out->upper_depth = polytope.upper;
        out->direction = polytope.direction;
        return;
    }
    /* Heights at the three vertices of a face differ by roundings of its normal, 2^-51 of the size. */
    double enough = goal == GRZ_CURVED_DEPTH ? INFINITY : 0x1p-49 * pair->size + 2 * pair->slack;
    double tolerance = (goal == GRZ_CURVED_DEPTH ? 0x1p-42 : 0x1p-47) * pair->size;
    if (grz_inner_polytope_grow(&polytope, pair, enough, tolerance) == GRZ_INNER_APART)
    {
        out->verdict = GRAZE_VERDICT_NO;
        out->lower = -polytope.upper;
        out->normal = polytope.direction;
        return;
    }
    out->lower_depth = fmax(0, grz_inner_polytope_radius(&polytope, pair));
    out->upper_depth = polytope.upper;
    out->direction = polytope.direction;
    if (!(out->lower_depth > 0))
        return;
    out->verdict = GRAZE_VERDICT_YES;
    out->a = out->b = common_of_polytope(&polytope);
}

static void take_simplex(const grz_curved_simplex *s, grz_curved_answer *out)
{
    out->lower = s->lower;
    out->upper = s->upper;
    out->a = s->a;
    out->b = s->b;
    out->normal = s->normal;
}

void grz_curved_decide(const grz_curved_pair *pair, grz_curved_goal goal, grz_curved_answer *out)
{
    *out = (grz_curved_answer){.verdict = GRAZE_VERDICT_UNKNOWN};
    out->upper = out->upper_depth = pair->size;
    if (pair->size == 0) /* two equal points */
    {
        out->verdict = GRAZE_VERDICT_YES;
        return;
    }
    bool distance = goal == GRZ_CURVED_DISTANCE;
    grz_curved_simplex simplex;
    grz_curved_search found = grz_curved_gjk(pair, distance, &simplex);
    if (found == GRZ_CURVED_ENCLOSED && goal != GRZ_CURVED_DEPTH && simplex_proves(pair, &simplex, &out->a))
    {
        out->verdict = GRAZE_VERDICT_YES;
        out->b = out->a;
        return;
    }
    bool vague = distance && simplex.upper - simplex.lower > 0x1p-43 * pair->size;
    if (found == GRZ_CURVED_STALLED || (found == GRZ_CURVED_APART && vague))
        found = grz_curved_gjk_wide(pair, distance, &simplex);
    take_simplex(&simplex, out);
    if (found == GRZ_CURVED_APART)
        out->verdict = GRAZE_VERDICT_NO;
    else
        decide_inside(pair, &simplex, goal, out);
}
