/* SPDX-License-Identifier: MIT */
/*
 * The point tree; see point_tree.h. Points are split at the median along the longest side of their box until a handful
 * is left. A box is skipped when one of six axes separates it from the segment (Gottschalk 1996): the three
 * coordinates, which are compared exactly, and the three cross products with the segment, where the comparison must
 * exceed a bound on its rounding error. With all numbers at most 2 in size, each of the two sides is off by less than 8
 * units in the last place of the sum of the products' sizes, plus what underflows: below 1e-300.
 */
#include "mesh/point_tree.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

enum
{
    LEAF_SIZE = 8
};

/* Leaf l holds the points from here to the start of leaf l + 1. */
static size_t leaf_start(const grz_point_tree *tree, size_t leaf)
{
    return (size_t)((uint64_t)tree->point_count * leaf / tree->leaf_count);
}

static void swap_points(grz_tree_point *a, grz_tree_point *b)
{
    grz_tree_point c = *a;
    *a = *b;
    *b = c;
}

/* Moves the points so that those before `middle` are not after it along the axis, nor those after it before (Hoare's
 * find; pivots from a fixed sequence, so that no sorted input is slow and every run is the same). */
static void split(grz_tree_point *points, size_t count, size_t middle, int axis)
{
    size_t first = 0, last = count - 1;
    uint64_t state = count;
    while (first < last)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double pivot = points[first + (size_t)((state >> 33) % (last - first + 1))].place[axis];
        size_t i = first, j = last;
        while (i <= j)
        {
            while (points[i].place[axis] < pivot)
                i++;
            while (points[j].place[axis] > pivot)
                j--;
            if (i <= j)
            {
                swap_points(&points[i], &points[j]);
                i++;
                if (j == 0)
                    break;
                j--;
            }
        }
        if (middle <= j)
            last = j;
        else if (middle >= i)
            first = i;
        else
            return;
    }
}

static grz_tree_box bound(const grz_tree_point *points, size_t count)
{
    grz_tree_box box;
    for (int i = 0; i < 3; i++)
    {
        box.lower[i] = INFINITY;
        box.upper[i] = -INFINITY;
        for (size_t p = 0; p < count; p++)
        {
            double x = points[p].place[i];
            box.lower[i] = x < box.lower[i] ? x : box.lower[i];
            box.upper[i] = x > box.upper[i] ? x : box.upper[i];
        }
    }
    return box;
}

/* Boxes from the root down; box b on its level covers the leaves below it. */
static void build(grz_point_tree *tree)
{
    for (size_t level_start = 1; level_start <= tree->leaf_count; level_start *= 2)
        for (size_t b = level_start; b < 2 * level_start; b++)
        {
            size_t leaves = tree->leaf_count / level_start, leaf = (b - level_start) * leaves;
            size_t first = leaf_start(tree, leaf), end = leaf_start(tree, leaf + leaves);
            grz_tree_box box = bound(tree->points + first, end - first);
            tree->boxes[b] = box;
            if (leaves == 1 || end - first < 2)
                continue;
            int axis = 0;
            for (int i = 1; i < 3; i++)
                if (box.upper[i] - box.lower[i] > box.upper[axis] - box.lower[axis])
                    axis = i;
            split(tree->points + first, end - first, leaf_start(tree, leaf + leaves / 2) - first, axis);
        }
}

bool grz_point_tree_create(grz_point_tree *tree, const graze_context *context, grz_tree_point *points, size_t count)
{
    tree->points = points;
    tree->point_count = count;
    tree->leaf_count = 1;
    while (tree->leaf_count * LEAF_SIZE < count)
        tree->leaf_count *= 2;
    tree->boxes = grz_allocate(context, 2 * tree->leaf_count, sizeof *tree->boxes);
    if (tree->boxes == NULL)
        return false;
    build(tree);
    return true;
}

typedef struct search
{
    const grz_point_tree *tree;
    const double *start;
    double direction[3];
    grz_tree_box bounds;
    grz_point_test *accept;
    const void *user;
} search;

/* Whether a box with centre and half sides certainly misses the line of the segment, by the cross product axes. */
static bool misses_line(const search *query, const double centre[3], const double half[3])
{
    const double *d = query->direction;
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = centre[i] - query->start[i];
    for (int i = 0; i < 3; i++)
    {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        double left = d[u] * c[v], right = d[v] * c[u];
        double reach = fabs(d[u]) * half[v] + fabs(d[v]) * half[u];
        double size = fabs(left) + fabs(right) + reach;
        /* The centre and half sides are rounded by the size of the box's numbers, not of their difference. */
        double slack = (fabs(d[u]) * fabs(centre[v]) + fabs(d[v]) * fabs(centre[u])) * DBL_EPSILON;
        if (fabs(left - right) > reach + 8 * DBL_EPSILON * size + 2 * slack + 1e-300)
            return true;
    }
    return false;
}

static bool misses_box(const search *query, const grz_tree_box *box)
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

static bool search_leaf(const search *query, size_t leaf)
{
    const grz_point_tree *tree = query->tree;
    const double zero[3] = {0, 0, 0};
    for (size_t p = leaf_start(tree, leaf); p < leaf_start(tree, leaf + 1); p++)
    {
        const double *place = tree->points[p].place;
        bool inside = true;
        for (int i = 0; i < 3; i++)
            inside = inside && place[i] >= query->bounds.lower[i] && place[i] <= query->bounds.upper[i];
        if (inside && !misses_line(query, place, zero) && query->accept(query->user, tree->points[p].number))
            return true;
    }
    return false;
}

static bool search_box(const search *query, size_t b)
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
    search query = {.tree = tree, .start = a, .accept = accept, .user = user};
    for (int i = 0; i < 3; i++)
    {
        query.direction[i] = b[i] - a[i];
        query.bounds.lower[i] = a[i] < b[i] ? a[i] : b[i];
        query.bounds.upper[i] = a[i] < b[i] ? b[i] : a[i];
    }
    return tree->point_count > 0 && search_box(&query, 1);
}
