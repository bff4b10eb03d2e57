/* SPDX-License-Identifier: MIT */
/* The table of methods for moving meshes, and their query. */
#include <string.h>

#include "base/environment.h"
#include "mesh/mesh.h"
#include "motion/method/method.h"

static const grz_motion_method *const motion_methods[] = {&grz_mirtich_method, &grz_space_time_bounds_method,
                                                          &grz_moving_points_method};

size_t graze_motion_method_count(void)
{
    return sizeof motion_methods / sizeof motion_methods[0];
}

const graze_motion_method_info *graze_motion_method_at(size_t index)
{
    return index < graze_motion_method_count() ? &motion_methods[index]->info : NULL;
}

static const grz_motion_method *motion_method_of(const char *name)
{
    for (size_t i = 0; name != NULL && i < graze_motion_method_count(); i++)
        if (strcmp(motion_methods[i]->info.name, name) == 0)
            return motion_methods[i];
    return NULL;
}

const graze_motion_method_info *graze_motion_method_find(const char *name)
{
    const grz_motion_method *method = motion_method_of(name);
    return method != NULL ? &method->info : NULL;
}

static bool is_linear(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_STILL || motion->kind == GRAZE_MOTION_BLEND;
}

static graze_status check_method_query(const grz_motion_method *method, const graze_moving_mesh *a,
                                       const graze_moving_mesh *b)
{
    graze_status status = grz_moving_meshes_check(a, b);
    if (status == GRAZE_STATUS_OK)
        status = grz_moving_mesh_check_motion(a, &a->motion);
    if (status == GRAZE_STATUS_OK)
        status = grz_moving_mesh_check_motion(b, &b->motion);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool taken =
        method->info.soft ? is_linear(&a->motion) && is_linear(&b->motion) : a->end_mesh == NULL && b->end_mesh == NULL;
    return taken ? GRAZE_STATUS_OK : GRAZE_STATUS_UNSUPPORTED;
}

static graze_status run_method(const graze_context *context, const grz_motion_method *method,
                               const graze_moving_mesh *a, const graze_moving_mesh *b, const graze_budget *budget,
                               graze_motion_method_answer *out_answer)
{
    grz_moving_meshes meshes;
    const graze_budget unlimited = {0};
    grz_motion_query query = {.meshes = &meshes, .monitor = grz_monitor_make(budget != NULL ? budget : &unlimited)};
    query.answer =
        (graze_motion_method_answer){.verdict = GRAZE_IMPACT_UNKNOWN, .guess = GRAZE_IMPACT_UNKNOWN, .upper = 1};
    graze_status status = grz_moving_meshes_open(&meshes, context, a, b, &query.monitor);
    if (status == GRAZE_STATUS_OK && grz_moving_meshes_are_empty(&meshes))
        grz_motion_query_clear(&query);
    else if (status == GRAZE_STATUS_OK)
        status = method->run(&query);
    grz_moving_meshes_close(&meshes);
    if (status == GRAZE_STATUS_UNFINISHED)
        status = GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
        *out_answer = query.answer;
    return status;
}

graze_status graze_motion_method_impact(const graze_context *context, const char *method, const graze_moving_mesh *a,
                                        const graze_moving_mesh *b, const graze_budget *budget,
                                        graze_motion_method_answer *out_answer)
{
    const grz_motion_method *found = motion_method_of(method);
    if (found == NULL || a == NULL || b == NULL || out_answer == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check_method_query(found, a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = run_method(context, found, a, b, budget, out_answer);
    grz_environment_leave_default(&environment);
    return status;
}
