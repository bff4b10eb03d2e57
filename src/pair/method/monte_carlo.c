/* SPDX-License-Identifier: MIT */
/*
 * Random points (G. Zachmann 1994, 3.5): the vertices of both bodies in the common box, in shuffled order, then random
 * points of that box, each tested in both bodies, exactly. The first in both proves a collision. That no point is has
 * the chance (1 - vol(A and B) / vol(box))^N of being wrong.
 */
#include "base/random.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/method/closed_bodies.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_POINTS = 100,
    MOST_VERTICES = 1000 /* of each body */
};

/* Vertices of one body in the other, if rounding leaves them where they are. */
static void try_vertices(grz_method_query *query, int side, const graze_box *common, grz_random *random)
{
    const graze_mesh *mesh = query->placed[side].mesh;
    size_t count = mesh->vertex_count < MOST_VERTICES ? mesh->vertex_count : MOST_VERTICES;
    for (size_t i = 0; i < count && grz_method_goes_on(query); i++)
    {
        size_t vertex = (size_t)grz_random_below(random, mesh->vertex_count);
        double point[3];
        graze_pose_apply(&query->placed[side].pose, mesh->vertices + 3 * vertex, point);
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside = inside && point[k] >= common->lower[k] && point[k] <= common->upper[k];
        if (inside && grz_method_holds_point(query, 1 - side, point) && grz_method_holds_point(query, side, point))
            query->verdict = GRAZE_VERDICT_YES;
    }
}

static void run(grz_method_query *query)
{
    const graze_method_parameters *parameters = &((const grz_closed_state *)query->a)->parameters;
    uint32_t points = parameters->samples != 0 ? parameters->samples : DEFAULT_POINTS;
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
    grz_random random = grz_random_make(parameters->seed);
    for (int side = 0; side < 2 && !parameters->no_vertices; side++)
        try_vertices(query, side, &common, &random);
    for (uint32_t i = 0; i < points && grz_method_goes_on(query); i++)
    {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = grz_random_between(&random, common.lower[k], common.upper[k]);
        if (grz_method_holds_point(query, 0, point) && grz_method_holds_point(query, 1, point))
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
    .state_size = sizeof(grz_closed_state),
    .prepare = grz_closed_state_prepare,
    .release = grz_closed_state_release,
    .memory = grz_closed_state_memory,
    .run = run,
};
