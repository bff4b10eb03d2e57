/* SPDX-License-Identifier: MIT */
/*
 * Models: bytes are loaded (io/source.h), read by format, and become a mesh with named parts.
 */
#include "io/model.h"

#include "io/source.h"

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
    grz_release(&context, model->part_places);
    grz_release(&context, model);
}

graze_format graze_model_format(const graze_model *model)
{
    return model != NULL ? model->format : GRAZE_FORMAT_AUTO;
}

const graze_mesh *graze_model_mesh(const graze_model *model)
{
    return model != NULL ? model->mesh : NULL;
}

size_t graze_model_part_count(const graze_model *model)
{
    return model != NULL ? model->part_count : 0;
}

const char *graze_model_part_name(const graze_model *model, size_t part)
{
    return model != NULL && part < model->part_count ? model->names + model->name_starts[part] : "";
}

uint32_t graze_model_face_part(const graze_model *model, size_t face)
{
    return model != NULL && model->face_parts != NULL && face < graze_mesh_face_count(model->mesh)
               ? model->face_parts[face]
               : 0;
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
    graze_status status = grz_make_mesh(reader, &def, &error, &model->mesh);
    if (status == GRAZE_STATUS_OK || !grz_monitor_may_continue(reader->monitor))
        return grz_stopped(reader, status);
    return grz_fail(reader, status, "%s", error.text);
}

graze_status grz_model_make(grz_reader *reader, graze_format format, graze_model **out_model)
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
        (!grz_model_make_names(model, &reader->builder) || !grz_model_make_parts(model, &reader->builder) ||
         !grz_model_make_precision(model, &reader->builder)))
        status = grz_fail_memory(reader);
    if (status == GRAZE_STATUS_OK)
        *out_model = model;
    else
        graze_model_destroy(model);
    return status;
}

/* --- reading --- */

static graze_status consume(grz_reader *reader, graze_format format, void *user)
{
    graze_model **out_model = user;
    graze_status status = grz_source_build(reader, &format);
    return status == GRAZE_STATUS_OK ? grz_model_make(reader, format, out_model) : status;
}

graze_status graze_model_read_memory(const graze_context *context, const void *bytes, size_t size, const char *name,
                                     graze_format format, const graze_budget *budget, graze_error *error,
                                     graze_model **out_model)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = name != NULL ? name : "input",
                         .error = error};
    if (out_model == NULL || (bytes == NULL && size > 0))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "bytes and out_model may not be NULL");
    return grz_source_memory(&reader, bytes, size, format, consume, out_model);
}

graze_status graze_model_read_file(const graze_context *context, const char *path, graze_format format,
                                   const graze_budget *budget, graze_error *error, graze_model **out_model)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = path != NULL ? path : "input",
                         .error = error};
    if (path == NULL || out_model == NULL)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "path and out_model may not be NULL");
    return grz_source_file(&reader, path, format, consume, out_model);
}
