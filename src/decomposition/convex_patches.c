/* SPDX-License-Identifier: MIT */
/*
 * Convex surface patches, in two steps.
 *
 * 1. Triangles on the hull of their component. Let a corner of a triangle be a vertex of the hull, and the neighbours
 * of that vertex lie behind the plane of the triangle or in it: then the whole hull does, since it lies in the cone
 * that the edges to the neighbours span from the vertex. Triangles that are coplanar with such a one, and connected to
 * it, are on the hull as well. Connected ones are a patch.
 *
 * 2. Of the others, a patch grows from the first one, breadth first, by a triangle across an edge as long as no vertex
 * of the patch is in front of it and its new vertex in front of none of the patch.
 */
#include <string.h>

#include "base/environment.h"
#include "base/memory.h"
#include "convex/hull.h"
#include "convex/quickhull.h"
#include "graze/decomposition.h"
#include "mesh/examine.h"

#define NONE UINT32_MAX

typedef struct patches
{
    const graze_context *context;
    const graze_topology *topology; /* over triangles */
    size_t triangle_count, vertex_count;
    double (*points)[3]; /* of merged vertices */
    double extent;
    grz_hull_triangle *planes;
    uint32_t *patch_of; /* per triangle */
    uint32_t *queue;    /* triangles */
    uint32_t *members;  /* vertices of a patch or component */
    uint32_t *stamps;   /* per vertex: the patch or component that it was added to last */
    uint8_t *on_hull;   /* per triangle */
    uint32_t count;
    grz_monitor *monitor;
} patches;

static uint32_t corner(const patches *p, uint32_t half_edge)
{
    return p->topology->half_edges[half_edge].origin;
}

/* The triangle across an edge; NONE without one. */
static uint32_t across(const patches *p, uint32_t half_edge)
{
    const graze_half_edge *h = &p->topology->half_edges[half_edge];
    return h->edge == GRAZE_NO_EDGE || h->twin == GRAZE_NO_HALF_EDGE ? NONE : h->twin / 3;
}

static int side(const patches *p, uint32_t triangle, uint32_t vertex)
{
    return grz_hull_triangle_side((const double(*)[3])p->points, &p->planes[triangle], vertex);
}

static bool has_area(const patches *p, uint32_t triangle)
{
    const uint32_t *c = p->planes[triangle].corners;
    return grz_view_with_area(p->points[c[0]], p->points[c[1]], p->points[c[2]]) >= 0;
}

/* ---- triangles on the hull of a component ---- */

/* Gathers the triangles connected with the first one, and their vertices. `patch_of` of visited ones is `mark`. */
static size_t gather_component(patches *p, uint32_t first, uint32_t stamp, size_t *out_vertices)
{
    size_t length = 1, vertices = 0;
    p->queue[0] = first;
    p->patch_of[first] = stamp;
    for (size_t i = 0; i < length; i++)
        for (uint32_t h = 3 * p->queue[i]; h < 3 * p->queue[i] + 3; h++)
        {
            uint32_t other = across(p, h), vertex = corner(p, h);
            if (p->stamps[vertex] != stamp)
            {
                p->stamps[vertex] = stamp;
                p->members[vertices++] = vertex;
            }
            if (other == NONE || p->patch_of[other] != NONE)
                continue;
            p->patch_of[other] = stamp;
            p->queue[length++] = other;
        }
    *out_vertices = vertices;
    return length;
}

/* Whether a corner of the triangle is a vertex of the hull, and all of the hull behind it or in its plane. */
static bool supports(const patches *p, const grz_hull *hull, const uint32_t *hull_vertex, uint32_t triangle)
{
    for (int k = 0; k < 3; k++)
    {
        uint32_t v = hull_vertex[p->planes[triangle].corners[k]];
        if (v == NONE)
            continue;
        /* shortcut: hull-neighbours-behind */
        for (uint32_t i = hull->neighbour_starts[v]; i < hull->neighbour_starts[v + 1]; i++)
            if (side(p, triangle, p->members[hull->sources[hull->neighbours[i]]]) > 0)
                return false;
        return true;
    }
    return false;
}

/* Marks triangles that lie in the plane of a marked neighbour, face the same way and are connected with it. The queue
   holds the component. */
static void spread_in_planes(patches *p, size_t length, uint32_t *stack)
{
    size_t depth = 0;
    for (size_t i = 0; i < length; i++)
        if (p->on_hull[p->queue[i]])
            stack[depth++] = p->queue[i];
    while (depth > 0)
    {
        uint32_t triangle = stack[--depth];
        for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; h++)
        {
            uint32_t other = across(p, h);
            if (other == NONE || p->on_hull[other] || !has_area(p, other))
                continue;
            const uint32_t *c = p->planes[other].corners;
            int axis = grz_view_with_area(p->points[c[0]], p->points[c[1]], p->points[c[2]]);
            const uint32_t *d = p->planes[triangle].corners;
            if (side(p, triangle, c[0]) != 0 || side(p, triangle, c[1]) != 0 || side(p, triangle, c[2]) != 0 ||
                grz_view_orient(p->points[c[0]], p->points[c[1]], p->points[c[2]], axis) !=
                    grz_view_orient(p->points[d[0]], p->points[d[1]], p->points[d[2]], axis))
                continue;
            p->on_hull[other] = 1;
            stack[depth++] = other;
        }
    }
}

static graze_status mark_component(patches *p, size_t length, size_t vertex_count, uint32_t *hull_vertex,
                                   uint32_t *stack)
{
    double(*points)[3] = grz_allocate(p->context, vertex_count, sizeof *points);
    grz_hull *hull = NULL;
    if (points == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < vertex_count; i++)
        for (int axis = 0; axis < 3; axis++)
            points[i][axis] = p->points[p->members[i]][axis];
    graze_status status = grz_hull_create(p->context, points[0], vertex_count, p->monitor, &hull);
    grz_release(p->context, points);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t v = 0; v < hull->vertex_count; v++)
        hull_vertex[p->members[hull->sources[v]]] = (uint32_t)v;
    for (size_t i = 0; i < length && grz_monitor_exact_tests(p->monitor, 1); i++)
        p->on_hull[p->queue[i]] = has_area(p, p->queue[i]) && supports(p, hull, hull_vertex, p->queue[i]);
    for (size_t v = 0; v < hull->vertex_count; v++)
        hull_vertex[p->members[hull->sources[v]]] = NONE;
    grz_hull_destroy(hull);
    spread_in_planes(p, length, stack);
    return grz_monitor_status(p->monitor);
}

static graze_status mark_hulls(patches *p)
{
    uint32_t *hull_vertex = grz_allocate(p->context, p->vertex_count, sizeof *hull_vertex);
    uint32_t *stack = grz_allocate(p->context, p->triangle_count, sizeof *stack);
    graze_status status = hull_vertex == NULL || stack == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    for (size_t v = 0; v < p->vertex_count && status == GRAZE_STATUS_OK; v++)
        hull_vertex[v] = NONE;
    for (uint32_t t = 0, component = 0; t < p->triangle_count && status == GRAZE_STATUS_OK; t++)
        if (p->patch_of[t] == NONE)
        {
            size_t vertices, length = gather_component(p, t, component++, &vertices);
            status = mark_component(p, length, vertices, hull_vertex, stack);
        }
    grz_release(p->context, hull_vertex);
    grz_release(p->context, stack);
    return status;
}

/* ---- patches ---- */

static void add_vertices(patches *p, uint32_t triangle, uint32_t patch, size_t *vertices)
{
    for (int k = 0; k < 3; k++)
    {
        uint32_t vertex = p->planes[triangle].corners[k];
        if (p->stamps[vertex] == patch)
            continue;
        p->stamps[vertex] = patch;
        p->members[(*vertices)++] = vertex;
    }
}

/* Whether a patch stays convex with a triangle: its `length` triangles are in the queue. */
static bool fits(const patches *p, uint32_t triangle, uint32_t patch, size_t length, size_t vertices)
{
    grz_monitor_work(p->monitor, length + vertices);
    for (size_t i = vertices; i-- > 0;) /* the last ones are the nearest as a rule */
        if (side(p, triangle, p->members[i]) > 0)
            return false;
    for (int k = 0; k < 3; k++)
    {
        uint32_t vertex = p->planes[triangle].corners[k];
        if (p->stamps[vertex] == patch)
            continue;
        for (size_t i = length; i-- > 0;)
            if (side(p, p->queue[i], vertex) > 0)
                return false;
    }
    return true;
}

/* Makes the patch of a triangle that has none. */
static void grow(patches *p, uint32_t first)
{
    uint32_t patch = p->count++;
    size_t length = 1, vertices = 0;
    p->queue[0] = first;
    p->patch_of[first] = patch;
    add_vertices(p, first, patch, &vertices);
    bool lone = !p->on_hull[first] && !has_area(p, first);
    for (size_t i = 0; i < length && !lone && grz_monitor_elements(p->monitor, 1); i++)
        for (uint32_t h = 3 * p->queue[i]; h < 3 * p->queue[i] + 3; h++)
        {
            uint32_t other = across(p, h);
            if (other == NONE || p->patch_of[other] != NONE || p->on_hull[other] != p->on_hull[first])
                continue;
            if (!p->on_hull[first] && (!has_area(p, other) || !fits(p, other, patch, length, vertices)))
                continue;
            p->patch_of[other] = patch;
            p->queue[length++] = other;
            add_vertices(p, other, patch, &vertices);
        }
}

static void clear_marks(patches *p)
{
    for (size_t t = 0; t < p->triangle_count; t++)
        p->patch_of[t] = NONE;
    for (size_t v = 0; v < p->vertex_count; v++)
        p->stamps[v] = NONE;
}

static graze_status find(patches *p)
{
    for (size_t v = 0; v < p->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            p->points[v][axis] = grz_topology_point(p->topology, (uint32_t)v)[axis];
    p->extent = p->vertex_count > 0 ? grz_hull_extent((const double(*)[3])p->points, p->vertex_count) : 0;
    for (size_t t = 0; t < p->triangle_count; t++)
    {
        uint32_t corners[3];
        grz_topology_triangle(p->topology, t, corners);
        p->planes[t] = grz_hull_triangle_make((const double(*)[3])p->points, p->extent, corners);
    }
    clear_marks(p);
    graze_status status = mark_hulls(p);
    clear_marks(p);
    for (uint32_t t = 0; t < p->triangle_count && status == GRAZE_STATUS_OK; t++)
    {
        if (p->patch_of[t] == NONE)
            grow(p, t);
        status = grz_monitor_status(p->monitor);
    }
    return status;
}

static graze_status find_patches(const graze_context *context, const graze_mesh *mesh, const graze_budget *budget,
                                 uint32_t *out_patches, size_t *out_count)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    graze_topology *topology = NULL;
    graze_status status = grz_topology_create_over_triangles(context, mesh, &monitor, &topology);
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t triangles = mesh->triangle_count, vertices = topology->vertex_count;
    patches p = {.context = context,
                 .topology = topology,
                 .triangle_count = triangles,
                 .vertex_count = vertices,
                 .points = grz_allocate(context, vertices, sizeof *p.points),
                 .planes = grz_allocate(context, triangles, sizeof *p.planes),
                 .patch_of = grz_allocate(context, triangles, sizeof *p.patch_of),
                 .queue = grz_allocate(context, triangles, sizeof *p.queue),
                 .members = grz_allocate(context, vertices, sizeof *p.members),
                 .stamps = grz_allocate(context, vertices, sizeof *p.stamps),
                 .on_hull = grz_allocate_zeroed(context, triangles, sizeof *p.on_hull),
                 .monitor = &monitor};
    status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (p.points != NULL && p.planes != NULL && p.patch_of != NULL && p.queue != NULL && p.members != NULL &&
        p.stamps != NULL && p.on_hull != NULL)
        status = find(&p);
    if (status == GRAZE_STATUS_OK && out_patches != NULL)
        memcpy(out_patches, p.patch_of, triangles * sizeof *out_patches);
    if (status == GRAZE_STATUS_OK)
        *out_count = p.count;
    grz_release(context, p.points);
    grz_release(context, p.planes);
    grz_release(context, p.patch_of);
    grz_release(context, p.queue);
    grz_release(context, p.members);
    grz_release(context, p.stamps);
    grz_release(context, p.on_hull);
    graze_topology_destroy(topology);
    return status;
}

graze_status graze_mesh_find_convex_patches(const graze_context *context, const graze_mesh *mesh,
                                            const graze_budget *budget, uint32_t *out_patches, size_t *out_count)
{
    if (mesh == NULL || out_count == NULL || (out_patches == NULL && mesh->triangle_count > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = find_patches(context, mesh, budget, out_patches, out_count);
    grz_environment_leave_default(&environment);
    return status;
}
