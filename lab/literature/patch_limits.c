/* SPDX-License-Identifier: MIT */
/* 002, Table 3: a sphere within a slightly larger one (ours: .99 of it), by the number of triangles that a patch of CD
 * may have; 32 x 32 latitudes and longitudes, 1,984 triangles. */
#include <math.h>

#include "literature/literature.h"
#include "timing.h"

/* The time of a query, the least of some rounds; NaN after a failure. */
static double time_of(const graze_mesh *outer, const graze_mesh *inner, uint32_t limit, int rounds)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    parameters.leaf_size = limit;
    graze_method_body *bodies[2] = {NULL, NULL};
    double least = INFINITY;
    bool done = graze_method_body_create(NULL, "cd", outer, &parameters, &bodies[0]) == GRAZE_STATUS_OK &&
                graze_method_body_create(NULL, "cd", inner, &parameters, &bodies[1]) == GRAZE_STATUS_OK;
    const graze_placed_method_body a = {bodies[0], graze_pose_identity()}, b = {bodies[1], graze_pose_identity()};
    for (int round = 0; done && round < rounds; round++)
    {
        graze_method_answer answer;
        double from = lab_cpu_now();
        done = graze_method_any(NULL, &a, &b, NULL, &answer) == GRAZE_STATUS_OK && answer.collide == GRAZE_VERDICT_NO;
        least = fmin(least, lab_cpu_now() - from);
    }
    graze_method_body_destroy(bodies[0]);
    graze_method_body_destroy(bodies[1]);
    return done ? least : NAN;
}

bool lit_patch_limits(lit_run *run)
{
    graze_mesh *outer = NULL, *inner = NULL;
    bool done = graze_mesh_create_sphere(NULL, 1, 32, 32, &outer) == GRAZE_STATUS_OK &&
                graze_mesh_create_sphere(NULL, 0.99, 32, 32, &inner) == GRAZE_STATUS_OK;
    for (uint32_t limit = 1; done && limit <= 10; limit++)
    {
        double time = time_of(outer, inner, limit, run->quick ? 5 : 50);
        done = !isnan(time);
        lit_measure(run, "002/table-3", time * 1e-6, "limit %u", (unsigned)limit);
    }
    graze_mesh_destroy(outer);
    graze_mesh_destroy(inner);
    return done;
}
