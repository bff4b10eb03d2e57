/* SPDX-License-Identifier: MIT */
/* 000 5.4.4: octrees of fixed depth over a hundred flying boxes: where references are, what is allocated, and what
 * three ways of moving cost. Neighbours are compared with those of all boxes. */
#include <math.h>

#include "literature/boxes_in_cage.h"
#include "literature/literature.h"
#include "timing.h"

bool lit_record_boxes(size_t frames, graze_mesh **out_box, const graze_mesh *meshes[CAGE_BOXES], cage_flight *out)
{
    *out = (cage_flight){0};
    if (graze_mesh_create_box(NULL, 2, 2, 2, 1, out_box) != GRAZE_STATUS_OK)
        return false;
    for (int i = 0; i < CAGE_BOXES; i++)
        meshes[i] = *out_box;
    return cage_record(meshes, CAGE_BOXES, CAGE_BOXES, 9, frames, CAGE_NOTHING, out);
}

voxel_box lit_voxels(const graze_pose *pose, double half, uint32_t size)
{
    voxel_box box;
    for (int i = 0; i < 3; i++)
    {
        const double *row = pose->m + 4 * i;
        double reach = fabs(row[0]) + fabs(row[1]) + fabs(row[2]), scale = size / (2 * half);
        double lower = floor((row[3] - reach + half) * scale), upper = floor((row[3] + reach + half) * scale);
        box.lower[i] = (int)fmin(fmax(lower, 0), size - 1.0);
        box.upper[i] = (int)fmin(fmax(upper, 0), size - 1.0);
    }
    return box;
}

double lit_count_meeting(const voxel_box *boxes, uint32_t count)
{
    double meeting = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            meeting += voxel_boxes_meet(&boxes[i], &boxes[k]);
    return meeting;
}

/* What a flight costs. */
typedef struct octree_cost
{
    double shares[OCTREE_MOST_LEVELS]; /* of references, by level */
    double ns, visited, bytes;         /* a frame */
    counted_work work;
} octree_cost;

static bool fly(const cage_flight *flight, uint32_t depth, octree_way way, uint32_t hysteresis, octree_cost *out)
{
    fixed_octree tree;
    uint32_t size = 1u << (depth - 1);
    bool done = octree_create(&tree, depth, way, CAGE_BOXES, hysteresis);
    *out = (octree_cost){.ns = 0};
    for (uint32_t i = 0; done && i < CAGE_BOXES; i++)
    {
        voxel_box box = lit_voxels(cage_pose(flight, 0, i), 10, size);
        octree_insert(&tree, i, &box);
    }
    counted_work before = tree.work;
    for (size_t f = 1; done && f < flight->frames; f++)
    {
        double from = lab_cpu_now(), neighbours = 0;
        for (uint32_t i = 0; i < CAGE_BOXES; i++)
        {
            voxel_box box = lit_voxels(cage_pose(flight, f, i), 10, size);
            octree_move(&tree, i, &box);
        }
        for (uint32_t i = 0; i < CAGE_BOXES; i++)
            neighbours += octree_count_neighbours(&tree, i);
        out->ns += (lab_cpu_now() - from) / ((double)flight->frames - 1);
        for (uint32_t level = 0; level < depth; level++)
            out->shares[level] +=
                100 * octree_references(&tree, level) / tree.work.references / ((double)flight->frames - 1);
        out->bytes += octree_bytes(&tree) / ((double)flight->frames - 1);
        done = !tree.work.failed && neighbours == lit_count_meeting(tree.boxes, CAGE_BOXES);
    }
    out->work = tree.work;
    out->work.allocations = (tree.work.allocations - before.allocations) / ((double)flight->frames - 1);
    out->work.reallocations = (tree.work.reallocations - before.reallocations) / ((double)flight->frames - 1);
    out->work.releases = (tree.work.releases - before.releases) / ((double)flight->frames - 1);
    out->visited = (tree.work.visited - before.visited) / ((double)flight->frames - 1);
    octree_destroy(&tree);
    return done;
}

/* References, bytes and allocations. */
static bool measure_memory(lit_run *run, const cage_flight *flight)
{
    bool done = true;
    for (uint32_t depth = 2; done && depth <= 5; depth++)
    {
        octree_cost cost, larger;
        done = fly(flight, depth + 1, OCTREE_DIFFERENCE, 5, &cost) &&
               fly(flight, depth + 1, OCTREE_DIFFERENCE, 10, &larger);
        if (!done)
            break;
        for (uint32_t level = 1; level <= depth; level++)
            lit_measure(run, "000/octree-pointers", cost.shares[level], "depth %u, level %u, %% of pointers",
                        (unsigned)depth, (unsigned)level);
        lit_measure(run, "000/octree-memory", cost.bytes / 1024, "depth %u, kB", (unsigned)depth);
        lit_measure(run, "000/octree-memory", cost.work.allocations, "depth %u, malloc a frame", (unsigned)depth);
        lit_measure(run, "000/octree-memory", cost.work.reallocations, "depth %u, realloc a frame", (unsigned)depth);
        lit_measure(run, "000/octree-memory", cost.work.releases, "depth %u, free a frame", (unsigned)depth);
        if (depth == 2)
            lit_measure(run, "000/octree-memory", cost.work.reallocations / fmax(1e-3, larger.work.reallocations),
                        "reallocs, hysteresis 5 : 10");
    }
    return done;
}

static bool measure_time(lit_run *run, const cage_flight *flight)
{
    static const char *const ways[] = {"naive", "octant arrays", "box difference"};
    bool done = true;
    double references = 0;
    for (uint32_t depth = 2; done && depth <= 5; depth++)
        for (int way = 0; done && way < 3; way++)
        {
            octree_cost cost;
            done = fly(flight, depth + 1, (octree_way)way, 5, &cost);
            references = way == 0 ? cost.work.references : references;
            done = done && cost.work.references == references; /* all ways lead to one tree */
            lit_add(run, "000/octree-time", "the axes of Figs 5.13, 5.14", cost.ns * 1e-3, "depth %u, %s, us a frame",
                    (unsigned)depth, ways[way]);
            lit_add(run, "000/octree-time", "the axes of Figs 5.13, 5.14", cost.visited,
                    "depth %u, %s, octants visited", (unsigned)depth, ways[way]);
        }
    return done;
}

bool lit_octree(lit_run *run)
{
    const graze_mesh *meshes[CAGE_BOXES];
    graze_mesh *box = NULL;
    cage_flight flight;
    bool done = lit_record_boxes(run->quick ? 250 : 1000, &box, meshes, &flight) && measure_memory(run, &flight) &&
                measure_time(run, &flight);
    cage_clear(&flight);
    graze_mesh_destroy(box);
    return done;
}
