/* SPDX-License-Identifier: MIT */
/*
 * Whether a ring crosses itself: sort its edges along one axis and compare those that overlap there. The axis is the
 * one along which the edges are shorter in all, so that few overlap. Stops at the first crossing.
 */
#include "mesh/ring.h"

#include <stdlib.h>

typedef struct ring_edge
{
    double lower[2], upper[2]; /* the sorting axis first */
    uint32_t start;
} ring_edge;

static int compare_edges(const void *a, const void *b)
{
    const ring_edge *p = a, *q = b;
    return (p->lower[0] > q->lower[0]) - (p->lower[0] < q->lower[0]);
}

static bool edges_cross(const grz_ring *ring, uint32_t a, uint32_t c)
{
    uint32_t b = ring->next[a], d = ring->next[c];
    return grz_ring_orient(ring, a, b, c) * grz_ring_orient(ring, a, b, d) < 0 &&
           grz_ring_orient(ring, c, d, a) * grz_ring_orient(ring, c, d, b) < 0;
}

/* Halved, so that sums of lengths of up to 1e308 stay finite for any number of edges it matters for. */
static double half_length(const grz_ring *ring, uint32_t node, int axis)
{
    double a = 0.5 * grz_ring_point(ring, node)[axis], b = 0.5 * grz_ring_point(ring, ring->next[node])[axis];
    return a < b ? b - a : a - b;
}

static int sorting_axis(const grz_ring *ring, uint32_t start)
{
    double sums[2] = {0, 0};
    uint32_t node = start;
    do
    {
        sums[0] += half_length(ring, node, 0);
        sums[1] += half_length(ring, node, 1);
        node = ring->next[node];
    } while (node != start);
    return sums[1] < sums[0];
}

bool grz_ring_find_crossing(const grz_ring *ring, grz_arena *arena, uint32_t start, size_t count, bool *out_crossing)
{
    ring_edge *edges = grz_arena_allocate(arena, count, sizeof *edges);
    if (edges == NULL)
        return false;
    int axis = sorting_axis(ring, start);
    uint32_t node = start;
    for (size_t e = 0; e < count; e++, node = ring->next[node])
    {
        edges[e].start = node;
        for (int i = 0; i < 2; i++)
        {
            double a = grz_ring_point(ring, node)[i ^ axis], b = grz_ring_point(ring, ring->next[node])[i ^ axis];
            edges[e].lower[i] = a < b ? a : b;
            edges[e].upper[i] = a < b ? b : a;
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0; e < count; e++)
        for (size_t f = e + 1; f < count && edges[f].lower[0] < edges[e].upper[0]; f++)
            if (edges[f].lower[1] < edges[e].upper[1] && edges[e].lower[1] < edges[f].upper[1] &&
                edges_cross(ring, edges[e].start, edges[f].start))
            {
                *out_crossing = true;
                return true;
            }
    *out_crossing = false;
    return true;
}
