/* SPDX-License-Identifier: MIT */
/* Edges of a surface, and their exact test with faces; see surface_edges.h. */
#include "pair/method/surface_edges.h"

#include "base/sort.h"
#include "mesh/mesh.h"

graze_status grz_surface_edges_find(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                    grz_surface_edges *out_edges)
{
    size_t count = 3 * mesh->triangle_count;
    grz_key_value *sides = grz_allocate(context, count, 2 * sizeof *sides);
    *out_edges = (grz_surface_edges){.edges = grz_allocate(context, count, sizeof *out_edges->edges),
                                     .owners = grz_allocate(context, count, sizeof *out_edges->owners)};
    bool done = sides != NULL && out_edges->edges != NULL && out_edges->owners != NULL;
    for (size_t i = 0; done && i < count; i++)
    {
        uint32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        sides[i] = (grz_key_value){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, i / 3};
    }
    done = done && grz_sort_keyed_monitored(sides, sides + count, count, monitor);
    for (size_t i = 0; done && i < count; i++)
    {
        if (i == 0 || sides[i].key != sides[i - 1].key)
            out_edges->edges[out_edges->edge_count++] =
                (grz_surface_edge){{(uint32_t)(sides[i].key >> 32), (uint32_t)sides[i].key}, (uint32_t)i, 0};
        out_edges->edges[out_edges->edge_count - 1].count++;
        out_edges->owners[i] = (uint32_t)sides[i].value;
    }
    out_edges->owner_count = count;
    grz_release(context, sides);
    return done ? GRAZE_STATUS_OK : grz_monitor_or_memory(monitor);
}

void grz_surface_edges_release(const graze_context *context, grz_surface_edges *edges)
{
    grz_release(context, edges->edges);
    grz_release(context, edges->owners);
    *edges = (grz_surface_edges){0};
}

size_t grz_surface_edges_memory(const grz_surface_edges *edges)
{
    return edges->owner_count * (sizeof *edges->edges + sizeof *edges->owners);
}

bool grz_test_edge_with_face(grz_method_query *query, int side, const grz_surface_edges *edges, uint32_t edge,
                             uint32_t face)
{
    const graze_mesh *mesh = side == 0 ? query->mesh_a : query->mesh_b;
    const graze_mesh *other = side == 0 ? query->mesh_b : query->mesh_a;
    const graze_pose *pose = side == 0 ? query->engine.pose_a : query->engine.pose_b;
    const grz_surface_edge *tested = &edges->edges[edge];
    graze_placed_point ends[2];
    graze_placed_triangle triangle = {.pose = side == 0 ? query->engine.pose_b : query->engine.pose_a};
    for (int i = 0; i < 2; i++)
        ends[i] = (graze_placed_point){grz_mesh_vertex(mesh, tested->ends[i]), pose};
    for (int i = 0; i < 3; i++)
        triangle.corners[i] = grz_mesh_vertex(other, other->triangles[3 * (size_t)face + (size_t)i]);
    query->counters.primitives++;
    if (!grz_monitor_exact_tests(&query->monitor, 1))
        return false;
    if (!graze_segment_meets_triangle(ends, &triangle))
        return true;
    for (uint32_t i = 0; i < tested->count; i++)
    {
        uint32_t owner = edges->owners[tested->first + i];
        query->counters.primitives--; /* proposing counts again */
        if (!grz_method_propose(query, side == 0 ? owner : face, side == 0 ? face : owner))
            return false;
        query->counters.primitives++;
    }
    return true;
}
