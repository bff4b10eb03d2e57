/* SPDX-License-Identifier: MIT */
/*
 * Finding twins without hashing. At first every vertex has a list of the edges whose lower vertex it is, the last one
 * found first: three of them on average, and neighbouring triangles mostly follow soon after one another. Where an edge
 * has more than two half-edges, or that takes too many steps, since vertices have thousands of edges, half-edges are
 * sorted by their lower vertex (counting sort), and a table over all vertices then finds those of one lower vertex with
 * the same upper one. That is linear, and takes twice as long.
 */
#include "mesh/twins.h"

#include <string.h>

#include "base/memory.h"
#include "mesh/union_find.h"

void grz_twins_release(const graze_context *context, grz_twins *twins)
{
    grz_release(context, twins->merged);
    grz_release(context, twins->mesh_vertex);
    grz_release(context, twins->twins);
    grz_release(context, twins->components);
}

/* A half-edge under its lower vertex. */
typedef struct spoke
{
    uint32_t upper; /* its other vertex */
    uint32_t half_edge;
} spoke;

/* An edge in the list of its lower vertex. */
typedef struct listed_edge
{
    uint32_t upper, next;
    uint32_t first, second; /* half-edges; or NONE_UP, NONE_DOWN instead of the second */
} listed_edge;

/* Half-edges are fewer than 2^32 - 2. */
#define NO_EDGE UINT32_MAX
#define NONE_UP UINT32_MAX         /* no second one; the first runs up, to the upper vertex, */
#define NONE_DOWN (UINT32_MAX - 1) /* or down */

enum
{
    MOST_STEPS = 8 /* along lists, for each half-edge */
};

/* Half-edges between the current lower vertex and an upper one. */
typedef struct edge_use
{
    uint32_t count, first, second;
} edge_use;

typedef struct twin_search
{
    const graze_mesh *mesh;
    grz_monitor *monitor; /* may be NULL */
    grz_twins *out;
    uint32_t *starts; /* of the spokes of each merged vertex; one more than there are */
    spoke *spokes;
    edge_use *edge_uses; /* by upper vertex; all zero between two lower ones */
} twin_search;

/* The merged corners of a triangle; false when two of them are the same. */
static inline bool take_corners(const twin_search *w, size_t triangle, uint32_t out[3])
{
    const uint32_t *corners = w->mesh->triangles + 3 * triangle;
    for (int k = 0; k < 3; k++)
        out[k] = w->out->merged[corners[k]];
    return out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

static void forget_twins(const twin_search *w)
{
    for (size_t h = 0; h < 3 * w->mesh->triangle_count; h++)
        w->out->twins[h] = GRAZE_NO_HALF_EDGE;
}

/* ---- by lists ---- */

typedef struct lists
{
    uint32_t *heads; /* by vertex: an edge, or NO_EDGE */
    listed_edge *edges;
    uint32_t count, complete; /* edges; those with two half-edges */
} lists;

/* The second half-edge of an edge; false when it has two. */
static bool complete(grz_twins *out, lists *l, listed_edge *e, uint32_t half_edge, bool down)
{
    if (e->second < NONE_DOWN)
        return false;
    out->oriented = out->oriented && (e->second == NONE_DOWN) != down;
    out->twins[e->first] = half_edge;
    out->twins[half_edge] = e->first;
    e->second = half_edge;
    l->complete++;
    return true;
}

/* Takes a half-edge from a to b; false when lists do not suffice. */
static inline bool add_half_edge(const twin_search *w, lists *l, uint32_t a, uint32_t b, uint32_t half_edge,
                                 size_t *steps)
{
    uint32_t lower = a < b ? a : b, upper = a < b ? b : a, first = l->heads[lower], e = first;
    for (; e != NO_EDGE && l->edges[e].upper != upper; e = l->edges[e].next)
        ++*steps;
    if (e != NO_EDGE)
        return complete(w->out, l, &l->edges[e], half_edge, a > b);
    l->edges[l->count] = (listed_edge){upper, first, half_edge, a > b ? NONE_DOWN : NONE_UP};
    l->heads[lower] = l->count++;
    return true;
}

static bool match_block(const twin_search *w, lists *l, size_t begin, size_t end, size_t *steps)
{
    size_t most_steps = MOST_STEPS * 3 * w->mesh->triangle_count;
    uint32_t c[3];
    for (size_t t = begin; t < end; t++)
    {
        uint32_t first = (uint32_t)(3 * t);
        if (!take_corners(w, t, c))
            continue;
        if (!add_half_edge(w, l, c[0], c[1], first, steps) || !add_half_edge(w, l, c[1], c[2], first + 1, steps) ||
            !add_half_edge(w, l, c[2], c[0], first + 2, steps) || *steps > most_steps)
            return false;
    }
    return true;
}

static bool match_in_lists(const twin_search *w, lists *l)
{
    size_t steps = 0, first, end = 0;
    while (grz_monitor_block(w->monitor, w->mesh->triangle_count, &first, &end))
        if (!match_block(w, l, first, end, &steps))
            return false;
    return grz_monitor_may_continue(w->monitor);
}

static bool match_quickly(const twin_search *w, lists *l)
{
    grz_twins *out = w->out;
    out->oriented = true;
    forget_twins(w);
    for (size_t v = 0; v < out->vertex_count; v++)
        l->heads[v] = NO_EDGE;
    /* shortcut: twin-lists */
    bool done = match_in_lists(w, l);
    out->closed = l->count > 0 && l->complete == l->count;
    return done;
}

/* ---- by sorting ---- */

static inline uint32_t lower_of(const uint32_t corners[3], int k)
{
    uint32_t a = corners[k], b = corners[(k + 1) % 3];
    return a < b ? a : b;
}

static void sort_half_edges(const twin_search *w)
{
    size_t vertices = w->out->vertex_count;
    uint32_t corners[3];
    for (size_t t = 0; t < w->mesh->triangle_count && grz_monitor_elements(w->monitor, 1); t++)
        for (int k = 0; take_corners(w, t, corners) && k < 3; k++)
            w->starts[lower_of(corners, k) + 1]++;
    if (!grz_monitor_may_continue(w->monitor))
        return;
    for (size_t v = 0; v < vertices; v++)
        w->starts[v + 1] += w->starts[v];
    for (size_t t = w->mesh->triangle_count; t-- > 0;) /* from the end, so that starts end up at the beginnings */
        for (int k = 2; take_corners(w, t, corners) && k >= 0; k--)
        {
            uint32_t a = corners[k], b = corners[(k + 1) % 3];
            w->spokes[--w->starts[(a < b ? a : b) + 1]] = (spoke){a < b ? b : a, (uint32_t)(3 * t + (size_t)k)};
        }
}

/* Afterwards starts[v + 1] is where the spokes of v begin; they end where those of the next vertex begin. */
static void match_spokes(const twin_search *w, const spoke *begin, const spoke *end)
{
    grz_twins *out = w->out;
    for (const spoke *s = begin; s < end; s++)
    {
        edge_use *m = &w->edge_uses[s->upper];
        if (m->count == 0)
            m->first = s->half_edge;
        else
            m->second = s->half_edge;
        m->count++;
    }
    for (const spoke *s = begin; s < end; s++)
    {
        edge_use *m = &w->edge_uses[s->upper];
        if (m->count == 0)
            continue;
        out->closed = out->closed && m->count == 2;
        if (m->count == 2)
        {
            const uint32_t *corners = w->mesh->triangles;
            out->twins[m->first] = m->second;
            out->twins[m->second] = m->first;
            out->oriented = out->oriented && out->merged[corners[m->first]] != out->merged[corners[m->second]];
        }
        m->count = 0;
    }
}

static void match_all(const twin_search *w)
{
    grz_twins *out = w->out;
    size_t spoke_count = 0;
    uint32_t corners[3];
    for (size_t t = 0; t < w->mesh->triangle_count; t++)
        spoke_count += take_corners(w, t, corners) ? 3 : 0;
    out->closed = spoke_count > 0;
    out->oriented = true;
    forget_twins(w);
    for (size_t v = 0; v < out->vertex_count && grz_monitor_elements(w->monitor, 1); v++)
    {
        size_t end = v + 1 < out->vertex_count ? w->starts[v + 2] : spoke_count;
        match_spokes(w, w->spokes + w->starts[v + 1], w->spokes + end);
    }
}

/* ---- components ---- */

/* Neighbours mostly are of one set, and stand right below its smallest. Gives how many sets were joined to others. */
static size_t join_block(const twin_search *w, uint32_t *parents, size_t first, size_t end)
{
    size_t joined = 0;
    uint32_t corners[3];
    for (size_t t = first; t < end; t++)
        if (take_corners(w, t, corners))
        {
            if (parents[corners[0]] != parents[corners[1]])
                joined += grz_union_find_join(parents, corners[0], corners[1]);
            if (parents[corners[1]] != parents[corners[2]])
                joined += grz_union_find_join(parents, corners[1], corners[2]);
        }
    return joined;
}

/* Numbers the components of the corners of a block of triangles. Gives the number of components by then. */
static uint32_t number_block(const twin_search *w, uint32_t *parents, size_t first, size_t end, uint32_t count)
{
    grz_twins *out = w->out;
    for (size_t c = 3 * first; c < 3 * end; c++)
    {
        uint32_t vertex = out->merged[w->mesh->triangles[c]];
        if (out->components[vertex] != GRAZE_NO_HALF_EDGE)
            continue;
        uint32_t root = grz_union_find_root(parents, vertex);
        if (out->components[root] == GRAZE_NO_HALF_EDGE)
            out->components[root] = count++;
        out->components[vertex] = out->components[root];
    }
    return count;
}

/* `parents` is scratch with room for every merged vertex. */
static void find_components(const twin_search *w, uint32_t *parents)
{
    grz_twins *out = w->out;
    for (uint32_t v = 0; v < out->vertex_count; v++)
        parents[v] = v;
    uint32_t count = 0;
    size_t first, end = 0, joined = 0;
    while (grz_monitor_block(w->monitor, w->mesh->triangle_count, &first, &end))
        joined += join_block(w, parents, first, end);
    /* All vertices are in one set, as mostly: it has the number 0, whatever the order of the corners. */
    bool connected = joined > 0 && joined + 1 == out->vertex_count;
    memset(out->components, connected ? 0 : 0xff, out->vertex_count * sizeof *out->components); /* GRAZE_NO_HALF_EDGE */
    end = 0;
    while (!connected && grz_monitor_block(w->monitor, w->mesh->triangle_count, &first, &end))
        count = number_block(w, parents, first, end, count);
    out->component_count = connected ? 1 : count;
}

/* The slow method; w->starts has room for two more than there are merged vertices. */
static bool sort_and_match(const graze_context *context, twin_search *w)
{
    size_t vertices = w->out->vertex_count, half_edges = 3 * w->mesh->triangle_count;
    w->spokes = grz_allocate(context, half_edges, sizeof *w->spokes);
    w->edge_uses = grz_allocate_zeroed(context, vertices, sizeof *w->edge_uses);
    bool enough = w->spokes != NULL && w->edge_uses != NULL;
    if (enough)
    {
        memset(w->starts, 0, (vertices + 2) * sizeof *w->starts);
        sort_half_edges(w);
        if (grz_monitor_may_continue(w->monitor))
            match_all(w);
    }
    grz_release(context, w->spokes);
    grz_release(context, w->edge_uses);
    return enough;
}

static bool find_twins(const graze_context *context, twin_search *w)
{
    lists l = {.edges = grz_allocate(context, 3 * w->mesh->triangle_count, sizeof *l.edges)};
    w->starts = grz_allocate(context, w->out->vertex_count + 2, sizeof *w->starts);
    l.heads = w->starts;
    bool enough = w->starts != NULL && l.edges != NULL;
    grz_monitor_pass(w->monitor, 0.3);
    if (enough && !match_quickly(w, &l))
        enough = grz_monitor_may_continue(w->monitor) && sort_and_match(context, w);
    grz_monitor_pass(w->monitor, 0.7);
    enough = enough && grz_monitor_may_continue(w->monitor);
    if (enough)
        find_components(w, w->starts); /* which is no longer needed */
    grz_release(context, w->starts);
    grz_release(context, l.edges);
    return enough && grz_monitor_may_continue(w->monitor);
}

graze_status grz_twins_make(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                            grz_twins *out_twins)
{
    grz_twins twins = {0};
    twin_search w = {.mesh = mesh, .monitor = monitor, .out = &twins};
    twins.merged = grz_allocate(context, mesh->vertex_count, sizeof *twins.merged);
    twins.mesh_vertex = grz_allocate(context, mesh->vertex_count, sizeof *twins.mesh_vertex);
    twins.twins = grz_allocate(context, 3 * mesh->triangle_count, sizeof *twins.twins);
    twins.components = grz_allocate(context, mesh->vertex_count, sizeof *twins.components);
    bool enough = twins.merged != NULL && twins.mesh_vertex != NULL && twins.twins != NULL &&
                  twins.components != NULL &&
                  grz_merge_vertices(context, mesh, monitor, twins.merged, twins.mesh_vertex, &twins.vertex_count) &&
                  find_twins(context, &w);
    if (!enough)
    {
        grz_twins_release(context, &twins);
        return grz_monitor_or_memory(monitor);
    }
    *out_twins = twins;
    return GRAZE_STATUS_OK;
}
