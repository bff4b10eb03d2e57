/* SPDX-License-Identifier: MIT */
/*
 * The surface of a mesh as contacts see it. An edge is flat where its two triangles are coplanar, by an exact sign, and
 * convex or concave by the side on which the far corner of one lies of the other. Triangles joined by flat edges are
 * one face.
 */
#include "pair/contact/contact_surface.h"

#include "base/environment.h"
#include "base/memory.h"
#include "exact/predicates.h"
#include "math/vector.h"
#include "mesh/mesh.h"
#include "mesh/union_find.h"

static v3 normal_of(const graze_mesh *mesh, uint32_t triangle)
{
    const uint32_t *corners = &mesh->triangles[3 * (size_t)triangle];
    v3 a = v3_load(grz_mesh_vertex(mesh, corners[0])), b = v3_load(grz_mesh_vertex(mesh, corners[1]));
    return v3_cross(v3_sub(b, a), v3_sub(v3_load(grz_mesh_vertex(mesh, corners[2])), a));
}

/* The kind of an edge with two triangles. One that is folded onto the other is the edge of a thin sheet. */
static grz_edge_kind kind_of(const graze_mesh *mesh, uint32_t half_edge, uint32_t twin)
{
    grz_points points;
    grz_points_start(&points, NULL);
    for (uint32_t k = 0; k < 3; k++)
        grz_points_add(&points, grz_mesh_vertex(mesh, mesh->triangles[half_edge / 3 * 3 + k]), NULL);
    grz_points_add(&points, grz_mesh_vertex(mesh, mesh->triangles[twin / 3 * 3 + (twin % 3 + 2) % 3]), NULL);
    int side = grz_orient3d(&points, 0, 1, 2, 3);
    if (side != 0)
        return side > 0 ? GRZ_EDGE_CONVEX : GRZ_EDGE_CONCAVE;
    return v3_dot(normal_of(mesh, half_edge / 3), normal_of(mesh, twin / 3)) < 0 ? GRZ_EDGE_CONVEX : GRZ_EDGE_FLAT;
}

static uint32_t vertex_at(const graze_contact_surface *s, uint32_t half_edge)
{
    return s->adjacency.merged[s->mesh->triangles[half_edge]];
}

static uint32_t half_edge_after(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static bool has_edges(const graze_contact_surface *s, uint32_t triangle)
{
    uint32_t a = vertex_at(s, 3 * triangle), b = vertex_at(s, 3 * triangle + 1), c = vertex_at(s, 3 * triangle + 2);
    return a != b && b != c && c != a;
}

static graze_status find_edges(graze_contact_surface *s, grz_monitor *monitor)
{
    uint32_t count = (uint32_t)s->mesh->triangle_count;
    for (uint32_t t = 0; t < count; t++)
        s->faces[t] = t;
    for (uint32_t h = 0; h < 3 * count; h++)
    {
        uint32_t twin = s->adjacency.twins[h];
        if (!has_edges(s, h / 3))
            continue;
        if (twin == GRAZE_NO_HALF_EDGE)
            s->edges[h] = GRZ_EDGE_BORDER;
        else if (twin < h)
            s->edges[h] = s->edges[twin];
        else
            s->edges[h] = (uint8_t)kind_of(s->mesh, h, twin);
        if (s->edges[h] == GRZ_EDGE_FLAT)
            grz_union_find_join(s->faces, h / 3, twin / 3);
        if (!grz_monitor_exact_tests(monitor, 1))
            return grz_monitor_status(monitor);
    }
    for (uint32_t t = 0; t < count; t++)
        s->faces[t] = grz_union_find_root(s->faces, t);
    return GRAZE_STATUS_OK;
}

/* A mesh without proper triangles is a set of segments and points: each edge is a border, each vertex sharp. */
static void take_segments(graze_contact_surface *s)
{
    for (size_t h = 0; h < 3 * s->mesh->triangle_count; h++)
        if (s->edges[h] != GRZ_EDGE_NONE)
            return;
    for (uint32_t h = 0; h < 3 * s->mesh->triangle_count; h++)
    {
        uint32_t start = vertex_at(s, h), end = vertex_at(s, half_edge_after(h));
        s->sharp[start] = true;
        if (start < end)
            s->edges[h] = GRZ_EDGE_BORDER;
    }
}

/* The other ends of the edges at each vertex. An edge with two half-edges comes twice; that does no harm. */
static void find_rings(graze_contact_surface *s)
{
    size_t vertex_count = s->adjacency.vertex_count, count = 3 * s->mesh->triangle_count;
    for (uint32_t h = 0; h < count; h++)
        if (s->edges[h] != GRZ_EDGE_NONE)
        {
            uint32_t ends[2] = {vertex_at(s, h), vertex_at(s, half_edge_after(h))};
            for (int i = 0; i < 2; i++)
            {
                s->ring_starts[ends[i] + 1]++;
                s->sharp[ends[i]] = s->sharp[ends[i]] || grz_edge_makes_contacts(s, s->edges[h]);
            }
        }
    for (size_t v = 0; v < vertex_count; v++)
        s->ring_starts[v + 1] += s->ring_starts[v];
    for (uint32_t h = 0; h < count; h++) /* fills each list from its end; starts move to its beginning */
        if (s->edges[h] != GRZ_EDGE_NONE)
        {
            uint32_t a = vertex_at(s, h), b = vertex_at(s, half_edge_after(h));
            s->rings[--s->ring_starts[a + 1]] = b;
            s->rings[--s->ring_starts[b + 1]] = a;
        }
    uint32_t end = 0;
    for (uint32_t h = 0; h < count; h++)
        end += s->edges[h] != GRZ_EDGE_NONE ? 2 : 0;
    for (size_t v = 0; v < vertex_count; v++)
        s->ring_starts[v] = s->ring_starts[v + 1];
    s->ring_starts[vertex_count] = end;
}

static graze_status examine(graze_contact_surface *s, grz_monitor *monitor)
{
    graze_status status = grz_twins_make(&s->context, s->mesh, monitor, &s->adjacency);
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t triangle_count = s->mesh->triangle_count, vertex_count = s->adjacency.vertex_count;
    s->edges = grz_allocate_zeroed(&s->context, 3 * triangle_count, sizeof *s->edges);
    s->faces = grz_allocate(&s->context, triangle_count, sizeof *s->faces);
    s->ring_starts = grz_allocate_zeroed(&s->context, vertex_count + 1, sizeof *s->ring_starts);
    s->rings = grz_allocate(&s->context, 6 * triangle_count, sizeof *s->rings);
    s->sharp = grz_allocate_zeroed(&s->context, vertex_count, sizeof *s->sharp);
    if (s->edges == NULL || s->faces == NULL || s->ring_starts == NULL || s->rings == NULL || s->sharp == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = find_edges(s, monitor);
    if (status == GRAZE_STATUS_OK)
    {
        take_segments(s);
        find_rings(s);
    }
    return status;
}

graze_status grz_contact_surface_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                        graze_contact_surface **out_surface)
{
    if (mesh->triangle_count > UINT32_MAX / 6)
        return GRAZE_STATUS_TOO_LARGE;
    graze_contact_surface *s = grz_allocate_zeroed(context, 1, sizeof *s);
    if (s == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    s->context = grz_context_copy(context);
    s->mesh = mesh;
    s->identity = mesh->identity;
    graze_status status = examine(s, monitor);
    if (status == GRAZE_STATUS_OK)
        *out_surface = s;
    else
        graze_contact_surface_destroy(s);
    return status;
}

graze_status graze_contact_surface_create(const graze_context *context, const graze_mesh *mesh,
                                          const graze_budget *budget, graze_contact_surface **out_surface)
{
    if (mesh == NULL || out_surface == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    return grz_contact_surface_create(context, mesh, &monitor, out_surface);
}

void graze_contact_surface_destroy(graze_contact_surface *surface)
{
    if (surface == NULL)
        return;
    graze_context context = surface->context;
    grz_twins_release(&context, &surface->adjacency);
    grz_release(&context, surface->edges);
    grz_release(&context, surface->faces);
    grz_release(&context, surface->ring_starts);
    grz_release(&context, surface->rings);
    grz_release(&context, surface->sharp);
    grz_release(&context, surface);
}
