/* SPDX-License-Identifier: MIT */
/*
 * glTF as a model: one mesh of the whole scene, in world coordinates. A model shows a file as a whole; placed vertices
 * are rounded here, and an error in one part refuses the file. Assemblies do neither.
 */
#include <math.h>
#include <string.h>

#include "io/gltf.h"

enum
{
    MODEL_CORNER_COST = 4,
    VERTEX_COST = 24
};

/* Adds the vertices of a part, transformed. */
static graze_status add_vertices(grz_gltf *gltf, const grz_gltf_part *part, const graze_mesh *mesh)
{
    grz_reader *reader = gltf->reader;
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh) && grz_read_elements(reader, 1); v++)
    {
        double position[3];
        graze_pose_apply(&part->pose, graze_mesh_vertices(mesh) + 3 * v, position);
        if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2]))
            return grz_fail(reader, GRAZE_STATUS_NOT_FINITE, "%.100s: vertex %lu lies beyond the range of doubles",
                            part->name, (unsigned long)v);
        if (!grz_builder_add_vertex(&reader->builder, position))
            return grz_fail_memory(reader);
    }
    return GRAZE_STATUS_OK;
}

static graze_status add_faces(grz_gltf *gltf, const graze_mesh *mesh, size_t first_vertex)
{
    grz_builder *builder = &gltf->reader->builder;
    size_t corner_count = 3 * graze_mesh_triangle_count(mesh);
    for (size_t c = 0; c < corner_count && grz_read_elements(gltf->reader, 1); c++)
    {
        uint32_t corner = (uint32_t)(first_vertex + graze_mesh_triangles(mesh)[c]);
        if (!grz_builder_add_corner(builder, corner) || (c % 3 == 2 && !grz_builder_end_face(builder)))
            return grz_fail_memory(gltf->reader);
    }
    return GRAZE_STATUS_OK;
}

static graze_status add_part(grz_gltf *gltf, const grz_gltf_part *part)
{
    grz_reader *reader = gltf->reader;
    const grz_gltf_mesh *entry = &gltf->meshes[part->mesh];
    const grz_name name = {part->name, strlen(part->name)}, no_name = {"", 0};
    graze_status status = grz_gltf_read_mesh(gltf, part->mesh);
    if (status != GRAZE_STATUS_OK)
        return status;
    const char *fault = part->status != GRAZE_STATUS_OK ? part->fault : entry->fault;
    status = part->status != GRAZE_STATUS_OK ? part->status : entry->status;
    if (status != GRAZE_STATUS_OK)
        return grz_error(reader->error, status, "%s (%.*s)", fault, 80, part->name);
    if (entry->mesh == NULL)
        return GRAZE_STATUS_OK;
    size_t first_vertex = grz_builder_vertex_count(&reader->builder);
    size_t vertex_count = graze_mesh_vertex_count(entry->mesh), triangle_count = graze_mesh_triangle_count(entry->mesh);
    if (first_vertex + vertex_count > UINT32_MAX || reader->builder.corners.count + 3 * triangle_count > UINT32_MAX)
        return grz_fail(reader, GRAZE_STATUS_TOO_LARGE, "its parts have more vertices than 32-bit indices can name");
    reader->builder.numbers = GRAZE_NUMBER_FLOAT;
    status = grz_gltf_spend(gltf, vertex_count, VERTEX_COST);
    if (status == GRAZE_STATUS_OK)
        status = grz_gltf_spend(gltf, 3 * triangle_count, MODEL_CORNER_COST);
    if (status == GRAZE_STATUS_OK && !grz_builder_add_part(&reader->builder, name, no_name))
        status = grz_fail_memory(reader);
    if (status == GRAZE_STATUS_OK)
        status = add_vertices(gltf, part, entry->mesh);
    if (status == GRAZE_STATUS_OK)
        status = add_faces(gltf, entry->mesh, first_vertex);
    return grz_stopped(reader, status);
}

/* Names in the builder must outlive the JSON they come from: copies them into memory that the builder owns. */
static graze_status keep_names(grz_reader *reader)
{
    grz_builder *builder = &reader->builder;
    size_t size = 0;
    for (size_t p = 0; p < builder->parts.count; p++)
        size += builder->parts.data[p].object.size;
    builder->names = grz_allocate(reader->context, size, 1);
    if (builder->names == NULL)
        return grz_fail_memory(reader);
    char *at = builder->names;
    for (size_t p = 0; p < builder->parts.count; p++)
    {
        grz_name *name = &builder->parts.data[p].object;
        memcpy(at, name->text, name->size);
        name->text = at;
        at += name->size;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_gltf_read_model(grz_reader *reader, bool binary)
{
    grz_gltf gltf;
    graze_status status = grz_gltf_open(reader, binary, &gltf);
    for (size_t p = 0; status == GRAZE_STATUS_OK && p < gltf.parts.count; p++)
        status = add_part(&gltf, &gltf.parts.data[p]);
    if (status == GRAZE_STATUS_OK)
        status = keep_names(reader);
    grz_gltf_close(&gltf);
    return status;
}
