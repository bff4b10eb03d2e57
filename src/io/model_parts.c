/* SPDX-License-Identifier: MIT */
/*
 * The parts of a model: names, faces, and a part as a mesh of its own. Every query is linear in the part, so that
 * visiting all parts is linear in the file.
 */
#include <string.h>

#include "io/model.h"

/* Appends a name; zero bytes in it, which would end it early, become question marks. */
static char *put_name(char *out, grz_name name)
{
    for (size_t i = 0; i < name.size; i++)
        *out++ = name.text[i] != '\0' ? name.text[i] : '?';
    return out;
}

bool grz_model_make_names(graze_model *model, grz_builder *builder)
{
    const grz_name no_name = {"", 0};
    if (builder->parts.count == 0 && !grz_builder_add_part(builder, no_name, no_name))
        return false;
    model->part_count = builder->parts.count;
    size_t size = 0;
    for (size_t p = 0; p < model->part_count; p++)
        size += builder->parts.data[p].object.size + builder->parts.data[p].group.size + 2;
    model->names = grz_allocate(builder->context, size, 1);
    model->name_starts = grz_allocate(builder->context, model->part_count, sizeof *model->name_starts);
    if (model->names == NULL || model->name_starts == NULL)
        return false;
    char *at = model->names;
    for (size_t p = 0; p < model->part_count; p++)
    {
        const grz_builder_part *part = &builder->parts.data[p];
        model->name_starts[p] = (size_t)(at - model->names);
        at = put_name(at, part->object);
        if (part->object.size > 0 && part->group.size > 0)
            *at++ = '/';
        at = put_name(at, part->group);
        *at++ = '\0';
    }
    return true;
}

bool grz_model_make_parts(graze_model *model, grz_builder *builder)
{
    size_t face_count = builder->face_parts.count, part_count = model->part_count;
    if (face_count == 0)
        return true;
    model->face_parts = builder->face_parts.data;
    builder->face_parts.data = NULL;
    model->part_faces = grz_allocate(builder->context, face_count, sizeof *model->part_faces);
    model->part_starts = grz_allocate_zeroed(builder->context, part_count + 2, sizeof *model->part_starts);
    if (model->part_faces == NULL || model->part_starts == NULL)
        return false;
    /* Counting sort: counts are stored two places ahead and summed to starts one place ahead, which filling in moves to
     * their places. */
    for (size_t f = 0; f < face_count; f++)
        model->part_starts[model->face_parts[f] + 2]++;
    for (size_t p = 2; p < part_count + 2; p++)
        model->part_starts[p] += model->part_starts[p - 1];
    for (size_t f = 0; f < face_count; f++)
        model->part_faces[model->part_starts[model->face_parts[f] + 1]++] = (uint32_t)f;
    return true;
}

/* --- one part as a mesh --- */

typedef struct part_arrays
{
    const graze_context *context;
    GRZ_ARRAY(uint32_t) corners;
    GRZ_ARRAY(uint32_t) loop_sizes;
    GRZ_ARRAY(double) coordinates;
    uint64_t *keys; /* vertex and index of every corner, with scratch space of the same size */
} part_arrays;

static bool gather_faces(const graze_model *model, size_t part, part_arrays *arrays)
{
    bool single = model->part_faces == NULL;
    size_t begin = single ? 0 : model->part_starts[part];
    size_t end = single ? (part == 0 ? graze_mesh_face_count(model->mesh) : 0) : model->part_starts[part + 1];
    for (size_t i = begin; i < end; i++)
    {
        size_t count, face = single ? i : model->part_faces[i];
        const uint32_t *corners = graze_mesh_face_loop(model->mesh, face, 0, &count); /* files hold no holes */
        if (!GRZ_RESERVE(arrays->context, &arrays->corners, arrays->corners.count + count) ||
            !GRZ_PUSH(arrays->context, &arrays->loop_sizes, (uint32_t)count))
            return false;
        memcpy(arrays->corners.data + arrays->corners.count, corners, count * sizeof *corners);
        arrays->corners.count += count;
    }
    return true;
}

/* Stable radix sort by the upper 32 bits: four passes. */
static void radix_sort(uint64_t *keys, uint64_t *scratch, size_t count)
{
    for (int shift = 32; shift < 64; shift += 8)
    {
        size_t starts[257] = {0};
        for (size_t i = 0; i < count; i++)
            starts[(keys[i] >> shift & 0xff) + 1]++;
        for (size_t b = 1; b < 257; b++)
            starts[b] += starts[b - 1];
        for (size_t i = 0; i < count; i++)
            scratch[starts[keys[i] >> shift & 0xff]++] = keys[i];
        uint64_t *swap = keys;
        keys = scratch;
        scratch = swap;
    }
}

/* Renumbers the corners over the vertices they use, in their order, and copies those. */
static bool gather_vertices(const graze_mesh *mesh, part_arrays *arrays)
{
    size_t count = arrays->corners.count;
    arrays->keys = grz_allocate(arrays->context, count, 2 * sizeof *arrays->keys);
    if (arrays->keys == NULL)
        return false;
    for (size_t c = 0; c < count; c++)
        arrays->keys[c] = (uint64_t)arrays->corners.data[c] << 32 | c;
    radix_sort(arrays->keys, arrays->keys + count, count);
    const double *vertices = graze_mesh_vertices(mesh);
    for (size_t i = 0; i < count; i++)
    {
        size_t vertex = arrays->keys[i] >> 32;
        if (i == 0 || vertex != arrays->keys[i - 1] >> 32)
        {
            if (!GRZ_RESERVE(arrays->context, &arrays->coordinates, arrays->coordinates.count + 3))
                return false;
            memcpy(arrays->coordinates.data + arrays->coordinates.count, vertices + 3 * vertex, 3 * sizeof *vertices);
            arrays->coordinates.count += 3;
        }
        arrays->corners.data[(uint32_t)arrays->keys[i]] = (uint32_t)(arrays->coordinates.count / 3 - 1);
    }
    return true;
}

graze_status graze_model_create_part_mesh(const graze_context *context, const graze_model *model, size_t part,
                                          graze_mesh **out_mesh)
{
    if (model == NULL || out_mesh == NULL || part >= model->part_count)
        return GRAZE_STATUS_BAD_ARGUMENT;
    part_arrays arrays = {.context = context};
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (gather_faces(model, part, &arrays) && gather_vertices(model->mesh, &arrays))
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = arrays.coordinates.data;
        def.vertex_count = arrays.coordinates.count / 3;
        def.corners = arrays.corners.data;
        def.corner_count = arrays.corners.count;
        bool triangles = arrays.corners.count == 3 * arrays.loop_sizes.count; /* no loop has fewer than three */
        def.loop_sizes = triangles ? NULL : arrays.loop_sizes.data;
        def.loop_count = triangles ? 0 : arrays.loop_sizes.count;
        status = graze_mesh_create(context, &def, NULL, out_mesh);
    }
    grz_release(context, arrays.corners.data);
    grz_release(context, arrays.loop_sizes.data);
    grz_release(context, arrays.coordinates.data);
    grz_release(context, arrays.keys);
    return status;
}
