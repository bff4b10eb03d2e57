/* SPDX-License-Identifier: MIT */
/*
 * The doubly-connected edge list, and data of its builder beyond the public half-edges.
 *
 * A half-edge without length, and every half-edge of a loop with fewer than three of length, belongs to no edge
 * (GRAZE_NO_EDGE): such faces are points or segments without neighbours.
 */
#ifndef GRZ_MESH_TOPOLOGY_H
#define GRZ_MESH_TOPOLOGY_H

#include "base/budget_monitor.h"
#include "graze/topology.h"
#include "mesh/mesh.h"

struct graze_topology
{
    graze_context context;
    const graze_mesh *mesh;

    uint32_t *merged;      /* of every vertex of the mesh: its merged vertex */
    uint32_t *mesh_vertex; /* of every merged vertex: the first vertex of the mesh at its position */
    size_t vertex_count;

    graze_half_edge *half_edges; /* numbered as the corners they leave from */
    size_t half_edge_count;
    uint32_t *edge_uses; /* number of half-edges of every edge */
    size_t edge_count;
    uint32_t *vertex_half_edges;
};

/* Numbers the distinct positions of a mesh's vertices in order: merged[v] is that of vertex v, mesh_vertex[m] the first
   vertex at position m. Both have room for all vertices. False when out of memory, or when the monitor
   (may be NULL) stops it. */
bool grz_merge_vertices(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor, uint32_t *merged,
                        uint32_t *mesh_vertex, size_t *out_count);

/* As graze_topology_create; the monitor may be NULL. */
graze_status grz_topology_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                 graze_topology **out_topology);

/* The same with the triangles as faces instead of the polygons. */
graze_status grz_topology_create_over_triangles(const graze_context *context, const graze_mesh *mesh,
                                                grz_monitor *monitor, graze_topology **out_topology);

static inline const double *grz_topology_point(const graze_topology *topology, uint32_t merged_vertex)
{
    return grz_mesh_vertex(topology->mesh, topology->mesh_vertex[merged_vertex]);
}

/* The nearest half-edges before and after that have an edge; only for one that has an edge itself. */
static inline uint32_t grz_topology_next(const graze_topology *topology, uint32_t half_edge)
{
    do
        half_edge = topology->half_edges[half_edge].next;
    while (topology->half_edges[half_edge].edge == GRAZE_NO_EDGE);
    return half_edge;
}

static inline uint32_t grz_topology_previous(const graze_topology *topology, uint32_t half_edge)
{
    do
        half_edge = topology->half_edges[half_edge].previous;
    while (topology->half_edges[half_edge].edge == GRAZE_NO_EDGE);
    return half_edge;
}

static inline uint32_t grz_topology_destination(const graze_topology *topology, uint32_t half_edge)
{
    return topology->half_edges[topology->half_edges[half_edge].next].origin;
}

/* The merged vertices of a triangle of the mesh. */
static inline void grz_topology_triangle(const graze_topology *topology, size_t triangle, uint32_t out_corners[3])
{
    for (size_t i = 0; i < 3; i++)
        out_corners[i] = topology->merged[topology->mesh->triangles[3 * triangle + i]];
}

/* Whether every edge belongs to exactly two faces, and there are any. Degenerate faces without edges do not matter. */
bool grz_topology_is_closed(const graze_topology *topology);

/* The component of every merged vertex, numbered by first appearance in the corners (GRAZE_NO_HALF_EDGE when no face
 * uses it), and how many there are. */
graze_status grz_topology_vertex_components(const graze_context *context, const graze_topology *topology,
                                            grz_monitor *monitor, uint32_t *out_components, size_t *out_count);

#endif
