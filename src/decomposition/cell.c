/* SPDX-License-Identifier: MIT */
/*
 * The part of a solid B in a cell is the closure of B in the interior of the cell. So the parts of all cells cover the
 * closure of the interior of B; and where B only touches a cell there is no part. Its extreme points are vertices of
 * the mesh in the cell, points where edges of triangles pass through sides of the cell, points where triangles meet
 * edges of the cell, and corners of the cell. Triangles that touch the cell in a point or an edge have their other
 * points in other cells; those that are no more than such a point or part of an edge belong to one of the cells there.
 * One in a side of the cell counts unless the body surely lies on the other side: so a sheet without inside is in the
 * parts of both cells. Which points there are is decided exactly, or generously where a side
 * is touched; coordinates are intervals, cut to the cell.
 *
 * The hull of the part, rounded: each point is the middle of its box. Where the hull of those does not contain all
 * boxes, points with a box are moved away from the middle of the part by a growing factor, but stay in the sides of the
 * cell that they lie in. In the end the corners of the boxes are taken instead.
 */
#include "decomposition/cell.h"

#include "base/memory.h"
#include "convex/outer_hull.h"
#include "mesh/examine.h"

enum
{
    ATTEMPTS = 10 /* factors 1, and 1 + 2^-51 to 1 + 2^-35 */
};

/* ---- points ---- */

static interval clamp(interval a, double lower, double upper)
{
    interval c = {fmax(a.lower, lower), fmin(a.upper, upper)};
    return c.lower <= c.upper ? c : a.lower > upper ? interval_point(upper) : interval_point(lower);
}

static bool may_be_in(const graze_box *cell, const grz_cell_point *p)
{
    for (int axis = 0; axis < 3; axis++)
        if (p->at[axis].upper < cell->lower[axis] || p->at[axis].lower > cell->upper[axis])
            return false;
    return true;
}

static bool add(grz_cut_body *body, const graze_box *cell, grz_cell_point p, grz_cell_points *points)
{
    if (!may_be_in(cell, &p))
        return true;
    for (int axis = 0; axis < 3; axis++)
        p.at[axis] = clamp(p.at[axis], cell->lower[axis], cell->upper[axis]);
    return GRZ_PUSH(body->context, points, p);
}

static bool add_vertex(grz_cut_body *body, const graze_box *cell, uint32_t vertex, grz_cell_points *points)
{
    if (body->stamps[vertex] == body->stamp)
        return true;
    body->stamps[vertex] = body->stamp;
    const double *v = grz_mesh_vertex(body->mesh, vertex);
    return add(body, cell,
               (grz_cell_point){
                   {interval_point(v[0]), interval_point(v[1]), interval_point(v[2])}, {vertex, vertex, vertex}, 1},
               points);
}

static interval reciprocal(interval a)
{
    return interval_outward(1 / a.upper, 1 / a.lower);
}

/* p + t (q - p), between p and q. */
static interval between(double p, double q, interval t)
{
    interval pi = interval_point(p), step = interval_mul(t, interval_sub(interval_point(q), pi));
    return p == q ? pi : clamp(interval_add(pi, step), fmin(p, q), fmax(p, q));
}

/* Where an edge passes through the planes of the cell's sides. */
static bool add_crossings(grz_cut_body *body, const graze_box *cell, uint32_t first, uint32_t second,
                          grz_cell_points *points)
{
    const double *p = grz_mesh_vertex(body->mesh, first), *q = grz_mesh_vertex(body->mesh, second);
    for (int side = 0; side < 6; side++)
    {
        int axis = side / 2;
        double plane = side % 2 == 0 ? cell->lower[axis] : cell->upper[axis];
        if (!((p[axis] < plane && q[axis] > plane) || (p[axis] > plane && q[axis] < plane)))
            continue;
        interval from = interval_point(p[axis]), whole = interval_sub(interval_point(q[axis]), from);
        interval t = {0, 1};
        if (whole.lower > 0 || whole.upper < 0)
            t = clamp(interval_mul(interval_sub(interval_point(plane), from), reciprocal(whole)), 0, 1);
        grz_cell_point crossing = {.sources = {first, second, second}, .source_count = 2};
        for (int k = 0; k < 3; k++)
            crossing.at[k] = k == axis ? interval_point(plane) : between(p[k], q[k], t);
        if (!add(body, cell, crossing, points))
            return false;
    }
    return true;
}

/* The coordinate along `axis` of the point of a triangle's plane where the other two are given. */
static interval height_in_plane(const double *a, const double *b, const double *c, int axis, double u, double v,
                                interval range)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    interval e[3], f[3];
    for (int k = 0; k < 3; k++)
    {
        e[k] = interval_sub(interval_point(b[k]), interval_point(a[k]));
        f[k] = interval_sub(interval_point(c[k]), interval_point(a[k]));
    }
    interval n_axis = interval_sub(interval_mul(e[i], f[j]), interval_mul(e[j], f[i])),
             n_i = interval_sub(interval_mul(e[j], f[axis]), interval_mul(e[axis], f[j])),
             n_j = interval_sub(interval_mul(e[axis], f[i]), interval_mul(e[i], f[axis]));
    if (a[axis] == b[axis] && a[axis] == c[axis])
        return interval_point(a[axis]);
    if (!(n_axis.lower > 0 || n_axis.upper < 0))
        return range;
    interval sum = interval_add(interval_mul(n_i, interval_sub(interval_point(u), interval_point(a[i]))),
                                interval_mul(n_j, interval_sub(interval_point(v), interval_point(a[j]))));
    return clamp(interval_sub(interval_point(a[axis]), interval_mul(sum, reciprocal(n_axis))), range.lower,
                 range.upper);
}

/* A triangle whose plane contains an edge of the cell: what they share ends at edges of the triangle, which are found
   anyway, or at corners of the cell. Those of a solid are found by themselves. */
static bool add_ends(grz_cut_body *body, double ends[2][3], const graze_placed_triangle *triangle,
                     grz_cell_points *points)
{
    for (int i = 0; i < 2 && !body->solid; i++)
    {
        const graze_placed_point corner = {ends[i], NULL};
        grz_cell_point p = {
            {interval_point(ends[i][0]), interval_point(ends[i][1]), interval_point(ends[i][2])}, {0, 0, 0}, 0};
        if (graze_point_in_triangle(&corner, triangle) != GRAZE_FEATURE_NONE && !GRZ_PUSH(body->context, points, p))
            return false;
    }
    return true;
}

/* Whether a line along an axis passes through an edge of the triangle: then the point is a vertex, or one where the
   edge passes through a side. */
static bool is_on_an_edge(const double *const p[3], const double *point, int axis)
{
    for (int k = 0; k < 3; k++)
        if (grz_view_orient(p[k], p[(k + 1) % 3], point, axis) == 0)
            return true;
    return false;
}

/* Where a triangle meets the edges of the cell. */
static bool add_piercings(grz_cut_body *body, const graze_box *cell, const uint32_t *corners, grz_cell_points *points)
{
    const double *p[3];
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++)
        p[k] = grz_mesh_vertex(body->mesh, corners[k]);
    for (int k = 0; k < 3; k++)
    {
        lower[k] = fmin(fmin(p[0][k], p[1][k]), p[2][k]);
        upper[k] = fmax(fmax(p[0][k], p[1][k]), p[2][k]);
    }
    for (int edge = 0; edge < 12; edge++)
    {
        int axis = edge / 4, i = (axis + 1) % 3, j = (axis + 2) % 3;
        double u = (edge & 1) != 0 ? cell->upper[i] : cell->lower[i],
               v = (edge & 2) != 0 ? cell->upper[j] : cell->lower[j];
        if (u < lower[i] || u > upper[i] || v < lower[j] || v > upper[j] || lower[axis] > cell->upper[axis] ||
            upper[axis] < cell->lower[axis])
            continue;
        double ends[2][3];
        ends[0][i] = ends[1][i] = u;
        ends[0][j] = ends[1][j] = v;
        ends[0][axis] = cell->lower[axis];
        ends[1][axis] = cell->upper[axis];
        const graze_placed_point segment[2] = {{ends[0], NULL}, {ends[1], NULL}};
        const graze_placed_triangle triangle = {{p[0], p[1], p[2]}, NULL};
        if (!graze_segment_meets_triangle(segment, &triangle))
            continue;
        if (grz_view_orient(p[0], p[1], p[2], axis) == 0)
        {
            if (!add_ends(body, ends, &triangle, points))
                return false;
            continue;
        }
        if (is_on_an_edge(p, ends[0], axis))
            continue;
        grz_cell_point piercing = {.sources = {corners[0], corners[1], corners[2]}, .source_count = 3};
        piercing.at[i] = interval_point(u);
        piercing.at[j] = interval_point(v);
        piercing.at[axis] = height_in_plane(p[0], p[1], p[2], axis, u, v, (interval){lower[axis], upper[axis]});
        if (!add(body, cell, piercing, points))
            return false;
    }
    return true;
}

/* ---- what belongs to the part ---- */

static void bounds_of(const grz_cut_body *body, uint32_t triangle, graze_box *out_bounds)
{
    const uint32_t *corners = body->mesh->triangles + 3 * (size_t)triangle;
    for (int axis = 0; axis < 3; axis++)
    {
        double a = grz_mesh_vertex(body->mesh, corners[0])[axis], b = grz_mesh_vertex(body->mesh, corners[1])[axis],
               c = grz_mesh_vertex(body->mesh, corners[2])[axis];
        out_bounds->lower[axis] = fmin(fmin(a, b), c);
        out_bounds->upper[axis] = fmax(fmax(a, b), c);
    }
}

/* Of the cells on both sides of a plane, one has what lies in it: the one below, or the first. */
static bool owns_plane(const grz_cut_body *body, const graze_box *cell, int axis, double plane)
{
    return plane == cell->upper[axis] || plane == body->mesh->lower[axis];
}

/* Whether a triangle in the plane of a side of the cell belongs to the part: not where the body surely lies on the
   other side; of a surface one cell has it. */
static bool side_belongs(const grz_cut_body *body, const graze_box *cell, uint32_t triangle, int axis, double plane)
{
    bool is_lower = plane == cell->lower[axis];
    if (!body->solid)
        return owns_plane(body, cell, axis, plane);
    const uint32_t *corners = body->mesh->triangles + 3 * (size_t)triangle;
    int side = grz_body_interior_side(&body->view, triangle);
    int turn = grz_view_orient(grz_mesh_vertex(body->mesh, corners[0]), grz_mesh_vertex(body->mesh, corners[1]),
                               grz_mesh_vertex(body->mesh, corners[2]), axis); /* 1: the front is above the plane */
    return side * turn == 0 || (side * turn > 0) == is_lower;
}

/* Whether a triangle may have points in the part: it passes the interior of the cell, or lies in one of its sides. A
   segment in an edge of the cell, or a point in its corner, is in the part of one cell: nothing else may have it. An
   axis along which the whole mesh has no extent says nothing. */
static bool belongs(const grz_cut_body *body, const graze_box *cell, uint32_t triangle)
{
    graze_box bounds;
    int flat = -1, flat_count = 0;
    bool owned = true;
    bounds_of(body, triangle, &bounds);
    for (int axis = 0; axis < 3; axis++)
    {
        if (cell->lower[axis] == cell->upper[axis] ||
            (bounds.lower[axis] < cell->upper[axis] && bounds.upper[axis] > cell->lower[axis]))
            continue;
        if (bounds.lower[axis] != bounds.upper[axis] ||
            (bounds.lower[axis] != cell->lower[axis] && bounds.lower[axis] != cell->upper[axis]))
            return false;
        flat = axis;
        flat_count++;
        owned = owned && owns_plane(body, cell, axis, bounds.lower[axis]);
    }
    return flat_count == 1 ? side_belongs(body, cell, triangle, flat, bounds.lower[flat]) : owned;
}

/* Whether a corner of the cell on the surface belongs to the part. Where a small box at the corner has no surface
   inside of it, one point of it tells; else it does. */
static bool corner_belongs(grz_cut_body *body, const graze_box *cell, int corner, const uint32_t *triangles,
                           size_t count)
{
    for (int bits = 4; bits <= 28; bits += 8)
    {
        graze_box box;
        double inside[3];
        bool empty = true;
        for (int axis = 0; axis < 3; axis++)
        {
            bool upper = (corner >> axis & 1) != 0;
            double at = upper ? cell->upper[axis] : cell->lower[axis],
                   size = ldexp(cell->upper[axis] - cell->lower[axis], -bits);
            box.lower[axis] = upper ? at - size : at;
            box.upper[axis] = upper ? at : at + size;
            inside[axis] = box.lower[axis] / 2 + box.upper[axis] / 2;
            empty = empty && inside[axis] > box.lower[axis] && inside[axis] < box.upper[axis];
        }
        for (size_t i = 0; i < count && empty; i++)
        {
            graze_box bounds;
            bounds_of(body, triangles[i], &bounds);
            bool meets = true;
            for (int axis = 0; axis < 3; axis++)
                meets = meets && bounds.lower[axis] < box.upper[axis] && bounds.upper[axis] > box.lower[axis];
            empty = !meets;
        }
        if (empty)
            return grz_locate_point(&body->view, inside, NULL) != GRAZE_LOCATION_OUTSIDE;
    }
    return true;
}

static bool add_corners(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                        grz_cell_points *points)
{
    for (int i = 0; i < 8 && body->solid; i++)
    {
        double corner[3];
        for (int axis = 0; axis < 3; axis++)
            corner[axis] = (i >> axis & 1) != 0 ? cell->upper[axis] : cell->lower[axis];
        graze_location location = grz_locate_point(&body->view, corner, NULL);
        if (location == GRAZE_LOCATION_OUTSIDE ||
            (location == GRAZE_LOCATION_BOUNDARY && !corner_belongs(body, cell, i, triangles, count)))
            continue;
        grz_cell_point p = {
            {interval_point(corner[0]), interval_point(corner[1]), interval_point(corner[2])}, {0, 0, 0}, 0};
        if (!GRZ_PUSH(body->context, points, p))
            return false;
    }
    return true;
}

bool grz_cell_points_find(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                          grz_cell_points *out_points)
{
    body->stamp++;
    for (size_t i = 0; i < count && grz_monitor_elements(body->monitor, 1); i++)
    {
        const uint32_t *corners = body->mesh->triangles + 3 * (size_t)triangles[i];
        bool inside = true;
        if (!belongs(body, cell, triangles[i]))
            continue;
        for (int k = 0; k < 3; k++)
        {
            const double *v = grz_mesh_vertex(body->mesh, corners[k]);
            for (int axis = 0; axis < 3; axis++)
                inside = inside && v[axis] >= cell->lower[axis] && v[axis] <= cell->upper[axis];
            if (!add_vertex(body, cell, corners[k], out_points))
                return false;
        }
        for (int k = 0; k < 3 && !inside; k++)
            if (!add_crossings(body, cell, corners[k], corners[(k + 1) % 3], out_points))
                return false;
        if (!inside && !add_piercings(body, cell, corners, out_points))
            return false;
    }
    return add_corners(body, cell, triangles, count, out_points);
}

/* ---- hulls ---- */

static double middle(interval a)
{
    return a.lower == a.upper ? a.lower : a.lower / 2 + a.upper / 2;
}

/* Points at the middles of their boxes, those with a box moved away from `centre` by a factor; cut to the cell. Returns
   an upper bound of how far a point is from the true one, squared. */
static double write_points(const grz_cell_points *points, const double centre[3], double growth, const graze_box *cell,
                           double (*out_points)[3])
{
    double farthest = 0;
    for (size_t i = 0; i < points->count; i++)
    {
        double moved = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            interval a = points->data[i].at[axis];
            double x = middle(a);
            if (a.lower < a.upper)
            {
                x += growth * (x - centre[axis]);
                x = cell == NULL ? x : fmin(fmax(x, cell->lower[axis]), cell->upper[axis]);
            }
            out_points[i][axis] = x;
            double off = a.lower < a.upper ? fmax(a.upper - x, x - a.lower) : 0;
            moved += off * off;
        }
        farthest = fmax(farthest, moved);
    }
    return farthest;
}

static size_t write_box_corners(const grz_cell_points *points, bool all, double (*out_corners)[3])
{
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
    {
        const grz_cell_point *p = &points->data[i];
        bool exact = grz_cell_point_is_exact(p);
        for (int corner = 0; corner < (exact ? (all ? 1 : 0) : 8); corner++)
        {
            bool repeats = false;
            for (int axis = 0; axis < 3; axis++)
                repeats = repeats || ((corner >> axis & 1) != 0 && p->at[axis].lower == p->at[axis].upper);
            for (int axis = 0; axis < 3 && !repeats; axis++)
                out_corners[count][axis] = (corner >> axis & 1) != 0 ? p->at[axis].upper : p->at[axis].lower;
            count += !repeats;
        }
    }
    return count;
}

graze_status grz_cell_hull_estimate(const graze_context *context, const grz_cell_points *points, grz_monitor *monitor,
                                    grz_hull **out_hull)
{
    static const double centre[3] = {0, 0, 0};
    if (points->count == 0)
        return GRAZE_STATUS_OK;
    double(*rounded)[3] = grz_allocate(context, points->count, sizeof *rounded);
    if (rounded == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    write_points(points, centre, 0, NULL, rounded);
    graze_status status = grz_hull_create(context, rounded[0], points->count, monitor, out_hull);
    grz_release(context, rounded);
    return status;
}

/* Whether the hull has all points: those that are exact are vertices of it or between them. */
static graze_status try_growth(const graze_context *context, const grz_cell_points *points, const graze_box *cell,
                               const double centre[3], double growth, double (*rounded)[3], double (*corners)[3],
                               size_t corner_count, grz_monitor *monitor, grz_hull **out_hull, double *out_growth)
{
    double farthest = write_points(points, centre, growth, cell, rounded);
    grz_hull *hull = NULL;
    bool contains = corner_count == 0;
    graze_status status = grz_hull_create(context, rounded[0], points->count, monitor, &hull);
    if (status == GRAZE_STATUS_OK && !contains)
        status = grz_hull_contains(context, hull, (const double(*)[3])corners, corner_count, monitor, &contains);
    if (status == GRAZE_STATUS_OK && contains)
    {
        *out_hull = hull;
        *out_growth = sqrt(farthest) * (1 + 16 * GRZ_U);
    }
    else
        grz_hull_destroy(hull);
    return status;
}

graze_status grz_cell_hull_create(const graze_context *context, const grz_cell_points *points, const graze_box *cell,
                                  grz_monitor *monitor, grz_hull **out_hull, double *out_growth)
{
    double(*rounded)[3] = grz_allocate(context, points->count, sizeof *rounded);
    double(*corners)[3] = grz_allocate(context, 8 * points->count, sizeof *corners);
    double centre[3] = {0, 0, 0};
    grz_hull *hull = NULL;
    graze_status status = rounded == NULL || corners == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    for (size_t i = 0; i < points->count; i++)
        for (int axis = 0; axis < 3; axis++)
            centre[axis] += middle(points->data[i].at[axis]) / (double)points->count;
    size_t corner_count = status == GRAZE_STATUS_OK ? write_box_corners(points, false, corners) : 0;
    for (int k = 0; k < ATTEMPTS && status == GRAZE_STATUS_OK && hull == NULL; k++)
        status = try_growth(context, points, cell, centre, k == 0 ? 0 : ldexp(1, 2 * k - 53), rounded, corners,
                            corner_count, monitor, &hull, out_growth);
    if (status == GRAZE_STATUS_OK && hull == NULL)
    {
        double farthest = 0;
        for (size_t i = 0; i < points->count; i++)
        {
            double moved = 0;
            for (int axis = 0; axis < 3; axis++)
            {
                double width = points->data[i].at[axis].upper - points->data[i].at[axis].lower;
                moved += width * width;
            }
            farthest = fmax(farthest, moved);
        }
        corner_count = write_box_corners(points, true, corners);
        status = grz_hull_create(context, corners[0], corner_count, monitor, &hull);
        *out_growth = sqrt(farthest) * (1 + 16 * GRZ_U);
    }
    grz_release(context, rounded);
    grz_release(context, corners);
    if (status == GRAZE_STATUS_OK)
        *out_hull = hull;
    return status;
}

double grz_hull_volume(const grz_hull *hull)
{
    double volume = 0;
    v3 o = v3_load(hull->vertices[0]);
    for (size_t face = 0; face < hull->face_count; face++)
    {
        uint32_t first = hull->face_starts[face];
        v3 a = v3_sub(v3_load(hull->vertices[hull->origins[first]]), o);
        for (uint32_t h = first + 1; h + 1 < hull->face_starts[face + 1]; h++)
            volume += v3_dot(a, v3_cross(v3_sub(v3_load(hull->vertices[hull->origins[h]]), o),
                                         v3_sub(v3_load(hull->vertices[hull->origins[h + 1]]), o)));
    }
    return volume / 6;
}
