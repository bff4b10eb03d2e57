/* SPDX-License-Identifier: MIT */
/*
 * Whether one solid lies in another where a step begins: of a pair of which nothing is known from before, as one body
 * is new, or was undecided. Their surfaces are apart there.
 * Poses at the start of a motion are rounded, which does no harm where grz_motion_starts_apart says so.
 */
#include <math.h>

#include "base/environment.h"
#include "motion/motion_gap.h"
#include "scene/containment.h"
#include "scene/scene.h"
#include "shape/shape.h"

static bool is_solid(const graze_scene *scene, uint32_t index)
{
    return scene->shapes.data[index].shape != NULL || scene->shapes.data[index].solid; /* polytopes are solid */
}

static grz_derived_data *data_of(const graze_scene *scene, uint32_t index)
{
    const graze_shape *shape = scene->shapes.data[index].shape;
    return shape != NULL ? grz_shape_derived(shape) : grz_scene_placed_data(scene, index);
}

graze_status grz_step_begins_inside(const graze_scene *scene, const grz_contact *contact, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, bool *out_inside, bool *out_certain)
{
    static const graze_box everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const uint32_t indices[2] = {contact->a, contact->b};
    *out_inside = false;
    *out_certain = true;
    if (!is_solid(scene, contact->a) && !is_solid(scene, contact->b))
        return GRAZE_STATUS_OK;
    const grz_moving_meshes meshes = {&scene->context, *a, *b, a->tree, b->tree, NULL, NULL};
    graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
    double off;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = grz_motion_starts_apart(&meshes, true, NULL, poses, &off, out_certain);
    const graze_placed_mesh placed[2] = {{a->mesh, a->tree, poses[0]}, {b->mesh, b->tree, poses[1]}};
    for (int side = 0; *out_certain && side < 2 && status == GRAZE_STATUS_OK && !*out_inside; side++)
    {
        int other = 1 - side;
        const grz_placed_data outer = {&placed[side], data_of(scene, indices[side]), &everywhere};
        const grz_placed_data inner = {&placed[other], data_of(scene, indices[other]), &everywhere};
        if (is_solid(scene, indices[side]))
            status = grz_solid_contains(&scene->context, &outer, &inner, out_inside);
    }
    grz_environment_leave_default(&environment);
    return status;
}
