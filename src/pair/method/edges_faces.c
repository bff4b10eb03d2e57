/* SPDX-License-Identifier: MIT */
/*
 * Edges against faces (G. Zachmann, Exact and fast collision detection, 1994, 3.2): two surfaces meet where an edge of
 * one meets a face of the other, so every edge is tested with every face, both ways, behind three checks, of which the
 * parameters can take the last ones away: (1) the edge's box with the other body's; (2) the same box with the face's,
 * which is made when it is first needed; (3) before the loop the faces are collected whose boxes meet the other body's.
 * Faces are flat polygons, and the triangles of others.
 *
 * `edges-faces-relaxed` (3.2.1) collects the faces around those vertices that lie in the other body's box instead: a
 * face that only passes through the box is missed. `edges-faces-boxes` stops after the checks: an edge and a face whose
 * boxes meet count as a hit.
 */
#include "graze/topology.h"
#include "mesh/mesh.h"
#include "pair/method/surface_edges.h"
#include "pair/method/table.h"

typedef struct edge_state
{
    grz_surface_edges surface;
    graze_pre_checks checks;
    graze_edges_of edges_of;
    uint32_t *around, *around_starts; /* the faces at each vertex, of the relaxed method */
} edge_state;

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    edge_state *state = opaque;
    state->checks = parameters->pre_checks;
    state->edges_of = parameters->edges_of;
    return grz_surface_edges_find(context, mesh, true, monitor, &state->surface);
}

/* Lists the faces at each vertex, as often as their triangles have it. */
static bool list_around(const graze_context *context, edge_state *state)
{
    const grz_surface_edges *surface = &state->surface;
    const graze_mesh *mesh = surface->mesh;
    size_t count = 3 * mesh->triangle_count;
    state->around_starts = grz_allocate_zeroed(context, mesh->vertex_count + 2, sizeof *state->around_starts);
    state->around = grz_allocate(context, count, sizeof *state->around);
    if (state->around_starts == NULL || state->around == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        state->around_starts[mesh->triangles[i] + 2]++;
    for (size_t v = 2; v < mesh->vertex_count + 2; v++)
        state->around_starts[v] += state->around_starts[v - 1];
    for (size_t f = 0; f < surface->face_count; f++)
        for (size_t i = 3 * (size_t)surface->starts[f]; i < 3 * (size_t)surface->starts[f + 1]; i++)
            state->around[state->around_starts[mesh->triangles[i] + 1]++] = (uint32_t)f;
    return true;
}

static graze_status prepare_relaxed(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                    const graze_method_parameters *parameters, grz_monitor *monitor)
{
    edge_state *state = opaque;
    graze_mesh_facts facts;
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_examine(context, mesh, NULL, &budget, &facts);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_OK && !(facts.closed && facts.manifold && facts.nonmanifold_vertices == 0))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    if (status == GRAZE_STATUS_OK)
        status = prepare(opaque, context, mesh, parameters, monitor);
    if (status == GRAZE_STATUS_OK && !list_around(context, state))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    return status;
}

static void release(void *opaque, const graze_context *context)
{
    edge_state *state = opaque;
    grz_surface_edges_release(context, &state->surface);
    grz_release(context, state->around);
    grz_release(context, state->around_starts);
    state->around = state->around_starts = NULL;
}

static size_t memory(const void *opaque)
{
    const edge_state *state = opaque;
    size_t size = grz_surface_edges_memory(&state->surface);
    if (state->around != NULL)
        size += (3 * state->surface.mesh->triangle_count + state->surface.mesh->vertex_count + 2) * sizeof(uint32_t);
    return size;
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
    double *moved;        /* the same where they had to be computed: of B */
    uint32_t *collected;  /* faces */
    size_t collected_count;
    edge_box *boxes; /* of the collected faces, where made */
    bool *made;      /* NULL: all */
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

static edge_box box_of_face(const edge_side *s, uint32_t face)
{
    size_t count;
    const uint32_t *corners = grz_surface_face_corners(&s->state->surface, face, &count);
    edge_box box;
    start_box(&box);
    for (size_t i = 0; i < count; i++)
        add_point(&box, point_of(s, corners[i]));
    return box;
}

/* Vertices in A's frame, and the box around those that triangles use. */
static bool place(grz_method_query *query, bool is_b, bool lazy, edge_side *s)
{
    s->points = s->mesh->scaled;
    if (is_b)
    {
        s->moved = grz_allocate(query->context, s->mesh->vertex_count, 3 * sizeof(double));
        for (size_t v = 0; s->moved != NULL && v < s->mesh->vertex_count; v++)
            grz_method_place(query, s->mesh->scaled + 3 * v, s->moved + 3 * v);
        s->points = s->moved;
    }
    size_t faces = s->state->surface.face_count;
    s->collected = grz_allocate(query->context, faces, sizeof *s->collected);
    s->boxes = grz_allocate(query->context, faces, sizeof *s->boxes);
    if (lazy)
        s->made = grz_allocate_zeroed(query->context, faces, sizeof *s->made);
    if (s->points == NULL || s->collected == NULL || s->boxes == NULL || (lazy && s->made == NULL))
        return false;
    start_box(&s->bounds);
    for (size_t i = 0; i < 3 * s->mesh->triangle_count; i++)
        add_point(&s->bounds, point_of(s, s->mesh->triangles[i]));
    return true;
}

/* The faces whose boxes meet the other body's; all of them without that check. */
static void collect(grz_method_query *query, edge_side *s, const edge_box *other)
{
    bool check = s->state->checks == GRAZE_PRE_CHECKS_ALL;
    for (size_t f = 0; f < s->state->surface.face_count; f++)
    {
        if (check)
            s->boxes[s->collected_count] = box_of_face(s, (uint32_t)f);
        if (!check || meet(&s->boxes[s->collected_count], other, query->slack))
            s->collected[s->collected_count++] = (uint32_t)f;
        else
            query->counters.check[2]++;
    }
}

/* The faces around vertices in the other body's box. False when out of memory. */
static bool collect_relaxed(grz_method_query *query, edge_side *s, const edge_box *other)
{
    const edge_state *state = s->state;
    bool *listed = grz_allocate_zeroed(query->context, state->surface.face_count, sizeof *listed);
    for (size_t v = 0; listed != NULL && v < s->mesh->vertex_count; v++)
    {
        edge_box point;
        start_box(&point);
        add_point(&point, point_of(s, (uint32_t)v));
        query->counters.vertices++;
        if (!meet(&point, other, query->slack))
            continue;
        for (uint32_t i = state->around_starts[v]; i < state->around_starts[v + 1]; i++)
            if (!listed[state->around[i]])
            {
                listed[state->around[i]] = true;
                s->collected[s->collected_count++] = state->around[i];
            }
    }
    query->counters.check[2] += state->surface.face_count - s->collected_count;
    bool done = listed != NULL;
    grz_release(query->context, listed);
    return done;
}

/* Whether the box of an edge meets that of the f-th collected face. */
static inline bool meets_face(edge_side *faces, size_t f, const edge_box *around, double slack)
{
    if (faces->made != NULL && !faces->made[f])
    {
        faces->boxes[f] = box_of_face(faces, faces->collected[f]);
        faces->made[f] = true;
    }
    return meet(around, &faces->boxes[f], slack);
}

/* An edge with the collected faces. False when the query is over. */
static bool test_edge(grz_method_query *query, const edge_side *edges, edge_side *faces, uint32_t edge, bool boxes_only)
{
    graze_pre_checks checks = faces->state->checks;
    const grz_surface_edge *tested = &edges->state->surface.edges[edge];
    edge_box around;
    start_box(&around);
    add_point(&around, point_of(edges, tested->ends[0]));
    add_point(&around, point_of(edges, tested->ends[1]));
    if (!grz_method_count_volumes(query, 1))
        return false;
    if (checks != GRAZE_PRE_CHECKS_NONE && !meet(&around, &faces->bounds, query->slack))
    {
        query->counters.check[0]++;
        return true;
    }
    bool check_faces = checks == GRAZE_PRE_CHECKS_ALL || checks == GRAZE_PRE_CHECKS_FACE_BOX;
    if (!grz_method_count_volumes(query, check_faces ? faces->collected_count : 0))
        return false;
    for (size_t f = 0; f < faces->collected_count; f++)
        if (check_faces && !meets_face(faces, f, &around, query->slack))
            query->counters.check[1]++;
        else if (boxes_only && query->first_only)
        {
            query->guess = GRAZE_VERDICT_YES;
            return false;
        }
        else if (!grz_test_edge_with_face(query, edges->moved == NULL ? 0 : 1, &edges->state->surface, edge,
                                          &faces->state->surface, faces->collected[f]))
            return false;
    return true;
}

/* The edges from `first` until before `end`, as far as there are so many. */
static bool test_edges(grz_method_query *query, const edge_side *edges, edge_side *faces, size_t first, size_t end,
                       bool boxes_only)
{
    size_t count = edges->state->surface.edge_count;
    for (size_t e = first; e < end && e < count && faces->collected_count > 0; e++)
        if (!test_edge(query, edges, faces, (uint32_t)e, boxes_only))
            return false;
    return true;
}

/* Both directions; with no faces where one is left out. */
static void test_all_edges(grz_method_query *query, edge_side *a, edge_side *b, bool boxes_only)
{
    if (test_edges(query, a, b, 0, SIZE_MAX, boxes_only))
        test_edges(query, b, a, 0, SIZE_MAX, boxes_only);
}

/* Those edges that the caller hands out: A's, then B's. */
static void test_chunks(grz_method_query *query, edge_side *a, edge_side *b, bool boxes_only)
{
    size_t count_a = a->state->surface.edge_count, count = count_a + b->state->surface.edge_count, first, end;
    bool go_on = true;
    while (go_on && query->chunks.take(query->chunks.user, count, &first, &end))
    {
        size_t first_of_b = first > count_a ? first - count_a : 0, end_of_b = end > count_a ? end - count_a : 0;
        go_on = test_edges(query, a, b, first, end, boxes_only) &&
                test_edges(query, b, a, first_of_b, end_of_b, boxes_only) && grz_monitor_may_continue(&query->monitor);
    }
}

/* Collects the faces that edges will be tested with. */
static bool collect_both(grz_method_query *query, edge_side *a, edge_side *b, bool relaxed)
{
    graze_edges_of edges_of = a->state->edges_of;
    bool done = true;
    if (edges_of != GRAZE_EDGES_OF_A && relaxed)
        done = collect_relaxed(query, a, &b->bounds);
    else if (edges_of != GRAZE_EDGES_OF_A)
        collect(query, a, &b->bounds);
    if (edges_of != GRAZE_EDGES_OF_B && relaxed)
        done = done && collect_relaxed(query, b, &a->bounds);
    else if (edges_of != GRAZE_EDGES_OF_B)
        collect(query, b, &a->bounds);
    return done;
}

/* A part of the search proves no "no", but boxes do. */
static void conclude_part(grz_method_query *query, const edge_side *a, const edge_side *b)
{
    if (a->state->edges_of == GRAZE_EDGES_OF_BOTH && query->chunks.take == NULL)
        return;
    query->guess = GRAZE_VERDICT_NO;
    if (!meet(&a->bounds, &b->bounds, query->slack))
        query->verdict = GRAZE_VERDICT_NO;
}

static void search(grz_method_query *query, bool relaxed, bool boxes_only)
{
    edge_side a = {.mesh = query->mesh_a, .state = query->a};
    edge_side b = {.mesh = query->mesh_b, .state = query->b};
    query->once = true;
    bool placed = place(query, false, relaxed || a.state->checks != GRAZE_PRE_CHECKS_ALL, &a) &&
                  place(query, true, relaxed || b.state->checks != GRAZE_PRE_CHECKS_ALL, &b);
    if (placed && collect_both(query, &a, &b, relaxed))
    {
        conclude_part(query, &a, &b);
        if (query->chunks.take != NULL)
            test_chunks(query, &a, &b, boxes_only);
        else
            test_all_edges(query, &a, &b, boxes_only);
    }
    else
        query->out_of_memory = true;
    for (int i = 0; i < 2; i++)
    {
        edge_side *s = i == 0 ? &a : &b;
        grz_release(query->context, s->moved);
        grz_release(query->context, s->boxes);
        grz_release(query->context, s->made);
        grz_release(query->context, s->collected);
    }
}

static void run(grz_method_query *query)
{
    search(query, false, false);
}

static void run_relaxed(grz_method_query *query)
{
    search(query, true, false);
}

static void run_boxes(grz_method_query *query)
{
    search(query, false, true);
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

const grz_method grz_edges_faces_relaxed_method = {
    .info = {.name = "edges-faces-relaxed",
             .summary = "The same with those faces only that have a vertex in the other body's box.",
             .source = "000 3.2.1",
             .mesh_class = GRAZE_METHOD_CLASS_MANIFOLD,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_YES_SURE},
    .state_size = sizeof(edge_state),
    .prepare = prepare_relaxed,
    .release = release,
    .memory = memory,
    .run = run_relaxed,
};

const grz_method grz_edges_faces_boxes_method = {
    .info = {.name = "edges-faces-boxes",
             .summary = "The same, but an edge and a face whose boxes meet count as a collision.",
             .source = "000 3.2.1",
             .mesh_class = GRAZE_METHOD_CLASS_FACES,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_NO_SURE},
    .state_size = sizeof(edge_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run_boxes,
};
