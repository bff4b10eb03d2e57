/* SPDX-License-Identifier: MIT */
/*
 * W6: time to create an engine's mesh and tree, and bytes per triangle, including the engine's own copy of the mesh.
 */
#include <math.h>

#include "workload.h"

static bool make_twins(const lab_workload *workload, bool quick, lab_case *out_case)
{
    uint32_t frequency = (uint32_t)lround(sqrt(workload->size / 20));
    (void)quick;
    return graze_mesh_create_bumpy_shell(NULL, 1, 0.1, frequency, 91, &out_case->a) == GRAZE_STATUS_OK &&
           graze_mesh_create_bumpy_shell(NULL, 1, 0.1, frequency, 91, &out_case->b) == GRAZE_STATUS_OK;
}

const lab_workload lab_builds[] = {{.name = "build/100000",
                                    .what = "a bumpy shell of 100,000 triangles",
                                    .questions = LAB_BUILD,
                                    .make = make_twins,
                                    .size = 100000},
                                   {.name = "build/1000000",
                                    .what = "a bumpy shell of 1,000,000 triangles",
                                    .questions = LAB_BUILD,
                                    .make = make_twins,
                                    .size = 1000000,
                                    .not_quick = true},
                                   {0}};
