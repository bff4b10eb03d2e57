/* SPDX-License-Identifier: MIT */
/* Edges of a surface, and their exact test with faces; see surface_edges.h. */
#include "pair/method/surface_edges.h"

#include "base/sort.h"
#include "graze/exact.h"
#include "mesh/examine.h"
#include "mesh/mesh.h"

/* Whether all triangles have area, and all corners lie exactly in the plane of the last. */
static bool are_flat(const graze_mesh *mesh, const uint32_t *corners, size_t count)
{
    const double *p[3] = {NULL, NULL, NULL};
    for (size_t i = 0; i + 2 < count; i += 3)
    {
        for (size_t k = 0; k < 3; k++)
            p[k] = grz_mesh_vertex(mesh, corners[i + k]);
        if (grz_view_with_area(p[0], p[1], p[2]) < 0)
            return false;
    }
    bool flat = true;
    for (size_t i = 0; flat && i < count; i++)
        flat = graze_point_orient3d(p[0], p[1], p[2], grz_mesh_vertex(mesh, corners[i])) == 0;
    return flat;
}

/* Triangles of one flat polygon become one face. Where a polygon could not be cut into triangles without overlap, none
   is known to be covered once.
   shortcut: flat-polygons */
static void find_faces(grz_surface_edges *surface, bool polygons)
{
    const graze_mesh *mesh = surface->mesh;
    polygons = polygons && mesh->triangle_faces != NULL && mesh->irregular_face_count == 0;
    for (size_t t = 0; t < mesh->triangle_count;)
    {
        size_t end = t + 1;
        while (polygons && end < mesh->triangle_count && mesh->triangle_faces[end] == mesh->triangle_faces[t])
            end++;
        bool whole = end - t == 1 || are_flat(mesh, mesh->triangles + 3 * t, 3 * (end - t));
        for (; t < end; t = whole ? end : t + 1)
            surface->starts[surface->face_count++] = (uint32_t)t;
    }
    surface->starts[surface->face_count] = (uint32_t)mesh->triangle_count;
}

/* Enters an edge with the faces of `count` equal sides. The sort is stable: those of one face follow each other. */
static void add_edge(grz_surface_edges *surface, const grz_key_value *sides, size_t count)
{
    grz_surface_edge edge = {
        {(uint32_t)(sides[0].key >> 32), (uint32_t)sides[0].key}, (uint32_t)surface->owner_count, 0};
    for (size_t i = 0; i < count;)
    {
        size_t same = 1;
        while (i + same < count && sides[i + same].value == sides[i].value)
            same++;
        uint32_t face = (uint32_t)sides[i].value;
        bool polygon = surface->starts[face + 1] - surface->starts[face] > 1;
        if (!polygon || same != 2) /* two triangles with area: a diagonal */
            surface->owners[surface->owner_count++] = face;
        i += same;
    }
    edge.count = (uint32_t)surface->owner_count - edge.first;
    if (edge.count > 0)
        surface->edges[surface->edge_count++] = edge;
}

static bool find_edges(grz_surface_edges *surface, grz_key_value *sides, grz_monitor *monitor)
{
    const graze_mesh *mesh = surface->mesh;
    size_t count = 3 * mesh->triangle_count;
    for (size_t f = 0; f < surface->face_count; f++)
        for (size_t i = 3 * (size_t)surface->starts[f]; i < 3 * (size_t)surface->starts[f + 1]; i++)
        {
            uint32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
            sides[i] = (grz_key_value){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, f};
        }
    if (!grz_sort_keyed_monitored(sides, sides + count, count, monitor))
        return false;
    for (size_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && sides[end].key == sides[i].key;)
            end++;
        add_edge(surface, sides + i, end - i);
    }
    return true;
}

graze_status grz_surface_edges_find(const graze_context *context, const graze_mesh *mesh, bool polygons,
                                    grz_monitor *monitor, grz_surface_edges *out_edges)
{
    size_t count = 3 * mesh->triangle_count;
    *out_edges = (grz_surface_edges){0};
    if (mesh->triangle_count > UINT32_MAX / 3) /* sides are numbered in 32 bits */
        return GRAZE_STATUS_TOO_LARGE;
    grz_key_value *sides = grz_allocate(context, count, 2 * sizeof *sides);
    *out_edges =
        (grz_surface_edges){.mesh = mesh,
                            .starts = grz_allocate(context, mesh->triangle_count + 1, sizeof *out_edges->starts),
                            .edges = grz_allocate(context, count, sizeof *out_edges->edges),
                            .owners = grz_allocate(context, count, sizeof *out_edges->owners)};
    bool done = sides != NULL && out_edges->starts != NULL && out_edges->edges != NULL && out_edges->owners != NULL;
    if (done)
    {
        find_faces(out_edges, polygons);
        done = find_edges(out_edges, sides, monitor);
    }
    grz_release(context, sides);
    return done ? GRAZE_STATUS_OK : grz_monitor_or_memory(monitor);
}

void grz_surface_edges_release(const graze_context *context, grz_surface_edges *edges)
{
    grz_release(context, edges->starts);
    grz_release(context, edges->edges);
    grz_release(context, edges->owners);
    *edges = (grz_surface_edges){0};
}

size_t grz_surface_edges_memory(const grz_surface_edges *edges)
{
    size_t triangles = edges->mesh != NULL ? edges->mesh->triangle_count : 0;
    return 3 * triangles * (sizeof *edges->edges + sizeof *edges->owners) + (triangles + 1) * sizeof *edges->starts;
}

static graze_placed_triangle placed_triangle(const graze_mesh *mesh, const graze_pose *pose, size_t triangle)
{
    graze_placed_triangle placed = {.pose = pose};
    for (size_t i = 0; i < 3; i++)
        placed.corners[i] = grz_mesh_vertex(mesh, mesh->triangles[3 * triangle + i]);
    return placed;
}

/* Proposes all triangles of one face with all of another. A triangle of a polygon may meet one of the other polygon
   where neither has an edge. */
static bool propose_faces(grz_method_query *query, int side, const grz_surface_edges *own, uint32_t owner,
                          const grz_surface_edges *other, uint32_t face)
{
    for (uint32_t t = own->starts[owner]; t < own->starts[owner + 1]; t++)
        for (uint32_t k = other->starts[face]; k < other->starts[face + 1]; k++)
        {
            uint64_t before = query->counters.primitives; /* proposing counts again */
            if (!grz_method_propose(query, side == 0 ? t : k, side == 0 ? k : t))
                return false;
            query->counters.primitives = before;
        }
    return true;
}

bool grz_test_edge_with_face(grz_method_query *query, int side, const grz_surface_edges *edges, uint32_t edge,
                             const grz_surface_edges *faces, uint32_t face)
{
    const graze_pose *pose = side == 0 ? query->engine.pose_a : query->engine.pose_b;
    const graze_pose *other_pose = side == 0 ? query->engine.pose_b : query->engine.pose_a;
    const grz_surface_edge *tested = &edges->edges[edge];
    graze_placed_point ends[2];
    for (int i = 0; i < 2; i++)
        ends[i] = (graze_placed_point){grz_mesh_vertex(edges->mesh, tested->ends[i]), pose};
    query->counters.primitives++;
    bool meet = false;
    for (uint32_t t = faces->starts[face]; t < faces->starts[face + 1] && !meet; t++)
    {
        graze_placed_triangle triangle = placed_triangle(faces->mesh, other_pose, t);
        if (!grz_monitor_exact_tests(&query->monitor, 1))
            return false;
        meet = graze_segment_meets_triangle(ends, &triangle);
    }
    for (uint32_t i = 0; meet && i < tested->count; i++)
        if (!propose_faces(query, side, edges, edges->owners[tested->first + i], faces, face))
            return false;
    return true;
}
