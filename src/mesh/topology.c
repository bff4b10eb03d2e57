/* SPDX-License-Identifier: MIT */
/*
 * Building the doubly-connected edge list (Zachmann's thesis, section 4.1.3) in expected linear time: one hash table
 * finds vertices of equal coordinates, another the edge between two of them. Everything comes in the order of the
 * corners, so the result does not depend on the tables.
 */
#include "mesh/topology.h"

#include <string.h>

#include "base/bits.h"
#include "mesh/hash.h"

/* The faces to link: loops of half-edges, of the mesh's polygons or of its triangles. */
typedef struct face_source
{
    const uint32_t *corners;
    size_t corner_count;
    const uint32_t *loop_starts; /* NULL: every three corners are a loop */
    const uint32_t *face_starts; /* NULL: every loop is a face */
    size_t loop_count;
} face_source;

/* Equal coordinates give equal bits: -0.0 counts as 0.0. */
static uint64_t hash_point(const double point[3])
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++)
    {
        /* shortcut: merged-vertices */
        double x = grz_is_zero(point[i]) ? 0 : point[i];
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = grz_hash_mix(hash, bits);
    }
    return hash;
}

static bool same_point(const double a[3], const double b[3])
{
    /* By bits, as == may take denormals for zero. */
    return grz_rank(a[0]) == grz_rank(b[0]) && grz_rank(a[1]) == grz_rank(b[1]) && grz_rank(a[2]) == grz_rank(b[2]);
}

/* Merges a block of vertices; *count merged ones were there before. */
static void merge_block(const graze_mesh *mesh, const grz_hash_table *table, size_t first, size_t end, uint32_t *merged,
                        uint32_t *mesh_vertex, size_t *count)
{
    size_t found = *count;
    for (uint32_t v = (uint32_t)first; v < end; v++)
    {
        const double *point = grz_mesh_vertex(mesh, v);
        size_t slot = hash_point(point) & table->mask;
        while (table->slots[slot] != GRZ_HASH_EMPTY &&
               !same_point(point, grz_mesh_vertex(mesh, mesh_vertex[table->slots[slot]])))
            slot = (slot + 1) & table->mask;
        if (table->slots[slot] == GRZ_HASH_EMPTY)
        {
            mesh_vertex[found] = v;
            table->slots[slot] = (uint32_t)found++;
        }
        merged[v] = table->slots[slot];
    }
    *count = found;
}

bool grz_merge_vertices(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor, uint32_t *merged,
                        uint32_t *mesh_vertex, size_t *out_count)
{
    grz_hash_table table = grz_hash_table_make(context, mesh->vertex_count);
    if (table.slots == NULL)
        return false;
    size_t count = 0, first, end = 0;
    while (grz_monitor_block(monitor, mesh->vertex_count, &first, &end))
        merge_block(mesh, &table, first, end, merged, mesh_vertex, &count);
    grz_release(context, table.slots);
    *out_count = count;
    return grz_monitor_may_continue(monitor);
}

static bool merge_vertices(graze_topology *topology, grz_monitor *monitor)
{
    size_t count = topology->mesh->vertex_count;
    topology->merged = grz_allocate(&topology->context, count, sizeof(uint32_t));
    topology->mesh_vertex = grz_allocate(&topology->context, count, sizeof(uint32_t));
    return topology->merged != NULL && topology->mesh_vertex != NULL &&
           grz_merge_vertices(&topology->context, topology->mesh, monitor, topology->merged, topology->mesh_vertex,
                              &topology->vertex_count);
}

/* Fills in all fields but edges and twins. Half-edges that can have an edge get 0, the others GRAZE_NO_EDGE. */
static void link_loop(graze_topology *topology, const face_source *source, uint32_t first, uint32_t end, uint32_t face)
{
    uint32_t long_count = 0;
    for (uint32_t c = first; c < end; c++)
    {
        graze_half_edge *half_edge = &topology->half_edges[c];
        half_edge->origin = topology->merged[source->corners[c]];
        half_edge->next = c + 1 == end ? first : c + 1;
        half_edge->previous = c == first ? end - 1 : c - 1;
        half_edge->twin = GRAZE_NO_HALF_EDGE;
        half_edge->face = face;
        bool has_length = half_edge->origin != topology->merged[source->corners[half_edge->next]];
        half_edge->edge = has_length ? 0 : GRAZE_NO_EDGE;
        long_count += has_length;
    }
    for (uint32_t c = first; long_count < 3 && c < end; c++)
        topology->half_edges[c].edge = GRAZE_NO_EDGE;
}

static bool link_loops(graze_topology *topology, const face_source *source, grz_monitor *monitor)
{
    uint32_t face = 0;
    for (uint32_t l = 0; l < source->loop_count; l++)
    {
        if (source->face_starts != NULL && l >= source->face_starts[face + 1])
            face++;
        uint32_t first = source->loop_starts != NULL ? source->loop_starts[l] : 3 * l;
        uint32_t end = source->loop_starts != NULL ? source->loop_starts[l + 1] : 3 * l + 3;
        if (!grz_monitor_elements(monitor, end - first))
            return false;
        link_loop(topology, source, first, end, source->face_starts != NULL ? face : l);
    }
    return true;
}

/* Numbers the edges; table and `first_users` hold for every edge its first half-edge. */
static bool number_edges(graze_topology *topology, const grz_hash_table *table, uint32_t *first_users,
                         grz_monitor *monitor)
{
    graze_half_edge *half_edges = topology->half_edges;
    for (uint32_t h = 0; h < topology->half_edge_count; h++)
    {
        if (!grz_monitor_elements(monitor, 1))
            return false;
        if (half_edges[h].edge == GRAZE_NO_EDGE)
            continue;
        uint32_t a = half_edges[h].origin, b = grz_topology_destination(topology, h);
        uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        size_t slot = grz_hash_mix(0, key) & table->mask;
        for (; table->slots[slot] != GRZ_HASH_EMPTY; slot = (slot + 1) & table->mask)
        {
            uint32_t user = first_users[table->slots[slot]];
            uint32_t c = half_edges[user].origin, d = grz_topology_destination(topology, user);
            if ((a == c && b == d) || (a == d && b == c))
                break;
        }
        if (table->slots[slot] == GRZ_HASH_EMPTY)
        {
            first_users[topology->edge_count] = h;
            topology->edge_uses[topology->edge_count] = 0;
            table->slots[slot] = (uint32_t)topology->edge_count++;
        }
        uint32_t edge = table->slots[slot];
        half_edges[h].edge = edge;
        if (++topology->edge_uses[edge] == 2)
            half_edges[h].twin = first_users[edge]; /* until a third half-edge comes */
    }
    return true;
}

static bool link_edges(graze_topology *topology, grz_monitor *monitor)
{
    size_t count = topology->half_edge_count;
    grz_hash_table table = grz_hash_table_make(&topology->context, count);
    uint32_t *first_users = grz_allocate(&topology->context, count, sizeof(uint32_t));
    topology->edge_uses = grz_allocate(&topology->context, count, sizeof(uint32_t));
    bool enough = table.slots != NULL && first_users != NULL && topology->edge_uses != NULL &&
                  number_edges(topology, &table, first_users, monitor);
    if (enough)
    {
        for (uint32_t h = 0; h < count && grz_monitor_elements(monitor, 1); h++)
        {
            graze_half_edge *half_edge = &topology->half_edges[h];
            if (half_edge->twin == GRAZE_NO_HALF_EDGE)
                continue;
            if (topology->edge_uses[half_edge->edge] == 2)
                topology->half_edges[half_edge->twin].twin = h;
            else
                half_edge->twin = GRAZE_NO_HALF_EDGE;
        }
    }
    grz_release(&topology->context, table.slots);
    grz_release(&topology->context, first_users);
    return enough && grz_monitor_may_continue(monitor);
}

/* The other half-edge of the edge if it runs in the other direction. */
static uint32_t opposite(const graze_topology *topology, uint32_t half_edge)
{
    const graze_half_edge *here = &topology->half_edges[half_edge];
    if (here->twin == GRAZE_NO_HALF_EDGE || topology->half_edges[here->twin].origin == here->origin)
        return GRAZE_NO_HALF_EDGE;
    return here->twin;
}

/* Chooses each vertex's half-edge: one without a neighbour clockwise of it, or else one with an edge, or else any. */
static bool choose_vertex_half_edges(graze_topology *topology, grz_monitor *monitor)
{
    uint32_t *chosen = grz_allocate(&topology->context, topology->vertex_count, sizeof(uint32_t));
    topology->vertex_half_edges = chosen;
    if (chosen == NULL)
        return false;
    for (size_t v = 0; v < topology->vertex_count; v++)
        chosen[v] = GRAZE_NO_HALF_EDGE;
    for (int wanted = 2; wanted >= 0; wanted--)
        for (uint32_t h = 0; h < topology->half_edge_count && grz_monitor_elements(monitor, 1); h++)
        {
            bool has_edge = topology->half_edges[h].edge != GRAZE_NO_EDGE;
            int rank = !has_edge ? 0 : opposite(topology, h) != GRAZE_NO_HALF_EDGE ? 1 : 2;
            uint32_t *point = &chosen[topology->half_edges[h].origin];
            if (rank == wanted && *point == GRAZE_NO_HALF_EDGE)
                *point = h;
        }
    return grz_monitor_may_continue(monitor);
}

static graze_status create(const graze_context *context, const graze_mesh *mesh, const face_source *source,
                           grz_monitor *monitor, graze_topology **out_topology)
{
    graze_topology *topology = grz_allocate_zeroed(context, 1, sizeof *topology);
    if (topology == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    topology->context = grz_context_copy(context);
    topology->mesh = mesh;
    topology->half_edge_count = source->corner_count;
    topology->half_edges = grz_allocate(context, source->corner_count, sizeof *topology->half_edges);
    bool enough = topology->half_edges != NULL && merge_vertices(topology, monitor);
    grz_monitor_pass(monitor, 0.3);
    enough = enough && link_loops(topology, source, monitor);
    grz_monitor_pass(monitor, 0.4);
    enough = enough && link_edges(topology, monitor);
    grz_monitor_pass(monitor, 0.8);
    enough = enough && choose_vertex_half_edges(topology, monitor);
    if (!enough)
    {
        graze_topology_destroy(topology);
        return grz_monitor_or_memory(monitor);
    }
    *out_topology = topology;
    return GRAZE_STATUS_OK;
}

graze_status grz_topology_create_over_triangles(const graze_context *context, const graze_mesh *mesh,
                                                grz_monitor *monitor, graze_topology **out_topology)
{
    face_source source = {mesh->triangles, 3 * mesh->triangle_count, NULL, NULL, mesh->triangle_count};
    return create(context, mesh, &source, monitor, out_topology);
}

graze_status grz_topology_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                 graze_topology **out_topology)
{
    if (mesh->corners == NULL)
        return grz_topology_create_over_triangles(context, mesh, monitor, out_topology);
    size_t loop_count = mesh->face_starts != NULL ? mesh->face_starts[mesh->face_count] : mesh->face_count;
    face_source source = {mesh->corners, mesh->loop_starts[loop_count], mesh->loop_starts, mesh->face_starts,
                          loop_count};
    return create(context, mesh, &source, monitor, out_topology);
}

graze_status graze_topology_create(const graze_context *context, const graze_mesh *mesh, const graze_budget *budget,
                                   graze_topology **out_topology)
{
    if (mesh == NULL || out_topology == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    return grz_topology_create(context, mesh, budget != NULL ? &monitor : NULL, out_topology);
}

void graze_topology_destroy(graze_topology *topology)
{
    if (topology == NULL)
        return;
    graze_context context = topology->context;
    grz_release(&context, topology->merged);
    grz_release(&context, topology->mesh_vertex);
    grz_release(&context, topology->half_edges);
    grz_release(&context, topology->edge_uses);
    grz_release(&context, topology->vertex_half_edges);
    grz_release(&context, topology);
}

size_t graze_topology_vertex_count(const graze_topology *topology)
{
    return topology != NULL ? topology->vertex_count : 0;
}

size_t graze_topology_edge_count(const graze_topology *topology)
{
    return topology != NULL ? topology->edge_count : 0;
}

size_t graze_topology_half_edge_count(const graze_topology *topology)
{
    return topology != NULL ? topology->half_edge_count : 0;
}

const graze_half_edge *graze_topology_half_edges(const graze_topology *topology)
{
    return topology != NULL ? topology->half_edges : NULL;
}

uint32_t graze_topology_merged_vertex(const graze_topology *topology, uint32_t mesh_vertex)
{
    if (topology == NULL || mesh_vertex >= topology->mesh->vertex_count)
        return GRAZE_NO_VERTEX;
    return topology->merged[mesh_vertex];
}

uint32_t graze_topology_mesh_vertex(const graze_topology *topology, uint32_t merged_vertex)
{
    if (topology == NULL || merged_vertex >= topology->vertex_count)
        return GRAZE_NO_VERTEX;
    return topology->mesh_vertex[merged_vertex];
}

uint32_t graze_topology_face_half_edge(const graze_topology *topology, size_t face, size_t loop)
{
    if (topology == NULL)
        return GRAZE_NO_HALF_EDGE;
    const graze_mesh *mesh = topology->mesh;
    const uint32_t *corners = graze_mesh_face_loop(mesh, face, loop, NULL);
    if (corners == NULL)
        return GRAZE_NO_HALF_EDGE;
    return (uint32_t)(corners - (mesh->corners != NULL ? mesh->corners : mesh->triangles));
}

uint32_t graze_topology_vertex_half_edge(const graze_topology *topology, uint32_t merged_vertex)
{
    if (topology == NULL || merged_vertex >= topology->vertex_count)
        return GRAZE_NO_HALF_EDGE;
    return topology->vertex_half_edges[merged_vertex];
}

uint32_t graze_topology_next_around_vertex(const graze_topology *topology, uint32_t half_edge)
{
    if (topology == NULL || half_edge >= topology->half_edge_count)
        return GRAZE_NO_HALF_EDGE;
    if (topology->half_edges[half_edge].edge == GRAZE_NO_EDGE)
        return GRAZE_NO_HALF_EDGE;
    return opposite(topology, grz_topology_previous(topology, half_edge));
}

bool grz_topology_is_closed(const graze_topology *topology)
{
    for (size_t e = 0; e < topology->edge_count; e++)
        if (topology->edge_uses[e] != 2)
            return false;
    return topology->edge_count > 0;
}
