/* SPDX-License-Identifier: MIT */
/*
 * Segments chained to curves; see pieces.h. Every segment is walked once: first from the points where other than two
 * segments meet, in order, then what is left, which are rings, each from its lowest point towards the lower neighbour.
 */
#include "pair/pieces.h"

/* One end of a segment, seen from its other end. */
typedef struct link
{
    uint32_t point, segment;
} link;

typedef struct net
{
    const graze_context *context;
    grz_watch *watch; /* may be NULL */
    size_t point_count, segment_count;
    size_t *starts; /* the links of point p are those from starts[p] to starts[p + 1] */
    link *links;
    bool *walked; /* segments */
    grz_chains chains;
} net;

static bool is_segment(const grz_piece *piece)
{
    return piece->count == 2;
}

/* Links in order of the segments, which are in order of their ends: so each point's are in order too. */
static bool make_net(net *n, const grz_pieces *pieces)
{
    n->point_count = pieces->points.count;
    for (size_t i = 0; i < pieces->pieces.count; i++)
        n->segment_count += is_segment(&pieces->pieces.data[i]);
    n->starts = grz_allocate_zeroed(n->context, n->point_count + 2, sizeof *n->starts);
    n->links = grz_allocate(n->context, n->segment_count, 2 * sizeof *n->links);
    n->walked = grz_allocate_zeroed(n->context, n->segment_count, sizeof *n->walked);
    if (n->starts == NULL || n->links == NULL || n->walked == NULL)
        return false;
    size_t *next = n->starts + 1; /* moves on to be the starts once all links are in place */
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
        n->links[next[piece->corners[0]]++] = (link){piece->corners[1], segment};
        n->links[next[piece->corners[1]]++] = (link){piece->corners[0], segment};
        segment++;
    }
    return true;
}

static size_t degree(const net *n, uint32_t point)
{
    return n->starts[point + 1] - n->starts[point];
}

/* The way on from a point of two segments, one of which was walked. */
static const link *way_on(const net *n, uint32_t point)
{
    const link *first = &n->links[n->starts[point]];
    return n->walked[first->segment] ? first + 1 : first;
}

static bool walk(net *n, uint32_t start, const link *way)
{
    grz_chain chain = {n->chains.places.count, 0, false};
    if (!GRZ_PUSH(n->context, &n->chains.places, start))
        return false;
    for (;;)
    {
        n->walked[way->segment] = true;
        if (!grz_watch_work(n->watch, 1))
            return false;
        chain.closed = way->point == start;
        if (!chain.closed && !GRZ_PUSH(n->context, &n->chains.places, way->point))
            return false;
        if (chain.closed || degree(n, way->point) != 2)
            break;
        way = way_on(n, way->point);
    }
    chain.count = n->chains.places.count - chain.start;
    return GRZ_PUSH(n->context, &n->chains.chains, chain);
}

/* Walks all that begins at points of two segments, or at all others. */
static bool walk_from(net *n, bool at_passages)
{
    for (uint32_t p = 0; p < n->point_count; p++)
    {
        if ((degree(n, p) == 2) != at_passages)
            continue;
        for (size_t i = n->starts[p]; i < n->starts[p + 1]; i++)
            if (!n->walked[n->links[i].segment] && !walk(n, p, &n->links[i]))
                return false;
    }
    return true;
}

bool grz_pieces_chain(const graze_context *context, const grz_pieces *pieces, grz_watch *watch, grz_chains *out_chains)
{
    net n = {.context = context, .watch = watch};
    bool enough = make_net(&n, pieces) && walk_from(&n, false) && walk_from(&n, true);
    if (enough)
        *out_chains = n.chains;
    else
        grz_chains_release(context, &n.chains);
    grz_release(context, n.starts);
    grz_release(context, n.links);
    grz_release(context, n.walked);
    return enough;
}

void grz_chains_release(const graze_context *context, grz_chains *chains)
{
    grz_release(context, chains->chains.data);
    grz_release(context, chains->places.data);
}
