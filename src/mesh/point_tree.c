/* SPDX-License-Identifier: MIT */
/*
 * The point tree; see point_tree.h. A box is skipped when one of six axes separates it from the segment (Gottschalk
 * 1996): the three coordinates, which are compared exactly, and the three cross products with the segment, where the
 * comparison must exceed a bound on its rounding error. With all numbers at most 2 in magnitude, the error bound of
 * each of the two sides is 8 units in the last place of the sum of the products' magnitudes, plus underflow: below
 * 1e-300.
 */
#include "mesh/point_tree.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

static grz_tree_box bound(const grz_kd_point *points, size_t count)
{
    grz_tree_box box;
    for (int i = 0; i < 3; i++)
    {
        box.lower[i] = INFINITY;
        box.upper[i] = -INFINITY;
        for (size_t p = 0; p < count; p++)
        {
            double x = points[p].position[i];
            box.lower[i] = x < box.lower[i] ? x : box.lower[i];
            box.upper[i] = x > box.upper[i] ? x : box.upper[i];
        }
    }
    return box;
}

/* How many points leaf l holds. */
static size_t leaf_size(const grz_point_tree *tree, size_t leaf)
{
    size_t first = leaf * GRZ_KD_LEAF_SIZE, left = first < tree->point_count ? tree->point_count - first : 0;
    return left < GRZ_KD_LEAF_SIZE ? left : GRZ_KD_LEAF_SIZE;
}

static void build(grz_point_tree *tree)
{
    for (size_t b = 2 * tree->leaf_count - 1; b >= tree->leaf_count; b--)
    {
        size_t leaf = b - tree->leaf_count;
        tree->boxes[b] = bound(tree->points + leaf * GRZ_KD_LEAF_SIZE, leaf_size(tree, leaf));
    }
    for (size_t b = tree->leaf_count - 1; b >= 1; b--)
    {
        tree->boxes[b] = tree->boxes[2 * b];
        for (int i = 0; i < 3; i++)
        {
            tree->boxes[b].lower[i] = fmin(tree->boxes[b].lower[i], tree->boxes[2 * b + 1].lower[i]);
            tree->boxes[b].upper[i] = fmax(tree->boxes[b].upper[i], tree->boxes[2 * b + 1].upper[i]);
        }
    }
}

bool grz_point_tree_create(grz_point_tree *tree, const graze_context *context, grz_kd_point *points, size_t count)
{
    tree->points = points;
    tree->point_count = count;
    tree->leaf_count = grz_kd_leaf_count(count);
    tree->boxes = grz_allocate(context, 2 * tree->leaf_count, sizeof *tree->boxes);
    if (tree->boxes == NULL)
        return false;
    grz_kd_sort(points, count);
    build(tree);
    return true;
}

typedef struct point_search
{
    const grz_point_tree *tree;
    const double *start;
    double direction[3];
    grz_tree_box bounds;
    grz_point_test *accept;
    const void *user;
} point_search;

/* Whether a box with centre and half sides certainly misses the line of the segment, by the cross product axes. */
static bool misses_line(const point_search *query, const double centre[3], const double half[3])
{
    const double *d = query->direction;
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = centre[i] - query->start[i];
    for (int i = 0; i < 3; i++)
    {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        double left = d[u] * c[v], right = d[v] * c[u];
        double radius = fabs(d[u]) * half[v] + fabs(d[v]) * half[u];
        double size = fabs(left) + fabs(right) + radius;
        /* Centre and half sides have rounding errors relative to the magnitude of the box's coordinates, not of its
           size. */
        double slack = (fabs(d[u]) * fabs(centre[v]) + fabs(d[v]) * fabs(centre[u])) * DBL_EPSILON;
        if (fabs(left - right) > radius + 8 * DBL_EPSILON * size + 2 * slack + 1e-300)
            return true;
    }
    return false;
}

static bool misses_box(const point_search *query, const grz_tree_box *box)
{
    double centre[3], half[3];
    for (int i = 0; i < 3; i++)
    {
        if (!(box->lower[i] <= query->bounds.upper[i] && box->upper[i] >= query->bounds.lower[i]))
            return true;
        centre[i] = 0.5 * (box->lower[i] + box->upper[i]);
        half[i] = 0.5 * (box->upper[i] - box->lower[i]);
    }
    return misses_line(query, centre, half);
}

static bool search_leaf(const point_search *query, size_t leaf)
{
    const grz_point_tree *tree = query->tree;
    const double zero[3] = {0, 0, 0};
    const grz_kd_point *points = tree->points + leaf * GRZ_KD_LEAF_SIZE;
    for (size_t p = 0; p < leaf_size(tree, leaf); p++)
    {
        const double *position = points[p].position;
        bool inside = true;
        for (int i = 0; i < 3; i++)
            inside = inside && position[i] >= query->bounds.lower[i] && position[i] <= query->bounds.upper[i];
        if (inside && !misses_line(query, position, zero) && query->accept(query->user, points[p].number))
            return true;
    }
    return false;
}

static bool search_box(const point_search *query, size_t b)
{
    if (misses_box(query, &query->tree->boxes[b]))
        return false;
    if (b >= query->tree->leaf_count)
        return search_leaf(query, b - query->tree->leaf_count);
    return search_box(query, 2 * b) || search_box(query, 2 * b + 1);
}

bool grz_point_tree_any(const grz_point_tree *tree, const double a[3], const double b[3], grz_point_test *accept,
                        const void *user)
{
    point_search query = {.tree = tree, .start = a, .accept = accept, .user = user};
    for (int i = 0; i < 3; i++)
    {
        query.direction[i] = b[i] - a[i];
        query.bounds.lower[i] = a[i] < b[i] ? a[i] : b[i];
        query.bounds.upper[i] = a[i] < b[i] ? b[i] : a[i];
    }
    return tree->point_count > 0 && search_box(&query, 1);
}
