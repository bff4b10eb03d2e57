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
#include "base/environment.h"
#include "graze/motion_query.h"
#include "mesh/mesh.h"
#include "motion/reversed_pair.h"
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

/* Whether the pair has an event even if nothing is known of the step: it collides now, or collided when it was reported
   last. */
static bool has_event(const grz_contact *contact)
{
    return contact->colliding || contact->reported;
}

/* The first contact of two motions. */
static graze_status find_impact(const graze_scene *scene, const graze_moving_mesh *a, const graze_moving_mesh *b,
                                const graze_budget *budget, uint64_t *out_box_tests, graze_impact *out_impact)
{
    graze_impact_options options = graze_impact_options_default();
    graze_impact_stats stats = {0};
    options.budget = *budget;
    options.stats = &stats;
    graze_status status = graze_pair_impact(&scene->context, a, b, &options, out_impact);
    *out_box_tests += stats.box_tests;
    return status;
}

static bool jumps(const graze_scene *scene, uint32_t index)
{
    uint32_t rank = scene->placed_ranks.data[index];
    return rank > 0 && scene->steps.data[rank - 1].jumps;
}

/* Of a pair of which nothing is known from before the step, and whose surfaces are apart where it begins: where one
   may lie in the other there, that is when they collide first. */
static graze_status look_inside(const graze_scene *scene, grz_contact *contact, const graze_moving_mesh *a,
                                const graze_moving_mesh *b)
{
    bool inside = false, certain = false;
    graze_status status = grz_step_begins_inside(scene, contact, a, b, &inside, &certain);
    if (status != GRAZE_STATUS_OK || (certain && !inside))
        return status;
    contact->first[0] = 0;
    contact->first[1] = certain ? 0 : contact->first[1];
    return GRAZE_STATUS_OK;
}

static graze_status find_first(const graze_scene *scene, grz_contact *contact, const graze_moving_mesh *a,
                               const graze_moving_mesh *b, const graze_budget *budget, uint64_t *out_box_tests)
{
    graze_impact impact;
    graze_status status = find_impact(scene, a, b, budget, out_box_tests, &impact);
    if (status != GRAZE_STATUS_OK)
        return status;
    contact->first[0] = impact.verdict != GRAZE_IMPACT_NONE ? impact.lower : 1;
    contact->first[1] = impact.verdict == GRAZE_IMPACT_AT ? impact.upper : 1;
    if (impact.verdict == GRAZE_IMPACT_NONE && contact->colliding && !contact->of_shapes && !contact->has_witness)
        contact->first[0] = contact->first[1] = 0; /* one inside the other, without contact: all the while */
    bool met = impact.verdict != GRAZE_IMPACT_NONE || (contact->colliding && contact->first[1] > 0);
    bool knew = contact->before == GRZ_PAIR_APART && !jumps(scene, contact->a) && !jumps(scene, contact->b);
    if (!knew && met && !impact.at_start)
        status = look_inside(scene, contact, a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (impact.verdict == GRAZE_IMPACT_NONE && !contact->colliding)
        contact->stepped = 0; /* they did not meet within the step: an end has no time in it */
    if (impact.verdict == GRAZE_IMPACT_UNKNOWN && !has_event(contact))
        return GRAZE_STATUS_UNFINISHED;
    if (impact.verdict == GRAZE_IMPACT_AT && !contact->colliding)
    {
        contact->passed = true;
        contact->has_witness = !contact->of_shapes;
        contact->witness = impact.hit;
    }
    return GRAZE_STATUS_OK;
}

/* The last contact, as the first one backward in time. It is known to be between the first one and the end, which is
   all that is said where the budget ends, or where no doubles reverse the motions. */
static graze_status find_last(const graze_scene *scene, grz_contact *contact, const graze_moving_mesh *a,
                              const graze_moving_mesh *b, const graze_budget *budget, uint64_t *out_box_tests)
{
    graze_moving_mesh back_a = *a, back_b = *b;
    graze_impact impact;
    grz_environment environment;
    contact->last[0] = contact->first[0];
    contact->last[1] = 1;
    grz_environment_enter_default(&environment);
    bool reversed = grz_motions_reverse(&a->motion, &b->motion, &back_a.motion, &back_b.motion);
    grz_environment_leave_default(&environment);
    if (!reversed)
        return GRAZE_STATUS_OK;
    graze_status status = find_impact(scene, &back_a, &back_b, budget, out_box_tests, &impact);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment_enter_default(&environment);
    if (impact.verdict == GRAZE_IMPACT_NONE) /* only where they stood before the step */
        contact->last[1] = contact->last[0];
    else
        contact->last[1] = fmax(grz_time_reversed_above(impact.lower), contact->last[0]);
    if (impact.verdict == GRAZE_IMPACT_AT)
        contact->last[0] = fmax(grz_time_reversed_below(impact.upper), contact->last[0]);
    grz_environment_leave_default(&environment);
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
    bool began = contact->before == GRZ_PAIR_COLLIDING;
    if (began && contact->colliding)
        return GRAZE_STATUS_OK;
    contact->passed = began && !contact->reported; /* it collided after an update that failed: in contact at 0 */
    if (!began && grz_steps_apart(scene, contact->a, contact->b))
    {
        contact->first[0] = contact->first[1] = 1; /* if at all, where they are placed after it */
        return GRAZE_STATUS_OK;
    }
    graze_moving_mesh a, b;
    graze_status status = GRAZE_STATUS_OK;
    if (!moving_surface(scene, contact->a, &a, &status) || !moving_surface(scene, contact->b, &b, &status))
        return status == GRAZE_STATUS_OK ? grz_step_advance(scene, contact, budget, out_box_tests) : status;
    if (status == GRAZE_STATUS_OK && !began)
        status = find_first(scene, contact, &a, &b, budget, out_box_tests);
    if (status == GRAZE_STATUS_OK && (began || contact->passed))
        status = find_last(scene, contact, &a, &b, budget, out_box_tests);
    return status;
}
