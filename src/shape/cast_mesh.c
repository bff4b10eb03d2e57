/* SPDX-License-Identifier: MIT */
/*
 * Shape casts with meshes and height fields, triangle by triangle. Triangles are found in trees by the s at which
 * moving boxes meet boxes that stay, the earliest first; those that come later than what was found are left out.
 * Of two meshes, each triangle of B near A's box looks for those of A.
 */
#include <math.h>

#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "shape/cast.h"
#include "shape/core.h"
#include "shape/near_triangles.h"

double grz_cast_box_entry(const graze_box *still, const graze_box *moving, const grz_cast_way *way)
{
    double first = 0, last = 1;
    for (int k = 0; k < 3; k++)
    {
        interval m = way->motion[k];
        /* What must be closed before they meet on this axis, and what is left until they part. */
        double ahead = interval_sub(interval_point(still->lower[k]), interval_point(moving->upper[k])).lower;
        double behind = interval_sub(interval_point(moving->lower[k]), interval_point(still->upper[k])).lower;
        if (isnan(ahead) || isnan(behind)) /* infinite boxes */
            continue;
        if (still->lower[k] > still->upper[k] || moving->lower[k] > moving->upper[k])
            return INFINITY;
        /* shortcut: cast-box-entry. Quotients round once, bounds of motions are rounded outward. */
        if (ahead > 0)
            first = fmax(first, m.upper > 0 ? ahead / m.upper * (1 - 4 * GRZ_U) : INFINITY);
        if (behind > 0)
            first = fmax(first, m.lower < 0 ? behind / -m.lower * (1 - 4 * GRZ_U) : INFINITY);
        if (m.lower > 0)
            last = fmin(last, interval_sub(interval_point(still->upper[k]), interval_point(moving->lower[k])).upper /
                                  m.lower * (1 + 4 * GRZ_U));
        if (m.upper < 0)
            last = fmin(last, interval_sub(interval_point(moving->upper[k]), interval_point(still->lower[k])).upper /
                                  -m.upper * (1 + 4 * GRZ_U));
    }
    return first <= last ? first : INFINITY;
}

/* Triangles of one mesh against a part. */
typedef struct mesh_cast
{
    grz_shape_query *q;
    const graze_placed *mesh;
    bool moves; /* the mesh is B */
    grz_cast_part other;
    graze_box box; /* of the other, and both radii */
    const grz_cast_way *way;
    double reach; /* the least upper bound found */
    grz_cast_found best;
    double lower; /* the least of all lower bounds of what may meet */
    graze_status status;
} mesh_cast;

static double entry_of(const void *what, const graze_box *box)
{
    const mesh_cast *c = what;
    return c->moves ? grz_cast_box_entry(&c->box, box, c->way) : grz_cast_box_entry(box, &c->box, c->way);
}

static void take(mesh_cast *c, const grz_cast_found *found, uint32_t triangle)
{
    if (found->verdict == GRAZE_VERDICT_NO)
        return;
    c->lower = fmin(c->lower, found->lower);
    bool better = found->verdict == GRAZE_VERDICT_YES
                      ? c->best.verdict != GRAZE_VERDICT_YES || found->upper < c->best.upper
                      : c->best.verdict == GRAZE_VERDICT_NO;
    if (!better)
        return;
    uint32_t face = graze_mesh_triangle_face(c->mesh->shape->mesh, triangle);
    c->best = *found;
    *(c->moves ? &c->best.triangle_b : &c->best.triangle_a) = triangle;
    *(c->moves ? &c->best.face_b : &c->best.face_a) = face;
    if (found->verdict == GRAZE_VERDICT_YES)
        c->reach = fmin(c->reach, found->upper);
}

static bool cast_triangle(void *user, uint32_t triangle)
{
    mesh_cast *c = user;
    grz_cast_part part;
    grz_cast_found found;
    grz_cast_part_of_triangle(c->mesh, triangle, &part);
    c->status = c->moves ? grz_cast_convex(c->q, &c->other, &part, c->way, c->reach, &found)
                         : grz_cast_convex(c->q, &part, &c->other, c->way, c->reach, &found);
    if (c->status == GRAZE_STATUS_OK)
        take(c, &found, triangle);
    return c->status == GRAZE_STATUS_OK;
}

static graze_status run(mesh_cast *c, grz_near_triangle_function visit, void *user)
{
    graze_placed_mesh mesh;
    graze_status status = grz_core_mesh(c->q, c->mesh, &mesh);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_visit_triangles_within(c->q, &mesh, entry_of, c, &c->reach, visit, user);
    return c->status == GRAZE_STATUS_OK ? grz_monitor_status(c->q->monitor) : c->status;
}

static mesh_cast begin(grz_shape_query *q, const graze_placed *mesh, bool moves, const grz_cast_way *way)
{
    mesh_cast c = {.q = q, .mesh = mesh, .moves = moves, .way = way, .reach = 1, .lower = INFINITY};
    c.best = grz_cast_nothing();
    return c;
}

static void grow(graze_box *box, double radius)
{
    for (int k = 0; k < 3 && radius > 0; k++)
    {
        box->lower[k] = interval_sub(interval_point(box->lower[k]), interval_point(radius)).lower;
        box->upper[k] = interval_add(interval_point(box->upper[k]), interval_point(radius)).upper;
    }
}

/* ---- a mesh and a convex leaf ---- */

static graze_status cast_against_convex(grz_shape_query *q, const graze_placed *mesh, const graze_placed *convex,
                                        bool moves, const grz_cast_way *way, grz_cast_found *out)
{
    mesh_cast c = begin(q, mesh, moves, way);
    grz_cast_part_of_leaf(convex, &c.other);
    graze_status status = graze_placed_bounds(convex, &c.box);
    grow(&c.box, mesh->shape->radius);
    if (status == GRAZE_STATUS_OK)
        status = run(&c, cast_triangle, &c);
    *out = c.best;
    out->lower = c.lower;
    return status;
}

/* ---- two meshes ---- */

typedef struct pair_cast
{
    mesh_cast outer, inner; /* the triangles of B, and those of A for one of them */
} pair_cast;

static bool cast_at_mesh(void *user, uint32_t triangle)
{
    pair_cast *p = user;
    mesh_cast *c = &p->inner;
    const graze_placed *b = p->outer.mesh;
    grz_placed_aabb around = grz_aabb_of_triangle(b->shape->mesh, triangle, &b->pose);
    grz_cast_part_of_triangle(b, triangle, &c->other);
    for (int k = 0; k < 3; k++)
    {
        c->box.lower[k] = around.axes[k].lower;
        c->box.upper[k] = around.axes[k].upper;
    }
    c->best = grz_cast_nothing();
    c->reach = p->outer.reach;
    c->lower = INFINITY;
    p->outer.status = run(c, cast_triangle, c);
    if (p->outer.status != GRAZE_STATUS_OK)
        return false;
    grz_cast_found found = c->best;
    found.lower = c->lower;
    take(&p->outer, &found, triangle);
    return true;
}

static graze_status cast_two_meshes(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                    const grz_cast_way *way, grz_cast_found *out)
{
    pair_cast p = {begin(q, b, true, way), begin(q, a, false, way)};
    graze_status status = graze_placed_bounds(a, &p.outer.box);
    if (status == GRAZE_STATUS_OK)
        status = run(&p.outer, cast_at_mesh, &p);
    *out = p.outer.best;
    out->lower = p.outer.lower;
    return status;
}

static bool is_mesh(const graze_placed *placed)
{
    return placed->shape->form == GRZ_FORM_CORE && placed->shape->hull == NULL;
}

graze_status grz_cast_meshes(grz_shape_query *q, const graze_placed *a, const graze_placed *b, const grz_cast_way *way,
                             grz_cast_found *out)
{
    if (is_mesh(a) && is_mesh(b))
        return cast_two_meshes(q, a, b, way, out);
    return is_mesh(a) ? cast_against_convex(q, a, b, false, way, out) : cast_against_convex(q, b, a, true, way, out);
}
