/* SPDX-License-Identifier: MIT */
/* 000 3.4.1: clipping edges at the half-spaces of convex bodies, by its checks, and against edges and faces. */
#include <math.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

/* Two bodies that collide nearly always. */
static bool compare_methods(lit_run *run, lit_shape shape, uint32_t faces)
{
    graze_mesh *mesh = NULL;
    cage_flight flight = {0};
    cage_cost convex, arbitrary;
    size_t frames = run->quick ? 200 : 2000;
    bool done = lit_make_body(shape, faces, &mesh);
    const graze_mesh *meshes[2] = {mesh, mesh};
    done = done && cage_record(meshes, 2, 2, 0.5, frames, CAGE_BODIES, &flight) &&
           cage_replay(&flight, "cyrus-beck", NULL, frames, &convex) &&
           cage_replay(&flight, "edges-faces", NULL, frames, &arbitrary);
    if (done)
        lit_measure(run, "000/clip", convex.mean / arbitrary.mean, "%s, %u faces, convex : arbitrary",
                    lit_shape_name(shape), (unsigned)faces);
    cage_clear(&flight);
    graze_mesh_destroy(mesh);
    return done;
}

/* Convex bodies in a cage, with one check more each time. */
static bool compare_checks(lit_run *run)
{
    static const struct
    {
        const char *name;
        graze_pre_checks checks;
    } rows[] = {{"no check", GRAZE_PRE_CHECKS_NONE},
                {"edge-object box", GRAZE_PRE_CHECKS_OBJECT_BOX},
                {"collect", GRAZE_PRE_CHECKS_ALL}};
    static const char *const id = "000/clip-checks";
    graze_mesh *meshes[4] = {NULL};
    cage_flight flight = {0};
    size_t frames = run->quick ? 300 : 3000;
    double before = 0;
    bool done = true;
    for (int i = 0; done && i < 4; i++)
        done = lit_make_body(i % 2 == 0 ? LIT_SPHERE : LIT_CONE, i < 2 ? 90 : 240, &meshes[i]);
    done = done && cage_record((const graze_mesh **)meshes, 4, 4, 1.2, frames, CAGE_BODIES, &flight);
    for (int r = 0; done && r < 3; r++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.pre_checks = rows[r].checks;
        cage_cost cost;
        done = cage_replay(&flight, "cyrus-beck", &parameters, frames, &cost);
        lit_measure(run, id, r == 0 ? 1 : before / cost.mean, "%s, speed-up over one less", rows[r].name);
        lit_add(run, id, "not printed", (double)cost.counters.half_spaces / cost.queries, "%s, half-spaces a query",
                rows[r].name);
        before = cost.mean;
    }
    cage_clear(&flight);
    lit_destroy(meshes, 4);
    return done;
}

bool lit_clip(lit_run *run)
{
    static const uint32_t faces[] = {250, 120, 60};
    bool done = true;
    for (int i = 0; done && i < 3; i++)
        done = compare_methods(run, LIT_SPHERE, faces[i]) && compare_methods(run, LIT_CONE, faces[i]);
    return done && compare_checks(run);
}
