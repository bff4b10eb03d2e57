/* SPDX-License-Identifier: MIT */
/* 000 3.6: edges against faces over box-trees, by the number of faces, and by the depth of the trees. */
#include <math.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"

static const lit_shape shapes[] = {LIT_SPHERE, LIT_TORUS, LIT_FLAKE};

enum
{
    PASSES = 3
};

/* Of the trees of the experiment: references of leaves to faces and edges, for each of them. */
typedef struct pointer_range
{
    double least, most;
} pointer_range;

static void add_pointers(pointer_range *range, const cage_cost *cost)
{
    double pointers = (double)cost->counters.references / (double)cost->counters.elements;
    range->least = fmin(range->least, pointers);
    range->most = fmax(range->most, pointers);
}

static bool compare_sizes(lit_run *run, lit_shape shape, uint32_t faces, pointer_range *pointers)
{
    graze_mesh *mesh = NULL;
    cage_flight flight = {0};
    cage_cost conventional, tree;
    size_t frames = run->quick ? 200 : 2000;
    bool done = lit_make_body(shape, faces, &mesh);
    const graze_mesh *meshes[2] = {mesh, mesh};
    done = done && cage_record(meshes, 2, 2, 1, frames, CAGE_SURFACES, &flight) &&
           cage_replay(&flight, "edges-faces", NULL, frames, &conventional) &&
           cage_replay(&flight, "box-tree", NULL, frames, &tree);
    if (done)
    {
        add_pointers(pointers, &tree);
        lit_measure(run, "000/box-tree", conventional.mean / tree.mean, "%s, %u faces, conventional : box-tree",
                    lit_shape_name(shape), (unsigned)faces);
        lit_add(run, "000/box-tree", "conventional : box-tree; not printed",
                (double)conventional.counters.volumes / (double)tree.counters.volumes, "%s, %u faces, box tests",
                lit_shape_name(shape), (unsigned)faces);
    }
    cage_clear(&flight);
    graze_mesh_destroy(mesh);
    return done;
}

static bool compare_depths(lit_run *run, lit_shape shape, pointer_range *pointers)
{
    static const uint32_t depths[] = {1, 3, 5, 7, 9, 12};
    graze_mesh *mesh = NULL;
    cage_flight flight = {0};
    double first = 0;
    size_t frames = run->quick ? 100 : 2000;
    bool done = lit_make_body(shape, 500, &mesh);
    const graze_mesh *meshes[2] = {mesh, mesh};
    done = done && cage_record(meshes, 2, 2, 1.2, frames, CAGE_SURFACES, &flight);
    for (int d = 0; done && d < 6; d++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.depth = depths[d];
        parameters.leaf_size = 1;
        cage_cost cost;
        done = cage_replay(&flight, "box-tree", &parameters, frames, &cost);
        first = d == 0 ? cost.mean : first;
        if (done)
            add_pointers(pointers, &cost);
        lit_add(run, "000/box-tree-depth", "the axes of Figs 3.32-3.34", cost.mean / first,
                "%s, depth %u, time : depth 1", lit_shape_name(shape), (unsigned)depths[d]);
        lit_add(run, "000/box-tree-depth", "the axes of Figs 3.32-3.34",
                (double)cost.counters.primitives / (double)frames, "%s, depth %u, edge-face tests a frame",
                lit_shape_name(shape), (unsigned)depths[d]);
    }
    cage_clear(&flight);
    graze_mesh_destroy(mesh);
    return done;
}

/* What flags of empty intervals save, by two bodies of about 5,000 faces of each shape. */
static bool compare_flags(lit_run *run)
{
    double times[2] = {0, 0}, empty = 0, cut = 0;
    bool done = true;
    for (int s = 0; done && s < 3; s++)
    {
        graze_mesh *mesh = NULL;
        cage_flight flight = {0};
        double best[2] = {INFINITY, INFINITY};
        size_t frames = run->quick ? 50 : 500;
        done = lit_make_body(shapes[s], 5000, &mesh);
        const graze_mesh *meshes[2] = {mesh, mesh};
        done = done && cage_record(meshes, 2, 2, 1, frames, CAGE_SURFACES, &flight);
        for (int pass = 0; done && pass < 2 * PASSES; pass++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            parameters.cut_empty = pass % 2 == 1;
            cage_cost cost;
            done = cage_replay(&flight, "box-tree", &parameters, frames, &cost);
            best[pass % 2] = fmin(best[pass % 2], cost.mean);
            empty += pass == 0 ? (double)cost.counters.empty_intervals : 0;
            cut += pass == 0 ? (double)cost.counters.half_spaces : 0;
        }
        times[0] += best[0];
        times[1] += best[1];
        cage_clear(&flight);
        graze_mesh_destroy(mesh);
    }
    if (done)
    {
        lit_measure(run, "000/box-tree", times[1] / times[0], "flags of empty intervals, speed-up");
        lit_add(run, "000/box-tree", "of all cuts of a search without flags", 100 * empty / (empty + cut),
                "empty intervals, %% of the cuts");
    }
    return done;
}

bool lit_box_tree(lit_run *run)
{
    static const uint32_t faces[] = {50, 100, 500, 1000};
    pointer_range pointers = {INFINITY, 0};
    bool done = compare_flags(run);
    for (int s = 0; done && s < 3; s++)
    {
        for (int i = 0; done && i < 4; i++)
            done = compare_sizes(run, shapes[s], faces[i], &pointers);
        done = done && compare_depths(run, shapes[s], &pointers);
    }
    if (done)
    {
        lit_measure(run, "000/box-tree", pointers.least, "pointers per element, least");
        lit_measure(run, "000/box-tree", pointers.most, "pointers per element, most");
    }
    return done;
}
