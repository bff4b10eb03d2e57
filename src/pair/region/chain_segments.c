/* SPDX-License-Identifier: MIT */
/*
 * Chains segments into polylines; see intersection_pieces.h. The segments form a graph of points; every segment is
 * visited once: first from the points whose degree is not two, in order, then the remaining cycles, each from its
 * lowest point towards the lower neighbour.
 */
#include "pair/region/intersection_pieces.h"

/* An entry of a point's adjacency list: a segment and its other end. */
typedef struct segment_link
{
    uint32_t point, segment;
} segment_link;

typedef struct segment_graph
{
    const graze_context *context;
    grz_monitor *monitor; /* may be NULL */
    size_t point_count, segment_count;
    size_t *starts; /* the links of point p are those from starts[p] to starts[p + 1] */
    segment_link *links;
    bool *walked; /* per segment: whether it is in a chain */
    grz_polylines chains;
} segment_graph;

static bool is_segment(const grz_piece *piece)
{
    return piece->count == 2;
}

/* Builds the adjacency lists. Segments are sorted by their ends, so each list is sorted by the other end. */
static bool make_graph(segment_graph *n, const grz_pieces *pieces)
{
    n->point_count = pieces->points.count;
    for (size_t i = 0; i < pieces->pieces.count; i++)
        n->segment_count += is_segment(&pieces->pieces.data[i]);
    n->starts = grz_allocate_zeroed(n->context, n->point_count + 2, sizeof *n->starts);
    n->links = grz_allocate(n->context, n->segment_count, 2 * sizeof *n->links);
    n->walked = grz_allocate_zeroed(n->context, n->segment_count, sizeof *n->walked);
    if (n->starts == NULL || n->links == NULL || n->walked == NULL)
        return false;
    size_t *next = n->starts + 1; /* next[p] ends as the end of p's list, which is starts[p + 1] */
    for (size_t i = 0; i < pieces->pieces.count; i++)
        for (int k = 0; is_segment(&pieces->pieces.data[i]) && k < 2; k++)
            next[pieces->pieces.data[i].corners[k] + 1]++;
    for (size_t p = 0; p < n->point_count; p++)
        next[p + 1] += next[p];
    uint32_t segment = 0;
    for (size_t i = 0; i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        if (!is_segment(piece))
            continue;
        n->links[next[piece->corners[0]]++] = (segment_link){piece->corners[1], segment};
        n->links[next[piece->corners[1]]++] = (segment_link){piece->corners[0], segment};
        segment++;
    }
    return true;
}

static size_t degree(const segment_graph *n, uint32_t point)
{
    return n->starts[point + 1] - n->starts[point];
}

/* The unvisited one of the two segments of a point of degree two. */
static const segment_link *next_link(const segment_graph *n, uint32_t point)
{
    const segment_link *first = &n->links[n->starts[point]];
    return n->walked[first->segment] ? first + 1 : first;
}

static bool walk(segment_graph *n, uint32_t start, const segment_link *way)
{
    grz_polyline chain = {n->chains.indices.count, 0, false};
    if (!GRZ_PUSH(n->context, &n->chains.indices, start))
        return false;
    for (;;)
    {
        n->walked[way->segment] = true;
        if (!grz_monitor_work(n->monitor, 1))
            return false;
        chain.closed = way->point == start;
        if (!chain.closed && !GRZ_PUSH(n->context, &n->chains.indices, way->point))
            return false;
        if (chain.closed || degree(n, way->point) != 2)
            break;
        way = next_link(n, way->point);
    }
    chain.count = n->chains.indices.count - chain.start;
    return GRZ_PUSH(n->context, &n->chains.chains, chain);
}

/* Makes the chains that start at points of degree two, or at all other points. */
static bool walk_from(segment_graph *n, bool of_degree_two)
{
    for (uint32_t p = 0; p < n->point_count; p++)
    {
        if ((degree(n, p) == 2) != of_degree_two)
            continue;
        for (size_t i = n->starts[p]; i < n->starts[p + 1]; i++)
            if (!n->walked[n->links[i].segment] && !walk(n, p, &n->links[i]))
                return false;
    }
    return true;
}

bool grz_pieces_chain(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                      grz_polylines *out_chains)
{
    segment_graph n = {.context = context, .monitor = monitor};
    bool enough = make_graph(&n, pieces) && walk_from(&n, false) && walk_from(&n, true);
    if (enough)
        *out_chains = n.chains;
    else
        grz_polylines_release(context, &n.chains);
    grz_release(context, n.starts);
    grz_release(context, n.links);
    grz_release(context, n.walked);
    return enough;
}

void grz_polylines_release(const graze_context *context, grz_polylines *chains)
{
    grz_release(context, chains->chains.data);
    grz_release(context, chains->indices.data);
}
