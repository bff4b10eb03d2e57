/* SPDX-License-Identifier: MIT */
/* What can be asked of a shape. */
#include "mesh/mesh.h"
#include "shape/convex_part.h"

graze_shape_kind graze_shape_get_kind(const graze_shape *shape)
{
    return shape != NULL ? shape->kind : GRAZE_SHAPE_MESH;
}

const char *graze_shape_kind_name(graze_shape_kind kind)
{
    static const char *const names[GRAZE_SHAPE_KIND_COUNT] = {
        [GRAZE_SHAPE_MESH] = "mesh",
        [GRAZE_SHAPE_HULL] = "hull",
        [GRAZE_SHAPE_SPHERE] = "sphere",
        [GRAZE_SHAPE_CAPSULE] = "capsule",
        [GRAZE_SHAPE_BOX] = "box",
        [GRAZE_SHAPE_CYLINDER] = "cylinder",
        [GRAZE_SHAPE_CONE] = "cone",
        [GRAZE_SHAPE_ELLIPSOID] = "ellipsoid",
        [GRAZE_SHAPE_HALF_SPACE] = "half_space",
        [GRAZE_SHAPE_TRIANGLE] = "triangle",
        [GRAZE_SHAPE_SEGMENT] = "segment",
        [GRAZE_SHAPE_POINT] = "point",
        [GRAZE_SHAPE_HEIGHT_FIELD] = "height_field",
        [GRAZE_SHAPE_COMPOUND] = "compound",
        [GRAZE_SHAPE_ROUNDED] = "rounded",
    };
    return (unsigned)kind < GRAZE_SHAPE_KIND_COUNT ? names[kind] : NULL;
}

bool graze_shape_is_solid(const graze_shape *shape)
{
    if (shape == NULL)
        return false;
    switch (shape->kind)
    {
    case GRAZE_SHAPE_MESH:
    case GRAZE_SHAPE_COMPOUND:
        return shape->solid;
    case GRAZE_SHAPE_TRIANGLE:
    case GRAZE_SHAPE_SEGMENT:
    case GRAZE_SHAPE_POINT:
    case GRAZE_SHAPE_HEIGHT_FIELD:
        return false;
    default:
        return true; /* also flat ones: they have no inside that could be missing */
    }
}

bool graze_shape_has_triangles(const graze_shape *shape)
{
    return shape != NULL && (shape->kind == GRAZE_SHAPE_MESH || shape->kind == GRAZE_SHAPE_HEIGHT_FIELD);
}

const graze_mesh *graze_shape_mesh(const graze_shape *shape)
{
    return shape != NULL ? shape->mesh : NULL;
}

const graze_shape *graze_shape_core(const graze_shape *shape)
{
    return shape != NULL ? shape->core : NULL;
}

double graze_shape_radius(const graze_shape *shape)
{
    return shape != NULL ? shape->radius : 0;
}

size_t graze_shape_numbers(const graze_shape *shape, double *numbers, size_t capacity)
{
    if (shape == NULL || (numbers == NULL && capacity > 0))
        return 0;
    for (size_t i = 0; i < shape->number_count && i < capacity; i++)
        numbers[i] = shape->numbers[i];
    return shape->number_count;
}

size_t graze_shape_part_count(const graze_shape *shape)
{
    return shape != NULL ? shape->part_count : 0;
}

const graze_placed *graze_shape_parts(const graze_shape *shape)
{
    return shape != NULL ? shape->parts : NULL;
}

/* Meshes of shapes are of triangles and were never mapped. */
static size_t mesh_size(const graze_mesh *mesh)
{
    size_t vertex_size = 3 * sizeof(double) * (mesh->scaled_memory != NULL ? 2 : 1);
    return sizeof *mesh + mesh->vertex_count * vertex_size + 3 * mesh->triangle_count * sizeof(uint32_t);
}

static size_t hull_size(const grz_hull *hull)
{
    size_t vertex_size = sizeof *hull->vertices + sizeof *hull->sources + sizeof *hull->neighbour_starts;
    size_t half_edge_size = sizeof *hull->origins + sizeof *hull->twins + sizeof *hull->neighbours;
    return sizeof *hull + hull->vertex_count * vertex_size + hull->half_edge_count * half_edge_size +
           hull->face_count * sizeof *hull->face_starts;
}

size_t graze_shape_memory_size(const graze_shape *shape)
{
    if (shape == NULL)
        return 0;
    size_t size = sizeof *shape + shape->part_count * sizeof *shape->parts;
    size += shape->own_mesh != NULL ? mesh_size(shape->own_mesh) : 0;
    size += shape->own_hull != NULL ? hull_size(shape->own_hull) : 0;
    size += atomic_load(&shape->convex_part) != NULL ? sizeof(grz_convex_part) : 0;
    return size + (shape->mesh != NULL && shape->shared == NULL ? grz_derived_data_memory(&shape->derived) : 0);
}
