/* SPDX-License-Identifier: MIT */
/*
 * Cells of the search for the deepest common point: heap, vertices, splitting; see simplex_search.h.
 *
 * Splitting. A simplex is split along edges: one vertex of an edge is replaced by a point of the edge in one child,
 * the other vertex in the other child. Both children together are the simplex, whatever point is taken, so that the
 * values that chose the point need not be exact. The point computed is off the edge by at most 5 u reach per coordinate
 * in any rounding mode (2 for the edge, 2 for its product, 1 for the sum), 9 u reach in all; a piecewise affine map
 * takes the exact children to the computed ones and moves no point farther. So after n splits every point of the first
 * cell is within 9 n u reach of a cell that stands for it.
 */
#include "pair/depth/simplex_search.h"

#include <string.h>

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
    vertex.nearest[0].triangle = vertex.nearest[1].triangle = GRZ_NO_TRIANGLE;
    *out_vertex = (uint32_t)space->vertices.count;
    return space->vertices.count < UINT32_MAX && GRZ_PUSH(space->context, &space->vertices, vertex);
}

const grz_simplex_vertex *grz_simplex_vertex_measured(grz_simplex_space *space, uint32_t vertex, int side)
{
    grz_simplex_vertex *v = &space->vertices.data[vertex];
    if (!v->measured[side])
    {
        grz_find_nearest_triangle(&space->surfaces[side], v->x, GRZ_COARSE, v->nearest[side].triangle,
                                  &v->nearest[side]);
        v->measured[side] = true;
    }
    return v;
}

v3 grz_simplex_centre(const grz_simplex_space *space, const grz_simplex *cell)
{
    int size = grz_simplex_size(cell);
    v3 sum = v3_make(0, 0, 0);
    for (int i = 0; i < size; i++)
        sum = v3_add(sum, grz_simplex_corner(space, cell, i));
    return v3_scale(1.0 / size, sum);
}

grz_simplex_ball grz_simplex_ball_of(const grz_simplex_space *space, const grz_simplex *cell)
{
    v3 centre = grz_simplex_centre(space, cell);
    double radius = 0;
    for (int i = 0; i < grz_simplex_size(cell); i++)
        radius = fmax(radius, v3_length(v3_sub(grz_simplex_corner(space, cell, i), centre)));
    grz_simplex_ball ball = {.radius = radius * (1 + 8 * GRZ_U) + 2 * grz_simplex_error(space, cell)};
    v3_store(centre, ball.centre);
    for (int side = 0; side < 2; side++)
        ball.nearest[side].triangle = space->vertices.data[cell->vertices[0]].nearest[side].triangle;
    return ball;
}

const grz_nearest_triangle *grz_simplex_ball_measured(const grz_simplex_space *space, grz_simplex_ball *ball, int side)
{
    grz_nearest_triangle *nearest = &ball->nearest[side];
    if (!ball->measured[side])
        grz_find_nearest_triangle(&space->surfaces[side], ball->centre, fmax(ball->tolerance[side], GRZ_COARSE),
                                  nearest->triangle, nearest);
    ball->measured[side] = true;
    return nearest;
}

bool grz_simplex_point_inside(grz_simplex_space *space, int side, const double point[3], double distance)
{
    bool inside;
    if (grz_located_points_classify(&space->known[side], point, distance, &inside))
        return inside;
    grz_body_view view = grz_placed_body_view(space->surfaces[side].body);
    inside = grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_INSIDE;
    if (distance > 0)
        grz_located_points_add(&space->known[side], point, distance, inside);
    return inside;
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
    for (int side = 0; side < 2 && !s->failed; side++)
        s->space->vertices.data[point].nearest[side].triangle = s->space->vertices.data[from].nearest[side].triangle;
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
            double length = v3_length(v3_sub(grz_simplex_corner(space, cell, i), grz_simplex_corner(space, cell, k)));
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
