/* SPDX-License-Identifier: MIT */
/* Checks of closed meshes by sorting; see body_check.h. */
#include "support/body_check.h"

#include <stdlib.h>
#include <string.h>

#include "graze/exact.h"

static const double *corner_point(const graze_mesh *mesh, size_t triangle, int corner)
{
    return graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + (size_t)corner];
}

typedef struct directed_edge
{
    uint32_t from, to;
} directed_edge;

static int compare_edges(const void *a, const void *b)
{
    const directed_edge *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static size_t count_unpaired(const graze_mesh *mesh)
{
    size_t count = 3 * graze_mesh_triangle_count(mesh), unpaired = 0;
    const uint32_t *corners = graze_mesh_triangles(mesh);
    directed_edge *edges = malloc((count + 1) * sizeof *edges);
    for (size_t i = 0; i < count; i++)
        edges[i] = (directed_edge){corners[i], corners[i % 3 == 2 ? i - 2 : i + 1]};
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count; i++)
    {
        directed_edge back = {edges[i].to, edges[i].from};
        bool repeated = i + 1 < count && compare_edges(&edges[i], &edges[i + 1]) == 0;
        if (repeated || bsearch(&back, edges, count, sizeof *edges, compare_edges) == NULL)
            unpaired++;
    }
    free(edges);
    return unpaired;
}

static size_t count_equal_vertices(const graze_mesh *mesh)
{
    size_t count = graze_mesh_vertex_count(mesh), equal = 0;
    double *points = malloc((count + 1) * 3 * sizeof(double));
    memcpy(points, graze_mesh_vertices(mesh), count * 3 * sizeof(double));
    qsort(points, count, 3 * sizeof(double), compare_points);
    for (size_t i = 1; i < count; i++)
        equal += compare_points(points + 3 * (i - 1), points + 3 * i) == 0;
    free(points);
    return equal;
}

static bool is_flat(const graze_mesh *mesh, size_t triangle)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double p[3][2];
        for (int corner = 0; corner < 3; corner++)
        {
            p[corner][0] = corner_point(mesh, triangle, corner)[(axis + 1) % 3];
            p[corner][1] = corner_point(mesh, triangle, corner)[(axis + 2) % 3];
        }
        if (graze_point_orient2d(p[0], p[1], p[2]) != 0)
            return false;
    }
    return true;
}

static uint32_t root_of(uint32_t *parents, uint32_t vertex)
{
    while (parents[vertex] != vertex)
    {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

uint32_t *body_components(const graze_mesh *mesh)
{
    size_t count = graze_mesh_vertex_count(mesh);
    const uint32_t *corners = graze_mesh_triangles(mesh);
    uint32_t *parents = malloc((count + 1) * sizeof *parents);
    for (size_t v = 0; v < count; v++)
        parents[v] = (uint32_t)v;
    for (size_t i = 0; i < 3 * graze_mesh_triangle_count(mesh); i += 3)
        for (size_t k = 1; k < 3; k++)
            parents[root_of(parents, corners[i])] = root_of(parents, corners[i + k]);
    for (size_t v = 0; v < count; v++)
        parents[v] = root_of(parents, (uint32_t)v);
    return parents;
}

/* Six times the signed volume of a triangle and a point. */
static double wedge(const double *a, const double *b, const double *c, const double *o)
{
    double p[3], q[3], r[3];
    for (int i = 0; i < 3; i++)
    {
        p[i] = a[i] - o[i];
        q[i] = b[i] - o[i];
        r[i] = c[i] - o[i];
    }
    return p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
}

static void check_components(const graze_mesh *mesh, body_report *report)
{
    size_t count = graze_mesh_vertex_count(mesh);
    const double *vertices = graze_mesh_vertices(mesh);
    uint32_t *components = body_components(mesh);
    double *volumes = calloc(count + 1, sizeof *volumes);
    unsigned char *used = calloc(count + 1, 1);
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        const uint32_t *corners = graze_mesh_triangles(mesh) + 3 * t;
        for (int k = 0; k < 3; k++)
            used[corners[k]] = 1;
        uint32_t component = components[corners[0]];
        volumes[component] += wedge(vertices + 3 * (size_t)corners[0], vertices + 3 * (size_t)corners[1],
                                    vertices + 3 * (size_t)corners[2], vertices + 3 * (size_t)component) /
                              6;
    }
    for (size_t v = 0; v < count; v++)
    {
        report->unused_vertices += !used[v];
        if (components[v] != v)
            continue;
        report->components++;
        report->inside_out += !(volumes[v] > 0);
        report->volume += volumes[v];
    }
    free(components);
    free(volumes);
    free(used);
}

body_report body_check(const graze_mesh *mesh)
{
    body_report report = {0};
    size_t triangle_count = graze_mesh_triangle_count(mesh);
    report.unpaired_edges = count_unpaired(mesh);
    report.equal_vertices = count_equal_vertices(mesh);
    for (size_t t = 0; t < triangle_count; t++)
        report.flat_triangles += is_flat(mesh, t);
    check_components(mesh, &report);
    /* Closed: every triangle has three half-edges. */
    report.euler_characteristic = (long)graze_mesh_vertex_count(mesh) - (long)(triangle_count / 2);
    return report;
}

static bool boxes_overlap(const graze_mesh *mesh, size_t first, size_t second)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double bounds[2][2];
        for (int k = 0; k < 2; k++)
        {
            bounds[k][0] = bounds[k][1] = corner_point(mesh, k == 0 ? first : second, 0)[axis];
            for (int corner = 1; corner < 3; corner++)
            {
                double x = corner_point(mesh, k == 0 ? first : second, corner)[axis];
                bounds[k][0] = x < bounds[k][0] ? x : bounds[k][0];
                bounds[k][1] = x > bounds[k][1] ? x : bounds[k][1];
            }
        }
        if (bounds[0][0] > bounds[1][1] || bounds[1][0] > bounds[0][1])
            return false;
    }
    return true;
}

/* The intersection of two triangles must be the hull of their common corners: empty, a vertex or an edge. */
static bool meet_wrongly(const graze_mesh *mesh, size_t first, size_t second)
{
    const uint32_t *a = graze_mesh_triangles(mesh) + 3 * first, *b = graze_mesh_triangles(mesh) + 3 * second;
    unsigned common_a = 0;
    int common = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] == b[k])
            {
                common_a |= 1u << i;
                common++;
            }
    graze_placed_triangle placed[2] = {0};
    for (int corner = 0; corner < 3; corner++)
    {
        placed[0].corners[corner] = corner_point(mesh, first, corner);
        placed[1].corners[corner] = corner_point(mesh, second, corner);
    }
    graze_triangle_contact contact = graze_triangle_collide(&placed[0], &placed[1]);
    if (!contact.found)
        return common != 0;
    return contact.mask_a != common_a || contact.dimension != common - 1;
}

size_t body_self_intersections(const graze_mesh *mesh, bool same_component, size_t *out_tested)
{
    size_t count = graze_mesh_triangle_count(mesh), meetings = 0;
    const uint32_t *corners = graze_mesh_triangles(mesh);
    uint32_t *components = body_components(mesh);
    *out_tested = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
        {
            if (same_component && components[corners[3 * i]] != components[corners[3 * k]])
                continue;
            if (!boxes_overlap(mesh, i, k))
                continue;
            ++*out_tested;
            meetings += meet_wrongly(mesh, i, k);
        }
    free(components);
    return meetings;
}
