/* SPDX-License-Identifier: MIT */
/*
 * Outer hulls. The planes of the faces are removed one after the other, always the one that adds the least volume
 * (dual_hull.c), until few enough vertices are left. All of this is done in doubles, about a point inside, and proves
 * nothing. The vertices are rounded, and the hull of the rounded points is compared with the given one by exact signs:
 * where a vertex of that is outside, the points are moved away from the inside by a growing factor, and compared again.
 * So the answer contains the input whatever rounding did before.
 *
 * Around a polygon there is a thin prism: rounded corners leave its plane. Where this fails (a
 * hull that is nearly flat, or small and far away) the answer is the AABB, or a tetrahedron around it.
 *
 * Hulls of many faces start from the largest faces in cells of directions: of a sphere with 200,000 faces nobody asks
 * for 10 vertices that are the best of all.
 */
#include "convex/outer_hull.h"

#include <float.h>

#include "base/memory.h"
#include "convex/cost_heap.h"
#include "convex/dual_hull.h"
#include "convex/outer_polygon.h"
#include "convex/quickhull.h"

#define NONE UINT32_MAX
#define RESOLUTION 0x1p-40 /* of vertices that count once, in sizes of the hull; decides nothing but the shape */

enum
{
    LEAST_PLANES = 4096,
    ATTEMPTS = 22 /* factors 1, and 1 + 2^-52 to 1 + 2^-12 */
};

/* ---- containment ---- */

static bool are_behind(const double (*all)[3], size_t first, size_t count, const grz_hull_triangle *t,
                       grz_monitor *monitor)
{
    for (size_t i = first; i < count && grz_monitor_elements(monitor, 1); i++)
        if (grz_hull_triangle_side(all, t, (uint32_t)i) > 0)
            return false;
    return true;
}

graze_status grz_hull_contains(const graze_context *context, const grz_hull *hull, const double (*points)[3],
                               size_t count, grz_monitor *monitor, bool *out_contains)
{
    size_t all_count = hull->vertex_count + count;
    double(*all)[3] = grz_allocate(context, all_count, sizeof *all);
    bool contains = hull->dimension == 3;
    if (all == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < all_count; i++)
        for (int axis = 0; axis < 3; axis++)
            all[i][axis] = i < hull->vertex_count ? hull->vertices[i][axis] : points[i - hull->vertex_count][axis];
    double extent = grz_hull_extent((const double(*)[3])all, all_count);
    for (size_t face = 0; face < hull->face_count && contains && grz_monitor_may_continue(monitor); face++)
    {
        grz_hull_triangle t =
            grz_hull_triangle_make((const double(*)[3])all, extent, &hull->origins[hull->face_starts[face]]);
        contains = are_behind((const double(*)[3])all, hull->vertex_count, all_count, &t, monitor);
    }
    grz_release(context, all);
    graze_status status = grz_monitor_status(monitor);
    if (status == GRAZE_STATUS_OK)
        *out_contains = contains;
    return status;
}

/* ---- coordinates about the inside ---- */

typedef struct frame
{
    int exponent; /* coordinates are multiplied by 2^-exponent */
    v3 centre;    /* after that */
} frame;

static v3 to_frame(const frame *f, const double point[3])
{
    v3 p = v3_make(ldexp(point[0], -f->exponent), ldexp(point[1], -f->exponent), ldexp(point[2], -f->exponent));
    return v3_sub(p, f->centre);
}

static void from_frame(const frame *f, v3 point, double out_point[3])
{
    v3 p = v3_add(point, f->centre);
    out_point[0] = ldexp(p.x, f->exponent);
    out_point[1] = ldexp(p.y, f->exponent);
    out_point[2] = ldexp(p.z, f->exponent);
}

/* The centre is the mean of the vertices; the largest coordinate of the box around them is between 1/4 and 1. */
static frame make_frame(const grz_hull *hull)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t v = 0; v < hull->vertex_count; v++)
        {
            lower = fmin(lower, hull->vertices[v][axis]);
            upper = fmax(upper, hull->vertices[v][axis]);
        }
        extent = fmax(extent, upper / 2 - lower / 2);
    }
    frame f = {.centre = {0, 0, 0}};
    (void)frexp(extent, &f.exponent);
    v3 sum = {0, 0, 0};
    for (size_t v = 0; v < hull->vertex_count; v++)
        sum = v3_add(sum, v3_scale(1 / (double)hull->vertex_count, to_frame(&f, hull->vertices[v])));
    f.centre = sum;
    return f;
}

/* ---- planes ---- */

/* The normal of a face, as long as twice its area, and its distance from the centre times that. */
static v3 face_normal(const grz_hull *hull, const frame *f, size_t face, double *out_offset)
{
    uint32_t first = hull->face_starts[face], end = hull->face_starts[face + 1];
    v3 origin = to_frame(f, hull->vertices[hull->origins[first]]), normal = {0, 0, 0};
    for (uint32_t h = first + 1; h + 1 < end; h++)
        normal = v3_add(normal, v3_cross(v3_sub(to_frame(f, hull->vertices[hull->origins[h]]), origin),
                                         v3_sub(to_frame(f, hull->vertices[hull->origins[h + 1]]), origin)));
    *out_offset = v3_dot(normal, origin);
    return normal;
}

/* A cell of directions: the side of a cube, and a square on it. */
static size_t cell_of(v3 n, size_t width)
{
    const double c[3] = {n.x, n.y, n.z};
    int axis = fabs(c[0]) >= fabs(c[1]) && fabs(c[0]) >= fabs(c[2]) ? 0 : fabs(c[1]) >= fabs(c[2]) ? 1 : 2;
    size_t place[2];
    for (int k = 0; k < 2; k++)
    {
        double share = (c[(axis + 1 + k) % 3] / fabs(c[axis]) + 1) / 2 * (double)width;
        place[k] = share >= 0 && share < (double)width ? (size_t)share : share >= 0 ? width - 1 : 0;
    }
    return ((size_t)(2 * axis + (c[axis] < 0)) * width + place[0]) * width + place[1];
}

/* Writes the planes to start with, as points of the dual. `cells` has 6 width^2 elements, or is NULL: all faces. */
static size_t write_planes(const grz_hull *hull, const frame *f, size_t width, uint32_t *cells, double *areas,
                           double (*planes)[3])
{
    size_t count = 0, cell_count = 6 * width * width;
    for (size_t i = 0; cells != NULL && i < cell_count; i++)
        cells[i] = NONE;
    for (uint32_t face = 0; face < hull->face_count; face++)
    {
        double offset;
        v3 normal = face_normal(hull, f, face, &offset);
        v3 plane = v3_scale(1 / offset, normal);
        if (!(offset > 0) || !(v3_dot(plane, plane) < DBL_MAX))
            continue;
        uint32_t number = (uint32_t)count;
        if (cells != NULL)
        {
            uint32_t *cell = &cells[cell_of(normal, width)];
            if (*cell != NONE && areas[*cell] >= v3_length(normal))
                continue;
            number = *cell != NONE ? *cell : number;
            *cell = number;
            areas[number] = v3_length(normal);
        }
        v3_store(plane, planes[number]);
        count += number == count;
    }
    return count;
}

static graze_status make_planes(const graze_context *context, const grz_hull *hull, const frame *f, size_t most,
                                grz_monitor *monitor, grz_hull **out_planes)
{
    size_t width = 1, limit = most > LEAST_PLANES / 2 ? 2 * most : LEAST_PLANES;
    while (6 * width * width < limit)
        width++;
    bool all = hull->face_count <= limit;
    size_t capacity = all ? hull->face_count : 6 * width * width, count = 0;
    double(*planes)[3] = grz_allocate(context, capacity, sizeof *planes);
    double *areas = all ? NULL : grz_allocate(context, capacity, sizeof *areas);
    uint32_t *cells = all ? NULL : grz_allocate(context, capacity, sizeof *cells);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (planes != NULL && (all || (areas != NULL && cells != NULL)))
    {
        count = write_planes(hull, f, width, cells, areas, planes);
        status =
            count < 4 ? GRAZE_STATUS_BAD_ARGUMENT : grz_hull_create(context, planes[0], count, monitor, out_planes);
    }
    grz_release(context, planes);
    grz_release(context, areas);
    grz_release(context, cells);
    return status;
}

/* ---- removal of planes ---- */

static bool remove_planes(const graze_context *context, grz_dual_hull *dual, size_t most_vertices, uint32_t *versions,
                          grz_cost_heap *heap, grz_monitor *monitor)
{
    uint32_t around[GRZ_DUAL_MOST_NEIGHBOURS];
    for (uint32_t p = 0; p < dual->hull->vertex_count && grz_monitor_exact_tests(monitor, 8); p++)
        if (!grz_cost_heap_push(context, heap, (grz_cost){grz_dual_hull_cost(dual, p), p, 0}))
            return false;
    while (heap->entries.count > 0 && grz_dual_hull_vertex_count(dual) > most_vertices &&
           grz_monitor_exact_tests(monitor, 32))
    {
        grz_cost c = grz_cost_heap_pop(heap);
        size_t count;
        if (c.version != versions[c.element] || dual->triangles_of[c.element] == NONE)
            continue;
        grz_dual_hull_remove(dual, c.element, around, &count);
        for (size_t i = 0; i < count; i++)
            if (!grz_cost_heap_push(context, heap,
                                    (grz_cost){grz_dual_hull_cost(dual, around[i]), around[i], ++versions[around[i]]}))
                return false;
    }
    return true;
}

/* Writes one vertex of each group that is connected by short edges. `queue` has room for all triangles, twice. */
static size_t write_vertices(const grz_dual_hull *dual, uint32_t *queue, v3 *out_vertices)
{
    uint32_t *seen = queue + dual->triangle_count;
    size_t count = 0;
    for (uint32_t t = 0; t < dual->triangle_count; t++)
        seen[t] = !dual->triangles[t].alive;
    for (uint32_t first = 0; first < dual->triangle_count; first++)
    {
        size_t length = 1;
        if (seen[first])
            continue;
        queue[0] = first;
        seen[first] = 1;
        out_vertices[count++] = dual->triangles[first].vertex;
        for (size_t i = 0; i < length; i++)
            for (int k = 0; k < 3; k++)
            {
                const grz_dual_triangle *t = &dual->triangles[queue[i]];
                uint32_t other = t->neighbours[k];
                if (seen[other] || v3_length(v3_sub(t->vertex, dual->triangles[other].vertex)) > dual->resolution)
                    continue;
                seen[other] = 1;
                queue[length++] = other;
            }
    }
    return count;
}

/* The vertices of the polyhedron that is left, in the frame; none where that fails. */
static graze_status find_vertices(const graze_context *context, const grz_hull *planes, size_t most_vertices,
                                  grz_monitor *monitor, v3 **out_vertices, size_t *out_count)
{
    grz_dual_hull dual;
    grz_cost_heap heap = {0};
    uint32_t *versions = grz_allocate_zeroed(context, planes->vertex_count, sizeof *versions);
    uint32_t *queue = NULL;
    v3 *vertices = NULL;
    graze_status status = grz_dual_hull_make(context, planes, RESOLUTION, &dual);
    if (status == GRAZE_STATUS_OK)
    {
        queue = grz_allocate(context, 2 * dual.triangle_count, sizeof *queue);
        vertices = grz_allocate(context, dual.triangle_count, sizeof *vertices);
        if (versions == NULL || queue == NULL || vertices == NULL ||
            !remove_planes(context, &dual, most_vertices, versions, &heap, monitor))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
        else
            status = grz_monitor_status(monitor);
    }
    if (status == GRAZE_STATUS_OK)
    {
        *out_count = write_vertices(&dual, queue, vertices);
        *out_vertices = vertices;
    }
    else
        grz_release(context, vertices);
    grz_dual_hull_release(&dual);
    grz_release(context, versions);
    grz_release(context, queue);
    grz_cost_heap_release(context, &heap);
    return status;
}

/* ---- the answer ---- */

/* Makes the hull of the points where it contains the given one; else *out_hull stays NULL. */
static graze_status try_points(const graze_context *context, const grz_hull *hull, const double (*points)[3],
                               size_t count, size_t most_vertices, grz_monitor *monitor, grz_hull **out_hull)
{
    grz_hull *outer = NULL;
    bool contains = false;
    graze_status status = grz_hull_create(context, points[0], count, monitor, &outer);
    if (status != GRAZE_STATUS_OK)
        return status == GRAZE_STATUS_NOT_FINITE ? GRAZE_STATUS_OK : status;
    if (outer->vertex_count <= most_vertices)
        status = grz_hull_contains(context, outer, (const double(*)[3])hull->vertices, hull->vertex_count, monitor,
                                   &contains);
    if (status == GRAZE_STATUS_OK && contains)
        *out_hull = outer;
    else
        grz_hull_destroy(outer);
    return status;
}

/* The polyhedron that is left, grown until it contains the hull. */
static graze_status try_polyhedron(const graze_context *context, const grz_hull *hull, size_t most_vertices,
                                   grz_monitor *monitor, grz_hull **out_hull)
{
    frame f = make_frame(hull);
    grz_hull *planes = NULL;
    v3 *vertices = NULL;
    size_t count = 0;
    graze_status status = make_planes(context, hull, &f, most_vertices, monitor, &planes);
    if (status == GRAZE_STATUS_OK)
        status = find_vertices(context, planes, most_vertices, monitor, &vertices, &count);
    grz_hull_destroy(planes);
    if (status != GRAZE_STATUS_OK)
        return status == GRAZE_STATUS_BAD_ARGUMENT ? GRAZE_STATUS_OK : status;
    double(*points)[3] = grz_allocate(context, count, sizeof *points);
    if (points == NULL)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (int k = 0; k < ATTEMPTS && count <= most_vertices && status == GRAZE_STATUS_OK && *out_hull == NULL; k++)
    {
        double factor = k == 0 ? 1 : 1 + ldexp(1, 2 * k - 54);
        for (size_t i = 0; i < count; i++)
            from_frame(&f, v3_scale(factor, vertices[i]), points[i]);
        status = try_points(context, hull, (const double(*)[3])points, count, most_vertices, monitor, out_hull);
    }
    grz_release(context, points);
    grz_release(context, vertices);
    return status;
}

/* Corners on both sides of a polygon: prisms with half as many sides, as thin as they may be. */
static graze_status try_prisms(const graze_context *context, const grz_hull *polygon, const frame *f, int axis,
                               const v3 *normal, double (*corners)[2], size_t most_vertices, grz_monitor *monitor,
                               grz_hull **out_hull)
{
    const double n[3] = {normal->x, normal->y, normal->z};
    size_t count = 0;
    graze_status status = grz_outer_polygon(context, corners, polygon->vertex_count, most_vertices / 2, &count);
    double(*points)[3] = grz_allocate(context, 2 * count, sizeof *points);
    if (status == GRAZE_STATUS_OK && points == NULL)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (int k = 1; k < ATTEMPTS && status == GRAZE_STATUS_OK && *out_hull == NULL; k++)
    {
        double growth = ldexp(1, 2 * k - 54);
        for (size_t i = 0; i < 2 * count; i++)
        {
            double p[3], *corner = corners[i / 2];
            p[(axis + 1) % 3] = (1 + growth) * corner[0];
            p[(axis + 2) % 3] = (1 + growth) * corner[1];
            p[axis] = -(n[(axis + 1) % 3] * p[(axis + 1) % 3] + n[(axis + 2) % 3] * p[(axis + 2) % 3]) / n[axis] +
                      (i % 2 == 0 ? growth : -growth);
            from_frame(f, v3_load(p), points[i]);
        }
        status = try_points(context, polygon, (const double(*)[3])points, 2 * count, most_vertices, monitor, out_hull);
    }
    grz_release(context, points);
    return status == GRAZE_STATUS_BAD_ARGUMENT ? GRAZE_STATUS_OK : status;
}

static graze_status try_polygon(const graze_context *context, const grz_hull *polygon, size_t most_vertices,
                                grz_monitor *monitor, grz_hull **out_hull)
{
    frame f = make_frame(polygon);
    double offset;
    v3 n = face_normal(polygon, &f, 0, &offset);
    int axis = fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z) ? 0 : fabs(n.y) >= fabs(n.z) ? 1 : 2;
    double(*corners)[2] = grz_allocate(context, polygon->vertex_count, sizeof *corners);
    if (corners == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < polygon->vertex_count; i++)
    {
        v3 p = to_frame(&f, polygon->vertices[polygon->origins[i]]);
        const double c[3] = {p.x, p.y, p.z};
        corners[i][0] = c[(axis + 1) % 3];
        corners[i][1] = c[(axis + 2) % 3];
    }
    graze_status status = try_prisms(context, polygon, &f, axis, &n, corners, most_vertices, monitor, out_hull);
    grz_release(context, corners);
    return status;
}

/* The AABB; without room for its eight vertices, tetrahedra around it. Flat boxes get a thickness: by this factor. */
static graze_status try_box(const graze_context *context, const grz_hull *hull, size_t most_vertices,
                            grz_monitor *monitor, grz_hull **out_hull)
{
    double lower[3], upper[3], size = DBL_MIN;
    for (int axis = 0; axis < 3; axis++)
    {
        lower[axis] = INFINITY;
        upper[axis] = -INFINITY;
        for (size_t v = 0; v < hull->vertex_count; v++)
        {
            lower[axis] = fmin(lower[axis], hull->vertices[v][axis]);
            upper[axis] = fmax(upper[axis], hull->vertices[v][axis]);
        }
        size = fmax(size, fmax(upper[axis] - lower[axis], fmax(fabs(upper[axis]), fabs(lower[axis])) * 0x1p-50));
    }
    graze_status status = GRAZE_STATUS_OK;
    for (int k = 0; k < 4 && status == GRAZE_STATUS_OK && *out_hull == NULL; k++)
    {
        double points[8][3], margin = k == 0 ? 0 : size * ldexp(1, 16 * k - 48);
        size_t count = most_vertices >= 8 ? 8 : 4;
        for (int i = 0; i < 8; i++)
            for (int axis = 0; axis < 3; axis++)
                points[i][axis] = count == 8 ? ((i >> axis & 1) != 0 ? upper[axis] + margin : lower[axis] - margin)
                                             : lower[axis] - margin + (i == axis + 1 ? 3.5 * size + 8 * margin : 0);
        status = try_points(context, hull, (const double(*)[3])points, count, most_vertices, monitor, out_hull);
    }
    return status;
}

graze_status grz_outer_hull_create(const graze_context *context, const grz_hull *hull, size_t most_vertices,
                                   grz_monitor *monitor, grz_hull **out_hull)
{
    grz_hull *outer = NULL;
    graze_status status = GRAZE_STATUS_OK;
    if (hull->vertex_count <= most_vertices)
        return grz_hull_create(context, hull->vertices[0], hull->vertex_count, monitor, out_hull);
    if (hull->dimension == 3)
        status = try_polyhedron(context, hull, most_vertices, monitor, &outer);
    else if (most_vertices >= 6)
        status = try_polygon(context, hull, most_vertices, monitor, &outer);
    if (status == GRAZE_STATUS_OK && outer == NULL)
        status = try_box(context, hull, most_vertices, monitor, &outer);
    if (status == GRAZE_STATUS_OK && outer == NULL)
        status = GRAZE_STATUS_NOT_FINITE;
    if (status == GRAZE_STATUS_OK)
        *out_hull = outer;
    return status;
}
