/* SPDX-License-Identifier: MIT */
/*
 * Contacts of meshes and height fields. With other cores they are those of both meshes (pair/contact), with the radii
 * subtracted. With a curved leaf, each near triangle has its own with it, and those count whose feature of the mesh
 * makes contacts: so inner edges of flat regions are silent here, too.
 */
#include <math.h>

#include "base/memory.h"
#include "pair/contact/feature_contacts.h"
#include "shape/contacts.h"
#include "shape/convex_part.h"
#include "shape/core.h"
#include "shape/near_triangles.h"

#define SAME_NORMAL 0.9990482 /* cosine of 2.5 degrees */

graze_status grz_core_contact_surface(grz_shape_query *q, const graze_shape *core,
                                      const graze_contact_surface **out_surface)
{
    graze_shape *owner = (graze_shape *)core; /* what is derived from it does not change it */
    graze_contact_surface *known = atomic_load(&owner->contact_surface), *made = NULL;
    if (known == NULL)
    {
        graze_status status = grz_contact_surface_create(&core->context, core->mesh, q->monitor, &made);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (!atomic_compare_exchange_strong(&owner->contact_surface, &known, made))
            graze_contact_surface_destroy(made); /* another thread was first */
        else
            known = made;
    }
    *out_surface = known;
    return GRAZE_STATUS_OK;
}

/* ---- two cores ---- */

/* Takes the radii from the gaps of a manifold; points farther apart than the margin go. */
static void subtract_radii(graze_contact_manifold *m, double radius_a, double radius_b, double margin)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < m->count; i++)
    {
        graze_contact_point point = m->points[i];
        point.gap -= radius_a + radius_b;
        for (int k = 0; k < 3; k++)
        {
            point.point_a[k] += radius_a * m->normal[k];
            point.point_b[k] -= radius_b * m->normal[k];
        }
        if (point.gap <= margin)
            m->points[left++] = point;
    }
    m->count = left;
}

static graze_status take_contacts(grz_contact_search *s, const graze_placed_mesh placed[2],
                                  const graze_contact_options *options, double radius_a, double radius_b)
{
    size_t first = s->found.count, count = 0;
    graze_status status = graze_pair_contacts(s->q->context, &placed[0], &placed[1], options, NULL, 0, &count);
    if (status != GRAZE_STATUS_OK || count == 0)
        return status;
    if (!GRZ_RESERVE(s->q->context, &s->found, first + count))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_contact_manifold *manifolds = s->found.data + first;
    status = graze_pair_contacts(s->q->context, &placed[0], &placed[1], options, manifolds, count, &count);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        graze_contact_manifold m = manifolds[i];
        subtract_radii(&m, radius_a, radius_b, s->margin);
        if (m.count > 0)
            s->found.data[s->found.count++] = m;
    }
    return status;
}

graze_status grz_mesh_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b)
{
    graze_placed_mesh placed[2];
    graze_contact_options options = graze_contact_options_default();
    double radius_a = a->shape->radius, radius_b = b->shape->radius;
    options.margin = s->margin + (radius_a + radius_b);
    options.most_points = s->most_points;
    graze_status status = grz_core_mesh(s->q, a, &placed[0]);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(s->q, b, &placed[1]);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, a->shape, &options.surface_a);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, b->shape, &options.surface_b);
    if (status != GRAZE_STATUS_OK || !isfinite(options.margin))
        return status;
    if (s->q->monitor != NULL)
        options.budget = grz_monitor_budget(s->q->monitor);
    status = take_contacts(s, placed, &options, radius_a, radius_b);
    return s->q->monitor != NULL ? grz_monitor_end_step(s->q->monitor, status, 0) : status;
}

/* ---- a mesh and a curved leaf ---- */

typedef struct curved_search
{
    grz_contact_search *s;
    const graze_placed_mesh *mesh;
    grz_contact_side side;
    grz_convex_body curved;
    graze_status status;
} curved_search;

/* Merges a contact into the manifold of its normal, or begins another. */
static bool merge(grz_contact_search *s, v3 normal, const grz_manifold_point *point)
{
    graze_contact_point added = {.gap = point->gap, .feature = point->feature};
    v3_store(point->point_a, added.point_a);
    v3_store(point->point_b, added.point_b);
    for (size_t i = 0; i < s->found.count; i++)
    {
        graze_contact_manifold *m = &s->found.data[i];
        if (v3_dot(normal, v3_load(m->normal)) < SAME_NORMAL)
            continue;
        uint32_t place = m->count, highest = 0;
        for (uint32_t k = 1; k < m->count; k++)
            highest = m->points[k].gap > m->points[highest].gap ? k : highest;
        if (m->count >= s->most_points)
            place = added.gap < m->points[highest].gap ? highest : UINT32_MAX;
        else
            m->count++;
        if (place != UINT32_MAX)
            m->points[place] = added;
        return true;
    }
    return grz_contact_search_add(s, normal, point, 1);
}

static bool take_triangle(void *user, uint32_t triangle)
{
    curved_search *c = user;
    const uint32_t *corners = graze_mesh_triangles(c->mesh->mesh) + 3 * (size_t)triangle;
    double vertices[3][3];
    for (int k = 0; k < 3; k++)
        memcpy(vertices[k], graze_mesh_vertices(c->mesh->mesh) + 3 * (size_t)corners[k], sizeof vertices[k]);
    grz_convex_body bodies[2] = {{.kind = GRZ_CONVEX_POLYTOPE,
                                  .vertices = (const double(*)[3])vertices,
                                  .vertex_count = 3,
                                  .pose = c->mesh->pose},
                                 c->curved};
    v3 normal, witnesses[2];
    if (!grz_convex_contact_frame(bodies, c->s->margin, NULL, &normal, witnesses))
        return true;
    double height = v3_dot(normal, v3_sub(witnesses[1], witnesses[0]));
    if (height < -c->s->margin || !grz_contact_feature_supports(&c->side, triangle, witnesses[0], normal))
        return true;
    grz_manifold_point point = {witnesses[0], witnesses[1], height, (uint64_t)2 << 62 | (uint64_t)triangle << 32};
    if (!merge(c->s, normal, &point))
        c->status = GRAZE_STATUS_OUT_OF_MEMORY;
    return c->status == GRAZE_STATUS_OK;
}

graze_status grz_mesh_curved_contacts(grz_contact_search *s, const graze_placed *mesh, const graze_placed *curved)
{
    graze_placed_mesh placed;
    const graze_contact_surface *surface;
    graze_box box;
    curved_search c = {.s = s, .mesh = &placed};
    graze_status status = grz_core_mesh(s->q, mesh, &placed);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_contact_surface(s->q, mesh->shape, &surface);
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_bounds(curved, &box);
    if (status != GRAZE_STATUS_OK || !grz_shape_convex_body(curved, &c.curved))
        return status;
    c.side = grz_contact_side_make(surface, &placed.pose);
    double reach = s->margin;
    grz_visit_near_triangles(s->q, &placed, &box, &reach, take_triangle, &c);
    return c.status != GRAZE_STATUS_OK ? c.status : grz_monitor_status(s->q->monitor);
}
