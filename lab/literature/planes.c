/* SPDX-License-Identifier: MIT */
/* 000 3.4.2: in which share of the frames a search for a separating plane gives up although there is one: by the limit
 * of its updates, by where it begins, by the update parameter eta, and by its relaxation rho. */
#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

static const struct
{
    uint32_t limit;
    double eta; /* the best of the thesis */
} limits[] = {{10, .25}, {100, .03}, {1000, .007}};

/* False collisions in percent of the frames; negative after a failure. */
static double false_collisions(const cage_flight *flight, uint32_t limit, double eta, double rho,
                               graze_plane_start start, size_t frames)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    parameters.most_iterations = limit;
    parameters.step = eta;
    parameters.relaxation = rho;
    parameters.plane_start = start;
    cage_cost cost;
    if (!cage_replay(flight, "perceptron", &parameters, frames, &cost))
        return -1;
    return 100 * cost.false_collisions / (double)frames;
}

static bool by_start(lit_run *run, const cage_flight *flight)
{
    static const char *const starts[] = {"box centres", "centroids", "trivial"};
    bool done = true;
    for (int l = 0; done && l < 3; l++)
        for (int s = 0; done && s < 3; s++)
        {
            double share =
                false_collisions(flight, limits[l].limit, limits[l].eta, 1, (graze_plane_start)s, flight->frames);
            done = share >= 0;
            lit_measure(run, "000/planes-start", share, "%s, limit %u", starts[s], (unsigned)limits[l].limit);
        }
    return done;
}

static bool by_eta(lit_run *run, const cage_flight *flight)
{
    static const double etas[] = {.003, .007, .03, .1, .25, 1};
    bool done = true;
    for (int l = 0; done && l < 3; l++)
        for (int e = 0; done && e < 6; e++)
        {
            double share =
                false_collisions(flight, limits[l].limit, etas[e], 1, GRAZE_PLANE_START_TRIVIAL, flight->frames / 4);
            done = share >= 0;
            lit_add(run, "000/planes-eta", "% of the frames", share, "limit %u, eta %g", (unsigned)limits[l].limit,
                    etas[e]);
        }
    return done;
}

static bool by_relaxation(lit_run *run, const cage_flight *flight)
{
    static const double rhos[] = {.9, .94, .97, .99, 1};
    bool done = true;
    for (int l = 0; done && l < 3; l++)
        for (int r = 0; done && r < 5; r++)
        {
            double share = false_collisions(flight, limits[l].limit, limits[l].eta, rhos[r],
                                            GRAZE_PLANE_START_BOX_CENTRES, flight->frames / 4);
            done = share >= 0;
            lit_add(run, "000/planes-relax", "% of the frames", share, "limit %u, rho %g", (unsigned)limits[l].limit,
                    rhos[r]);
        }
    return done;
}

bool lit_planes(lit_run *run)
{
    graze_mesh *cone = NULL;
    cage_flight flight = {0};
    bool done = lit_make_body(LIT_CONE, 100, &cone);
    const graze_mesh *meshes[2] = {cone, cone};
    done = done && cage_record(meshes, 2, 2, 1.5, run->quick ? 10000 : 40000, CAGE_BODIES, &flight) &&
           by_start(run, &flight) && by_eta(run, &flight) && by_relaxation(run, &flight);
    cage_clear(&flight);
    graze_mesh_destroy(cone);
    return done;
}
