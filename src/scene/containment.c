/* SPDX-License-Identifier: MIT */
/* Containment in solids of a scene; see containment.h. */
#include "scene/containment.h"

#include "base/memory.h"
#include "pair/solid/body.h"

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

static graze_status contains_component(const graze_context *context, const grz_placed_data *outer,
                                       const graze_body *outer_body, const graze_pose *inner_pose,
                                       const graze_body *inner_body, bool *out_contains)
{
    const graze_placed_mesh *placed = outer->placed;
    bool contains = false;
    grz_placed_aabb *boxes = NULL; /* used where there is no tree */
    grz_world_tree world = grz_world_tree_make(placed->mesh, placed->tree, &placed->pose);
    for (size_t i = 0; i < inner_body->adjacency.component_count && !contains; i++)
    {
        const double *corner = grz_body_component_corner(inner_body, i);
        if (!may_lie_in(corner, inner_pose, outer->box))
            continue;
        if (world.tree == NULL && boxes == NULL)
            boxes = grz_placed_aabbs_create(context, placed->mesh, &placed->pose);
        if (world.tree == NULL && boxes == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_body_view body = {placed->mesh, &placed->pose, world, boxes, outer_body->adjacency.oriented, NULL};
        contains = grz_locate_point(&body, corner, inner_pose) == GRAZE_LOCATION_INSIDE;
    }
    grz_release(context, boxes);
    *out_contains = contains;
    return GRAZE_STATUS_OK;
}

/* The body of a mesh; *out_own is to be destroyed after use, if it is not NULL. */
static graze_status get_body(const graze_context *context, grz_derived_data *derived, const graze_body **out_body,
                             graze_body **out_own)
{
    *out_own = NULL;
    /* shortcut: solid-facts */
    if (grz_derived_data_is_current(derived))
        return grz_derived_body(derived, NULL, out_body);
    graze_status status = graze_body_create(context, derived->mesh, NULL, out_own);
    *out_body = *out_own;
    return status;
}

graze_status grz_solid_contains(const graze_context *context, const grz_placed_data *outer,
                                const grz_placed_data *inner, bool *out_contains)
{
    const graze_body *outer_body, *inner_body;
    graze_body *outer_own, *inner_own = NULL;
    *out_contains = false;
    graze_status status = get_body(context, outer->derived, &outer_body, &outer_own);
    if (status == GRAZE_STATUS_OK && outer_body->adjacency.closed)
    {
        status = get_body(context, inner->derived, &inner_body, &inner_own);
        if (status == GRAZE_STATUS_OK)
            status = contains_component(context, outer, outer_body, &inner->placed->pose, inner_body, out_contains);
    }
    graze_body_destroy(outer_own);
    graze_body_destroy(inner_own);
    return status;
}
