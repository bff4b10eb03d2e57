/* SPDX-License-Identifier: MIT */
/*
 * 000 3.2.1: ten bodies in a cage, every pair by edges against faces, with one check of boxes more each time. The
 * thesis does not say how large its cage was; ours has a side of three bodies. Without any check a frame takes "many
 * seconds", so that only few are run.
 */
#include <math.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

static const char *const id = "000/pre-checks";

/* How many of all pairs of an edge and a face are left after a check, in percent. */
static void measure_left(lit_run *run, const cage_cost *cost, const char *check, double all)
{
    lit_add(run, id, "% of all pairs of an edge and a face; not printed", 100 * (double)cost->counters.primitives / all,
            "%s, tests left", check);
}

/* All pairs of an edge and a face in a frame. */
static double count_tests(const cage_flight *flight)
{
    double all = 0;
    for (size_t a = 0; a < flight->flying; a++)
        for (size_t b = a + 1; b < flight->bodies; b++)
        {
            double edges[2] = {0, 0}, faces[2];
            for (int side = 0; side < 2; side++)
            {
                const graze_mesh *mesh = flight->meshes[side == 0 ? a : b];
                faces[side] = (double)graze_mesh_face_count(mesh);
                for (size_t f = 0; f < graze_mesh_face_count(mesh); f++)
                    for (size_t l = 0, count; l < graze_mesh_face_loop_count(mesh, f); l++)
                    {
                        graze_mesh_face_loop(mesh, f, l, &count);
                        edges[side] += (double)count / 2;
                    }
            }
            all += edges[0] * faces[1] + edges[1] * faces[0];
        }
    return all;
}

static bool run_checks(lit_run *run, const cage_flight *flight)
{
    static const struct
    {
        const char *method, *name;
        graze_pre_checks checks;
    } rows[] = {{"edges-faces", "edge-object box", GRAZE_PRE_CHECKS_OBJECT_BOX},
                {"edges-faces", "edge-face box", GRAZE_PRE_CHECKS_FACE_BOX},
                {"edges-faces", "collect", GRAZE_PRE_CHECKS_ALL},
                {"edges-faces-relaxed", "relaxed collect", GRAZE_PRE_CHECKS_ALL},
                {"edges-faces-boxes", "stop after checks", GRAZE_PRE_CHECKS_ALL}};
    size_t frames = run->quick ? 8 : 40; /* the first row is slow */
    graze_method_parameters parameters = graze_method_parameters_default();
    cage_cost none, first, cost;
    parameters.pre_checks = GRAZE_PRE_CHECKS_NONE;
    bool done = cage_replay(flight, "edges-faces", &parameters, 1, &none);
    parameters.pre_checks = GRAZE_PRE_CHECKS_OBJECT_BOX;
    done = done && cage_replay(flight, "edges-faces", &parameters, 1, &first);
    if (done)
        lit_measure(run, id, first.mean / none.mean, "no check, speed-up");
    for (size_t r = 0; done && r < sizeof rows / sizeof rows[0]; r++)
    {
        parameters.pre_checks = rows[r].checks;
        done = cage_replay(flight, rows[r].method, &parameters, frames, &cost);
        if (r == 0)
            first = cost;
        if (r < 4)
            lit_measure(run, id, first.mean / cost.mean, "%s, speed-up", rows[r].name);
        else
            lit_add(run, id, "proposed there, not implemented", first.mean / cost.mean, "%s, speed-up", rows[r].name);
        if (r == 0) /* a first hit ends a query: the other rows are counted over the same frames */
            measure_left(run, &cost, rows[r].name, count_tests(flight) * (double)frames);
        if (r == 1 || r == 2)
            measure_left(run, &cost, rows[r].name, count_tests(flight) * (double)frames);
    }
    if (!done)
        return false;
    parameters.pre_checks = GRAZE_PRE_CHECKS_FACE_BOX;
    done = cage_replay(flight, "edges-faces", &parameters, flight->frames, &cost);
    lit_measure(run, id, cost.most / cost.mean, "edge-face box, most : mean");
    lit_measure(run, id, cost.least / cost.mean, "edge-face box, least : mean");
    parameters.pre_checks = GRAZE_PRE_CHECKS_ALL;
    done = done && cage_replay(flight, "edges-faces-relaxed", &parameters, flight->frames, &cost);
    lit_add(run, id, "% of the collisions; not printed", 100 * cost.missed / fmax(1, cost.collisions),
            "relaxed collect, missed");
    done = done && cage_replay(flight, "edges-faces-boxes", &parameters, flight->frames, &cost);
    lit_add(run, id, "% of the queries; not printed", 100 * cost.false_collisions / fmax(1, cost.queries),
            "stop after checks, false");
    return done;
}

bool lit_pre_checks(lit_run *run)
{
    const double edge = 3;
    graze_mesh *meshes[16];
    cage_flight flight = {0};
    bool done =
        lit_make_ten(edge, meshes) &&
        cage_record((const graze_mesh **)meshes, 16, 10, edge, run->quick ? 100 : 1000, CAGE_SURFACES, &flight) &&
        run_checks(run, &flight);
    lit_measure(run, id, (double)flight.pairs, "pairs a frame");
    cage_clear(&flight);
    lit_destroy(meshes, 16);
    return done;
}
