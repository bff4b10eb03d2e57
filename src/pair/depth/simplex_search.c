/* SPDX-License-Identifier: MIT */
/*
 * Cells of the search for the deepest common point; see simplex_search.h.
 *
 * Bound of a cell. The distance to one triangle is a convex function, so over a simplex it is largest at a vertex; and
 * no point is farther from the surface than from that triangle. So the largest distance of the vertices from any one
 * triangle bounds all distances in the cell. Where all vertices have the same nearest triangle the bound is met.
 *
 * Splitting. A simplex is split along edges: one vertex of an edge is replaced by a point of the edge in one child,
 * the other vertex in the other child. Both children together are the simplex, whatever point is taken, so that the
 * values that chose the point need not be exact. The point computed is off the edge by at most 5 u reach per coordinate
 * in any rounding mode (2 for the edge, 2 for its product, 1 for the sum), 9 u reach in all; a piecewise affine map
 * takes the exact children to the computed ones and moves no point farther. So after n splits every point of the first
 * cell is within 9 n u reach of a cell that stands for it.
 *
 * Location. A triangle whose supporting plane (as computed) has all vertices of the cell on one side, but for a shell
 * of thickness e, meets the cell in the shell at most. If all triangles near the cell are so, or surely apart from it,
 * the centre c decides. Say it is outside, at a height of at least m above each plane, and x is a point of the cell
 * inside the body. The segment from c to x enters the body at a last point z, on the plane of one of these triangles,
 * of height 0 above that plane; x has a height of at least -e. So |x - z| <= |c - x| e / (m + e): x is not deeper than
 * that.
 */
#include "pair/depth/simplex_search.h"

#include <string.h>

enum
{
    MOST_CROSSING = 8 /* triangles near a cell that are looked at one by one */
};

/* ---- the heap ---- */

static bool comes_before(const grz_simplex *a, const grz_simplex *b)
{
    if (a->bound != b->bound)
        return a->bound > b->bound;
    if (a->owner != b->owner)
        return a->owner < b->owner;
    return a->vertices[0] != b->vertices[0] ? a->vertices[0] < b->vertices[0] : a->vertices[1] < b->vertices[1];
}

bool grz_simplex_heap_push(const graze_context *context, grz_simplex_heap *heap, const grz_simplex *cell)
{
    if (!GRZ_PUSH(context, &heap->cells, *cell))
        return false;
    size_t index = heap->cells.count - 1;
    while (index > 0 && comes_before(cell, &heap->cells.data[(index - 1) / 2]))
    {
        heap->cells.data[index] = heap->cells.data[(index - 1) / 2];
        index = (index - 1) / 2;
    }
    heap->cells.data[index] = *cell;
    return true;
}

grz_simplex grz_simplex_heap_pop(grz_simplex_heap *heap)
{
    grz_simplex *cells = heap->cells.data, top = cells[0], moved = cells[--heap->cells.count];
    size_t index = 0, count = heap->cells.count;
    for (size_t child = 1; child < count; child = 2 * index + 1)
    {
        if (child + 1 < count && comes_before(&cells[child + 1], &cells[child]))
            child++;
        if (!comes_before(&cells[child], &moved))
            break;
        cells[index] = cells[child];
        index = child;
    }
    if (count > 0)
        cells[index] = moved;
    return top;
}

/* ---- vertices ---- */

double grz_simplex_error(const grz_simplex_space *space, const grz_simplex *cell)
{
    /* A corner of a surface triangle has an error of 14 u reach; the centre of a cell, or a point on the way to it, is
       rounded by less than 4 u reach per coordinate, 7 u reach in all. */
    return (9.0 * cell->splits + 24) * GRZ_U * space->reach + 0x1p-700;
}

bool grz_simplex_vertex_add(grz_simplex_space *space, const double x[3], uint32_t *out_vertex)
{
    grz_simplex_vertex vertex = {.x = {x[0], x[1], x[2]}};
    *out_vertex = (uint32_t)space->vertices.count;
    return space->vertices.count < UINT32_MAX && GRZ_PUSH(space->context, &space->vertices, vertex);
}

const grz_simplex_vertex *grz_simplex_vertex_measured(grz_simplex_space *space, uint32_t vertex, int side)
{
    grz_simplex_vertex *v = &space->vertices.data[vertex];
    if (!v->measured[side])
    {
        grz_find_nearest_triangle(&space->surfaces[side], v->x, GRZ_COARSE, &v->nearest[side]);
        v->measured[side] = true;
    }
    return v;
}

static v3 position(const grz_simplex_space *space, const grz_simplex *cell, int corner)
{
    return v3_load(space->vertices.data[cell->vertices[corner]].x);
}

v3 grz_simplex_centre(const grz_simplex_space *space, const grz_simplex *cell)
{
    int size = grz_simplex_size(cell);
    v3 sum = v3_make(0, 0, 0);
    for (int i = 0; i < size; i++)
        sum = v3_add(sum, position(space, cell, i));
    return v3_scale(1.0 / size, sum);
}

/* ---- bounds ---- */

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* The unit vector in the plane of a triangle that leads from an edge of it, from a to b, to the third corner. */
static v3 inward(v3 a, v3 b, v3 third)
{
    v3 edge = v3_sub(b, a), to_third = v3_sub(third, a);
    double square = v3_dot(edge, edge);
    return unit(v3_sub(to_third, v3_scale(square > 0 ? v3_dot(to_third, edge) / square : 0, edge)));
}

static bool are_equal(v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Per vertex, by how much it is farther from one triangle than from another. Two triangles with a common edge are
   equally far from the points of the plane that bisects their angle: heights above that plane. */
static void compare_triangles(const grz_simplex_space *space, const grz_simplex *cell, const grz_surface *surface,
                              const v3 first[3], const v3 second[3], double out_values[4])
{
    int common = 0, third = 0, other_third = 0;
    bool shared[3] = {false, false, false};
    v3 ends[2];
    for (int i = 0; i < 3; i++)
    {
        int equal = -1;
        for (int k = 0; k < 3; k++)
            equal = are_equal(first[i], second[k]) && !shared[k] ? k : equal;
        if (equal >= 0 && common < 2)
            ends[common] = first[i];
        else
            third = i;
        if (equal >= 0)
            shared[equal] = true;
        common += equal >= 0;
    }
    for (int k = 0; k < 3; k++)
        other_third = shared[k] ? other_third : k;
    if (common == 2)
    {
        v3 normal = v3_sub(inward(ends[0], ends[1], second[other_third]), inward(ends[0], ends[1], first[third]));
        for (int k = 0; k < grz_simplex_size(cell); k++)
            out_values[k] = v3_dot(normal, v3_sub(position(space, cell, k), ends[0]));
        return;
    }
    for (int k = 0; k < grz_simplex_size(cell); k++)
        out_values[k] = grz_distance_to_triangle(surface, first, position(space, cell, k)) -
                        grz_distance_to_triangle(surface, second, position(space, cell, k));
}

double grz_simplex_distance_bound(grz_simplex_space *space, const grz_simplex *cell, int side, double out_values[4])
{
    int size = grz_simplex_size(cell), farthest = 0;
    uint32_t best_triangle = 0;
    double best = INFINITY;
    for (int i = 0; i < size; i++)
        grz_simplex_vertex_measured(space, cell->vertices[i], side);
    v3 corners[3];
    for (int i = 0; i < size; i++)
    {
        uint32_t triangle = space->vertices.data[cell->vertices[i]].nearest[side].triangle;
        if (i > 0 && triangle == best_triangle)
            continue;
        grz_surface_corners(&space->surfaces[side], triangle, corners);
        double most = 0;
        int at = 0;
        for (int k = 0; k < size; k++)
        {
            double distance = grz_distance_to_triangle(&space->surfaces[side], corners, position(space, cell, k));
            at = distance > most ? k : at;
            most = fmax(most, distance);
        }
        if (!(most < best))
            continue;
        best = most;
        best_triangle = triangle;
        farthest = at;
    }
    if (out_values != NULL)
    {
        v3 other[3];
        grz_surface_corners(&space->surfaces[side], best_triangle, corners);
        grz_surface_corners(&space->surfaces[side],
                            space->vertices.data[cell->vertices[farthest]].nearest[side].triangle, other);
        compare_triangles(space, cell, &space->surfaces[side], corners, other, out_values);
    }
    return best + grz_simplex_error(space, cell);
}

/* ---- splitting ---- */

typedef struct splitting
{
    grz_simplex_space *space;
    grz_simplex *children;
    int child_count;
    struct
    {
        uint32_t from, to, point;
    } edges[4]; /* that were split already */
    int edge_count;
    bool failed;
} splitting;

/* The point of an edge where the value is 0. */
static uint32_t split_edge(splitting *s, uint32_t from, uint32_t to, double from_value, double to_value)
{
    for (int i = 0; i < s->edge_count; i++)
        if (s->edges[i].from == from && s->edges[i].to == to)
            return s->edges[i].point;
    const double *a = s->space->vertices.data[from].x, *b = s->space->vertices.data[to].x;
    double share = from_value / (from_value - to_value), x[3];
    for (int axis = 0; axis < 3; axis++)
        x[axis] = a[axis] + share * (b[axis] - a[axis]);
    uint32_t point = 0;
    if (!grz_simplex_vertex_add(s->space, x, &point))
        s->failed = true;
    if (s->edge_count < 4)
    {
        s->edges[s->edge_count].from = from;
        s->edges[s->edge_count].to = to;
        s->edges[s->edge_count++].point = point;
    }
    return point;
}

/* Splits along one edge whose ends have values of different sign, and goes on with both halves. */
static void split_further(splitting *s, const grz_simplex *cell, const double values[4]) /* NOLINT(misc-no-recursion) */
{
    int size = grz_simplex_size(cell), above = -1, below = -1;
    for (int i = 0; i < size; i++)
    {
        above = values[i] > 0 && above < 0 ? i : above;
        below = values[i] < 0 && below < 0 ? i : below;
    }
    if (s->failed || above < 0 || below < 0)
    {
        if (s->child_count < 6)
            s->children[s->child_count++] = *cell;
        return;
    }
    uint32_t point = split_edge(s, cell->vertices[above], cell->vertices[below], values[above], values[below]);
    for (int end = 0; end < 2; end++)
    {
        grz_simplex half = *cell;
        double its_values[4];
        memcpy(its_values, values, sizeof its_values);
        half.vertices[end == 0 ? above : below] = point;
        its_values[end == 0 ? above : below] = 0;
        half.splits++;
        split_further(s, &half, its_values);
    }
}

int grz_simplex_split(grz_simplex_space *space, const grz_simplex *cell, const double values[4],
                      grz_simplex out_children[6])
{
    splitting s = {.space = space, .children = out_children};
    split_further(&s, cell, values);
    return s.failed ? 0 : s.child_count;
}

int grz_simplex_bisect(grz_simplex_space *space, const grz_simplex *cell, grz_simplex out_children[6])
{
    int size = grz_simplex_size(cell), ends[2] = {0, 1};
    double longest = -1;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++)
        {
            double length = v3_length(v3_sub(position(space, cell, i), position(space, cell, k)));
            if (length > longest)
            {
                longest = length;
                ends[0] = k;
                ends[1] = i;
            }
        }
    double values[4] = {0, 0, 0, 0};
    values[ends[0]] = 1;
    values[ends[1]] = -1;
    return grz_simplex_split(space, cell, values, out_children);
}

/* ---- location ---- */

/* A cell and the triangles near it. */
typedef struct neighbourhood
{
    const grz_surface *surface;
    v3 corners[4], centre;
    v3 normals[5]; /* outward normals of the faces of the cell; of a surface piece, of its plane and its edges */
    int size, normal_count;
    double error;
    double crossing[MOST_CROSSING][4]; /* heights of the vertices above the planes that cross the cell */
    int crossing_count;
    bool crowded;                    /* there are more */
    double best_cut, values[4];      /* of the one that cuts off most */
    double least_height, most_shell; /* of the centre above planes that only bound the cell, and their errors */
} neighbourhood;

static void find_normals(neighbourhood *n)
{
    const v3 *c = n->corners;
    v3 plane = unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
    if (n->size == 3)
    {
        n->normals[n->normal_count++] = plane;
        n->normals[n->normal_count++] = v3_scale(-1, plane);
    }
    for (int i = 0; i < n->size; i++)
    {
        const v3 a = c[(i + 1) % n->size], b = c[(i + 2) % n->size], opposite = c[i];
        v3 normal = n->size == 3 ? v3_cross(v3_sub(b, a), plane) : v3_cross(v3_sub(b, a), v3_sub(c[(i + 3) % 4], a));
        normal = unit(normal);
        n->normals[n->normal_count++] = v3_dot(normal, v3_sub(opposite, a)) > 0 ? v3_scale(-1, normal) : normal;
    }
}

/* Whether all corners of a triangle lie above all of the cell along one of its normals. */
static bool is_beyond_a_face(const neighbourhood *n, const v3 corners[3])
{
    for (int i = 0; i < n->normal_count; i++)
    {
        double lowest = INFINITY, highest = -INFINITY;
        for (int k = 0; k < 3; k++)
            lowest = fmin(lowest, v3_dot(n->normals[i], v3_sub(corners[k], n->centre)));
        for (int k = 0; k < n->size; k++)
            highest = fmax(highest, v3_dot(n->normals[i], v3_sub(n->corners[k], n->centre)));
        /* shortcut: beyond-a-face */
        if (lowest > highest + 2 * (n->error + n->surface->error))
            return true;
    }
    return false;
}

/* Whether a triangle in about the same plane was found to cross already: coplanar facets count once. */
static bool is_known_plane(const neighbourhood *n, const double heights[4], double shell)
{
    for (int i = 0; i < n->crossing_count; i++)
    {
        double difference = 0;
        for (int k = 0; k < n->size; k++)
            difference = fmax(difference, fabs(n->crossing[i][k] - heights[k]));
        if (difference <= 2 * shell)
            return true;
    }
    return false;
}

static bool test_near_triangle(void *user, uint32_t triangle)
{
    neighbourhood *n = user;
    v3 corners[3];
    grz_surface_corners(n->surface, triangle, corners);
    if (is_beyond_a_face(n, corners))
        return true;
    v3 normal = unit(v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0])));
    if (!(v3_dot(normal, normal) > 0)) /* without area it bounds nothing; else rounding has taken its plane away */
    {
        const grz_body_view view = {.mesh = n->surface->body->placed->mesh};
        n->crowded = n->crowded || grz_body_triangle_has_area(&view, triangle);
        return !n->crowded;
    }
    double shell = 2 * (n->error + n->surface->error), heights[4] = {0, 0, 0, 0}, lowest = INFINITY,
           highest = -INFINITY;
    for (int k = 1; k < 3; k++)
        shell = fmax(shell, fabs(v3_dot(normal, v3_sub(corners[k], corners[0]))) + 2 * (n->error + n->surface->error));
    for (int i = 0; i < n->size; i++)
    {
        heights[i] = v3_dot(normal, v3_sub(n->corners[i], corners[0]));
        heights[i] = fabs(heights[i]) <= shell ? 0 : heights[i];
        lowest = fmin(lowest, heights[i]);
        highest = fmax(highest, heights[i]);
    }
    if (lowest > 0 || highest < 0)
        return true;
    if (lowest < 0 && highest > 0)
    {
        if (is_known_plane(n, heights, shell))
            return true;
        n->crowded = n->crossing_count == MOST_CROSSING;
        if (n->crowded)
            return false;
        memcpy(n->crossing[n->crossing_count++], heights, sizeof heights);
        double cut = fmin(-lowest, highest);
        if (cut > n->best_cut)
        {
            n->best_cut = cut;
            memcpy(n->values, heights, sizeof n->values);
        }
        return true;
    }
    n->least_height = fmin(n->least_height, fabs(v3_dot(normal, v3_sub(n->centre, corners[0]))) - shell);
    n->most_shell = fmax(n->most_shell, 2 * shell);
    return true;
}

static graze_box box_around(const neighbourhood *n)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double slack = 2 * (n->error + n->surface->error);
    for (int i = 0; i < n->size; i++)
    {
        const double x[3] = {n->corners[i].x, n->corners[i].y, n->corners[i].z};
        for (int axis = 0; axis < 3; axis++)
        {
            box.lower[axis] = fmin(box.lower[axis], x[axis] - slack);
            box.upper[axis] = fmax(box.upper[axis], x[axis] + slack);
        }
    }
    return box;
}

static grz_simplex_location location_of(const grz_surface *surface, const double point[3])
{
    grz_body_view view = grz_placed_body_view(surface->body);
    graze_location location = grz_locate_point(&view, point, NULL);
    return location == GRAZE_LOCATION_INSIDE    ? GRZ_CELL_INSIDE
           : location == GRAZE_LOCATION_OUTSIDE ? GRZ_CELL_OUTSIDE
                                                : GRZ_CELL_UNSURE;
}

/* The centre and radius of a cell, which include its error. */
static double ball_around(const grz_simplex_space *space, const grz_simplex *cell, double out_centre[3])
{
    v3 centre = grz_simplex_centre(space, cell);
    double radius = 0;
    for (int i = 0; i < grz_simplex_size(cell); i++)
        radius = fmax(radius, v3_length(v3_sub(position(space, cell, i), centre)));
    v3_store(centre, out_centre);
    return radius * (1 + 8 * GRZ_U) + 2 * grz_simplex_error(space, cell);
}

grz_simplex_location grz_simplex_locate_ball(const grz_simplex_space *space, const grz_simplex *cell, int side)
{
    double centre[3], radius = ball_around(space, cell, centre);
    grz_nearest_triangle nearest;
    grz_find_nearest_triangle(&space->surfaces[side], centre, GRZ_COARSE, &nearest);
    return nearest.lower > radius ? location_of(&space->surfaces[side], centre) : GRZ_CELL_UNSURE;
}

grz_simplex_location grz_simplex_locate(const grz_simplex_space *space, const grz_simplex *cell, int side,
                                        double most_shell, double out_values[4], double *out_shell)
{
    *out_shell = 0;
    grz_simplex_location location = grz_simplex_locate_ball(space, cell, side);
    if (location != GRZ_CELL_UNSURE)
        return location;
    neighbourhood n = {.surface = &space->surfaces[side],
                       .size = grz_simplex_size(cell),
                       .error = grz_simplex_error(space, cell),
                       .least_height = INFINITY};
    double centre[3], radius = ball_around(space, cell, centre);
    n.centre = v3_load(centre);
    for (int i = 0; i < n.size; i++)
        n.corners[i] = position(space, cell, i);
    find_normals(&n);
    graze_box box = box_around(&n);
    grz_surface_visit_box(n.surface, &box, test_near_triangle, &n);
    if (n.crowded)
        return GRZ_CELL_CROWDED;
    if (n.crossing_count > 0)
    {
        memcpy(out_values, n.values, sizeof n.values);
        return GRZ_CELL_CROSSED;
    }
    /* shortcut: cells-beside-planes */
    double shell = n.least_height < INFINITY ? radius * n.most_shell / n.least_height * (1 + 8 * GRZ_U) : 0;
    if (!(n.least_height > 0 && shell <= most_shell))
        return GRZ_CELL_UNSURE;
    *out_shell = shell;
    return location_of(n.surface, centre);
}
