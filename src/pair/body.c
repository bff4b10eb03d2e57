/* SPDX-License-Identifier: MIT */
/* Bodies and where they stand; see body.h. */
#include "pair/body.h"

#include "base/memory.h"

graze_status graze_body_create(const graze_context *context, const graze_mesh *mesh, graze_body **out_body)
{
    if (mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_body *body = grz_allocate_zeroed(context, 1, sizeof *body);
    if (body == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    body->context = grz_context_copy(context);
    body->mesh = mesh;
    body->stamp = mesh->stamp;
    graze_status status = grz_twins_make(context, mesh, &body->links);
    if (status == GRAZE_STATUS_OK)
    {
        body->corners = grz_allocate(context, body->links.component_count, sizeof *body->corners);
        status = body->corners == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    }
    if (status != GRAZE_STATUS_OK)
    {
        graze_body_destroy(body);
        return status;
    }
    /* Components are numbered as they are met. */
    for (size_t i = 0, found = 0; found < body->links.component_count; i++)
        if (body->links.components[body->links.merged[mesh->triangles[i]]] == found)
            body->corners[found++] = mesh->triangles[i];
    *out_body = body;
    return GRAZE_STATUS_OK;
}

void graze_body_destroy(graze_body *body)
{
    if (body == NULL)
        return;
    graze_context context = body->context;
    grz_twins_release(&context, &body->links);
    grz_release(&context, body->corners);
    grz_release(&context, body);
}

bool graze_body_is_closed(const graze_body *body)
{
    return body->links.closed;
}

static void widen(grz_extent *extent, grz_box *hull, const interval placed[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        extent->lower[axis] = interval_min2(extent->lower[axis], placed[axis].upper);
        extent->upper[axis] = interval_max2(extent->upper[axis], placed[axis].lower);
        hull->axes[axis] = interval_hull(hull->axes[axis], placed[axis]);
    }
}

/* The extents of the components, and the box around all of them. */
static bool find_extents(const graze_context *context, grz_side *side)
{
    const graze_body *body = side->body;
    const graze_mesh *mesh = side->placed->mesh;
    side->extents = grz_allocate(context, body->links.component_count, sizeof *side->extents);
    if (side->extents == NULL)
        return false;
    side->hull = grz_boxes_hull(NULL, 0);
    for (size_t c = 0; c < body->links.component_count; c++)
        side->extents[c] = (grz_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
    {
        uint32_t component = body->links.components[body->links.merged[v]];
        if (component == GRAZE_NO_HALF_EDGE)
            continue;
        interval placed[3];
        grz_place_point(grz_mesh_vertex(mesh, v), &side->placed->pose, placed);
        widen(&side->extents[component], &side->hull, placed);
    }
    return true;
}

graze_status grz_side_make(const graze_context *context, const graze_placed_mesh *placed, const graze_body *known,
                           grz_side *out_side)
{
    if (known != NULL && (known->mesh != placed->mesh || known->stamp != placed->mesh->stamp))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_side side = {.placed = placed, .body = known};
    if (known == NULL)
    {
        graze_status status = graze_body_create(context, placed->mesh, &side.own);
        if (status != GRAZE_STATUS_OK)
            return status;
        side.body = side.own;
    }
    side.world = grz_world_tree_make(placed->mesh, placed->tree, &placed->pose);
    if (side.world.tree == NULL)
        side.boxes = grz_boxes_create(context, placed->mesh, &placed->pose);
    if ((side.world.tree == NULL && side.boxes == NULL) || !find_extents(context, &side))
    {
        grz_side_release(context, &side);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_side = side;
    return GRAZE_STATUS_OK;
}

void grz_side_release(const graze_context *context, grz_side *side)
{
    graze_body_destroy(side->own);
    grz_release(context, side->boxes);
    grz_release(context, side->extents);
}

grz_body grz_side_body(const grz_side *side)
{
    return (grz_body){side->placed->mesh, &side->placed->pose, side->world, side->boxes, side->body->links.oriented};
}
