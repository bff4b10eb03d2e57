/* SPDX-License-Identifier: MIT */
/*
 * Rings: closed chains of nodes in the plane, the representation for ear clipping. A node is a corner of the polygon
 * projected along a coordinate axis; bridges to holes add nodes, cutting off an ear removes one and writes a triangle.
 *
 * A ring is clean when no node repeats its neighbour and none is a spike, a turn straight back. Such nodes span
 * triangles without area whatever surrounds them, so they may always be cut off first. Every sign is exact; nodes are
 * ordered by x, then y.
 */
#ifndef GRZ_MESH_RING_H
#define GRZ_MESH_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget_monitor.h"
#include "graze/exact.h"

#define GRZ_NO_NODE UINT32_MAX

typedef struct grz_ring
{
    double *points; /* two each */
    uint32_t *vertices;
    uint32_t *next, *previous;
    uint32_t node_count; /* clipped ones included */
    uint32_t *triangles;
    size_t triangle_count;
    bool irregular;
    grz_monitor *monitor; /* may be NULL; counts every orientation. Loops end early once it has stopped the call */
} grz_ring;

static inline const double *grz_ring_point(const grz_ring *ring, uint32_t node)
{
    return ring->points + 2 * (size_t)node;
}

static inline int grz_ring_orient(const grz_ring *ring, uint32_t a, uint32_t b, uint32_t c)
{
    grz_monitor_exact_tests(ring->monitor, 1);
    return graze_point_orient2d(grz_ring_point(ring, a), grz_ring_point(ring, b), grz_ring_point(ring, c));
}

/* Whether triangulating may go on. If not, what rings contain is meaningless, but chains are closed. */
static inline bool grz_ring_may_continue(const grz_ring *ring)
{
    return grz_monitor_may_continue(ring->monitor);
}

/* The turn at a node: 1 to the left, -1 to the right, 0 for straight on and straight back. */
static inline int grz_ring_turn(const grz_ring *ring, uint32_t node)
{
    return grz_ring_orient(ring, ring->previous[node], node, ring->next[node]);
}

/* -1, 0, 1 by x, then y. */
static inline int grz_ring_compare(const grz_ring *ring, uint32_t a, uint32_t b)
{
    const double *p = grz_ring_point(ring, a), *q = grz_ring_point(ring, b);
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return p[1] == q[1] ? 0 : p[1] < q[1] ? -1 : 1;
}

/* Of a node without turn: whether it lies strictly between its neighbours; if not, it is a repetition or a spike. */
static inline bool grz_ring_is_flat(const grz_ring *ring, uint32_t node)
{
    int before = grz_ring_compare(ring, ring->previous[node], node);
    return before != 0 && before == grz_ring_compare(ring, node, ring->next[node]);
}

/* Appends a copy of a corner, unlinked. */
uint32_t grz_ring_add(grz_ring *ring, uint32_t vertex, const double point[2]);

/* Writes the triangle of a node and its neighbours and unlinks the node. */
void grz_ring_clip(grz_ring *ring, uint32_t node);

/* Clips repetitions and spikes, down to two nodes at worst. Returns a node that remains; updates *count. */
uint32_t grz_ring_clean(grz_ring *ring, uint32_t start, size_t *count);

/* Turning number of a clean chain, counter-clockwise positive: 1 or -1 when it does not cross itself. */
int grz_ring_turning_number(const grz_ring *ring, uint32_t start);

/* The last node in the order by x, then y. */
uint32_t grz_ring_last_node(const grz_ring *ring, uint32_t start);

/* Reverses the direction of a chain. */
void grz_ring_reverse(grz_ring *ring, uint32_t start);

/* Joins two chains by an edge there and back between two nodes, which it duplicates: the copy of `hole` first. */
void grz_ring_join(grz_ring *ring, uint32_t target, uint32_t hole);

/* Joins a clean hole, which runs clockwise, to the counter-clockwise chain of `outer` by a bridge that crosses neither;
 * holes must be joined in falling order of their last nodes. `last` is the hole's. Adds two nodes. Returns whether the
 * joined chain may have to be cleaned. */
bool grz_ring_bridge(grz_ring *ring, uint32_t outer, uint32_t last);

/* Triangulates a counter-clockwise clean chain of `count` nodes, three or more, by ear clipping. False: out of
   memory, or stopped. */
bool grz_ring_clip_ears(grz_ring *ring, grz_arena *arena, uint32_t start, size_t count);

/* Finds whether any two edges of a chain cross in their interiors. False: out of memory. */
bool grz_ring_find_self_intersection(const grz_ring *ring, grz_arena *arena, uint32_t start, size_t count,
                                     bool *out_crossing);

#endif
