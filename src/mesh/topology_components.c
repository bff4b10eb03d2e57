/* SPDX-License-Identifier: MIT */
/*
 * Global properties of an edge list: faces with inconsistent orientation, and connected components.
 *
 * Components are sets of vertices joined by faces that are more than a point or a segment; a face belongs to the
 * component of its first corner. So a face without edges joins nothing, but its corners still count.
 */
#include "mesh/topology.h"

#include "base/memory.h"
#include "mesh/union_find.h"

graze_status graze_topology_misoriented_faces(const graze_topology *topology, graze_face_pair *pairs, size_t capacity,
                                              size_t *out_count)
{
    if (topology == NULL || out_count == NULL || (pairs == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t count = 0;
    for (uint32_t h = 0; h < topology->half_edge_count; h++)
    {
        const graze_half_edge *half_edge = &topology->half_edges[h];
        if (half_edge->twin == GRAZE_NO_HALF_EDGE || half_edge->twin < h)
            continue;
        const graze_half_edge *twin = &topology->half_edges[half_edge->twin];
        if (twin->origin != half_edge->origin)
            continue;
        if (count < capacity)
            pairs[count] = (graze_face_pair){half_edge->face, twin->face};
        count++;
    }
    *out_count = count;
    return GRAZE_STATUS_OK;
}

/* All loops of a face are connected, also where only one of them has edges. */
static void join_faces(const graze_topology *topology, uint32_t *parents, grz_monitor *monitor)
{
    uint32_t last_face = UINT32_MAX, last_vertex = 0;
    for (uint32_t h = 0; h < topology->half_edge_count && grz_monitor_elements(monitor, 1); h++)
    {
        const graze_half_edge *half_edge = &topology->half_edges[h];
        if (half_edge->edge == GRAZE_NO_EDGE)
            continue;
        grz_union_find_join(parents, half_edge->origin, grz_topology_destination(topology, h));
        if (half_edge->face == last_face)
            grz_union_find_join(parents, half_edge->origin, last_vertex);
        last_face = half_edge->face;
        last_vertex = half_edge->origin;
    }
}

graze_status grz_topology_vertex_components(const graze_context *context, const graze_topology *topology,
                                            grz_monitor *monitor, uint32_t *out_components, size_t *out_count)
{
    uint32_t *parents = grz_allocate(context, topology->vertex_count, sizeof *parents);
    if (parents == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t v, end = 0; grz_monitor_block(monitor, topology->vertex_count, &v, &end);)
        for (; v < end; v++)
        {
            parents[v] = (uint32_t)v;
            out_components[v] = GRAZE_NO_HALF_EDGE;
        }
    join_faces(topology, parents, monitor);
    uint32_t count = 0;
    for (uint32_t h = 0; h < topology->half_edge_count && grz_monitor_elements(monitor, 1); h++)
    {
        uint32_t vertex = topology->half_edges[h].origin, root = grz_union_find_root(parents, vertex);
        if (out_components[root] == GRAZE_NO_HALF_EDGE)
            out_components[root] = count++;
        out_components[vertex] = out_components[root];
    }
    *out_count = count;
    grz_release(context, parents);
    return grz_monitor_status(monitor);
}

graze_status graze_topology_components(const graze_context *context, const graze_topology *topology,
                                       const graze_budget *budget, uint32_t *out_components, size_t *out_count)
{
    if (topology == NULL || out_components == NULL || out_count == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint32_t *components = grz_allocate(context, topology->vertex_count, sizeof *components);
    if (components == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_monitor limits = grz_monitor_make_for_mesh(budget), *monitor = grz_monitor_is_needed(&limits) ? &limits : NULL;
    size_t count, face_count = topology->mesh->face_count;
    graze_status status = grz_topology_vertex_components(context, topology, monitor, components, &count);
    /* The last pass writes results: it counts before, so that it cannot be stopped within. */
    if (status == GRAZE_STATUS_OK && !grz_monitor_elements(monitor, face_count))
        status = grz_monitor_status(monitor);
    for (size_t f = 0; status == GRAZE_STATUS_OK && f < face_count; f++)
        out_components[f] = components[topology->half_edges[graze_topology_face_half_edge(topology, f, 0)].origin];
    if (status == GRAZE_STATUS_OK)
        *out_count = count;
    grz_release(context, components);
    return status;
}
