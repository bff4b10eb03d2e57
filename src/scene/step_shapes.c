/* SPDX-License-Identifier: MIT */
/*
 * Pairs over a step of which one has a shape that is not made of triangles: first and last contact by conservative
 * advancement from either end of the step (motion/shape_advance.h).
 */
#include <math.h>

#include "base/environment.h"
#include "motion/shape_advance.h"
#include "scene/scene.h"

static graze_status first_contact(grz_shape_advance *a, grz_contact *contact)
{
    bool found = false, event = contact->colliding || contact->reported;
    double lower = 0, upper = 1;
    a->steps_left = GRZ_ADVANCES_OF_STEPS;
    graze_status status = grz_shape_advance_clear(a, false, &lower);
    if (status != GRAZE_STATUS_OK || lower >= 1)
    {
        contact->first[0] = contact->first[1] = 1;
        return status;
    }
    status = grz_shape_advance_prove(a, lower, false, &upper, &found);
    contact->first[0] = lower;
    contact->first[1] = found ? upper : 1;
    contact->passed = found && !contact->colliding;
    contact->has_witness = contact->has_witness && contact->colliding;
    contact->unknown = status == GRAZE_STATUS_OK && !found && !event;
    return status;
}

static graze_status last_contact(grz_shape_advance *a, grz_contact *contact)
{
    bool found = false;
    double upper = 1, lower = 0;
    a->steps_left = GRZ_ADVANCES_OF_STEPS;
    graze_status status = grz_shape_advance_clear(a, true, &upper);
    if (status == GRAZE_STATUS_OK)
        status = grz_shape_advance_prove(a, upper, true, &lower, &found);
    contact->last[0] = fmax(contact->first[0], found ? lower : 0);
    contact->last[1] = fmax(contact->last[0], upper);
    return status;
}

static graze_status run(grz_shape_advance *a, grz_contact *contact)
{
    graze_status status = GRAZE_STATUS_OK;
    bool began = contact->before == GRZ_PAIR_COLLIDING;
    if (!began)
        status = first_contact(a, contact);
    if (status == GRAZE_STATUS_OK && (began || contact->passed || (contact->reported && !contact->colliding)))
        status = last_contact(a, contact);
    return status;
}

graze_status grz_step_advance(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                              uint64_t *out_box_tests)
{
    const uint32_t indices[2] = {contact->a, contact->b};
    graze_placed placed[2];
    graze_motion motions[2];
    grz_monitor monitor = grz_monitor_make(budget);
    grz_shape_advance a = {.context = &scene->context, .monitor = &monitor};
    graze_status status = GRAZE_STATUS_OK;
    for (int side = 0; side < 2; side++)
    {
        if (!grz_scene_as_shape(scene, indices[side], &placed[side]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_scene_step_motion(scene, indices[side], &motions[side]);
    }
    grz_environment environment;
    grz_environment_enter_default(&environment);
    if (grz_shape_advance_make(&a, (const graze_shape *const[2]){placed[0].shape, placed[1].shape},
                               (const graze_motion *const[2]){&motions[0], &motions[1]}))
        status = run(&a, contact);
    else
    {
        contact->first[1] = 1;
        contact->unknown = !contact->colliding && !contact->reported;
    }
    grz_environment_leave_default(&environment);
    *out_box_tests += monitor.box_tests;
    return status;
}
