/* SPDX-License-Identifier: MIT */
/*
 * Pairs over the step of a continuous update: the first and last contact of their motions (motion_query.h). The state
 * after the step is known; that before it usually is, from the last update. A pair that collides at both is in contact
 * at 0, which is all that is asked.
 *
 * What moves are surfaces. Solids too can only begin or cease to collide by contact of surfaces, so that nothing else
 * is needed beside the states before and after.
 */
#include <math.h>

#include "base/bits.h"
#include "graze/motion_query.h"
#include "mesh/mesh.h"
#include "scene/scene.h"
#include "shape/shape.h"

/* The surface of an object, if it is made of triangles. False without; *out_status is OUT_OF_MEMORY where a tree could
   not be made. */
static bool moving_surface(const graze_scene *scene, uint32_t index, graze_moving_mesh *out, graze_status *out_status)
{
    const grz_placed_shape *placed = &scene->shapes.data[index];
    const graze_shape *shape = placed->shape;
    *out = (graze_moving_mesh){.mesh = placed->mesh, .tree = placed->tree};
    if (shape != NULL)
    {
        if (shape->form != GRZ_FORM_CORE || grz_is_less(0, shape->radius) || shape->mesh->triangle_count == 0)
            return false;
        out->mesh = shape->mesh;
        out->tree = shape->tree;
        if (out->tree == NULL)
            *out_status = grz_derived_tree(grz_shape_derived(shape), NULL, &out->tree);
    }
    grz_scene_step_motion(scene, index, &out->motion);
    return true;
}

/* Nothing is known of the first contact but that it is within the step, if the pair collides after it. */
static graze_status take_unknown(grz_contact *contact)
{
    contact->first[0] = 0;
    contact->first[1] = 1;
    contact->unknown = !contact->colliding;
    return GRAZE_STATUS_OK;
}

static graze_status find_first(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                               uint64_t *out_box_tests)
{
    graze_moving_mesh a, b;
    graze_status status = GRAZE_STATUS_OK;
    if (!moving_surface(scene, contact->a, &a, &status) || !moving_surface(scene, contact->b, &b, &status))
        return take_unknown(contact);
    graze_impact_options options = graze_impact_options_default();
    graze_impact_stats stats = {0};
    graze_impact impact;
    options.budget = *budget;
    options.stats = &stats;
    if (status == GRAZE_STATUS_OK)
        status = graze_pair_impact(&scene->context, &a, &b, &options, &impact);
    *out_box_tests += stats.box_tests;
    if (status != GRAZE_STATUS_OK)
        return status;
    contact->first[0] = impact.verdict != GRAZE_IMPACT_NONE ? impact.lower : 1;
    contact->first[1] = impact.verdict == GRAZE_IMPACT_AT ? impact.upper : 1;
    if (impact.verdict == GRAZE_IMPACT_UNKNOWN && !contact->colliding)
        return GRAZE_STATUS_UNFINISHED;
    if (impact.verdict == GRAZE_IMPACT_AT && !contact->colliding)
    {
        contact->passed = true;
        contact->has_witness = !contact->of_shapes;
        contact->witness = impact.hit;
    }
    return GRAZE_STATUS_OK;
}

static bool stands(const graze_scene *scene, uint32_t index)
{
    uint32_t rank = scene->placed_ranks.data[index];
    return rank == 0 || scene->steps.data[rank - 1].motion.kind == GRAZE_MOTION_STILL;
}

graze_status grz_scene_test_step(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                                 uint64_t *out_box_tests)
{
    contact->stepped = scene->frame;
    contact->passed = false;
    contact->first[0] = contact->first[1] = 0;
    contact->last[0] = 0;
    contact->last[1] = 1;
    if (stands(scene, contact->a) && stands(scene, contact->b)) /* as after the step */
        return GRAZE_STATUS_OK;
    if (contact->before == GRZ_PAIR_COLLIDING)
        return GRAZE_STATUS_OK;
    if (grz_steps_apart(scene, contact->a, contact->b))
    {
        contact->first[0] = contact->first[1] = 1; /* if at all, where they are placed after it */
        return GRAZE_STATUS_OK;
    }
    graze_status status = find_first(scene, contact, budget, out_box_tests);
    contact->last[0] = contact->first[0];
    return status;
}
