/* SPDX-License-Identifier: MIT */
/*
 * Welding of open edges; see weld.h. The positions of all ends of open edges are sorted along x. Each in turn that is
 * not joined yet becomes the place of all others within the tolerance, so that no vertex moves farther than that,
 * however many lie in a row. Every vertex of the mesh at such a position moves along: in files without shared vertices
 * most of them belong to triangles that have no open edge there.
 */
#include "clash/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A position, and the one it is joined to. */
typedef struct weld_point
{
    double from[3], to[3];
    bool joined;
} weld_point;

static int compare_positions(const void *left, const void *right)
{
    const double *p = ((const weld_point *)left)->from, *q = ((const weld_point *)right)->from;
    for (int axis = 0; axis < 3; axis++)
        if (p[axis] != q[axis])
            return p[axis] < q[axis] ? -1 : 1;
    return 0;
}

/* The ends of all open edges, each once, sorted. Triangles with two equal corners have no edges; their corners do no
 * harm. NULL when out of memory. */
static weld_point *list_ends(const graze_context *context, const graze_mesh *mesh, const uint32_t *twins,
                             size_t *out_count, size_t *out_sides)
{
    size_t half_edges = 3 * graze_mesh_triangle_count(mesh), sides = 0, kept = 0;
    const uint32_t *corners = graze_mesh_triangles(mesh);
    const double *vertices = graze_mesh_vertices(mesh);
    for (size_t i = 0; i < half_edges; i++)
        sides += twins[i] == UINT32_MAX;
    weld_point *points = grz_allocate_zeroed(context, 2 * sides + 1, sizeof *points);
    *out_sides = sides;
    if (points == NULL)
        return NULL;
    for (size_t i = 0, at = 0; i < half_edges; i++)
    {
        if (twins[i] != UINT32_MAX)
            continue;
        memcpy(points[at++].from, vertices + 3 * (size_t)corners[i], sizeof points->from);
        memcpy(points[at++].from, vertices + 3 * (size_t)corners[i % 3 == 2 ? i - 2 : i + 1], sizeof points->from);
    }
    qsort(points, 2 * sides, sizeof *points, compare_positions);
    for (size_t i = 0; i < 2 * sides; i++)
        if (kept == 0 || compare_positions(&points[kept - 1], &points[i]) != 0)
            points[kept++] = points[i];
    *out_count = kept;
    return points;
}

static bool are_close(const weld_point *one, const weld_point *other, double tolerance)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(one->from[axis] - other->from[axis]) <= tolerance))
            return false;
    return true;
}

/* Returns how many positions moved. */
static size_t join(weld_point *points, size_t count, double tolerance)
{
    size_t moved = 0;
    for (size_t i = 0; i < count; i++)
    {
        if (points[i].joined)
            continue;
        memcpy(points[i].to, points[i].from, sizeof points[i].to);
        for (size_t k = i + 1; k < count && points[k].from[0] - points[i].from[0] <= tolerance; k++)
        {
            if (points[k].joined || !are_close(&points[i], &points[k], tolerance))
                continue;
            memcpy(points[k].to, points[i].from, sizeof points[k].to);
            points[k].joined = true;
            moved++;
        }
    }
    return moved;
}

/* A copy of the vertices, those at joined positions moved. NULL when out of memory. */
static double *move_vertices(const graze_context *context, const graze_mesh *mesh, const weld_point *points,
                             size_t count)
{
    size_t vertex_count = graze_mesh_vertex_count(mesh);
    double *vertices = grz_allocate(context, 3 * vertex_count + 1, sizeof *vertices);
    if (vertices == NULL)
        return NULL;
    memcpy(vertices, graze_mesh_vertices(mesh), 3 * vertex_count * sizeof *vertices);
    for (size_t i = 0; i < vertex_count; i++)
    {
        weld_point key;
        memcpy(key.from, vertices + 3 * i, sizeof key.from);
        const weld_point *found = bsearch(&key, points, count, sizeof *points, compare_positions);
        if (found != NULL)
            memcpy(vertices + 3 * i, found->to, sizeof found->to);
    }
    return vertices;
}

static graze_status make_welded(const graze_context *context, const graze_mesh *mesh, const double *vertices,
                                grz_clash_welded *welded)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = graze_mesh_vertex_count(mesh);
    def.corners = graze_mesh_triangles(mesh);
    def.corner_count = 3 * graze_mesh_triangle_count(mesh);
    graze_status status = graze_mesh_create(context, &def, NULL, &welded->mesh);
    if (status == GRAZE_STATUS_OK)
        status = graze_body_create(context, welded->mesh, NULL, &welded->body);
    if (status != GRAZE_STATUS_OK || !graze_body_is_closed(welded->body))
        grz_clash_welded_release(welded);
    return status;
}

graze_status grz_clash_weld(const graze_context *context, const graze_mesh *mesh, const graze_body *body,
                            double tolerance, grz_clash_welded *out_welded)
{
    *out_welded = (grz_clash_welded){.mesh = NULL};
    if (!(tolerance > 0) || graze_body_is_closed(body) || graze_mesh_triangle_count(mesh) == 0)
        return GRAZE_STATUS_OK;
    size_t count = 0, sides = 0;
    weld_point *points = list_ends(context, mesh, graze_body_twins(body), &count, &sides);
    if (points == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = GRAZE_STATUS_OK;
    if (join(points, count, tolerance) > 0)
    {
        double *vertices = move_vertices(context, mesh, points, count);
        status = vertices != NULL ? make_welded(context, mesh, vertices, out_welded) : GRAZE_STATUS_OUT_OF_MEMORY;
        grz_release(context, vertices);
    }
    out_welded->gaps = out_welded->mesh != NULL ? (sides + 1) / 2 : 0;
    grz_release(context, points);
    return status;
}

void grz_clash_welded_release(grz_clash_welded *welded)
{
    graze_body_destroy(welded->body);
    graze_mesh_destroy(welded->mesh);
    *welded = (grz_clash_welded){.mesh = NULL};
}

/* The squared norm of R is at most the largest absolute column sum of R^T R (Gershgorin); for a rotation with a scale
 * that is the squared scale. */
double grz_clash_weld_tolerance(const graze_pose *pose, double length)
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
    {
        double sum = 0;
        for (int k = 0; k < 3; k++)
        {
            double dot = 0;
            for (int row = 0; row < 3; row++)
                dot += pose->m[4 * row + i] * pose->m[4 * row + k];
            sum += fabs(dot);
        }
        largest = fmax(largest, sum);
    }
    double tolerance = length / sqrt(largest);
    return isfinite(tolerance) ? tolerance : 0;
}
