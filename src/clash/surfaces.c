/* SPDX-License-Identifier: MIT */
/* Parts that are meant to be surfaces; see parts.h. Queries take the body of a part for its inside, so a surface that
 * happens to be closed gets a body without one. Parts of the same mesh may be surfaces or not. */
#include "base/error.h"
#include "clash/parts.h"

static graze_status open_surface(const graze_context *context, grz_clash_parts *parts, size_t index)
{
    grz_clash_part *part = &parts->parts[index];
    graze_body **body = &parts->surfaces[parts->mesh_of[index]];
    graze_status status = GRAZE_STATUS_OK;
    if (*body == NULL)
        status = graze_body_create_surface(context, part->placed.mesh, NULL, body);
    if (status != GRAZE_STATUS_OK)
        return status;
    part->body = *body;
    part->closed = false;
    part->placed_shape.shape = NULL; /* that one is solid */
    return status;
}

graze_status grz_clash_parts_open_surfaces(const graze_context *context, grz_clash_parts *parts, graze_error *error)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < parts->count && status == GRAZE_STATUS_OK; i++)
    {
        if (!parts->parts[i].is_surface || !parts->parts[i].closed || parts->parts[i].is_shape)
            continue;
        if (parts->surfaces == NULL)
            parts->surfaces = grz_allocate_zeroed(context, parts->mesh_count + 1, sizeof(graze_body *));
        status = parts->surfaces != NULL ? open_surface(context, parts, i) : GRAZE_STATUS_OUT_OF_MEMORY;
    }
    if (status == GRAZE_STATUS_OK)
        return status;
    return grz_error(error, status, "the surfaces could not be prepared: %s", graze_status_text(status));
}

void grz_clash_parts_release_surfaces(const graze_context *context, grz_clash_parts *parts)
{
    for (size_t i = 0; parts->surfaces != NULL && i < parts->mesh_count; i++)
        graze_body_destroy(parts->surfaces[i]);
    grz_release(context, parts->surfaces);
    parts->surfaces = NULL;
}
