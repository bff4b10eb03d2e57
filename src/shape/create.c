/* SPDX-License-Identifier: MIT */
/*
 * Shapes: start, finish, destroy; meshes and hulls. The mesh of a hull has its vertices, and each face as a fan of
 * triangles; a polygon has both sides, so that these meshes are closed; a segment is the triangle of its first, second
 * and second vertex, a point that of its vertex three times.
 */
#include "shape/create.h"

#include <math.h>

#include "base/bits.h"
#include "base/memory.h"

graze_status grz_check_numbers(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return GRAZE_STATUS_NOT_FINITE;
    return GRAZE_STATUS_OK;
}

graze_status grz_check_sizes(const double *sizes, size_t count)
{
    graze_status status = grz_check_numbers(sizes, count);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        if (grz_is_less(sizes[i], 0))
            status = GRAZE_STATUS_BAD_ARGUMENT;
    return status;
}

/* ---- start and finish ---- */

graze_shape *grz_shape_start(const graze_context *context, graze_shape_kind kind, grz_shape_form form,
                             graze_status status)
{
    graze_shape *shape = status == GRAZE_STATUS_OK ? grz_allocate_zeroed(context, 1, sizeof *shape) : NULL;
    if (shape == NULL)
        return NULL;
    shape->context = grz_context_copy(context);
    shape->kind = kind;
    shape->form = form;
    shape->solid = form == GRZ_FORM_CURVED || form == GRZ_FORM_HALF_SPACE;
    shape->leaf_count = 1;
    return shape;
}

graze_status grz_shape_finish_with(graze_shape *shape, graze_status status, graze_shape **out_shape)
{
    if (shape == NULL)
        return status == GRAZE_STATUS_OK ? GRAZE_STATUS_OUT_OF_MEMORY : status;
    if (status == GRAZE_STATUS_OK)
    {
        if (shape->mesh != NULL)
            grz_derived_data_init(&shape->derived, &shape->context, shape->mesh);
        *out_shape = shape;
    }
    else
    {
        shape->mesh = NULL; /* nothing was derived from it yet */
        graze_shape_destroy(shape);
    }
    return status;
}

void graze_shape_destroy(graze_shape *shape)
{
    if (shape == NULL)
        return;
    graze_context context = shape->context;
    if (shape->mesh != NULL)
        grz_derived_data_release(&shape->derived);
    graze_contact_surface_destroy(atomic_load(&shape->contact_surface));
    graze_mesh_destroy(shape->own_mesh);
    grz_hull_destroy(shape->own_hull);
    grz_release(&context, atomic_load(&shape->convex_part));
    grz_release(&context, shape->parts);
    grz_release(&context, shape);
}

/* ---- the core ---- */

graze_status grz_shape_set_mesh(graze_shape *shape, const graze_mesh_def *def)
{
    graze_status status = graze_mesh_create(&shape->context, def, NULL, &shape->own_mesh);
    shape->mesh = shape->own_mesh;
    return status;
}

/* Writes a face as the fan of a vertex; returns the number of corners. */
static size_t write_fan(const grz_hull *hull, size_t face, uint32_t vertex, uint32_t *corners)
{
    uint32_t first = hull->face_starts[face], size = hull->face_starts[face + 1] - first, apex = 0;
    size_t count = 0;
    while (hull->origins[first + apex] != vertex)
        apex++;
    for (uint32_t k = 1; k + 1 < size; k++)
    {
        corners[count++] = vertex;
        corners[count++] = hull->origins[first + (apex + k) % size];
        corners[count++] = hull->origins[first + (apex + k + 1) % size];
    }
    return count;
}

/* Both sides of a polygon start at neighbouring vertices: so they have no diagonal in common, and each edge of the mesh
   has two triangles. */
static size_t write_fans(const grz_hull *hull, uint32_t *corners)
{
    size_t count = 0;
    for (size_t face = 0; face < hull->face_count; face++)
    {
        uint32_t first = hull->face_starts[hull->dimension == 2 ? 0 : face];
        uint32_t vertex = hull->origins[hull->dimension == 2 ? first + face : first];
        count += write_fan(hull, face, vertex, corners + count);
    }
    return count;
}

static graze_status set_mesh_of_hull(graze_shape *shape, const grz_hull *hull, const graze_budget *budget)
{
    /* A face of n half-edges has n - 2 triangles. */
    size_t triangle_count = hull->dimension < 2 ? 1 : hull->half_edge_count - 2 * hull->face_count;
    uint32_t *corners = grz_allocate(&shape->context, 3 * triangle_count, sizeof *corners);
    if (corners == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = hull->vertices;
    def.vertex_count = hull->vertex_count;
    def.corners = corners;
    def.budget = *budget;
    if (hull->dimension >= 2)
        def.corner_count = write_fans(hull, corners);
    else
    {
        corners[0] = 0;
        corners[1] = corners[2] = (uint32_t)hull->dimension; /* the other end of a segment */
        def.corner_count = 3;
    }
    graze_status status = grz_shape_set_mesh(shape, &def);
    grz_release(&shape->context, corners);
    return status;
}

graze_status grz_shape_set_hull(graze_shape *shape, const double *points, size_t count, grz_monitor *monitor)
{
    graze_status status = grz_hull_create(&shape->context, points, count, monitor, &shape->own_hull);
    if (status != GRAZE_STATUS_OK)
        return status;
    shape->hull = shape->own_hull;
    shape->solid = shape->hull->dimension == 3;
    graze_budget budget = {0};
    if (monitor != NULL)
        budget = grz_monitor_budget(monitor);
    status = set_mesh_of_hull(shape, shape->hull, &budget);
    return monitor != NULL ? grz_monitor_end_step(monitor, status, 0) : status;
}

graze_shape *grz_shape_create_shared(grz_derived_data *derived, bool solid)
{
    graze_shape *shape = grz_shape_start(&derived->context, GRAZE_SHAPE_MESH, GRZ_FORM_CORE, GRAZE_STATUS_OK);
    if (shape == NULL)
        return NULL;
    shape->mesh = derived->mesh;
    shape->shared = derived;
    shape->solid = solid;
    grz_derived_data_init(&shape->derived, &shape->context, shape->mesh);
    return shape;
}

graze_status graze_shape_create_mesh(const graze_context *context, const graze_mesh *mesh, const graze_tree *tree,
                                     bool solid, graze_shape **out_shape)
{
    if (mesh == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_MESH, GRZ_FORM_CORE, GRAZE_STATUS_OK);
    if (shape != NULL)
    {
        shape->mesh = mesh;
        shape->tree = tree;
        shape->solid = solid;
    }
    return grz_shape_finish_with(shape, GRAZE_STATUS_OK, out_shape);
}

graze_status graze_shape_create_hull(const graze_context *context, const double *points, size_t count,
                                     const graze_budget *budget, graze_shape **out_shape)
{
    if ((points == NULL && count > 0) || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_HULL, GRZ_FORM_CORE, GRAZE_STATUS_OK);
    graze_status status = GRAZE_STATUS_OK;
    if (shape != NULL)
        status = grz_shape_set_hull(shape, points, count, &monitor);
    return grz_shape_finish_with(shape, status, out_shape);
}
