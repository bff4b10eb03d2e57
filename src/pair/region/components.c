/* SPDX-License-Identifier: MIT */
/*
 * Connected components of welded pieces; see intersection_pieces.h. Pieces that share a point are connected: adjacent
 * pieces have an end or a side in common, whose ends are points of both. Union-find over points.
 */
#include "pair/region/intersection_pieces.h"

/* Union-find with path halving; returns the root. */
static uint32_t find_root(uint32_t *parents, uint32_t point)
{
    while (parents[point] != point)
    {
        parents[point] = parents[parents[point]];
        point = parents[point];
    }
    return point;
}

/* The lower root becomes the parent, so that roots are the lowest points of their components. */
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    uint32_t first = find_root(parents, a), second = find_root(parents, b);
    if (first < second)
        parents[second] = first;
    else
        parents[first] = second;
}

bool grz_pieces_components(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                           grz_region_components *out_components)
{
    size_t point_count = pieces->points.count, count = 0;
    uint32_t *parents = grz_allocate(context, point_count, sizeof *parents);
    uint32_t *component_of = grz_allocate(context, point_count, sizeof *component_of);
    bool enough = parents != NULL && component_of != NULL;
    for (uint32_t p = 0; enough && p < point_count; p++)
        parents[p] = p;
    for (size_t i = 0; enough && i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        for (uint32_t k = 1; k < piece->count; k++)
            join(parents, piece->corners[0], piece->corners[k]);
        enough = grz_monitor_work(monitor, 1);
    }
    for (uint32_t p = 0; enough && p < point_count; p++)
    {
        uint32_t root = find_root(parents, p); /* at most p, so it has its component already unless it is p */
        component_of[p] = root == p ? (uint32_t)count++ : component_of[root];
    }
    grz_release(context, parents);
    if (enough)
        *out_components = (grz_region_components){count, component_of};
    else
        grz_release(context, component_of);
    return enough;
}
