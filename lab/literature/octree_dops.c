/* SPDX-License-Identifier: MIT */
/*
 * 000 5.6: octrees of fixed depth over the same flying boxes as octree.c, of which each is a k-dop, by k. The thesis
 * did not implement them and hoped for shallower trees of the same resolution. Every 25th frame the pairs are compared:
 * those of the tree with those that a comparison of every dop with every lowest octant gives, as sets; and of the pairs
 * whose dops overlap on all axes, all that have a point in common must be among them.
 */
#include "literature/boxes_in_cage.h"
#include "literature/dop_octree.h"
#include "literature/literature.h"
#include "timing.h"

enum
{
    FRAMES_A_CHECK = 25,
    MOST_TWIN_LEVELS = 4 /* of 512 lowest octants; more take too long */
};

/* What a flight costs a frame. */
typedef struct dop_cost
{
    double ns, pairs, left; /* pairs that share an octant, and of these those whose dops overlap */
    double visited, references, bytes, allocations;
} dop_cost;

typedef struct dop_flight
{
    const cage_flight *flight;
    dop_octree tree;
    bool shared[CAGE_BOXES][CAGE_BOXES];
    double apart; /* pairs that overlap on all axes, share no octant, and were seen to have no point in common */
} dop_flight;

static bool check_pairs(dop_flight *d)
{
    const dop_octree *tree = &d->tree;
    for (uint32_t a = 0; a < CAGE_BOXES; a++)
        for (uint32_t b = a + 1; b < CAGE_BOXES; b++)
        {
            const axis_dop *dops[2] = {&tree->dops[a], &tree->dops[b]};
            if (d->shared[a][b] != d->shared[b][a] ||
                (tree->depth <= MOST_TWIN_LEVELS && d->shared[a][b] != dop_octree_is_shared(tree, a, b)))
                return false;
            if (d->shared[a][b] || !dops_overlap(&tree->axes, dops[0], dops[1]))
                continue;
            if (tree->axes.count == 3 || dops_share_point(&tree->axes, dops[0], dops[1]))
                return false;
            d->apart++;
        }
    return true;
}

static void find_shared(dop_flight *d)
{
    for (uint32_t i = 0; i < CAGE_BOXES; i++)
    {
        for (uint32_t k = 0; k < CAGE_BOXES; k++)
            d->shared[i][k] = false;
        dop_octree_mark_neighbours(&d->tree, i, d->shared[i]);
    }
}

/* Inserts all boxes, the first five times as large for a check: it covers octants that others lie in. */
static bool start(dop_flight *d)
{
    graze_pose large = *cage_pose(d->flight, 0, 0);
    for (int i = 0; i < 12; i++)
        large.m[i] *= i % 4 == 3 ? 0 : 5;
    for (uint32_t i = 0; i < CAGE_BOXES; i++)
    {
        axis_dop dop = dop_around(&d->tree.axes, d->flight->meshes[i], i == 0 ? &large : cage_pose(d->flight, 0, i));
        dop_octree_insert(&d->tree, i, &dop);
    }
    find_shared(d);
    return check_pairs(d);
}

static bool fly(dop_flight *d, dop_cost *out)
{
    dop_octree *tree = &d->tree;
    const cage_flight *flight = d->flight;
    double moves = (double)flight->frames - 1;
    bool done = start(d);
    counted_work before = tree->work;
    for (size_t f = 1; done && f < flight->frames; f++)
    {
        double from = lab_cpu_now();
        for (uint32_t i = 0; i < CAGE_BOXES; i++)
        {
            axis_dop dop = dop_around(&tree->axes, flight->meshes[i], cage_pose(flight, f, i));
            dop_octree_move(tree, i, &dop);
        }
        find_shared(d);
        out->ns += (lab_cpu_now() - from) / moves;
        for (uint32_t a = 0; a < CAGE_BOXES; a++)
            for (uint32_t b = a + 1; b < CAGE_BOXES; b++)
            {
                out->pairs += d->shared[a][b] / moves;
                out->left += (d->shared[a][b] && dops_overlap(&tree->axes, &tree->dops[a], &tree->dops[b])) / moves;
            }
        out->references += tree->work.references / moves;
        out->bytes += dop_octree_bytes(tree) / moves;
        done = !tree->work.failed && (f % FRAMES_A_CHECK != 1 || check_pairs(d));
    }
    out->visited = (tree->work.visited - before.visited) / moves;
    out->allocations = (tree->work.allocations - before.allocations) / moves;
    return done;
}

static void add_rows(lit_run *run, int k, uint32_t depth, const dop_cost *cost)
{
    static const char *const id = "000/octree-dops", *const note = "5.6, which the thesis did not implement";
    lit_add(run, id, note, cost->ns * 1e-3, "depth %u, %d-dop, us a frame", (unsigned)depth, k);
    lit_add(run, id, note, cost->pairs, "depth %u, %d-dop, pairs of an octant", (unsigned)depth, k);
    lit_add(run, id, note, cost->left, "depth %u, %d-dop, pairs that overlap, too", (unsigned)depth, k);
    lit_add(run, id, note, cost->references, "depth %u, %d-dop, pointers", (unsigned)depth, k);
    lit_add(run, id, note, cost->allocations, "depth %u, %d-dop, malloc a frame", (unsigned)depth, k);
    lit_add(run, id, note, cost->bytes / 1024, "depth %u, %d-dop, kB", (unsigned)depth, k);
    lit_add(run, id, note, cost->visited, "depth %u, %d-dop, octants visited", (unsigned)depth, k);
}

bool lit_octree_dops(lit_run *run)
{
    static const int kinds[] = {6, 14, 18, 26};
    const graze_mesh *meshes[CAGE_BOXES];
    graze_mesh *box = NULL;
    cage_flight flight;
    double apart = 0;
    bool done = lit_record_boxes(run->quick ? 52 : 502, &box, meshes, &flight);
    for (uint32_t depth = 2; done && depth <= 5; depth++)
        for (int i = 0; done && i < 4; i++)
        {
            dop_flight d = {.flight = &flight};
            dop_cost cost = {.ns = 0};
            /* A corner of a box is sqrt(3) from its origin, which is at most 9 from the centre on each axis. */
            done = dop_octree_create(&d.tree, kinds[i], depth + 1, 11, CAGE_BOXES, 5) && fly(&d, &cost);
            add_rows(run, kinds[i], depth, &cost);
            apart += d.apart;
            dop_octree_destroy(&d.tree);
        }
    lit_add(run, "000/octree-dops", "all trees; a gap that no axis shows", apart, "pairs without an octant or a point");
    cage_clear(&flight);
    graze_mesh_destroy(box);
    return done;
}
