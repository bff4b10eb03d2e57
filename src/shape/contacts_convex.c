/* SPDX-License-Identifier: MIT */
/*
 * Contacts of convex leaves. While cores are apart, the normal is the line between their closest points. Otherwise it
 * is that of the shortest way out of one body from the other grown by the margin: grown, bodies that only touch
 * overlap, and the way out has a direction.
 */
#include <math.h>

#include "convex/convex_pair.h"
#include "convex/curved.h"
#include "shape/contacts.h"
#include "shape/convex_part.h"

#define LEAST_GAP 0x1p-30 /* share of the size below which closest points no longer give a direction */

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 && length < INFINITY ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

static bool is_zero(v3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* About the size of a body: twice the farthest vertex or number. */
static double size_of(const grz_convex_body *body)
{
    double largest = body->radius;
    for (size_t i = 0; i < body->vertex_count && body->kind == GRZ_CONVEX_POLYTOPE; i++)
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(body->vertices[i][k] - body->vertices[0][k]));
    for (int k = 0; k < 3 && body->kind != GRZ_CONVEX_POLYTOPE; k++)
        largest = fmax(largest, body->numbers[k]);
    return 2 * largest;
}

static bool are_polytopes(const grz_convex_body bodies[2])
{
    return bodies[0].kind == GRZ_CONVEX_POLYTOPE && bodies[1].kind == GRZ_CONVEX_POLYTOPE;
}

/* The line of the closest points of the cores. False where they are not clearly apart. */
static bool find_line(const grz_convex_body bodies[2], double size, v3 *out_normal, v3 out_points[2])
{
    grz_convex_body cores[2] = {bodies[0], bodies[1]};
    cores[0].radius = cores[1].radius = 0;
    if (are_polytopes(bodies))
    {
        const grz_convex_limits limits = {.absolute_error = 0, .enough = INFINITY};
        grz_convex_distance d;
        grz_convex_pair_distance(&cores[0], &cores[1], NULL, &limits, &d);
        if (d.verdict != GRZ_CONVEX_APART || !(d.lower > LEAST_GAP * size))
            return false;
        out_points[0] = v3_load(d.points[0]);
        out_points[1] = v3_load(d.points[1]);
    }
    else
    {
        grz_curved_distance d;
        if (grz_curved_distance_between(&cores[0], &cores[1], &d) != GRAZE_VERDICT_NO || !(d.lower > LEAST_GAP * size))
            return false;
        out_points[0] = v3_load(d.witness_a);
        out_points[1] = v3_load(d.witness_b);
    }
    *out_normal = unit(v3_sub(out_points[1], out_points[0]));
    out_points[0] = v3_add(out_points[0], v3_scale(bodies[0].radius, *out_normal));
    out_points[1] = v3_sub(out_points[1], v3_scale(bodies[1].radius, *out_normal));
    return !is_zero(*out_normal);
}

/* The direction of the way out of the first body, grown, from the second. */
static v3 way_out(const grz_convex_body bodies[2], double growth)
{
    grz_convex_body grown[2] = {bodies[0], bodies[1]};
    grown[bodies[0].kind == GRZ_CONVEX_POLYTOPE ? 0 : 1].radius += growth;
    if (are_polytopes(bodies))
    {
        grz_convex_depth depth;
        grz_convex_pair_depth(&grown[0], &grown[1], NULL, 0x1p-20, &depth);
        return depth.upper < INFINITY ? unit(v3_load(depth.translation)) : v3_make(0, 0, 0);
    }
    grz_curved_depth depth;
    grown[1].radius = grown[1].kind == GRZ_CONVEX_POLYTOPE ? grown[1].radius : 0;
    grz_curved_depth_of(&grown[0], &grown[1], &depth);
    return unit(v3_scale(-1, v3_load(depth.translation)));
}

bool grz_convex_contact_frame(const grz_convex_body bodies[2], double margin, v3 *out_normal, v3 out_witnesses[2])
{
    double size = fmax(fmin(size_of(&bodies[0]), size_of(&bodies[1])), 0x1p-1000);
    if (find_line(bodies, size, out_normal, out_witnesses))
        return v3_dot(*out_normal, v3_sub(out_witnesses[1], out_witnesses[0])) <= margin;
    v3 normal = way_out(bodies, fmax(margin, LEAST_GAP * size));
    if (is_zero(normal))
        return false;
    double highest, lowest, other;
    const double along[3] = {normal.x, normal.y, normal.z}, back[3] = {-normal.x, -normal.y, -normal.z};
    double points[2][3];
    grz_curved_support(&bodies[0], along, points[0], &other, &highest);
    grz_curved_support(&bodies[1], back, points[1], &other, &lowest);
    *out_normal = normal;
    out_witnesses[0] = v3_load(points[0]); /* a point of A, and the one opposite of it at B's height */
    out_witnesses[1] = v3_add(out_witnesses[0], v3_scale(-lowest - highest, normal));
    return -lowest - highest <= margin;
}

graze_status grz_convex_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b)
{
    grz_convex_body bodies[2];
    v3 normal, witnesses[2];
    if (!grz_shape_convex_body(a, &bodies[0]) || !grz_shape_convex_body(b, &bodies[1]))
        return GRAZE_STATUS_INTERNAL;
    if (!grz_convex_contact_frame(bodies, s->margin, &normal, witnesses))
        return GRAZE_STATUS_OK;
    grz_manifold_side sides[2] = {{&bodies[0], a->shape->hull, witnesses[0]},
                                  {&bodies[1], b->shape->hull, witnesses[1]}};
    grz_manifold_point points[GRZ_MANIFOLD_MOST];
    unsigned count = grz_manifold_make(&sides[0], &sides[1], normal, s->margin, s->most_points, points);
    return grz_contact_search_add(s, normal, points, count) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}
