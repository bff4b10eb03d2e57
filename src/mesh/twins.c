/* SPDX-License-Identifier: MIT */
/*
 * Finding twins without hashing: half-edges are sorted by their lower vertex, counting, and a table over all vertices
 * then tells which of one lower vertex have the same upper one. All of it is linear, and the table is as small as the
 * mesh has vertices.
 */
#include "mesh/twins.h"

#include "base/memory.h"
#include "mesh/sets.h"

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

/* What runs between the lower vertex at hand and an upper one. */
typedef struct meeting
{
    uint32_t count, first, second;
} meeting;

typedef struct work
{
    const graze_mesh *mesh;
    grz_twins *out;
    uint32_t *starts; /* of the spokes of each merged vertex; one more than there are */
    spoke *spokes;
    meeting *meetings; /* by upper vertex; all zero between two lower ones */
} work;

/* The merged corners of a triangle; false when two of them are the same. */
static inline bool take_corners(const work *w, size_t triangle, uint32_t out[3])
{
    const uint32_t *corners = w->mesh->triangles + 3 * triangle;
    for (int k = 0; k < 3; k++)
        out[k] = w->out->merged[corners[k]];
    return out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

static inline uint32_t lower_of(const uint32_t corners[3], int k)
{
    uint32_t a = corners[k], b = corners[(k + 1) % 3];
    return a < b ? a : b;
}

static void sort_half_edges(const work *w)
{
    size_t vertices = w->out->vertex_count;
    uint32_t corners[3];
    for (size_t t = 0; t < w->mesh->triangle_count; t++)
        for (int k = 0; take_corners(w, t, corners) && k < 3; k++)
            w->starts[lower_of(corners, k) + 1]++;
    for (size_t v = 0; v < vertices; v++)
        w->starts[v + 1] += w->starts[v];
    for (size_t t = w->mesh->triangle_count; t-- > 0;) /* from the end, so that starts end up as they should */
        for (int k = 2; take_corners(w, t, corners) && k >= 0; k--)
        {
            uint32_t a = corners[k], b = corners[(k + 1) % 3];
            w->spokes[--w->starts[(a < b ? a : b) + 1]] = (spoke){a < b ? b : a, (uint32_t)(3 * t + (size_t)k)};
        }
}

/* Afterwards starts[v + 1] is where the spokes of v begin, and end where those of the next vertex do. */
static void match_spokes(const work *w, const spoke *begin, const spoke *end)
{
    grz_twins *out = w->out;
    for (const spoke *s = begin; s < end; s++)
    {
        meeting *m = &w->meetings[s->upper];
        if (m->count == 0)
            m->first = s->half_edge;
        else
            m->second = s->half_edge;
        m->count++;
    }
    for (const spoke *s = begin; s < end; s++)
    {
        meeting *m = &w->meetings[s->upper];
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

static void match_all(const work *w, size_t spoke_count)
{
    grz_twins *out = w->out;
    out->closed = spoke_count > 0;
    out->oriented = true;
    for (size_t h = 0; h < 3 * w->mesh->triangle_count; h++)
        out->twins[h] = GRAZE_NO_HALF_EDGE;
    for (size_t v = 0; v < out->vertex_count; v++)
    {
        size_t end = v + 1 < out->vertex_count ? w->starts[v + 2] : spoke_count;
        match_spokes(w, w->spokes + w->starts[v + 1], w->spokes + end);
    }
}

/* ---- components ---- */

/* `parents` is scratch with room for every merged vertex. */
static void find_components(const work *w, uint32_t *parents)
{
    grz_twins *out = w->out;
    uint32_t corners[3], count = 0;
    for (uint32_t v = 0; v < out->vertex_count; v++)
    {
        parents[v] = v;
        out->components[v] = GRAZE_NO_HALF_EDGE;
    }
    for (size_t t = 0; t < w->mesh->triangle_count; t++)
        if (take_corners(w, t, corners))
        {
            grz_sets_join(parents, corners[0], corners[1]);
            grz_sets_join(parents, corners[1], corners[2]);
        }
    for (size_t c = 0; c < 3 * w->mesh->triangle_count; c++)
    {
        uint32_t vertex = out->merged[w->mesh->triangles[c]];
        if (out->components[vertex] != GRAZE_NO_HALF_EDGE)
            continue;
        uint32_t root = grz_set_root(parents, vertex);
        if (out->components[root] == GRAZE_NO_HALF_EDGE)
            out->components[root] = count++;
        out->components[vertex] = out->components[root];
    }
    out->component_count = count;
}

static bool find_twins(const graze_context *context, work *w)
{
    size_t vertices = w->out->vertex_count, half_edges = 3 * w->mesh->triangle_count;
    w->starts = grz_allocate_zeroed(context, vertices + 2, sizeof *w->starts);
    w->spokes = grz_allocate(context, half_edges, sizeof *w->spokes);
    w->meetings = grz_allocate_zeroed(context, vertices, sizeof *w->meetings);
    bool enough = w->starts != NULL && w->spokes != NULL && w->meetings != NULL;
    if (enough)
    {
        size_t spoke_count = 0;
        uint32_t corners[3];
        for (size_t t = 0; t < w->mesh->triangle_count; t++)
            spoke_count += take_corners(w, t, corners) ? 3 : 0;
        sort_half_edges(w);
        match_all(w, spoke_count);
        find_components(w, w->starts); /* which are not needed any more */
    }
    grz_release(context, w->starts);
    grz_release(context, w->spokes);
    grz_release(context, w->meetings);
    return enough;
}

graze_status grz_twins_make(const graze_context *context, const graze_mesh *mesh, grz_twins *out_twins)
{
    grz_twins twins = {0};
    work w = {.mesh = mesh, .out = &twins};
    twins.merged = grz_allocate(context, mesh->vertex_count, sizeof *twins.merged);
    twins.mesh_vertex = grz_allocate(context, mesh->vertex_count, sizeof *twins.mesh_vertex);
    twins.twins = grz_allocate(context, 3 * mesh->triangle_count, sizeof *twins.twins);
    twins.components = grz_allocate(context, mesh->vertex_count, sizeof *twins.components);
    bool enough = twins.merged != NULL && twins.mesh_vertex != NULL && twins.twins != NULL &&
                  twins.components != NULL &&
                  grz_merge_vertices(context, mesh, twins.merged, twins.mesh_vertex, &twins.vertex_count) &&
                  find_twins(context, &w);
    if (!enough)
    {
        grz_twins_release(context, &twins);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_twins = twins;
    return GRAZE_STATUS_OK;
}
