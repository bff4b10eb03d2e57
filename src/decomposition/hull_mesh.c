/* SPDX-License-Identifier: MIT */
/* Hulls as meshes: the public functions of graze/hull.h. */
#include "decomposition/hull_mesh.h"

#include "base/environment.h"
#include "base/memory.h"
#include "convex/outer_hull.h"
#include "graze/hull.h"

graze_status grz_hull_mesh_create(const graze_context *context, const grz_hull *hull, grz_monitor *monitor,
                                  graze_mesh **out_mesh)
{
    const uint32_t few[3] = {0, hull->vertex_count > 1 ? 1u : 0u, 0};
    uint32_t *sizes = grz_allocate(context, hull->face_count, sizeof *sizes);
    if (sizes == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t face = 0; face < hull->face_count; face++)
        sizes[face] = hull->face_starts[face + 1] - hull->face_starts[face];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = hull->vertices;
    def.vertex_count = hull->vertex_count;
    def.corners = hull->dimension < 2 ? few : hull->origins;
    def.corner_count = hull->dimension < 2 ? 3 : hull->half_edge_count;
    def.loop_sizes = hull->dimension < 2 ? NULL : sizes;
    def.loop_count = hull->dimension < 2 ? 0 : hull->face_count;
    if (monitor != NULL)
        def.budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_create(context, &def, NULL, out_mesh);
    grz_release(context, sizes);
    return monitor != NULL ? grz_monitor_end_step(monitor, status, 0) : status;
}

/* `most_vertices` is 0 for the hull itself. */
static graze_status create(const graze_context *context, const double *points, size_t count, size_t most_vertices,
                           const graze_budget *budget, graze_mesh **out_mesh)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_hull *hull = NULL, *outer = NULL;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = grz_hull_create(context, points, count, &monitor, &hull);
    if (status == GRAZE_STATUS_OK && most_vertices > 0)
    {
        status = grz_outer_hull_create(context, hull, most_vertices, &monitor, &outer);
        grz_hull_destroy(hull);
        hull = outer;
    }
    if (status == GRAZE_STATUS_OK)
        status = grz_hull_mesh_create(context, hull, &monitor, out_mesh);
    grz_hull_destroy(hull);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_mesh_create_hull(const graze_context *context, const double *points, size_t count,
                                    const graze_budget *budget, graze_mesh **out_mesh)
{
    if ((points == NULL && count > 0) || out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create(context, points, count, 0, budget, out_mesh);
}

graze_status graze_mesh_create_outer_hull(const graze_context *context, const double *points, size_t count,
                                          size_t most_vertices, const graze_budget *budget, graze_mesh **out_mesh)
{
    if ((points == NULL && count > 0) || out_mesh == NULL || most_vertices < 4)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create(context, points, count, most_vertices, budget, out_mesh);
}
