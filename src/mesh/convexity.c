/* SPDX-License-Identifier: MIT */
/*
 * Convexity test. A closed surface with convex edges only need not be convex: one that winds around twice has them too.
 * So let p be the vertex that comes last by x, then y, then z, and let
 *   1. every edge be convex: the triangle beyond lies strictly below the plane of this one, or in it and unfolded;
 *   2. p lie below or in the plane of every triangle;
 *   3. the triangles around p form one fan, and the directions to its neighbours, in order, a convex polygon.
 * Project the surface centrally from p. All other vertices lie in one open half-space (by the order, symbolically), so
 * directions behave as points of a plane. Triangles whose plane misses p all appear with the same orientation (2), so
 * the number of them in a direction is the winding number of the border of the surface without p's own fan: the polygon
 * of (3), hence 1 inside and 0 outside. So the surface bounds a body that is star-shaped around p. A plane through p
 * that avoids all other vertices cuts it in a simple polygon, convex at every corner (1, and 3 at p), hence convex; if
 * two points of the body had a segment outside of it, so had two points near them in such a plane with p. So the body
 * is convex. Conversely, the boundary of a convex body has all three properties.
 */
#include "graze/exact.h"
#include "mesh/examine.h"

typedef struct closed_surface
{
    const graze_topology *topology; /* over triangles: half-edges come in threes */
    int side; /* the result of orient3d that means below: 1 when triangles face outward, -1 inward, 0 unknown */
    grz_monitor *monitor; /* may be NULL */
} closed_surface;

static const double *origin_of(const graze_topology *topology, uint32_t half_edge)
{
    return grz_topology_point(topology, topology->half_edges[half_edge].origin);
}

/* Whether the edge of h is convex. The first edge that is not flat decides which side is inside. */
static bool is_edge_convex(closed_surface *surface, uint32_t h)
{
    const graze_topology *topology = surface->topology;
    const graze_half_edge *half_edges = topology->half_edges;
    const double *a = origin_of(topology, h), *b = origin_of(topology, half_edges[h].next);
    const double *c = origin_of(topology, half_edges[h].previous);
    const double *d = origin_of(topology, half_edges[half_edges[h].twin].previous);
    int below = graze_point_orient3d(a, b, c, d);
    if (below == 0)
    {
        int axis = grz_view_with_area(a, b, c);
        return axis >= 0 && grz_view_orient(a, b, c, axis) == -grz_view_orient(a, b, d, axis);
    }
    if (surface->side == 0)
        surface->side = below;
    return below == surface->side;
}

static bool are_edges_convex(closed_surface *surface)
{
    const graze_half_edge *half_edges = surface->topology->half_edges;
    for (uint32_t h = 0; h < surface->topology->half_edge_count; h++)
        if (!grz_monitor_elements(surface->monitor, 1) || (half_edges[h].twin > h && !is_edge_convex(surface, h)))
            return false;
    return surface->side != 0;
}

/* The half-edges come in threes. */
static bool is_below_all(const closed_surface *surface, const double *point)
{
    const graze_topology *topology = surface->topology;
    for (uint32_t h = 0; h < topology->half_edge_count; h += 3)
        if (!grz_monitor_elements(surface->monitor, 1) ||
            graze_point_orient3d(origin_of(topology, h), origin_of(topology, h + 1), origin_of(topology, h + 2),
                                 point) == -surface->side)
            return false;
    return true;
}

static uint32_t last_vertex(const graze_topology *topology)
{
    uint32_t last = topology->half_edges[0].origin;
    for (uint32_t h = 1; h < topology->half_edge_count; h++)
    {
        const double *p = origin_of(topology, h), *q = grz_topology_point(topology, last);
        int axis = 0;
        while (axis < 2 && p[axis] == q[axis])
            axis++;
        if (p[axis] > q[axis])
            last = topology->half_edges[h].origin;
    }
    return last;
}

/* The neighbour of the vertex at the other end of a half-edge that leaves it. */
static const double *neighbour(const graze_topology *topology, uint32_t h)
{
    return origin_of(topology, topology->half_edges[h].next);
}

/*
 * Whether the neighbours of a vertex form a convex polygon, given that every edge is convex. Take a neighbour `first`
 * at a strictly convex corner of the polygon. The polygon is convex when, seen from there, the others come in the order
 * of their angle, all on one side of the polygon's edge that leaves `first`: then the angle grows from 0 to less than a
 * half turn.
 */
static bool is_link_convex(const closed_surface *surface, uint32_t vertex, size_t degree)
{
    const graze_topology *topology = surface->topology;
    const double *apex = grz_topology_point(topology, vertex);
    uint32_t h = graze_topology_vertex_half_edge(topology, vertex), begin = GRAZE_NO_HALF_EDGE;
    size_t count = 0;
    do
    {
        uint32_t after = graze_topology_next_around_vertex(topology, h);
        uint32_t beyond = graze_topology_next_around_vertex(topology, after);
        if (graze_point_orient3d(apex, neighbour(topology, h), neighbour(topology, after),
                                 neighbour(topology, beyond)) != 0)
            begin = after;
        h = after;
        count++;
    } while (h != graze_topology_vertex_half_edge(topology, vertex));
    if (count != degree || begin == GRAZE_NO_HALF_EDGE)
        return false;

    const double *first = neighbour(topology, begin);
    uint32_t second = graze_topology_next_around_vertex(topology, begin);
    for (h = second; h != begin; h = graze_topology_next_around_vertex(topology, h))
    {
        const double *here = neighbour(topology, h);
        const double *next = neighbour(topology, graze_topology_next_around_vertex(topology, h));
        /* Around the apex the neighbours are ordered as in its triangles, so a left turn means: below. */
        if (graze_point_orient3d(apex, first, here, next) == -surface->side ||
            graze_point_orient3d(apex, first, neighbour(topology, second), here) == -surface->side)
            return false;
    }
    return true;
}

bool grz_is_convex_body(const graze_topology *triangles, grz_monitor *monitor)
{
    closed_surface surface = {triangles, 0, monitor};
    if (!are_edges_convex(&surface))
        return false;
    uint32_t last = last_vertex(triangles);
    size_t degree = 0;
    for (uint32_t h = 0; h < triangles->half_edge_count; h++)
        degree += triangles->half_edges[h].origin == last;
    return is_below_all(&surface, grz_topology_point(triangles, last)) && is_link_convex(&surface, last, degree);
}
