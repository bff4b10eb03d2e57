/* SPDX-License-Identifier: MIT */
/* Bodies and where they stand; see body.h. */
#include "pair/body.h"

#include "base/memory.h"

/* Half-edges of triangles that are points or segments have no edge, and neither open nor close a mesh. */
/* Stricter than grz_topology_is_closed: a triangle without area, whose half-edges belong to no edge, may lie anywhere,
   and a corner of it must not stand for a body. */
static bool all_have_twins(const graze_topology *topology)
{
    bool any = false;
    for (size_t i = 0; i < topology->half_edge_count; i++)
    {
        const graze_half_edge *half_edge = &topology->half_edges[i];
        if (half_edge->edge == GRAZE_NO_EDGE)
            continue;
        if (half_edge->twin == GRAZE_NO_HALF_EDGE)
            return false;
        any = true;
    }
    return any;
}

static graze_status find_components(const graze_context *context, graze_body *body)
{
    const graze_topology *topology = body->topology;
    body->components = grz_allocate(context, topology->vertex_count, sizeof *body->components);
    graze_status status = body->components == NULL ? GRAZE_STATUS_OUT_OF_MEMORY
                                                   : grz_topology_vertex_components(context, topology, body->components,
                                                                                    &body->component_count);
    if (status != GRAZE_STATUS_OK)
        return status;
    body->corners = grz_allocate(context, body->component_count, sizeof *body->corners);
    if (body->corners == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 3 * body->mesh->triangle_count; i-- > 0;)
        body->corners[body->components[topology->merged[body->mesh->triangles[i]]]] = body->mesh->triangles[i];
    return GRAZE_STATUS_OK;
}

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
    graze_status status = grz_topology_create_over_triangles(context, mesh, &body->topology);
    size_t misoriented = 0;
    if (status == GRAZE_STATUS_OK)
        status = graze_topology_misoriented(body->topology, NULL, 0, &misoriented);
    if (status == GRAZE_STATUS_OK)
        status = find_components(context, body);
    if (status != GRAZE_STATUS_OK)
    {
        graze_body_destroy(body);
        return status;
    }
    body->closed = all_have_twins(body->topology);
    body->oriented = misoriented == 0;
    *out_body = body;
    return GRAZE_STATUS_OK;
}

void graze_body_destroy(graze_body *body)
{
    if (body == NULL)
        return;
    graze_context context = body->context;
    graze_topology_destroy(body->topology);
    grz_release(&context, body->components);
    grz_release(&context, body->corners);
    grz_release(&context, body);
}

bool graze_body_is_closed(const graze_body *body)
{
    return body->closed;
}

static void widen(grz_extent *extent, const interval placed[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        extent->lower[axis] = interval_min2(extent->lower[axis], placed[axis].upper);
        extent->upper[axis] = interval_max2(extent->upper[axis], placed[axis].lower);
    }
}

static bool find_extents(const graze_context *context, grz_side *side)
{
    const graze_body *body = side->body;
    const graze_mesh *mesh = side->placed->mesh;
    side->extents = grz_allocate(context, body->component_count, sizeof *side->extents);
    if (side->extents == NULL)
        return false;
    for (size_t c = 0; c < body->component_count; c++)
        side->extents[c] = (grz_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
    {
        uint32_t component = body->components[body->topology->merged[v]];
        if (component == GRAZE_NO_HALF_EDGE)
            continue;
        interval placed[3];
        grz_place_point(grz_mesh_vertex(mesh, v), &side->placed->pose, placed);
        widen(&side->extents[component], placed);
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
    side.boxes = grz_boxes_create(context, placed->mesh, &placed->pose);
    if (side.boxes == NULL || !find_extents(context, &side))
    {
        grz_side_release(context, &side);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    side.hull = grz_boxes_hull(side.boxes, placed->mesh->triangle_count);
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
    return (grz_body){side->placed->mesh, &side->placed->pose, side->boxes, side->body->oriented};
}
