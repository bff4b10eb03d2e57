/* SPDX-License-Identifier: MIT */
/*
 * A deep vertex of either body in the other, found before anything is bounded: the probe of the search for the deepest
 * common point. Most overlaps end with it: a separating translation in its direction, hardly longer than it is deep, is
 * an upper bound of all depths (deepest_common_point.c), so that no piece of a surface needs a bound.
 *
 * Vertices of triangles that lie inside the other body are common points. Each measured one gives a plane through its
 * nearest point, across the way there. Below a convex surface no point is deeper than it is below any of these planes,
 * so the vertex deepest below all of them is measured next, until that is no deeper than what is known: the cutting
 * planes of Kelley (1960). Surfaces that are not convex make it miss deeper vertices, which only costs a better lower
 * bound: depths count as measured.
 */
#include <math.h>

#include "pair/depth/deepest_search.h"

enum
{
    MOST_MEASURED = 16, /* vertices of each side */
    CELLS_AROUND = 32   /* pieces of the triangles at the deepest vertex */
};

#define ENOUGH (1 + 0x1p-9) /* times the depth known: estimates up to that are not measured */

typedef struct probed_vertex
{
    uint32_t vertex; /* of cells */
    double estimate; /* of the depth; not certain */
} probed_vertex;

typedef struct probe
{
    GRZ_ARRAY(probed_vertex) vertices;
} probe;

/* Gathers the vertices of a side's triangles that lie inside the other. */
static void gather_vertices(grz_deepest_search *s, uint8_t owner, probe *out)
{
    const graze_mesh *mesh = s->pair->sides[owner].placed->mesh;
    out->vertices.count = 0;
    for (size_t t = 0; t < mesh->triangle_count && s->status == GRAZE_STATUS_OK; t++)
    {
        if (s->locations[owner][t] != GRZ_TRIANGLE_INSIDE)
            continue;
        for (size_t k = 0; k < 3; k++)
        {
            uint32_t before = s->vertex_of[owner][mesh->triangles[3 * t + k]];
            uint32_t vertex = grz_deepest_vertex(s, owner, mesh->triangles[3 * t + k]);
            const probed_vertex probed = {vertex, INFINITY};
            if (before == GRZ_NO_CELL_VERTEX && s->status == GRAZE_STATUS_OK &&
                !GRZ_PUSH(s->space.context, &out->vertices, probed))
                s->status = GRAZE_STATUS_OUT_OF_MEMORY;
        }
    }
}

/* Lowers all estimates to the depths below the plane through the nearest point of a vertex. */
static void cut(grz_deepest_search *s, probe *p, const double x[3], const double nearest[3])
{
    v3 at = v3_load(nearest), down = v3_sub(v3_load(x), at);
    double length = v3_length(down);
    if (!(length > 0))
        return;
    down = v3_scale(1 / length, down);
    for (size_t i = 0; i < p->vertices.count; i++)
    {
        v3 point = v3_load(s->space.vertices.data[p->vertices.data[i].vertex].x);
        p->vertices.data[i].estimate = fmin(p->vertices.data[i].estimate, v3_dot(down, v3_sub(point, at)));
    }
}

static void probe_side(grz_deepest_search *s, uint8_t owner, probe *p)
{
    const grz_simplex vertex_cell = {.owner = owner, .inside = {true, true}, .exactly = true};
    gather_vertices(s, owner, p);
    size_t next = p->vertices.count / 2;
    for (int i = 0; i < MOST_MEASURED && next < p->vertices.count && s->status == GRAZE_STATUS_OK; i++)
    {
        const grz_simplex_vertex *vertex =
            grz_simplex_vertex_measured(&s->space, p->vertices.data[next].vertex, 1 - owner);
        const grz_nearest_triangle nearest = vertex->nearest[1 - owner];
        const double x[3] = {vertex->x[0], vertex->x[1], vertex->x[2]};
        double before = s->best.depth;
        grz_deepest_try_point(s, &vertex_cell, 1 - owner, x, &nearest);
        if (s->best.depth > before)
            s->best_vertex = p->vertices.data[next].vertex;
        p->vertices.data[next].estimate = 0;
        cut(s, p, x, nearest.point);
        p->vertices.data[next].estimate = 0;
        double most = s->best.depth * ENOUGH;
        next = p->vertices.count;
        for (size_t k = 0; k < p->vertices.count; k++)
            if (p->vertices.data[k].estimate > most)
            {
                most = p->vertices.data[k].estimate;
                next = k;
            }
    }
}

/* Searches the triangles at the deepest vertex, as far as they lie in the other body, for deeper points. */
static void search_around(grz_deepest_search *s)
{
    uint8_t owner = (uint8_t)(1 - s->best.side);
    const graze_mesh *mesh = s->pair->sides[owner].placed->mesh;
    uint32_t deepest = s->best_vertex;
    for (uint32_t t = 0; t < mesh->triangle_count && s->status == GRAZE_STATUS_OK; t++)
    {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        if (s->locations[owner][t] == GRZ_TRIANGLE_OUTSIDE)
            continue;
        bool around = false;
        for (int k = 0; k < 3; k++)
            around = around || s->vertex_of[owner][corners[k]] == deepest;
        if (around)
            grz_deepest_keep_triangle(s, owner, t);
    }
    grz_deepest_run(s, s->cells + CELLS_AROUND < s->max_cells ? s->cells + CELLS_AROUND : s->max_cells);
    s->heap.cells.count = 0; /* what is left is searched again with all others */
}

void grz_deepest_probe(grz_deepest_search *s)
{
    probe p = {.vertices = {0}};
    for (uint8_t owner = 0; owner < 2; owner++)
        if (s->locations[owner] != NULL)
            probe_side(s, owner, &p);
    if (s->best.depth > 0 && s->status == GRAZE_STATUS_OK)
        search_around(s);
    grz_release(s->space.context, p.vertices.data);
}
