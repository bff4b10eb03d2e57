/* SPDX-License-Identifier: MIT */
/*
 * All properties of a mesh: the counts that follow directly from the edge list, and calls of the other tests in order.
 * See Zachmann's thesis, section 4.2, for the properties.
 */
#include "mesh/examine.h"

#include <string.h>

#include "base/environment.h"
#include "base/memory.h"

static void count_edges(const graze_topology *topology, grz_monitor *monitor, graze_mesh_facts *facts)
{
    for (size_t e = 0; e < topology->edge_count && grz_monitor_elements(monitor, 1); e++)
    {
        facts->boundary_edges += topology->edge_uses[e] == 1;
        facts->nonmanifold_edges += topology->edge_uses[e] > 2;
    }
    for (uint32_t h = 0; h < topology->half_edge_count && grz_monitor_elements(monitor, 1); h++)
    {
        uint32_t twin = topology->half_edges[h].twin;
        if (twin != GRAZE_NO_HALF_EDGE && twin > h)
            facts->misoriented_edges += topology->half_edges[twin].origin == topology->half_edges[h].origin;
    }
    facts->closed = grz_topology_is_closed(topology);
    facts->manifold = facts->nonmanifold_edges == 0;
    facts->oriented = facts->misoriented_edges == 0;
}

/* The corner of the face across the edge of half-edge h, at the current vertex, or GRAZE_NO_HALF_EDGE. Corners are
   named by the half-edge that leaves them. */
static uint32_t corner_beyond(const graze_topology *topology, uint32_t h, uint32_t vertex)
{
    uint32_t twin = topology->half_edges[h].twin;
    if (twin == GRAZE_NO_HALF_EDGE)
        return GRAZE_NO_HALF_EDGE;
    return topology->half_edges[twin].origin == vertex ? twin : grz_topology_next(topology, twin);
}

/* Marks all corners of the fan that corner `start` belongs to. Faces may disagree about their orientation, so each step
 * leaves a corner through the edge it did not come by. */
static void mark_fan(const graze_topology *topology, uint32_t start, unsigned char *seen)
{
    const graze_half_edge *half_edges = topology->half_edges;
    uint32_t vertex = half_edges[start].origin;
    for (int direction = 0; direction < 2; direction++)
    {
        uint32_t corner = start;
        uint32_t exit = direction == 0 ? start : grz_topology_previous(topology, start);
        do
        {
            seen[corner] = 1;
            uint32_t entry = half_edges[exit].twin;
            corner = corner_beyond(topology, exit, vertex);
            if (corner == GRAZE_NO_HALF_EDGE)
                break;
            exit = entry == corner ? grz_topology_previous(topology, corner) : corner;
        } while (!seen[corner]);
    }
}

static graze_status count_fans(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                               graze_mesh_facts *facts)
{
    unsigned char *seen = grz_allocate_zeroed(context, topology->half_edge_count, 1);
    unsigned char *fans = grz_allocate_zeroed(context, topology->vertex_count, 1);
    graze_status status = seen != NULL && fans != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    for (uint32_t h = 0; status == GRAZE_STATUS_OK && h < topology->half_edge_count; h++)
    {
        if (!grz_monitor_elements(monitor, 1))
            status = grz_monitor_status(monitor);
        if (seen[h] || topology->half_edges[h].edge == GRAZE_NO_EDGE)
            continue;
        mark_fan(topology, h, seen);
        uint32_t vertex = topology->half_edges[h].origin;
        facts->nonmanifold_vertices += fans[vertex] == 1;
        fans[vertex] = fans[vertex] == 0 ? 1 : 2;
    }
    grz_release(context, seen);
    grz_release(context, fans);
    return status;
}

static graze_status count_components(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                                     graze_mesh_facts *facts)
{
    uint32_t *components = grz_allocate(context, topology->vertex_count, sizeof *components);
    if (components == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    size_t count = 0;
    graze_status status = grz_topology_vertex_components(context, topology, monitor, components, &count);
    facts->components = count;
    grz_release(context, components);
    return status;
}

/* `faces` is the edge list of the faces, `triangles` that of the triangles; the same one where faces are triangles. */
static graze_status examine(const graze_context *context, const graze_topology *faces, const graze_topology *triangles,
                            grz_monitor *monitor, graze_mesh_facts *facts)
{
    const graze_mesh *mesh = faces->mesh;
    facts->vertices = mesh->vertex_count;
    facts->distinct_vertices = faces->vertex_count;
    facts->triangles = mesh->triangle_count;
    facts->faces = mesh->face_count;
    facts->edges = faces->edge_count;
    facts->bounds = graze_mesh_bounds(mesh);
    count_edges(triangles, monitor, facts);
    grz_face_properties(mesh, monitor, facts);
    graze_status status = grz_monitor_status(monitor);
    if (status == GRAZE_STATUS_OK)
        status = count_fans(context, triangles, monitor, facts);
    if (status == GRAZE_STATUS_OK)
        status = count_components(context, triangles, monitor, facts);
    grz_monitor_pass(monitor, 0.5);
    if (status == GRAZE_STATUS_OK)
        status = grz_triangle_properties(context, triangles, monitor, facts);
    grz_monitor_pass(monitor, 0.6);
    if (status == GRAZE_STATUS_OK)
        status = grz_count_t_junctions(context, faces, monitor, facts);
    if (status == GRAZE_STATUS_OK)
    {
        grz_monitor_pass(monitor, 0.9);
        facts->convex =
            facts->closed && facts->oriented && facts->zero_area == 0 && grz_is_convex_body(triangles, monitor);
        grz_mass_properties(mesh, monitor, facts);
        status = grz_monitor_status(monitor);
    }
    return status;
}

static graze_status examine_in_default_environment(const graze_context *context, const graze_mesh *mesh,
                                                   const graze_topology *topology, grz_monitor *monitor,
                                                   graze_mesh_facts *out_facts)
{
    graze_topology *own = NULL, *own_triangles = NULL;
    graze_status status = GRAZE_STATUS_OK;
    if (topology == NULL)
    {
        status = grz_topology_create(context, mesh, monitor, &own);
        topology = own;
    }
    if (status == GRAZE_STATUS_OK && mesh->corners != NULL)
        status = grz_topology_create_over_triangles(context, mesh, monitor, &own_triangles);
    graze_mesh_facts facts = {0};
    if (status == GRAZE_STATUS_OK)
        status = examine(context, topology, own_triangles != NULL ? own_triangles : topology, monitor, &facts);
    graze_topology_destroy(own_triangles);
    graze_topology_destroy(own);
    if (status == GRAZE_STATUS_OK)
        *out_facts = facts;
    return status;
}

graze_status graze_mesh_examine(const graze_context *context, const graze_mesh *mesh, const graze_topology *topology,
                                const graze_budget *budget, graze_mesh_facts *out_facts)
{
    if (mesh == NULL || out_facts == NULL || (topology != NULL && topology->mesh != mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    return grz_mesh_examine(context, mesh, topology, budget != NULL ? &monitor : NULL, out_facts);
}

graze_status grz_mesh_examine(const graze_context *context, const graze_mesh *mesh, const graze_topology *topology,
                              grz_monitor *monitor, graze_mesh_facts *out_facts)
{
    grz_environment environment;
    grz_environment_enter(&environment);
    graze_status status = examine_in_default_environment(context, mesh, topology, monitor, out_facts);
    grz_environment_leave(&environment);
    return status;
}
