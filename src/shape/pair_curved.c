/* SPDX-License-Identifier: MIT */
/*
 * Cylinders, cones and ellipsoids against cores and each other, by the certified queries of convex/curved.h. A mesh is
 * taken triangle by triangle; a solid one also holds a curved body that meets no triangle and has its centre inside.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "convex/curved.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/distance/proximity.h"
#include "shape/convex_part.h"
#include "shape/core.h"
#include "shape/near_triangles.h"
#include "shape/primitive_mesh.h"
#include "shape/small_shape.h"

/* Whether two convex bodies are within reach. */
static graze_verdict decide_bodies(const grz_convex_body *a, const grz_convex_body *b, grz_reach reach,
                                   double common[3])
{
    if (reach.tolerance == 0 && !reach.strict)
        return grz_curved_collide(a, b, common);
    grz_curved_distance d;
    graze_verdict meet = grz_curved_distance_between(a, b, &d);
    for (int k = 0; k < 3; k++)
        common[k] = 0.5 * d.witness_a[k] + 0.5 * d.witness_b[k];
    if (reach.tolerance == 0) /* interiors are asked for; which of them meet is not known */
        return meet == GRAZE_VERDICT_NO ? GRAZE_VERDICT_NO : GRAZE_VERDICT_UNKNOWN;
    /* shortcut: curved-within-by-bounds */
    if (meet == GRAZE_VERDICT_YES || d.upper < reach.tolerance)
        return GRAZE_VERDICT_YES;
    return d.lower > reach.tolerance ? GRAZE_VERDICT_NO : GRAZE_VERDICT_UNKNOWN;
}

static graze_verdict decide_convex(const graze_placed *a, const graze_placed *b, grz_reach reach,
                                   graze_shape_hit *out_hit)
{
    grz_convex_body x, y;
    double common[3];
    grz_shape_convex_body(a, &x);
    grz_shape_convex_body(b, &y);
    graze_verdict verdict = decide_bodies(&x, &y, reach, common);
    if (verdict == GRAZE_VERDICT_YES && out_hit != NULL)
    {
        *out_hit = grz_shape_hit_none();
        grz_shape_hit_set_point(out_hit, common);
    }
    return verdict;
}

/* Distances of two bodies that are apart, met or not known: within the limit. */
static graze_shape_distance set_distance(graze_verdict meet, const grz_curved_distance *d, double limit)
{
    if (meet == GRAZE_VERDICT_NO && d->lower > limit)
        return grz_shape_distance_none(d->lower);
    graze_shape_hit hit = grz_shape_hit_none();
    graze_shape_distance result = grz_shape_distance_zero(&hit);
    memcpy(result.point_a, d->witness_a, sizeof result.point_a);
    memcpy(result.point_b, d->witness_b, sizeof result.point_b);
    if (meet != GRAZE_VERDICT_YES)
        grz_shape_distance_set(&result, (interval){d->lower, d->upper}, meet == GRAZE_VERDICT_NO);
    return result;
}

static graze_shape_distance measure_convex(const graze_placed *a, const graze_placed *b, double limit)
{
    grz_convex_body x, y;
    grz_curved_distance d;
    grz_shape_convex_body(a, &x);
    grz_shape_convex_body(b, &y);
    graze_verdict meet = grz_curved_distance_between(&x, &y, &d);
    return set_distance(meet, &d, limit);
}

static graze_shape_depth measure_depth(const graze_placed *a, const graze_placed *b)
{
    grz_convex_body x, y;
    grz_curved_depth d;
    graze_shape_depth depth = grz_shape_depth_none();
    grz_shape_convex_body(a, &x);
    grz_shape_convex_body(b, &y);
    if (grz_curved_depth_of(&x, &y, &d) == GRAZE_VERDICT_NO)
        return depth;
    depth.overlap = d.lower > 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN;
    depth.lower = d.lower;
    depth.upper = depth.depth_upper = d.upper;
    for (int k = 0; k < 3; k++)
        depth.translation[k] = d.translation[k] != 0 ? -d.translation[k] : 0; /* of B */
    return depth;
}

/* ---- a curved body against the triangles of a mesh ---- */

typedef struct triangle_search
{
    const graze_placed *core;
    grz_convex_body triangle, body;
    double corners[3][3], radius;
    grz_reach reach;
    double gap; /* boxes farther apart need not be visited */
    graze_verdict verdict;
    graze_shape_hit hit;
    graze_shape_distance best; /* for distances */
    double lower;              /* the least of all lower bounds */
    double direction[3];       /* from the body to the nearest triangle so far; zeros: none */
    double extent;             /* no point of the body is farther along it */
    double limit;
} triangle_search;

static void take_triangle(triangle_search *s, uint32_t triangle)
{
    const graze_mesh *mesh = s->core->shape->mesh;
    for (size_t c = 0; c < 3; c++)
        memcpy(s->corners[c], grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + c]), sizeof s->corners[c]);
    s->triangle = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                                    .vertices = (const double(*)[3])s->corners,
                                    .vertex_count = 3,
                                    .radius = s->core->shape->radius,
                                    .pose = s->core->pose};
}

static void name_triangle(const triangle_search *s, uint32_t triangle, uint32_t *out_triangle, uint32_t *out_face)
{
    *out_triangle = triangle;
    *out_face = graze_mesh_triangle_face(s->core->shape->mesh, triangle);
}

static bool decide_triangle(void *user, uint32_t triangle)
{
    triangle_search *s = user;
    double common[3];
    take_triangle(s, triangle);
    graze_verdict verdict = decide_bodies(&s->triangle, &s->body, s->reach, common);
    if (verdict == GRAZE_VERDICT_NO)
        return true;
    s->verdict = verdict;
    if (verdict == GRAZE_VERDICT_UNKNOWN)
        return true;
    name_triangle(s, triangle, &s->hit.triangle_a, &s->hit.face_a);
    grz_shape_hit_set_point(&s->hit, common);
    return false;
}

/* Takes the line between the closest points as a direction along which other triangles may be too far. */
static void set_direction(triangle_search *s, const grz_curved_distance *d)
{
    double lower, length = 0;
    for (int k = 0; k < 3; k++)
    {
        s->direction[k] = d->witness_a[k] - d->witness_b[k];
        length = hypot(length, s->direction[k]);
    }
    for (int k = 0; k < 3; k++)
        s->direction[k] = length > 0 ? s->direction[k] / length : 0;
    grz_curved_extent(&s->body, s->direction, &lower, &s->extent);
}

/* Whether a plane across that direction proves the triangle to be farther away than what was found. The direction has a
   length of at most 1 + 8 u. */
static bool is_beyond(const triangle_search *s, uint32_t triangle)
{
    const graze_mesh *mesh = s->core->shape->mesh;
    for (size_t c = 0; c < 3; c++)
    {
        interval at[3], height = interval_point(0);
        grz_place_point(grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + c]), &s->core->pose, at);
        for (int k = 0; k < 3; k++)
            height = interval_add(height, interval_mul(interval_point(s->direction[k]), at[k]));
        interval gap = interval_sub(height, interval_point(s->extent));
        /* shortcut: triangles-beyond-planes */
        if (!(gap.lower > s->gap * (1 + 16 * GRZ_U)))
            return false;
    }
    return true;
}

static bool measure_triangle(void *user, uint32_t triangle)
{
    triangle_search *s = user;
    grz_curved_distance d;
    if (s->best.found && is_beyond(s, triangle))
        return true;
    take_triangle(s, triangle);
    graze_verdict meet = grz_curved_distance_between(&s->triangle, &s->body, &d);
    graze_shape_distance found = set_distance(meet, &d, s->limit);
    s->lower = fmin(s->lower, found.lower);
    if (!found.found || (s->best.found && s->best.distance <= found.distance))
        return true;
    name_triangle(s, triangle, &found.triangle_a, &found.face_a);
    s->best = found;
    s->gap = fmin(s->gap, found.upper);
    set_direction(s, &d);
    if (meet != GRAZE_VERDICT_YES)
        return true;
    s->verdict = meet;
    return false;
}

/*
 * Triangles are found by their distance from a segment in the body: a capsule around it holds the body. For cylinders
 * and cones that is the axis with the larger radius; for an ellipsoid with radii a >= b >= c the part of the longest
 * axis up to a - b, with radius b (where x <= a, b x / a >= x - (a - b), so that b^2 (1 - x^2 / a^2) + (x - a + b)^2 <=
 * b^2). Roundings and the pose, a rotation within 1e-9, change lengths by less than 2^-27 of them.
 */
#define CAPSULE_SLACK 0x1p-26

typedef struct capsule_search
{
    triangle_search *s;
    grz_near_triangle_function visit;
    grz_monitor *monitor;
    grz_measure_frame frame;
    double radius; /* of the capsule and of the core */
} capsule_search;

static double capsule_of(const grz_convex_body *body, double ends[2][3])
{
    const double *n = body->numbers;
    int axis = 2;
    double half = 0.5 * n[0], radius = n[1];
    if (body->kind == GRZ_CONVEX_ELLIPSOID)
    {
        axis = n[0] >= n[1] ? 0 : 1;
        axis = n[axis] >= n[2] ? axis : 2;
        radius = fmax(n[(axis + 1) % 3], n[(axis + 2) % 3]);
        half = n[axis] - radius;
    }
    for (int i = 0; i < 6; i++)
        ends[i / 3][i % 3] = i % 3 != axis ? 0 : i < 3 ? -half : half;
    return radius + CAPSULE_SLACK * (half + radius);
}

/* Visits those of up to eight triangles that may be within reach, the nearest to the segment first. */
static bool propose(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    capsule_search *c = user;
    grz_closest_pair gaps[GRZ_LANES];
    if (!grz_monitor_exact_tests(c->monitor, pairs->count))
        return false;
    grz_measure_pairs_in_doubles(&c->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
        gaps[i].lower = gaps[i].open ? 0 : gaps[i].lower;
    for (unsigned left = pairs->count; left > 0; left--)
    {
        unsigned first = 0;
        for (unsigned i = 1; i < left; i++)
            first = gaps[i].lower < gaps[first].lower ? i : first;
        /* shortcut: capsule-around-curved. Those left are no nearer. */
        if (gaps[first].lower > c->s->gap + c->radius)
            break;
        if (!c->visit(c->s, gaps[first].triangle_a))
            return false;
        gaps[first] = gaps[left - 1];
    }
    bound->distance = c->s->gap + c->radius;
    return true;
}

/* Visits the triangles near the curved body, until the visitor stops. */
static graze_status search_triangles(grz_shape_query *q, triangle_search *s, const graze_placed *curved,
                                     grz_near_triangle_function visit, bool shrinking)
{
    graze_placed_mesh mesh;
    grz_small_shape segment;
    double ends[2][3];
    graze_status status = grz_core_mesh(q, s->core, &mesh);
    if (status != GRAZE_STATUS_OK || mesh.mesh->triangle_count == 0)
        return status;
    grz_shape_convex_body(curved, &s->body);
    capsule_search c = {.s = s, .visit = visit, .monitor = q->monitor};
    c.radius = capsule_of(&s->body, ends) + s->core->shape->radius;
    const double *const corners[3] = {ends[0], ends[1], ends[1]};
    grz_small_shape_make(q, corners, &curved->pose, &segment);
    graze_placed_mesh axis = {segment.shape.mesh, NULL, curved->pose};
    grz_measure_frame_make(&c.frame, q->context, &mesh, &axis);
    grz_proximity_search search = {.context = q->context,
                                   .bound = {.distance = s->gap + c.radius},
                                   .propose = propose,
                                   .user = &c,
                                   .shrinking = shrinking,
                                   .monitor = q->monitor};
    status = grz_core_mesh(q, &segment.placed, &axis);
    if (status == GRAZE_STATUS_OK)
        grz_proximity_search_run(&search, &mesh, &axis);
    q->stats.box_tests += search.box_tests;
    grz_small_shape_release(&segment);
    if (status == GRAZE_STATUS_OK && search.out_of_memory)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    return status == GRAZE_STATUS_OK ? grz_monitor_status(q->monitor) : status;
}

/* Whether a curved body that meets no triangle of a solid lies inside. Its centre is the translation. */
static graze_status lies_inside(grz_shape_query *q, const graze_placed *core, const graze_placed *curved,
                                bool *out_inside, double out_centre[3])
{
    for (int k = 0; k < 3; k++)
        out_centre[k] = curved->pose.m[4 * k + 3];
    return grz_core_holds_point(q, core, out_centre, NULL, out_inside);
}

graze_status grz_core_curved_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                    graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    if (a->shape->hull != NULL)
    {
        *out_verdict = decide_convex(a, b, reach, out_hit);
        return GRAZE_STATUS_OK;
    }
    triangle_search s = {
        .core = a, .reach = reach, .gap = reach.tolerance, .verdict = GRAZE_VERDICT_NO, .hit = grz_shape_hit_none()};
    graze_status status;
    if (reach.tolerance == 0 && !reach.strict && grz_primitive_mesh_collide(q, a, b, &status, out_verdict, out_hit))
        return status;
    status = search_triangles(q, &s, b, decide_triangle, false);
    bool inside = false;
    double centre[3];
    if (status == GRAZE_STATUS_OK && s.verdict != GRAZE_VERDICT_YES)
        status = lies_inside(q, a, b, &inside, centre);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (inside && (reach.tolerance > 0 || !reach.strict))
    {
        s.verdict = GRAZE_VERDICT_YES; /* the centre is common */
        grz_shape_hit_set_point(&s.hit, centre);
    }
    if (s.verdict == GRAZE_VERDICT_YES && out_hit != NULL)
        *out_hit = s.hit;
    *out_verdict = s.verdict;
    return GRAZE_STATUS_OK;
}

graze_status grz_core_curved_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    if (a->shape->hull != NULL)
    {
        *out_distance = measure_convex(a, b, wanted->limit);
        return GRAZE_STATUS_OK;
    }
    triangle_search s = {.core = a,
                         .gap = wanted->limit,
                         .limit = wanted->limit,
                         .verdict = GRAZE_VERDICT_NO,
                         .hit = grz_shape_hit_none(),
                         .best = grz_shape_distance_none(wanted->limit),
                         .lower = INFINITY};
    graze_status status = search_triangles(q, &s, b, measure_triangle, true);
    bool inside = false;
    double centre[3];
    if (status == GRAZE_STATUS_OK && s.verdict != GRAZE_VERDICT_YES)
        status = lies_inside(q, a, b, &inside, centre);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (inside)
    {
        grz_shape_hit_set_point(&s.hit, centre);
        *out_distance = grz_shape_distance_zero(&s.hit);
        return GRAZE_STATUS_OK;
    }
    s.best.lower = fmin(s.lower, s.gap); /* triangles not visited are farther than that */
    *out_distance = s.best;
    return GRAZE_STATUS_OK;
}

graze_status grz_core_curved_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)wanted;
    if (a->shape->hull != NULL)
    {
        *out_depth = measure_depth(a, b);
        return GRAZE_STATUS_OK;
    }
    graze_verdict verdict;
    graze_status status = grz_core_curved_decide(q, a, b, (grz_reach){0, false}, &verdict, NULL);
    if (status == GRAZE_STATUS_OK)
        *out_depth = verdict == GRAZE_VERDICT_NO ? grz_shape_depth_none() : grz_shape_depth_unknown();
    return status;
}

graze_status grz_curved_curved_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                      graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    (void)q;
    *out_verdict = decide_convex(a, b, reach, out_hit);
    return GRAZE_STATUS_OK;
}

graze_status grz_curved_curved_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                        const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    (void)q;
    *out_distance = measure_convex(a, b, wanted->limit);
    return GRAZE_STATUS_OK;
}

graze_status grz_curved_curved_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)q;
    (void)wanted;
    *out_depth = measure_depth(a, b);
    return GRAZE_STATUS_OK;
}
