/* SPDX-License-Identifier: MIT */
/*
 * T-junctions: edges with a vertex inside them. A point tree finds the vertices near an edge; whether one lies on it is
 * then decided exactly: collinear in all three projections, and strictly between the ends.
 */
#include <math.h>

#include "base/memory.h"
#include "mesh/examine.h"
#include "mesh/point_tree.h"

typedef struct edge_ends
{
    const graze_topology *topology;
    uint32_t a, b;
} edge_ends;

static bool lies_inside(const void *user, uint32_t vertex)
{
    const edge_ends *edge = user;
    if (vertex == edge->a || vertex == edge->b)
        return false;
    const double *a = grz_topology_point(edge->topology, edge->a), *b = grz_topology_point(edge->topology, edge->b);
    const double *p = grz_topology_point(edge->topology, vertex);
    for (int i = 0; i < 3; i++)
        if ((p[i] < a[i] && p[i] < b[i]) || (p[i] > a[i] && p[i] > b[i]))
            return false;
    /* In the box and on the line; merged vertices differ, so it is not an end. */
    return grz_view_with_area(a, b, p) < 0;
}

/* A power of two that brings the largest coordinate below 1. */
static double scale_of(const graze_mesh *mesh)
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fmax(fabs(mesh->lower[i]), fabs(mesh->upper[i])));
    int exponent;
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1021 ? 1021 : -exponent);
}

static void scaled(const graze_topology *topology, uint32_t vertex, double scale, double out_place[3])
{
    for (int i = 0; i < 3; i++)
        out_place[i] = grz_topology_point(topology, vertex)[i] * scale;
}

/* Tests every edge once, at its first half-edge. */
static uint64_t count_junctions(const graze_topology *topology, const grz_point_tree *tree, double scale,
                                grz_monitor *monitor)
{
    uint64_t count = 0;
    size_t edges_seen = 0;
    for (uint32_t h = 0; h < topology->half_edge_count; h++)
    {
        uint32_t edge = topology->half_edges[h].edge;
        if (!grz_monitor_elements(monitor, 1))
            return 0;
        if (edge == GRAZE_NO_EDGE || edge < edges_seen)
            continue;
        edges_seen = (size_t)edge + 1; /* edges are numbered in this order */
        edge_ends ends = {topology, topology->half_edges[h].origin, grz_topology_destination(topology, h)};
        double a[3], b[3];
        scaled(topology, ends.a, scale, a);
        scaled(topology, ends.b, scale, b);
        count += grz_point_tree_any(tree, a, b, lies_inside, &ends);
    }
    return count;
}

graze_status grz_count_t_junctions(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                                   graze_mesh_facts *facts)
{
    grz_kd_point *points = grz_allocate(context, topology->vertex_count, sizeof *points);
    if (points == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    double scale = scale_of(topology->mesh);
    size_t count = 0;
    for (uint32_t v = 0; v < topology->vertex_count; v++)
        if (topology->vertex_half_edges[v] != GRAZE_NO_HALF_EDGE)
        {
            scaled(topology, v, scale, points[count].position);
            points[count++].number = v;
        }
    grz_point_tree tree;
    bool enough = grz_point_tree_create(&tree, context, points, count);
    if (enough)
    {
        facts->t_junctions = count_junctions(topology, &tree, scale, monitor);
        grz_release(context, tree.boxes);
    }
    grz_release(context, points);
    return enough ? grz_monitor_status(monitor) : GRAZE_STATUS_OUT_OF_MEMORY;
}
