/* SPDX-License-Identifier: MIT */
/* Public functions that read shape files, and mesh files as shapes. */
#include "io/shape_file.h"

#include <math.h>

#include "io/model.h"
#include "io/source.h"

bool grz_shape_set_add(graze_shape_set *set, graze_shape *shape)
{
    const grz_set_entry entry = {shape};
    if (GRZ_PUSH(&set->context, &set->shapes, entry))
        return true;
    graze_shape_destroy(shape);
    return false;
}

typedef struct shape_request
{
    double scale;
    bool solid;
    graze_shape_set *set;
} shape_request;

static graze_status read_mesh(grz_reader *reader, graze_format format, const shape_request *request)
{
    graze_shape_set *set = request->set;
    graze_status status = grz_source_build(reader, &format);
    if (status == GRAZE_STATUS_OK)
        status = grz_model_make(reader, format, &set->model);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape *shape;
    status = graze_shape_create_mesh(reader->context, graze_model_mesh(set->model), NULL, request->solid, &shape);
    if (status != GRAZE_STATUS_OK || !grz_shape_set_add(set, shape))
        return grz_fail_memory(reader);
    return GRAZE_STATUS_OK;
}

static graze_status consume(grz_reader *reader, graze_format format, void *user)
{
    const shape_request *request = user;
    if (format == GRAZE_FORMAT_SHAPE)
        return grz_shape_read(reader, request->scale, request->set);
    return read_mesh(reader, format, request);
}

/* Makes the set that is read into. */
static graze_status start(grz_reader *reader, double scale, graze_shape_set **out_set)
{
    if (!isfinite(scale) || !(scale > 0))
        return grz_fail(reader, GRAZE_STATUS_BAD_ARGUMENT, "a scale is finite and above 0");
    graze_shape_set *set = grz_allocate_zeroed(reader->context, 1, sizeof *set);
    if (set == NULL)
        return grz_fail_memory(reader);
    set->context = grz_context_copy(reader->context);
    *out_set = set;
    return GRAZE_STATUS_OK;
}

static graze_status finish(graze_status status, graze_shape_set *set, graze_shape_set **out_set)
{
    if (status == GRAZE_STATUS_OK)
        *out_set = set;
    else
        graze_shape_set_destroy(set);
    return status;
}

graze_status graze_shape_set_read_file(const graze_context *context, const char *path, graze_format format,
                                       double scale, bool solid, const graze_budget *budget, graze_error *error,
                                       graze_shape_set **out_set)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = path != NULL ? path : "input",
                         .error = error};
    if (path == NULL || out_set == NULL)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "path and out_set may not be NULL");
    shape_request request = {.scale = scale, .solid = solid};
    graze_status status = start(&reader, scale, &request.set);
    if (status != GRAZE_STATUS_OK)
        return status;
    return finish(grz_source_file(&reader, path, format, consume, &request), request.set, out_set);
}

graze_status graze_shape_set_read_memory(const graze_context *context, const void *bytes, size_t size, const char *name,
                                         graze_format format, double scale, bool solid, const graze_budget *budget,
                                         graze_error *error, graze_shape_set **out_set)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = name != NULL ? name : "input",
                         .error = error};
    if (out_set == NULL || (bytes == NULL && size > 0))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "bytes and out_set may not be NULL");
    shape_request request = {.scale = scale, .solid = solid};
    graze_status status = start(&reader, scale, &request.set);
    if (status != GRAZE_STATUS_OK)
        return status;
    return finish(grz_source_memory(&reader, bytes, size, format, consume, &request), request.set, out_set);
}

void graze_shape_set_destroy(graze_shape_set *set)
{
    if (set == NULL)
        return;
    graze_context context = set->context;
    while (set->shapes.count > 0)
        graze_shape_destroy(set->shapes.data[--set->shapes.count].shape);
    graze_model_destroy(set->model);
    grz_release(&context, set->shapes.data);
    grz_release(&context, set);
}

const graze_shape *graze_shape_set_shape(const graze_shape_set *set)
{
    return set != NULL ? set->shapes.data[set->shapes.count - 1].shape : NULL;
}

const graze_model *graze_shape_set_model(const graze_shape_set *set)
{
    return set != NULL ? set->model : NULL;
}
