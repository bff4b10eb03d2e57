/* SPDX-License-Identifier: MIT */
/* Containment in solids of a scene; see containment.h. */
#include "scene/containment.h"

#include "pair/solid/body.h"

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

graze_status grz_solid_cache_add(const graze_context *context, grz_solid_cache *solids, const graze_mesh *mesh)
{
    const uint32_t *known = grz_hash_map_find(&solids->places, key_of(mesh));
    /* shortcut: solid-facts */
    if (known != NULL && grz_identity_equal(solids->bodies.data[*known].body->identity, mesh->identity))
        return GRAZE_STATUS_OK;
    graze_body *body;
    graze_status status = graze_body_create(context, mesh, NULL, &body);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (known != NULL)
    {
        graze_body_destroy(solids->bodies.data[*known].body);
        solids->bodies.data[*known].body = body;
        return GRAZE_STATUS_OK;
    }
    uint32_t place = (uint32_t)solids->bodies.count;
    if (!GRZ_RESERVE(context, &solids->bodies, solids->bodies.count + 1) ||
        !grz_hash_map_set(context, &solids->places, key_of(mesh), place))
    {
        graze_body_destroy(body);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    solids->bodies.data[solids->bodies.count++].body = body;
    return GRAZE_STATUS_OK;
}

static const graze_body *body_of(const grz_solid_cache *solids, const graze_mesh *mesh)
{
    return solids->bodies.data[*grz_hash_map_find(&solids->places, key_of(mesh))].body;
}

/* Whether a placed vertex may lie in a box; conservative. */
static bool may_lie_in(const double corner[3], const graze_pose *pose, const graze_box *box)
{
    interval point[3];
    grz_place_point(corner, pose, point);
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: corners-in-boxes */
        if (point[axis].upper < box->lower[axis] || point[axis].lower > box->upper[axis])
            return false;
    return true;
}

graze_status grz_solid_contains(const graze_context *context, const grz_solid_cache *solids,
                                const graze_placed_mesh *outer, const graze_box *outer_box,
                                const graze_placed_mesh *inner, bool *out_holds)
{
    const graze_body *outer_body = body_of(solids, outer->mesh), *inner_body = body_of(solids, inner->mesh);
    bool holds = false;
    grz_placed_aabb *boxes = NULL; /* used where there is no tree */
    grz_world_tree world = grz_world_tree_make(outer->mesh, outer->tree, &outer->pose);
    size_t component_count = outer_body->adjacency.closed ? inner_body->adjacency.component_count : 0;
    for (size_t i = 0; i < component_count && !holds; i++)
    {
        const double *corner = grz_body_component_corner(inner_body, i);
        if (!may_lie_in(corner, &inner->pose, outer_box))
            continue;
        if (world.tree == NULL && boxes == NULL)
            boxes = grz_placed_aabbs_create(context, outer->mesh, &outer->pose);
        if (world.tree == NULL && boxes == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_body_view body = {outer->mesh, &outer->pose, world, boxes, outer_body->adjacency.oriented, NULL};
        holds = grz_locate_point(&body, corner, &inner->pose) == GRAZE_LOCATION_INSIDE;
    }
    grz_release(context, boxes);
    *out_holds = holds;
    return GRAZE_STATUS_OK;
}

void grz_solid_cache_release(const graze_context *context, grz_solid_cache *solids)
{
    for (size_t i = 0; i < solids->bodies.count; i++)
        graze_body_destroy(solids->bodies.data[i].body);
    grz_release(context, solids->bodies.data);
    grz_hash_map_release(context, &solids->places);
    *solids = (grz_solid_cache){0};
}
