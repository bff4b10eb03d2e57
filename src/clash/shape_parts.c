/* SPDX-License-Identifier: MIT */
/* Parts that are shapes; see shape_parts.h. */
#include "clash/shape_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "graze/shape_query.h"

const graze_mesh *grz_clash_mesh_of(const graze_clash_part *part)
{
    if (part->shape == NULL)
        return part->mesh;
    switch (graze_shape_get_kind(part->shape))
    {
    case GRAZE_SHAPE_MESH:
    case GRAZE_SHAPE_HULL:
    case GRAZE_SHAPE_BOX:
    case GRAZE_SHAPE_TRIANGLE:
    case GRAZE_SHAPE_SEGMENT:
    case GRAZE_SHAPE_POINT:
    case GRAZE_SHAPE_HEIGHT_FIELD:
        return graze_shape_mesh(part->shape);
    default:
        return NULL;
    }
}

bool grz_clash_is_surface_shape(const graze_clash_part *part)
{
    return part->shape != NULL && !graze_shape_is_solid(part->shape);
}

graze_status grz_clash_hull_of(const graze_context *context, const graze_mesh *mesh, graze_shape **out_hull)
{
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *corners = graze_mesh_triangles(mesh);
    size_t count = 3 * graze_mesh_triangle_count(mesh), used = 0, all = graze_mesh_vertex_count(mesh);
    *out_hull = NULL;
    if (count == 0)
        return GRAZE_STATUS_OK;
    bool *is_used = grz_allocate_zeroed(context, all + 1, sizeof *is_used);
    double *points = grz_allocate(context, all + 1, 3 * sizeof *points);
    graze_status status = is_used != NULL && points != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        size_t vertex = corners[i];
        if (is_used[vertex])
            continue;
        is_used[vertex] = true;
        memcpy(points + 3 * used++, vertices + 3 * vertex, 3 * sizeof *points);
    }
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_create_hull(context, points, used, NULL, out_hull);
    grz_release(context, is_used);
    grz_release(context, points);
    return status;
}

/* Bounds are rounded outward, each by next to nothing; what is infinite is cut at the largest number. */
void grz_clash_shape_compute_aabb(grz_clash_part *part)
{
    graze_box box = {{0, 0, 0}, {0, 0, 0}};
    graze_placed_bounds(&part->placed_shape, &box); /* the pose was checked */
    for (int axis = 0; axis < 3; axis++)
    {
        part->lower[axis] = fmax(box.lower[axis], -DBL_MAX);
        part->upper[axis] = fmin(box.upper[axis], DBL_MAX);
        part->slack[axis] = 0; /* not used of shapes */
    }
}

static bool has_shapes(const grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->parts[i].is_shape)
            return true;
    return false;
}

graze_status grz_clash_parts_make_shapes(const graze_context *context, grz_clash_parts *parts, const bool *marked,
                                         graze_error *error)
{
    if (!has_shapes(parts))
        return GRAZE_STATUS_OK;
    if (parts->shapes == NULL)
        parts->shapes = grz_allocate_zeroed(context, parts->count + 1, sizeof(graze_shape *));
    graze_status status = parts->shapes != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < parts->count && status == GRAZE_STATUS_OK; i++)
    {
        grz_clash_part *part = &parts->parts[i];
        if (!marked[i] || part->placed_shape.shape != NULL)
            continue;
        status =
            graze_shape_create_mesh(context, part->placed.mesh, part->placed.tree, part->closed, &parts->shapes[i]);
        part->placed_shape = (graze_placed){parts->shapes[i], part->placed.pose};
    }
    if (status == GRAZE_STATUS_OK)
        return status;
    return grz_error(error, status, "the parts could not be prepared: %s", graze_status_text(status));
}

static bool has_triangles(const graze_clash_part *part)
{
    return part->shape == NULL || graze_shape_has_triangles(part->shape);
}

/* The triangles of a mesh that meet a polytope. */
static graze_status count_against(const graze_context *context, const grz_clash_part *mesh,
                                  const grz_clash_part *polytope, uint64_t *out_count)
{
    graze_shape *shape = NULL;
    graze_shape_counts counts;
    graze_status status = graze_shape_create_mesh(context, mesh->placed.mesh, mesh->placed.tree, false, &shape);
    const graze_placed placed = {shape, mesh->placed.pose};
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_count(context, &placed, &polytope->placed_shape, NULL, &counts);
    graze_shape_destroy(shape);
    if (status == GRAZE_STATUS_OK)
        *out_count = counts.hits;
    return status;
}

graze_status grz_clash_count_triangles(const graze_context *context, const grz_clash_part *parts,
                                       graze_clash_report *report)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < report->finding_count && status == GRAZE_STATUS_OK; i++)
    {
        graze_clash_finding *f = &report->findings[i];
        bool a = has_triangles(&report->parts[f->a]), b = has_triangles(&report->parts[f->b]);
        bool is_counted = parts[f->a].is_shape || parts[f->b].is_shape || a == b;
        f->no_pairs = !a && !b;
        f->pairs = f->no_pairs ? 0 : f->pairs;
        if (!is_counted && f->pairs > 0 && parts[a ? f->b : f->a].placed_shape.shape != NULL)
            status = count_against(context, &parts[a ? f->a : f->b], &parts[a ? f->b : f->a], &f->pairs);
    }
    return status;
}

void grz_clash_parts_release_shapes(const graze_context *context, grz_clash_parts *parts)
{
    for (size_t i = 0; i < parts->count && parts->shapes != NULL; i++)
        graze_shape_destroy(parts->shapes[i]);
    grz_release(context, parts->shapes);
    parts->shapes = NULL;
    graze_mesh_destroy(parts->nothing);
    parts->nothing = NULL;
}
