/* SPDX-License-Identifier: MIT */
/* Bodies of methods: what a method prepares of one mesh; see graze/method.h. */
#include "base/struct_size.h"
#include "mesh/mesh.h"
#include "pair/method/method.h"

/* A body with a state of zeros; *out_body is NULL when out of memory. */
static graze_status make_body(const graze_context *context, const grz_method *method, const graze_mesh *mesh,
                              graze_method_body **out_body)
{
    graze_method_body *body = grz_allocate_zeroed(context, 1, sizeof *body);
    void *state = grz_allocate_zeroed(context, 1, method->state_size);
    if (body != NULL && state != NULL)
    {
        *body = (graze_method_body){grz_context_copy(context), method, mesh, state};
        *out_body = body;
        return GRAZE_STATUS_OK;
    }
    grz_release(context, state);
    grz_release(context, body);
    return GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Hands the body over, or destroys it. */
static graze_status finish_body(graze_method_body *body, graze_status status, graze_method_body **out_body)
{
    if (status == GRAZE_STATUS_OK)
        *out_body = body;
    else
        graze_method_body_destroy(body);
    return status;
}

graze_status graze_method_body_create(const graze_context *context, const char *name, const graze_mesh *mesh,
                                      const graze_method_parameters *parameters, graze_method_body **out_body)
{
    GRZ_FULL_STRUCT(graze_method_parameters, parameters);
    const graze_method_parameters defaults = graze_method_parameters_default();
    const grz_method *method = grz_method_of_name(name);
    graze_method_body *body = NULL;
    if (method == NULL || mesh == NULL || out_body == NULL || !parameters_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (parameters == NULL)
        parameters = &defaults;
    grz_monitor monitor = grz_monitor_make_for_mesh(&parameters->budget);
    graze_status status = make_body(context, method, mesh, &body);
    if (status != GRAZE_STATUS_OK)
        return status;
    return finish_body(body, method->prepare(body->state, context, mesh, parameters, &monitor), out_body);
}

size_t graze_method_body_saved_size(const graze_method_body *body)
{
    return body != NULL && body->method->saved_size != NULL ? body->method->saved_size(body->state) : 0;
}

graze_status graze_method_body_save(const graze_method_body *body, void *buffer, size_t size)
{
    size_t needed = graze_method_body_saved_size(body);
    if (body == NULL || buffer == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (needed == 0)
        return GRAZE_STATUS_UNSUPPORTED;
    if (size < needed)
        return GRAZE_STATUS_BAD_ARGUMENT;
    body->method->save(body->state, buffer);
    return GRAZE_STATUS_OK;
}

graze_status graze_method_body_load(const graze_context *context, const char *name, const graze_mesh *mesh,
                                    const void *bytes, size_t size, graze_method_body **out_body)
{
    const grz_method *method = grz_method_of_name(name);
    graze_method_body *body = NULL;
    if (method == NULL || mesh == NULL || bytes == NULL || out_body == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (method->load == NULL)
        return GRAZE_STATUS_UNSUPPORTED;
    graze_status status = make_body(context, method, mesh, &body);
    if (status != GRAZE_STATUS_OK)
        return status;
    return finish_body(body, method->load(body->state, context, mesh, bytes, size), out_body);
}

void graze_method_body_destroy(graze_method_body *body)
{
    if (body == NULL)
        return;
    graze_context context = body->context;
    if (body->method->release != NULL)
        body->method->release(body->state, &context);
    grz_release(&context, body->state);
    grz_release(&context, body);
}

size_t graze_method_body_memory_size(const graze_method_body *body)
{
    if (body == NULL)
        return 0;
    return sizeof *body + body->method->state_size +
           (body->method->memory != NULL ? body->method->memory(body->state) : 0);
}
