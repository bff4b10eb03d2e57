/* SPDX-License-Identifier: MIT */
/*
 * Models: what a file holds. Bytes come in, are unpacked, recognised, read by their format, and become a mesh with
 * named parts.
 */
#include <string.h>

#include "io/detect.h"
#include "io/file.h"
#include "io/model.h"
#include "io/reader.h"

void graze_model_destroy(graze_model *model)
{
    if (model == NULL)
        return;
    graze_context context = model->context;
    graze_mesh_destroy(model->mesh);
    grz_release(&context, model->names);
    grz_release(&context, model->name_starts);
    grz_release(&context, model->face_parts);
    grz_release(&context, model->part_faces);
    grz_release(&context, model->part_starts);
    grz_release(&context, model);
}

graze_format graze_model_format(const graze_model *model)
{
    return model->format;
}

const graze_mesh *graze_model_mesh(const graze_model *model)
{
    return model->mesh;
}

size_t graze_model_part_count(const graze_model *model)
{
    return model->part_count;
}

const char *graze_model_part_name(const graze_model *model, size_t part)
{
    return part < model->part_count ? model->names + model->name_starts[part] : "";
}

uint32_t graze_model_face_part(const graze_model *model, size_t face)
{
    return model->face_parts != NULL && face < graze_mesh_face_count(model->mesh) ? model->face_parts[face] : 0;
}

/* --- making a model --- */

static graze_status make_mesh(grz_reader *reader, graze_model *model)
{
    const grz_builder *builder = &reader->builder;
    bool floats = builder->float_coordinates.count > 0;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = floats ? (const void *)builder->float_coordinates.data : builder->coordinates.data;
    def.vertex_scalar = floats ? GRAZE_SCALAR_FLOAT : GRAZE_SCALAR_DOUBLE;
    def.vertex_count = grz_builder_vertex_count(builder);
    def.corners = builder->corners.data;
    def.corner_count = builder->corners.count;
    def.loop_sizes = builder->loop_sizes.count > 0 ? builder->loop_sizes.data : NULL;
    def.loop_count = builder->loop_sizes.count;
    graze_error error;
    graze_status status = graze_mesh_create(reader->context, &def, &error, &model->mesh);
    if (status != GRAZE_STATUS_OK)
        return grz_fail(reader, status, "%s", error.text);
    return GRAZE_STATUS_OK;
}

static graze_status make_model(grz_reader *reader, graze_format format, graze_model **out_model)
{
    if (reader->builder.face_count == 0)
        return grz_fail(reader, GRAZE_STATUS_EMPTY, "it holds no faces");
    graze_model *model = grz_allocate_zeroed(reader->context, 1, sizeof *model);
    if (model == NULL)
        return grz_fail_memory(reader);
    model->context = grz_context_copy(reader->context);
    model->format = format;
    graze_status status = make_mesh(reader, model);
    if (status == GRAZE_STATUS_OK &&
        (!grz_model_make_names(model, &reader->builder) || !grz_model_make_parts(model, &reader->builder)))
        status = grz_fail_memory(reader);
    if (status == GRAZE_STATUS_OK)
        *out_model = model;
    else
        graze_model_destroy(model);
    return status;
}

/* --- reading --- */

static graze_status read_format(grz_reader *reader, graze_format *format)
{
    switch (*format)
    {
    case GRAZE_FORMAT_STL_BINARY:
        return grz_stl_read_binary(reader);
    case GRAZE_FORMAT_STL_ASCII:
        return grz_stl_read_ascii(reader);
    case GRAZE_FORMAT_OBJ:
        return grz_obj_read(reader);
    case GRAZE_FORMAT_PLY_ASCII:
    case GRAZE_FORMAT_PLY_LITTLE_ENDIAN:
    case GRAZE_FORMAT_PLY_BIG_ENDIAN:
        return grz_ply_read(reader, format);
    case GRAZE_FORMAT_OFF:
        return grz_off_read(reader);
    default:
        return grz_fail(reader, GRAZE_STATUS_BAD_ARGUMENT, "%d is not a format", (int)*format);
    }
}

/* Unpacked bytes to a model. */
static graze_status read_plain(grz_reader *reader, const char *bytes, size_t size, graze_format format,
                               graze_model **out_model)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (size == 0)
        return grz_fail(reader, GRAZE_STATUS_EMPTY, "it is empty");
    reader->begin = reader->at = bytes;
    reader->end = bytes + size;
    reader->line = 1;
    if (size >= 3 && memcmp(bytes, byte_order_mark, 3) == 0)
        reader->at += 3;
    graze_status status = GRAZE_STATUS_OK;
    if (format == GRAZE_FORMAT_AUTO)
        status = grz_detect(reader, &format);
    if (status == GRAZE_STATUS_OK)
        status = read_format(reader, &format);
    if (status == GRAZE_STATUS_OK)
        status = make_model(reader, format, out_model);
    grz_builder_release(&reader->builder);
    return status;
}

static graze_status read_bytes(grz_reader *reader, const char *bytes, size_t size, graze_format format,
                               graze_model **out_model)
{
    if (!grz_is_gzip(bytes, size))
        return read_plain(reader, bytes, size, format, out_model);
    grz_bytes unpacked = {0};
    graze_status status = grz_gunzip(reader, bytes, size, &unpacked);
    if (status == GRAZE_STATUS_OK)
        status = read_plain(reader, unpacked.data, unpacked.count, format, out_model);
    grz_release(reader->context, unpacked.data);
    return status;
}

graze_status graze_model_read_memory(const graze_context *context, const void *bytes, size_t size, const char *name,
                                     graze_format format, graze_error *error, graze_model **out_model)
{
    grz_reader reader = {.context = context, .name = name != NULL ? name : "input", .error = error};
    reader.builder.context = context;
    if (out_model == NULL || (bytes == NULL && size > 0))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "bytes and out_model may not be NULL");
    return read_bytes(&reader, bytes, size, format, out_model);
}

graze_status graze_model_read_file(const graze_context *context, const char *path, graze_format format,
                                   graze_error *error, graze_model **out_model)
{
    grz_reader reader = {.context = context, .name = path != NULL ? path : "input", .error = error};
    reader.builder.context = context;
    if (path == NULL || out_model == NULL)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "path and out_model may not be NULL");
    grz_bytes bytes = {0};
    graze_status status = grz_file_load(&reader, path, &bytes);
    if (status == GRAZE_STATUS_OK)
        status = read_bytes(&reader, bytes.data, bytes.count, format, out_model);
    grz_release(context, bytes.data);
    return status;
}
