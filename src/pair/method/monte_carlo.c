/* SPDX-License-Identifier: MIT */
/*
 * Random points (G. Zachmann 1994, 3.5): the vertices of both bodies in the common box, in shuffled order, then random
 * points of that box, each tested in both bodies, exactly. The first in both proves a collision. That no point is has
 * the chance (1 - vol(A and B) / vol(box))^N of being wrong.
 */
#include "base/random.h"
#include "graze/topology.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_POINTS = 100,
    MOST_VERTICES = 1000 /* of each body */
};

typedef struct monte_carlo_state
{
    uint32_t points;
    uint64_t seed;
} monte_carlo_state;

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    monte_carlo_state *state = opaque;
    graze_mesh_facts facts;
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_examine(context, mesh, NULL, &budget, &facts);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_OK && !facts.closed)
        status = GRAZE_STATUS_BAD_ARGUMENT;
    state->points = parameters->samples != 0 ? parameters->samples : DEFAULT_POINTS;
    state->seed = parameters->seed;
    return status;
}

/* Whether a point lies in a body. */
static bool is_in(grz_method_query *query, int side, const double point[3])
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

static bool goes_on(const grz_method_query *query)
{
    return !query->out_of_memory && grz_monitor_may_continue(&query->monitor) && query->verdict != GRAZE_VERDICT_YES;
}

/* Vertices of one body in the other, if rounding leaves them where they are. */
static void try_vertices(grz_method_query *query, int side, const graze_box *common, grz_random *random)
{
    const graze_mesh *mesh = query->placed[side].mesh;
    size_t count = mesh->vertex_count < MOST_VERTICES ? mesh->vertex_count : MOST_VERTICES;
    for (size_t i = 0; i < count && goes_on(query); i++)
    {
        size_t vertex = (size_t)grz_random_below(random, mesh->vertex_count);
        double point[3];
        graze_pose_apply(&query->placed[side].pose, mesh->vertices + 3 * vertex, point);
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside = inside && point[k] >= common->lower[k] && point[k] <= common->upper[k];
        if (inside && is_in(query, 1 - side, point) && is_in(query, side, point))
            query->verdict = GRAZE_VERDICT_YES;
    }
}

static void run(grz_method_query *query)
{
    const monte_carlo_state *state = query->a;
    graze_box boxes[2], common;
    for (int side = 0; side < 2; side++)
        boxes[side] = grz_aabb_of_mesh(query->placed[side].mesh, &query->placed[side].pose);
    for (int k = 0; k < 3; k++)
    {
        common.lower[k] = interval_max2(boxes[0].lower[k], boxes[1].lower[k]);
        common.upper[k] = interval_min2(boxes[0].upper[k], boxes[1].upper[k]);
        if (common.lower[k] > common.upper[k])
        {
            query->verdict = query->guess = GRAZE_VERDICT_NO; /* boxes are rounded outward: that is certain */
            return;
        }
    }
    grz_random random = grz_random_make(state->seed);
    for (int side = 0; side < 2; side++)
        try_vertices(query, side, &common, &random);
    for (uint32_t i = 0; i < state->points && goes_on(query); i++)
    {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = grz_random_between(&random, common.lower[k], common.upper[k]);
        if (is_in(query, 0, point) && is_in(query, 1, point))
            query->verdict = GRAZE_VERDICT_YES;
    }
    query->guess = query->verdict == GRAZE_VERDICT_YES ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

const grz_method grz_monte_carlo_method = {
    .info = {.name = "monte-carlo",
             .summary = "Vertices, then random points of the common box, tested in both bodies.",
             .source = "000 3.5",
             .mesh_class = GRAZE_METHOD_CLASS_CLOSED,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_YES_SURE,
             .deadline = true},
    .state_size = sizeof(monte_carlo_state),
    .prepare = prepare,
    .run = run,
};
