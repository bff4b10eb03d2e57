/* SPDX-License-Identifier: MIT */
/* Closed bodies of methods; see closed_bodies.h. */
#include "pair/method/closed_bodies.h"

#include "graze/topology.h"
#include "mesh/mesh.h"

graze_status grz_closed_state_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                      const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_closed_state *state = opaque;
    graze_mesh_facts facts;
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_examine(context, mesh, NULL, &budget, &facts);
    status = grz_monitor_end_step(monitor, status, 0);
    state->parameters = *parameters;
    if (status == GRAZE_STATUS_OK && !facts.closed)
        status = GRAZE_STATUS_BAD_ARGUMENT;
    if (status != GRAZE_STATUS_OK)
        return status;
    budget = grz_monitor_budget(monitor);
    return grz_monitor_end_step(monitor, graze_body_create(context, mesh, &budget, &state->body), 0);
}

void grz_closed_state_release(void *opaque, const graze_context *context)
{
    (void)context;
    grz_closed_state *state = opaque;
    graze_body_destroy(state->body);
    state->body = NULL;
}

size_t grz_closed_state_memory(const void *opaque)
{
    return graze_body_memory_size(((const grz_closed_state *)opaque)->body);
}

bool grz_method_holds_point(grz_method_query *query, int side, const double point[3])
{
    graze_location location = GRAZE_LOCATION_OUTSIDE;
    graze_budget budget = grz_monitor_budget(&query->monitor);
    graze_status status = graze_point_in_mesh(query->context, &query->placed[side], point, &budget, &location);
    query->counters.points++;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        query->out_of_memory = true;
    else
        grz_monitor_end_step(&query->monitor, status, 0);
    return status == GRAZE_STATUS_OK && location != GRAZE_LOCATION_OUTSIDE;
}

void grz_method_try_point(grz_method_query *query, const double point[3])
{
    double given[3], placed[3];
    for (int i = 0; i < 3; i++)
        given[i] = ldexp(point[i], query->mesh_a->exponent);
    graze_pose_apply(&query->placed[0].pose, given, placed);
    if (grz_method_holds_point(query, 0, placed) && grz_method_holds_point(query, 1, placed))
        query->verdict = query->guess = GRAZE_VERDICT_YES;
}

void grz_method_decide_surfaces_apart(grz_method_query *query, const grz_closed_state *a, const grz_closed_state *b)
{
    static const graze_pair_counts no_hits;
    const graze_known_pair known = {a->body, b->body, &no_hits};
    graze_pair_options options = graze_pair_options_default();
    options.budget = grz_monitor_budget(&query->monitor);
    graze_solid_answer answer;
    graze_status status =
        graze_pair_containment_known(query->context, &query->placed[0], &query->placed[1], &known, &options, &answer);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        query->out_of_memory = true;
    else if (grz_monitor_end_step(&query->monitor, status, 0) == GRAZE_STATUS_OK &&
             (answer.collide || answer.containment != GRAZE_CONTAINMENT_UNKNOWN))
        query->verdict = query->guess = answer.collide ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}
