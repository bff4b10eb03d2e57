/* SPDX-License-Identifier: MIT */
/* Zachmann's slides: ADB-trees' errors and times by the probability that ends a search, and restricted box-trees
 * against oriented boxes. The curves are lost; ours have the same axes. */
#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

/* Tori that fly through one another: contacts of every depth, where those of bodies that bounce only graze. */
static bool record_passing(const graze_mesh **meshes, size_t frames, cage_flight *out)
{
    return cage_record(meshes, 2, 2, 1, frames, CAGE_NOTHING, out) && cage_answer(out, CAGE_SURFACES);
}

static bool by_probability(lit_run *run, const cage_flight *flight, size_t frames)
{
    static const double probabilities[] = {0.001, 0.003, 0.005, 0.01, 0.02, 0.03, 0.1, 0.99, 2};
    double exact = 0;
    bool done = true;
    for (int i = 9; done && i-- > 0;) /* above 1: every search comes to its end */
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.probability = probabilities[i];
        cage_cost cost;
        done = cage_replay(flight, "adb", &parameters, frames, &cost);
        if (!done)
            break;
        exact = i == 8 ? cost.mean : exact;
        if (i == 8)
            continue;
        lit_add(run, "003/time-error", "% of the queries", 100 * (cost.false_collisions + cost.missed) / cost.queries,
                "tori, p_min %g, wrong guesses", probabilities[i]);
        lit_add(run, "003/time-error", "exact: no probability ends a search", cost.mean / exact,
                "tori, p_min %g, time : exact", probabilities[i]);
    }
    return done;
}

static bool against_oriented_boxes(lit_run *run, lit_shape shape, const cage_flight *flight, size_t frames)
{
    cage_cost restricted, oriented;
    bool done = cage_replay(flight, "restricted-boxes", NULL, frames, &restricted) &&
                cage_replay(flight, "rapid", NULL, frames, &oriented);
    if (!done)
        return false;
    lit_add(run, "003/box-trees", "the models are lost", restricted.mean / oriented.mean,
            "%s, 1000 faces, restricted : oriented, time", lit_shape_name(shape));
    lit_add(run, "003/box-trees", "the models are lost",
            (double)restricted.counters.volumes / (double)oriented.counters.volumes,
            "%s, 1000 faces, restricted : oriented, box tests", lit_shape_name(shape));
    return true;
}

bool lit_slides(lit_run *run)
{
    static const lit_shape shapes[] = {LIT_SPHERE, LIT_TORUS, LIT_FLAKE};
    size_t frames = run->quick ? 500 : 4000;
    bool done = true;
    for (int s = 0; done && s < 3; s++)
    {
        graze_mesh *mesh = NULL;
        cage_flight flight = {0};
        done = lit_make_body(shapes[s], 1000, &mesh);
        const graze_mesh *meshes[2] = {mesh, mesh};
        done = done && cage_record(meshes, 2, 2, 1, frames, CAGE_SURFACES, &flight) &&
               against_oriented_boxes(run, shapes[s], &flight, frames);
        cage_clear(&flight);
        if (done && shapes[s] == LIT_TORUS)
            done = record_passing(meshes, frames, &flight) && by_probability(run, &flight, frames);
        cage_clear(&flight);
        graze_mesh_destroy(mesh);
    }
    return done;
}
