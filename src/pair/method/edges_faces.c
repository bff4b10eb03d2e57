/* SPDX-License-Identifier: MIT */
/*
 * Edges against faces (G. Zachmann, Exact and fast collision detection, 1994, 3.2): two surfaces meet where an edge of
 * one meets a face of the other, so every edge is tested with every face, both ways, behind three checks: the edge's
 * box with the other body's, the same box with the face's, and before the loop the faces are collected whose boxes meet
 * the other body's box. Faces are triangles here.
 */
#include "mesh/mesh.h"
#include "pair/method/surface_edges.h"
#include "pair/method/table.h"

typedef struct edge_state
{
    grz_surface_edges surface;
} edge_state;

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    (void)parameters;
    edge_state *state = opaque;
    return grz_surface_edges_find(context, mesh, monitor, &state->surface);
}

static void release(void *opaque, const graze_context *context)
{
    grz_surface_edges_release(context, &((edge_state *)opaque)->surface);
}

static size_t memory(const void *opaque)
{
    return grz_surface_edges_memory(&((const edge_state *)opaque)->surface);
}

typedef struct edge_box
{
    double lower[3], upper[3];
} edge_box;

/* One body of a query, in the coordinates of A. */
typedef struct edge_side
{
    const graze_mesh *mesh;
    const edge_state *state;
    const double *points; /* of the vertices, in A's frame */
    double *moved;        /* the same where they had to be computed */
    edge_box *faces;      /* boxes of the collected triangles */
    uint32_t *collected;
    size_t collected_count;
    edge_box bounds;
} edge_side;

static void start_box(edge_box *b)
{
    for (int i = 0; i < 3; i++)
    {
        b->lower[i] = INFINITY;
        b->upper[i] = -INFINITY;
    }
}

static void add_point(edge_box *b, const double p[3])
{
    for (int i = 0; i < 3; i++)
    {
        b->lower[i] = p[i] < b->lower[i] ? p[i] : b->lower[i];
        b->upper[i] = p[i] > b->upper[i] ? p[i] : b->upper[i];
    }
}

static bool meet(const edge_box *a, const edge_box *b, double slack)
{
    for (int i = 0; i < 3; i++)
        if (a->lower[i] > b->upper[i] + slack || b->lower[i] > a->upper[i] + slack)
            return false;
    return true;
}

static const double *point_of(const edge_side *s, uint32_t vertex)
{
    return s->points + 3 * (size_t)vertex;
}

/* Vertices in A's frame, and the edge_box around those that triangles use. */
static bool place(grz_method_query *query, bool is_b, edge_side *s)
{
    s->points = s->mesh->scaled;
    if (is_b)
    {
        s->moved = grz_allocate(query->context, s->mesh->vertex_count, 3 * sizeof(double));
        for (size_t v = 0; s->moved != NULL && v < s->mesh->vertex_count; v++)
            grz_method_place(query, s->mesh->scaled + 3 * v, s->moved + 3 * v);
        s->points = s->moved;
    }
    s->collected = grz_allocate(query->context, s->mesh->triangle_count, sizeof *s->collected);
    s->faces = grz_allocate(query->context, s->mesh->triangle_count, sizeof *s->faces);
    if (s->points == NULL || s->collected == NULL || s->faces == NULL)
        return false;
    start_box(&s->bounds);
    for (size_t i = 0; i < 3 * s->mesh->triangle_count; i++)
        add_point(&s->bounds, point_of(s, s->mesh->triangles[i]));
    return true;
}

/* The faces whose boxes meet the other body's. */
static void collect(grz_method_query *query, edge_side *s, const edge_box *other)
{
    for (size_t t = 0; t < s->mesh->triangle_count; t++)
    {
        edge_box *face = &s->faces[s->collected_count];
        start_box(face);
        for (int corner = 0; corner < 3; corner++)
            add_point(face, point_of(s, s->mesh->triangles[3 * t + (size_t)corner]));
        if (meet(face, other, query->slack))
            s->collected[s->collected_count++] = (uint32_t)t;
        else
            query->counters.check[2]++;
    }
}

static bool test_edges(grz_method_query *query, const edge_side *edges, const edge_side *faces, bool edges_of_b)
{
    for (size_t e = 0; e < edges->state->surface.edge_count && faces->collected_count > 0; e++)
    {
        const grz_surface_edge *edge = &edges->state->surface.edges[e];
        edge_box around;
        start_box(&around);
        add_point(&around, point_of(edges, edge->ends[0]));
        add_point(&around, point_of(edges, edge->ends[1]));
        if (!grz_method_count_volumes(query, 1))
            return false;
        if (!meet(&around, &faces->bounds, query->slack))
        {
            query->counters.check[0]++;
            continue;
        }
        if (!grz_method_count_volumes(query, faces->collected_count))
            return false;
        for (size_t f = 0; f < faces->collected_count; f++)
        {
            if (!meet(&around, &faces->faces[f], query->slack))
                query->counters.check[1]++;
            else if (!grz_test_edge_with_face(query, edges_of_b ? 1 : 0, &edges->state->surface, (uint32_t)e,
                                              faces->collected[f]))
                return false;
        }
    }
    return true;
}

static void run(grz_method_query *query)
{
    edge_side a = {.mesh = query->mesh_a, .state = query->a};
    edge_side b = {.mesh = query->mesh_b, .state = query->b};
    query->once = true;
    if (place(query, false, &a) && place(query, true, &b))
    {
        collect(query, &a, &b.bounds);
        collect(query, &b, &a.bounds);
        if (test_edges(query, &a, &b, false))
            test_edges(query, &b, &a, true);
    }
    else
        query->out_of_memory = true;
    for (int i = 0; i < 2; i++)
    {
        edge_side *s = i == 0 ? &a : &b;
        grz_release(query->context, s->moved);
        grz_release(query->context, s->faces);
        grz_release(query->context, s->collected);
    }
}

const grz_method grz_edges_faces_method = {
    .info = {.name = "edges-faces",
             .summary = "Every edge against every face, behind three checks of boxes.",
             .source = "000 3.2",
             .mesh_class = GRAZE_METHOD_CLASS_FACES,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(edge_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
