/* SPDX-License-Identifier: MIT */
/* Bodies of methods: what a method prepares of one mesh; see graze/method.h. */
#include "base/struct_size.h"
#include "mesh/mesh.h"
#include "pair/method/method.h"

graze_status graze_method_body_create(const graze_context *context, const char *name, const graze_mesh *mesh,
                                      const graze_method_parameters *parameters, graze_method_body **out_body)
{
    GRZ_FULL_STRUCT(graze_method_parameters, parameters);
    const graze_method_parameters defaults = graze_method_parameters_default();
    const grz_method *method = grz_method_of_name(name);
    if (method == NULL || mesh == NULL || out_body == NULL || !parameters_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (parameters == NULL)
        parameters = &defaults;
    grz_monitor monitor = grz_monitor_make_for_mesh(&parameters->budget);
    graze_method_body *body = grz_allocate_zeroed(context, 1, sizeof *body);
    void *state = grz_allocate_zeroed(context, 1, method->state_size);
    graze_status status = body == NULL || state == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
    {
        *body = (graze_method_body){grz_context_copy(context), method, mesh, state};
        status = method->prepare(state, context, mesh, parameters, &monitor);
        if (status != GRAZE_STATUS_OK && method->release != NULL)
            method->release(state, context);
    }
    if (status != GRAZE_STATUS_OK)
    {
        grz_release(context, state);
        grz_release(context, body);
        return status;
    }
    *out_body = body;
    return GRAZE_STATUS_OK;
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
