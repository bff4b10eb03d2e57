/* SPDX-License-Identifier: MIT */
/* 000 3.5.1: three bodies, 250 faces in all, by random points of the common box, with and without their vertices. */
#include <math.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

static bool run_points(lit_run *run, const cage_flight *flight)
{
    static const struct
    {
        const char *name;
        uint32_t points;
        bool no_vertices;
    } rows[] = {{"100 points", 100, true},
                {"vertices, then 100 points", 100, false},
                {"1000 points", 1000, true},
                {"vertices, then 1 point", 1, false},
                {"vertices, then 1000 points", 1000, false}};
    cage_cost costs[5];
    bool done = true;
    for (int r = 0; done && r < 5; r++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.samples = rows[r].points;
        parameters.no_vertices = rows[r].no_vertices;
        done = cage_replay(flight, "monte-carlo", &parameters, flight->frames, &costs[r]);
        if (done && (r == 1 || r == 2))
            lit_measure(run, "000/monte-carlo", costs[0].mean / costs[r].mean, "%s : 100 points", rows[r].name);
        if (done && r < 3)
            lit_add(run, "000/monte-carlo", "% of the collisions; not printed",
                    100 * costs[r].missed / fmax(1, costs[r].collisions), "%s, missed", rows[r].name);
    }
    if (done)
        lit_measure(run, "000/monte-carlo", 100 * (costs[3].missed - costs[4].missed) / costs[4].queries,
                    "points hit where no vertex does");
    return done;
}

bool lit_monte_carlo(lit_run *run)
{
    graze_mesh *meshes[3] = {NULL};
    cage_flight flight = {0};
    bool done = lit_make_body(LIT_SPHERE, 90, &meshes[0]) && lit_make_body(LIT_TORUS, 90, &meshes[1]) &&
                lit_make_body(LIT_CONE, 70, &meshes[2]) &&
                cage_record((const graze_mesh **)meshes, 3, 3, 1.5, run->quick ? 250 : 2000, CAGE_BODIES, &flight) &&
                run_points(run, &flight);
    cage_clear(&flight);
    lit_destroy(meshes, 3);
    return done;
}
