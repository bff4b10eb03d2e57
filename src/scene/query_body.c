/* SPDX-License-Identifier: MIT */
/* What a query asks about: a mesh, or a shape. See query.h. */
#include "base/environment.h"
#include "mesh/mesh.h"
#include "scene/query.h"
#include "shape/create.h"

graze_status grz_query_body_of_mesh(const graze_scene *scene, const graze_placed_mesh *mesh, grz_derived_data *derived,
                                    bool is_solid, grz_query_body *out)
{
    *out = (grz_query_body){.mesh = mesh, .derived = derived, .is_solid = is_solid};
    if (mesh->mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&mesh->pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_derived_data_init(&out->own_derived, &scene->context, mesh->mesh);
    if (derived == NULL)
        out->derived = &out->own_derived;
    out->placed.pose = mesh->pose;
    out->is_empty = mesh->mesh->triangle_count == 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    if (!out->is_empty)
        out->box = grz_world_aabb(mesh->mesh, &mesh->pose);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status grz_query_body_of_shape(const graze_placed *shape, grz_query_body *out)
{
    grz_world_sphere ball;
    *out = (grz_query_body){.placed = *shape};
    graze_status status = graze_placed_check(shape);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    grz_world_bounds_of_shape(shape->shape, &shape->pose, &out->box, &ball);
    grz_environment_leave_default(&environment);
    out->is_empty = !(out->box.lower[0] <= out->box.upper[0]);
    return status;
}

bool grz_query_body_as_shape(grz_query_body *body)
{
    if (body->placed.shape != NULL)
        return true;
    body->placed.shape = body->own_shape = grz_shape_create_shared(body->derived, body->is_solid);
    return body->own_shape != NULL;
}

void grz_query_body_release(grz_query_body *body)
{
    graze_shape_destroy(body->own_shape);
    if (body->mesh != NULL && body->derived == &body->own_derived)
        grz_derived_data_release(&body->own_derived);
}
