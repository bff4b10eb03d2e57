/* SPDX-License-Identifier: MIT */
/* Every triangle of A against every one of B: the simplest method, and the example of a method's file. */
#include "mesh/mesh.h"
#include "pair/method/table.h"

static graze_status prepare(void *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    (void)state, (void)context, (void)mesh, (void)parameters, (void)monitor;
    return GRAZE_STATUS_OK;
}

static void run(grz_method_query *query)
{
    for (size_t i = 0; i < query->mesh_a->triangle_count; i++)
        for (size_t k = 0; k < query->mesh_b->triangle_count; k++)
            if (!grz_method_propose(query, (uint32_t)i, (uint32_t)k))
                return;
}

const grz_method grz_all_pairs_method = {
    .info = {.name = "all-pairs",
             .summary = "Tests every triangle of one mesh against every one of the other.",
             .source = "000 2.1",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT},
    .prepare = prepare,
    .run = run,
};
