/* SPDX-License-Identifier: MIT */
/* The generalised octree of Zachmann 1994; see dop_octree.h. */
#include "literature/dop_octree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "literature/octants.h"

dop_axes dop_axes_make(int k)
{
    static const double sides[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, -1, -1}};
    static const double edges[6][3] = {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
    dop_axes out = {.count = 3};
    memcpy(out.axes, sides, sizeof sides);
    if (k == 14 || k == 26)
    {
        memcpy(out.axes + out.count, corners, sizeof corners);
        out.count += 4;
    }
    if (k == 18 || k == 26)
    {
        memcpy(out.axes + out.count, edges, sizeof edges);
        out.count += 6;
    }
    return out;
}

static double along(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

axis_dop dop_around(const dop_axes *axes, const graze_mesh *mesh, const graze_pose *pose)
{
    axis_dop dop;
    const double *vertices = graze_mesh_vertices(mesh);
    for (int i = 0; i < axes->count; i++)
    {
        dop.lower[i] = INFINITY;
        dop.upper[i] = -INFINITY;
    }
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
    {
        double point[3];
        for (int i = 0; i < 3; i++)
            point[i] = along(pose->m + 4 * i, vertices + 3 * v) + pose->m[4 * i + 3];
        for (int i = 0; i < axes->count; i++)
        {
            dop.lower[i] = fmin(dop.lower[i], along(axes->axes[i], point));
            dop.upper[i] = fmax(dop.upper[i], along(axes->axes[i], point));
        }
    }
    return dop;
}

bool dops_overlap(const dop_axes *axes, const axis_dop *a, const axis_dop *b)
{
    for (int i = 0; i < axes->count; i++)
        if (a->lower[i] > b->upper[i] || b->lower[i] > a->upper[i])
            return false;
    return true;
}

/* Whether the corner of three planes lies within the others of a dop. */
static bool has_corner(const dop_axes *axes, const axis_dop *dop, const int numbers[3], const double at[3])
{
    const double *r[3] = {axes->axes[numbers[0]], axes->axes[numbers[1]], axes->axes[numbers[2]]};
    double crosses[3][3], corner[3];
    for (int i = 0; i < 3; i++)
    {
        const double *u = r[(i + 1) % 3], *v = r[(i + 2) % 3];
        for (int k = 0; k < 3; k++)
            crosses[i][k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    double determinant = along(r[0], crosses[0]);
    if (determinant == 0) /* of small integers: exact */
        return false;
    for (int k = 0; k < 3; k++)
        corner[k] = (at[0] * crosses[0][k] + at[1] * crosses[1][k] + at[2] * crosses[2][k]) / determinant;
    for (int i = 0; i < axes->count; i++)
    {
        double x = along(axes->axes[i], corner);
        bool own = i == numbers[0] || i == numbers[1] || i == numbers[2];
        if (!own && (x < dop->lower[i] + 1e-9 || x > dop->upper[i] - 1e-9))
            return false;
    }
    return true;
}

bool dops_share_point(const dop_axes *axes, const axis_dop *a, const axis_dop *b)
{
    axis_dop both;
    int n[3];
    if (!dops_overlap(axes, a, b))
        return false;
    for (int i = 0; i < axes->count; i++)
    {
        both.lower[i] = fmax(a->lower[i], b->lower[i]);
        both.upper[i] = fmin(a->upper[i], b->upper[i]);
    }
    for (n[0] = 0; n[0] < axes->count; n[0]++)
        for (n[1] = n[0] + 1; n[1] < axes->count; n[1]++)
            for (n[2] = n[1] + 1; n[2] < axes->count; n[2]++)
                for (int ends = 0; ends < 8; ends++)
                {
                    double at[3];
                    for (int i = 0; i < 3; i++)
                        at[i] = (ends >> i & 1) != 0 ? both.upper[n[i]] : both.lower[n[i]];
                    if (has_corner(axes, &both, n, at))
                        return true;
                }
    return false;
}

/* The k-dop around the cube of an octant. */
static axis_dop dop_of(const dop_octree *tree, const octant *o)
{
    axis_dop dop;
    double reach = ldexp(tree->half, -(int)o->level), centre[3];
    for (int i = 0; i < 3; i++)
        centre[i] = (2 * o->place[i] + 1) * reach - tree->half;
    for (int i = 0; i < tree->axes.count; i++)
    {
        const double *axis = tree->axes.axes[i];
        double middle = along(axis, centre), extent = reach * (fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2]));
        dop.lower[i] = middle - extent;
        dop.upper[i] = middle + extent;
    }
    return dop;
}

static bool covers(const dop_axes *axes, const axis_dop *outer, const axis_dop *inner)
{
    for (int i = 0; i < axes->count; i++)
        if (inner->lower[i] < outer->lower[i] || inner->upper[i] > outer->upper[i])
            return false;
    return true;
}

bool dop_octree_create(dop_octree *tree, int k, uint32_t depth, double half, uint32_t objects, uint32_t hysteresis)
{
    *tree = (dop_octree){.depth = depth,
                         .half = half,
                         .axes = dop_axes_make(k),
                         .object_count = objects,
                         .work = {.hysteresis = hysteresis}};
    tree->octants = calloc(level_start(depth), sizeof *tree->octants);
    tree->objects = calloc(objects, sizeof *tree->objects);
    tree->dops = calloc(objects, sizeof *tree->dops);
    return tree->octants != NULL && tree->objects != NULL && tree->dops != NULL;
}

void dop_octree_destroy(dop_octree *tree)
{
    for (size_t i = 0; tree->octants != NULL && i < level_start(tree->depth); i++)
        free(tree->octants[i].items);
    for (size_t i = 0; tree->objects != NULL && i < tree->object_count; i++)
        free(tree->objects[i].items);
    free(tree->octants);
    free(tree->objects);
    free(tree->dops);
    *tree = (dop_octree){0};
}

static void insert(dop_octree *tree, uint32_t object, octant o)
{
    const axis_dop *dop = &tree->dops[object];
    axis_dop cell = dop_of(tree, &o);
    tree->work.visited++;
    if (!dops_overlap(&tree->axes, dop, &cell))
        return;
    if (o.level + 1 == tree->depth || covers(&tree->axes, dop, &cell))
    {
        counted_work own = {.hysteresis = tree->work.hysteresis}; /* octant arrays are not among the counted ones */
        size_t number = number_of(&o);
        counted_push(&tree->octants[number], object, &tree->work);
        counted_push(&tree->objects[object], (uint32_t)number, &own);
        tree->work.failed = tree->work.failed || own.failed;
        return;
    }
    for (int child = 0; child < 8; child++)
        insert(tree, object, octant_child(&o, child));
}

void dop_octree_insert(dop_octree *tree, uint32_t object, const axis_dop *dop)
{
    tree->dops[object] = *dop;
    insert(tree, object, (octant){.level = 0});
}

void dop_octree_move(dop_octree *tree, uint32_t object, const axis_dop *dop)
{
    counted_array *own = &tree->objects[object];
    for (; own->count > 0; own->count--)
    {
        tree->work.visited++;
        counted_remove(&tree->octants[own->items[own->count - 1]], object, &tree->work);
    }
    dop_octree_insert(tree, object, dop);
}

static void mark(const counted_array *array, bool *marks)
{
    for (uint32_t i = 0; i < array->count; i++)
        marks[array->items[i]] = true;
}

/* Marks what is below an octant that the object covers. */
static void mark_below(dop_octree *tree, octant o, bool *marks)
{
    tree->work.visited++;
    mark(&tree->octants[number_of(&o)], marks);
    for (int child = 0; o.level + 1 < tree->depth && child < 8; child++)
        mark_below(tree, octant_child(&o, child), marks);
}

void dop_octree_mark_neighbours(dop_octree *tree, uint32_t object, bool *marks)
{
    for (uint32_t i = 0; i < tree->objects[object].count; i++)
    {
        octant o = octant_of(tree->objects[object].items[i], tree->depth);
        for (octant up = o; up.level > 0;) /* octants that others cover */
        {
            up = octant_parent(&up);
            tree->work.visited++;
            mark(&tree->octants[number_of(&up)], marks);
        }
        mark_below(tree, o, marks);
    }
}

bool dop_octree_is_shared(const dop_octree *tree, uint32_t a, uint32_t b)
{
    for (size_t i = level_start(tree->depth - 1); i < level_start(tree->depth); i++)
    {
        octant o = octant_of(i, tree->depth);
        axis_dop cell = dop_of(tree, &o);
        if (dops_overlap(&tree->axes, &tree->dops[a], &cell) && dops_overlap(&tree->axes, &tree->dops[b], &cell))
            return true;
    }
    return false;
}

double dop_octree_bytes(const dop_octree *tree)
{
    return 44 * (double)level_start(tree->depth) + tree->work.bytes;
}
