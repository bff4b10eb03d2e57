/* SPDX-License-Identifier: MIT */
/*
 * Whether a ring crosses itself, by a sweep line over the points in order (Shamos and Hoey 1976). The edges that cross
 * the sweep line are ordered from below to above in a treap (Seidel and Aragon 1996); two that cross become neighbours
 * before their crossing at the latest, and every new pair of neighbours is tested. Edges may touch and overlap: as long
 * as none cross, one of two is still nowhere below the other. Ends come before starts at the same point, so that edges
 * in the treap share more than a point of the sweep.
 */
#include <stdlib.h>

#include "mesh/hash.h"
#include "mesh/ring.h"

typedef struct sweep_event
{
    double point[2];
    uint32_t edge; /* identified by the node it leaves */
    bool is_end;
} sweep_event;

/* By node; each edge is its own treap node. */
typedef struct sweep_link
{
    uint32_t parent, child[2]; /* in the treap: below, above */
    uint32_t beside[2];        /* neighbours in the order */
    uint32_t low, high;        /* the ends of the edge, in the order of points */
    uint64_t priority;
} sweep_link;

typedef struct sweep_line
{
    const grz_ring *ring;
    sweep_link *links;
    uint32_t root;
} sweep_line;

static int compare_events(const void *a, const void *b)
{
    const sweep_event *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->point[i] != q->point[i])
            return p->point[i] < q->point[i] ? -1 : 1;
    if (p->is_end != q->is_end)
        return p->is_end ? -1 : 1;
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

static bool edges_cross(const sweep_line *sweep, uint32_t e, uint32_t f)
{
    if (e == GRZ_NO_NODE || f == GRZ_NO_NODE)
        return false;
    const grz_ring *ring = sweep->ring;
    uint32_t a = sweep->links[e].low, b = sweep->links[e].high, c = sweep->links[f].low, d = sweep->links[f].high;
    return grz_ring_orient(ring, a, b, c) * grz_ring_orient(ring, a, b, d) < 0 &&
           grz_ring_orient(ring, c, d, a) * grz_ring_orient(ring, c, d, b) < 0;
}

/* Whether edge e, which starts now, comes above edge f, which is in the treap. */
static bool starts_above(const sweep_line *sweep, uint32_t e, uint32_t f)
{
    const sweep_link *p = &sweep->links[e], *q = &sweep->links[f];
    int side = grz_ring_orient(sweep->ring, q->low, q->high, p->low);
    if (side == 0)
        side = grz_ring_orient(sweep->ring, q->low, q->high, p->high);
    return side != 0 ? side > 0 : e > f;
}

/* Replaces `old` by `child` (or nothing) below its parent. */
static void replace(sweep_line *sweep, uint32_t old, uint32_t child)
{
    sweep_link *links = sweep->links;
    uint32_t parent = links[old].parent;
    if (parent == GRZ_NO_NODE)
        sweep->root = child;
    else
        links[parent].child[links[parent].child[1] == old] = child;
    if (child != GRZ_NO_NODE)
        links[child].parent = parent;
}

/* Rotates an edge up over its parent. */
static void rotate_up(sweep_line *sweep, uint32_t e)
{
    sweep_link *links = sweep->links;
    uint32_t parent = links[e].parent;
    int side = links[parent].child[1] == e;
    uint32_t inner = links[e].child[!side];
    replace(sweep, parent, e);
    links[parent].child[side] = inner;
    if (inner != GRZ_NO_NODE)
        links[inner].parent = parent;
    links[e].child[!side] = parent;
    links[parent].parent = e;
}

static void insert(sweep_line *sweep, uint32_t e)
{
    sweep_link *links = sweep->links, *link = &links[e];
    link->child[0] = link->child[1] = link->beside[0] = link->beside[1] = link->parent = GRZ_NO_NODE;
    if (sweep->root == GRZ_NO_NODE)
    {
        sweep->root = e;
        return;
    }
    uint32_t parent = sweep->root;
    int side = starts_above(sweep, e, parent);
    while (links[parent].child[side] != GRZ_NO_NODE)
    {
        parent = links[parent].child[side];
        side = starts_above(sweep, e, parent);
    }
    link->parent = parent;
    links[parent].child[side] = e;
    link->beside[!side] = parent;
    link->beside[side] = links[parent].beside[side];
    links[parent].beside[side] = e;
    if (link->beside[side] != GRZ_NO_NODE)
        links[link->beside[side]].beside[!side] = e;
    while (link->parent != GRZ_NO_NODE && links[link->parent].priority < link->priority)
        rotate_up(sweep, e);
}

static void take_out(sweep_line *sweep, uint32_t e)
{
    sweep_link *links = sweep->links, *link = &links[e];
    while (link->child[0] != GRZ_NO_NODE && link->child[1] != GRZ_NO_NODE)
        rotate_up(sweep, link->child[links[link->child[1]].priority > links[link->child[0]].priority]);
    replace(sweep, e, link->child[0] != GRZ_NO_NODE ? link->child[0] : link->child[1]);
    for (int side = 0; side < 2; side++)
        if (link->beside[side] != GRZ_NO_NODE)
            links[link->beside[side]].beside[!side] = link->beside[!side];
}

static bool sweep_finds_crossing(sweep_line *sweep, const sweep_event *events, size_t count)
{
    for (size_t i = 0; i < count && grz_ring_may_continue(sweep->ring); i++)
    {
        uint32_t e = events[i].edge;
        const sweep_link *link = &sweep->links[e];
        if (events[i].is_end)
        {
            take_out(sweep, e);
            if (edges_cross(sweep, link->beside[0], link->beside[1]))
                return true;
            continue;
        }
        insert(sweep, e);
        if (edges_cross(sweep, e, link->beside[0]) || edges_cross(sweep, e, link->beside[1]))
            return true;
    }
    return false;
}

bool grz_ring_find_self_intersection(const grz_ring *ring, grz_arena *arena, uint32_t start, size_t count,
                                     bool *out_crossing)
{
    sweep_line sweep = {ring, grz_arena_allocate(arena, ring->node_count, sizeof *sweep.links), GRZ_NO_NODE};
    sweep_event *events = grz_arena_allocate(arena, 2 * count, sizeof *events);
    if (sweep.links == NULL || events == NULL)
        return false;
    uint32_t node = start;
    for (size_t i = 0; i < count; i++, node = ring->next[node])
    {
        sweep_link *link = &sweep.links[node];
        bool forward = grz_ring_compare(ring, node, ring->next[node]) < 0;
        link->low = forward ? node : ring->next[node];
        link->high = forward ? ring->next[node] : node;
        link->priority = grz_hash_mix(0, node);
        const double *low = grz_ring_point(ring, link->low), *high = grz_ring_point(ring, link->high);
        events[2 * i] = (sweep_event){{low[0], low[1]}, node, false};
        events[2 * i + 1] = (sweep_event){{high[0], high[1]}, node, true};
    }
    qsort(events, 2 * count, sizeof *events, compare_events);
    *out_crossing = sweep_finds_crossing(&sweep, events, 2 * count);
    return true;
}
