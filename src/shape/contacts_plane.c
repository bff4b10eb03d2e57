/* SPDX-License-Identifier: MIT */
/*
 * Contacts with a half-space: of a convex leaf, the corners of the feature that is lowest; of a mesh, all vertices that
 * are close to the plane and lower than what is around them.
 */
#include <math.h>

#include "pair/contact/contact_surface.h"
#include "shape/contacts.h"
#include "shape/convex_part.h"
#include "shape/plane.h"

enum
{
    MOST_LOWEST = 256 /* points of a mesh that are compared; the lowest ones */
};

/* The plane in doubles: normal of unit length, outward. */
typedef struct contact_plane
{
    v3 normal;
    double offset;
} contact_plane;

typedef struct lowest_points
{
    unsigned count;
    grz_manifold_point points[MOST_LOWEST];
} lowest_points;

static bool find_plane(const graze_placed *half_space, contact_plane *out)
{
    grz_half_space h;
    if (!grz_half_space_place(half_space, &h))
        return false;
    double d[3];
    grz_plane_estimate(&h, d, &out->offset);
    out->normal = v3_load(d);
    return isfinite(out->offset);
}

static v3 place(const graze_pose *pose, const double p[3])
{
    const double *m = pose->m;
    return v3_make(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                   m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
}

/* Adds a point of a core; of too many, it replaces the highest one. */
static void add_point(lowest_points *lowest, const contact_plane *p, v3 point, double radius, uint32_t number,
                      double margin)
{
    double height = v3_dot(p->normal, point) - p->offset, gap = height - radius;
    if (!(gap <= margin))
        return;
    grz_manifold_point entry = {v3_sub(point, v3_scale(height, p->normal)), v3_sub(point, v3_scale(radius, p->normal)),
                                gap, (uint64_t)2 << 62 | (number & 0x3fffffff)};
    unsigned highest = 0;
    if (lowest->count < MOST_LOWEST)
    {
        lowest->points[lowest->count++] = entry;
        return;
    }
    for (unsigned i = 1; i < lowest->count; i++)
        highest = lowest->points[i].gap > lowest->points[highest].gap ? i : highest;
    if (gap < lowest->points[highest].gap)
        lowest->points[highest] = entry;
}

/* Whether no edge at a vertex of a mesh falls towards the plane. */
static bool is_low(const graze_contact_surface *surface, const graze_pose *pose, uint32_t vertex, v3 point, v3 normal)
{
    const double *vertices = graze_mesh_vertices(surface->mesh);
    if (!surface->sharp[vertex])
        return false;
    for (uint32_t i = surface->ring_starts[vertex]; i < surface->ring_starts[vertex + 1]; i++)
    {
        v3 edge = v3_sub(place(pose, vertices + 3 * (size_t)surface->adjacency.mesh_vertex[surface->rings[i]]), point);
        if (v3_dot(normal, edge) < -GRZ_CONTACT_SLACK * v3_length(edge))
            return false;
    }
    return true;
}

static graze_status add_mesh(grz_contact_search *s, const contact_plane *p, const graze_placed *mesh,
                             lowest_points *lowest)
{
    const graze_contact_surface *surface;
    graze_status status = grz_core_contact_surface(s->q, mesh->shape, &surface);
    if (status != GRAZE_STATUS_OK)
        return status;
    const double *vertices = graze_mesh_vertices(surface->mesh);
    for (uint32_t v = 0; v < surface->adjacency.vertex_count; v++)
    {
        if (!grz_monitor_work(s->q->monitor, 1))
            return grz_monitor_status(s->q->monitor);
        v3 point = place(&mesh->pose, vertices + 3 * (size_t)surface->adjacency.mesh_vertex[v]);
        if (v3_dot(p->normal, point) - p->offset <= s->margin && is_low(surface, &mesh->pose, v, point, p->normal))
            add_point(lowest, p, point, 0, v, s->margin);
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_plane_contacts(grz_contact_search *s, const graze_placed *half_space, const graze_placed *other)
{
    contact_plane p;
    grz_convex_body body;
    lowest_points lowest = {.count = 0};
    graze_status status = GRAZE_STATUS_OK;
    if (other->shape->form == GRZ_FORM_HALF_SPACE || !find_plane(half_space, &p))
        return GRAZE_STATUS_OK;
    if (grz_shape_convex_body(other, &body))
    {
        grz_facet facet;
        grz_facet_find(&body, other->shape->hull, v3_scale(-1, p.normal), &facet);
        for (unsigned i = 0; i < facet.count; i++)
            add_point(&lowest, &p, facet.points[i], body.radius, facet.numbers[i], s->margin);
    }
    else
        status = add_mesh(s, &p, other, &lowest);
    if (status != GRAZE_STATUS_OK)
        return status;
    unsigned count = grz_manifold_reduce(lowest.points, lowest.count, s->most_points);
    return grz_contact_search_add(s, p.normal, lowest.points, count) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}
