/* SPDX-License-Identifier: MIT */
/*
 * Contacts of convex leaves. While cores are apart, the normal is the line between their closest points. Otherwise it
 * is that of the shortest way out of one body from the other grown by the margin: grown, bodies that only touch
 * overlap, and the way out has a direction.
 */
#include <math.h>

#include "convex/box_axes.h"
#include "convex/convex_pair.h"
#include "convex/convex_table.h"
#include "convex/curved.h"
#include "shape/contacts.h"
#include "shape/convex_part.h"
#include "shape/pair_hull.h"

#define CLOSE_ENOUGH 1e-10 /* share of the size by which a gap of boxes may exceed that along their axis */
#define LEAST_GAP 0x1p-30  /* share of the size below which closest points no longer give a direction */

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 && length < INFINITY ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

static bool is_zero(v3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* About the size of a body: twice the extent, or the largest number. */
static double size_of(const grz_convex_body *body)
{
    double largest = body->radius;
    if (body->table != NULL)
    {
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, body->table->upper[k] - body->table->lower[k]);
        return 2 * largest;
    }
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
static bool find_line(const grz_convex_body bodies[2], double size, grz_convex_cache *cache, v3 *out_normal,
                      v3 out_points[2])
{
    grz_convex_body cores[2] = {bodies[0], bodies[1]};
    cores[0].radius = cores[1].radius = 0;
    if (are_polytopes(bodies))
    {
        const grz_convex_limits limits = {.absolute_error = 0, .enough = INFINITY};
        grz_convex_distance d;
        grz_convex_pair_distance(&cores[0], &cores[1], cache, &limits, &d);
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
static v3 way_out(const grz_convex_body bodies[2], double growth, grz_convex_cache *cache)
{
    grz_convex_body grown[2] = {bodies[0], bodies[1]};
    grown[bodies[0].kind == GRZ_CONVEX_POLYTOPE ? 0 : 1].radius += growth;
    if (are_polytopes(bodies))
    {
        grz_convex_depth depth;
        grz_convex_pair_depth(&grown[0], &grown[1], cache, 0x1p-20, &depth);
        return depth.upper < INFINITY ? unit(v3_load(depth.translation)) : v3_make(0, 0, 0);
    }
    grz_curved_depth depth;
    grown[1].radius = grown[1].kind == GRZ_CONVEX_POLYTOPE ? grown[1].radius : 0;
    grz_curved_depth_of(&grown[0], &grown[1], &depth);
    return unit(v3_scale(-1, v3_load(depth.translation)));
}

/* The point of a body that is farthest along a unit vector, and how far that is. */
static double farthest(const grz_convex_body *body, v3 along, double out_point[3])
{
    double direction[3], other, highest = -INFINITY;
    const double *m = body->pose.m;
    v3_store(along, direction);
    if (body->kind != GRZ_CONVEX_POLYTOPE)
    {
        grz_curved_support(body, direction, out_point, &other, &highest);
        return highest;
    }
    v3 q = v3_make(m[0] * along.x + m[4] * along.y + m[8] * along.z, m[1] * along.x + m[5] * along.y + m[9] * along.z,
                   m[2] * along.x + m[6] * along.y + m[10] * along.z);
    size_t best = 0;
    for (size_t i = 0; i < body->vertex_count; i++)
    {
        double height = v3_dot(q, v3_load(body->vertices[i]));
        best = height > highest ? i : best;
        highest = height > highest ? height : highest;
    }
    graze_pose_apply(&body->pose, body->vertices[best], out_point);
    v3 point = v3_add(v3_load(out_point), v3_scale(body->radius, along));
    v3_store(point, out_point);
    return v3_dot(along, point);
}

bool grz_convex_contact_frame(const grz_convex_body bodies[2], double margin, grz_convex_cache *cache, v3 *out_normal,
                              v3 out_witnesses[2])
{
    double size = fmax(fmin(size_of(&bodies[0]), size_of(&bodies[1])), 0x1p-1000);
    if (find_line(bodies, size, cache, out_normal, out_witnesses))
        return v3_dot(*out_normal, v3_sub(out_witnesses[1], out_witnesses[0])) <= margin;
    v3 normal = way_out(bodies, fmax(margin, LEAST_GAP * size), cache);
    if (is_zero(normal))
        return false;
    double points[2][3], highest = farthest(&bodies[0], normal, points[0]);
    double lowest = farthest(&bodies[1], v3_scale(-1, normal), points[1]);
    *out_normal = normal;
    out_witnesses[0] = v3_load(points[0]); /* a point of A, and the one opposite of it at B's height */
    out_witnesses[1] = v3_add(out_witnesses[0], v3_scale(-lowest - highest, normal));
    return -lowest - highest <= margin;
}

/* ---- boxes ---- */

typedef enum box_contact
{
    NO_BOXES, /* or poses that are no rotations */
    BOXES_APART,
    BOXES_MEET, /* or nearly so: then the normal counts only where the features along it are as near */
} box_contact;

/* The axis of least overlap of two boxes, as a normal. */
static box_contact find_box_normal(const grz_convex_body bodies[2], double margin, v3 *out_normal, v3 out_witnesses[2])
{
    grz_convex_operands operands;
    grz_box_axis axis;
    for (int i = 0; i < 2; i++)
        if (bodies[i].table == NULL || !bodies[i].table->is_box || bodies[i].radius != 0)
            return NO_BOXES;
    if (!grz_convex_prepare(&bodies[0], &bodies[1], &operands) || !grz_box_axes_find(&operands, &axis))
        return NO_BOXES;
    *out_normal = unit(axis.direction);
    double points[2][3];
    double highest = farthest(&bodies[0], *out_normal, points[0]);
    double gap = -farthest(&bodies[1], v3_scale(-1, *out_normal), points[1]) - highest;
    if (gap > margin)
        return BOXES_APART;
    out_witnesses[0] = v3_load(points[0]);
    out_witnesses[1] = v3_add(out_witnesses[0], v3_scale(gap, *out_normal));
    return BOXES_MEET;
}

/* ---- all ---- */

/* The bodies of two convex leaves; with a cache where both are polytopes. */
static graze_status begin(grz_contact_search *s, const graze_placed *a, const graze_placed *b, grz_hull_pair *pair)
{
    pair->cache = NULL;
    if (a->shape->hull != NULL && b->shape->hull != NULL)
        grz_hull_pair_begin(s->q, a, b, pair);
    else if (!grz_shape_convex_body(a, &pair->bodies[0]) || !grz_shape_convex_body(b, &pair->bodies[1]))
        return GRAZE_STATUS_INTERNAL;
    return GRAZE_STATUS_OK;
}

/* The manifold along a normal. */
static unsigned make_manifold(const grz_contact_search *s, const graze_placed *a, const graze_placed *b,
                              const grz_convex_body bodies[2], v3 normal, const v3 witnesses[2],
                              grz_manifold_point *points)
{
    grz_manifold_side sides[2] = {{&bodies[0], a->shape->hull, witnesses[0]},
                                  {&bodies[1], b->shape->hull, witnesses[1]}};
    return grz_manifold_make(&sides[0], &sides[1], normal, s->margin, s->most_points, points);
}

bool grz_box_manifold(const graze_placed *a, const graze_placed *b, double margin, unsigned most,
                      graze_shape_cache *cache, v3 *out_normal, grz_manifold_point *points, unsigned *out_count)
{
    const grz_convex_part *part_a = grz_shape_make_convex_part(a->shape),
                          *part_b = grz_shape_make_convex_part(b->shape);
    if (part_a == NULL || part_b == NULL || !part_a->is_box || !part_b->is_box)
        return false;
    const grz_placed_box first = {&part_a->box, &a->pose}, second = {&part_b->box, &b->pose};
    uint32_t none = GRZ_BOX_NO_AXIS,
             *axis = cache != NULL ? grz_hulls_box_axis(cache, a->shape->hull, b->shape->hull) : &none;
    return grz_box_manifold_make(&first, &second, margin, most, axis, out_normal, points, out_count) !=
           GRZ_BOXES_UNKNOWN;
}

/* False where their axes do not say it all. */
static bool find_box_manifold(const grz_contact_search *s, const graze_placed *a, const graze_placed *b, v3 *out_normal,
                              grz_manifold_point *points, unsigned *out_count)
{
    grz_convex_body bodies[2];
    v3 witnesses[2];
    grz_shape_convex_body(a, &bodies[0]);
    grz_shape_convex_body(b, &bodies[1]);
    box_contact found = find_box_normal(bodies, s->margin, out_normal, witnesses);
    *out_count = 0;
    if (found != BOXES_MEET)
        return found == BOXES_APART;
    double gap = v3_dot(*out_normal, v3_sub(witnesses[1], witnesses[0]));
    *out_count = make_manifold(s, a, b, bodies, *out_normal, witnesses, points);
    return gap <= 0 || (*out_count > 0 && points[0].gap <= gap + CLOSE_ENOUGH * size_of(&bodies[0]) &&
                        !grz_manifold_is_witness(&points[0]));
}

graze_status grz_convex_manifold(grz_contact_search *s, const graze_placed *a, const graze_placed *b, v3 *out_normal,
                                 grz_manifold_point points[GRZ_MANIFOLD_MOST], unsigned *out_count)
{
    grz_hull_pair pair;
    v3 witnesses[2];
    bool done = a->shape->kind == GRAZE_SHAPE_BOX && b->shape->kind == GRAZE_SHAPE_BOX &&
                (grz_box_manifold(a, b, s->margin, s->most_points, s->q->cache, out_normal, points, out_count) ||
                 find_box_manifold(s, a, b, out_normal, points, out_count));
    graze_status status = done ? GRAZE_STATUS_OK : begin(s, a, b, &pair);
    if (done || status != GRAZE_STATUS_OK)
        return status;
    bool near = grz_convex_contact_frame(pair.bodies, s->margin, pair.cache, out_normal, witnesses);
    *out_count = near ? make_manifold(s, a, b, pair.bodies, *out_normal, witnesses, points) : 0;
    return status;
}

graze_status grz_convex_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b)
{
    v3 normal;
    grz_manifold_point points[GRZ_MANIFOLD_MOST];
    unsigned count;
    graze_status status = grz_convex_manifold(s, a, b, &normal, points, &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    return grz_contact_search_add(s, normal, points, count) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}
