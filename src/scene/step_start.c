/* SPDX-License-Identifier: MIT */
/*
 * Whether one solid lies in another where a step begins: of a pair of which nothing is known from before, as one body
 * is new, or was undecided. Their surfaces are apart there.
 *
 * Poses at the start of a motion are rounded. A lower bound of the distance at the rounded poses that is more than the
 * points are off together (grz_motion_from) makes that harmless: on their way from the rounded places to the real ones
 * surfaces do not meet, so nothing gets in or out.
 */
#include <math.h>

#include "base/environment.h"
#include "motion/motion_gap.h"
#include "pair/distance/proximity.h"
#include "scene/containment.h"
#include "scene/scene.h"
#include "shape/shape.h"

enum
{
    OPENINGS = 400 /* node pairs that the search for that bound may open */
};

static bool is_solid(const graze_scene *scene, uint32_t index)
{
    return scene->shapes.data[index].shape != NULL || scene->shapes.data[index].solid; /* polytopes are solid */
}

static grz_derived_data *data_of(const graze_scene *scene, uint32_t index)
{
    const graze_shape *shape = scene->shapes.data[index].shape;
    return shape != NULL ? grz_shape_derived(shape) : grz_scene_placed_data(scene, index);
}

/* The meshes where the step begins. False where rounding may matter. */
static bool place_both(const graze_scene *scene, const graze_moving_mesh *a, const graze_moving_mesh *b,
                       graze_placed_mesh placed[2])
{
    const grz_moving_meshes meshes = {.context = &scene->context, .a = *a, .b = *b};
    grz_motion_span spans[2];
    if (!grz_motion_span_make(&a->motion, 0, 0, &spans[0]) || !grz_motion_span_make(&b->motion, 0, 0, &spans[1]))
        return false;
    const graze_pose poses[2] = {grz_span_pose(&spans[0]), grz_span_pose(&spans[1])};
    placed[0] = (graze_placed_mesh){a->mesh, a->tree, poses[0]};
    placed[1] = (graze_placed_mesh){b->mesh, b->tree, poses[1]};
    double off = grz_motion_from(spans, &meshes, poses);
    /* shortcut: inside-despite-rounding */
    return grz_distance_lower_bound(&scene->context, &placed[0], &placed[1], off, 0x1p300, OPENINGS, NULL) > off;
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
    graze_placed_mesh placed[2];
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    *out_certain = place_both(scene, a, b, placed);
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
