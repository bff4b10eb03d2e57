/* SPDX-License-Identifier: MIT */
/* Boundary of adjacent polygons; see contour.h. */
#include "clash/contour.h"

#include <stdlib.h>
#include <string.h>

/* An edge in one direction; each edge is stored in both. */
typedef struct contour_side
{
    const double *from, *to;
    size_t twin;     /* index of the opposite direction */
    size_t identity; /* number of the edge, the same for both directions */
    bool used;
} contour_side;

static int compare_points(const double *p, const double *q)
{
    for (int axis = 0; axis < 3; axis++)
        if (p[axis] != q[axis])
            return p[axis] < q[axis] ? -1 : 1;
    return 0;
}

static int compare_sides(const void *a, const void *b)
{
    const contour_side *x = a, *y = b;
    int order = compare_points(x->from, y->from);
    order = order != 0 ? order : compare_points(x->to, y->to);
    return order != 0 ? order : (x->identity > y->identity) - (x->identity < y->identity);
}

/* Stores all edges in both directions, sorted, without those that occur an even number of times. Returns how many are
 * left. */
static size_t find_border(const double *points, const size_t *starts, size_t polygon_count, contour_side *sides)
{
    size_t count = 0, left = 0;
    for (size_t i = 0; i < polygon_count; i++)
        for (size_t k = starts[i]; k < starts[i + 1]; k++)
        {
            const double *p = points + 3 * k, *q = points + 3 * (k + 1 < starts[i + 1] ? k + 1 : starts[i]);
            if (compare_points(p, q) == 0)
                continue;
            sides[count] = (contour_side){p, q, 0, count / 2, false};
            sides[count + 1] = (contour_side){q, p, 0, count / 2, false};
            count += 2;
        }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && compare_points(sides[i].from, sides[end].from) == 0 &&
                          compare_points(sides[i].to, sides[end].to) == 0;)
            end++;
        if ((end - i) % 2 == 1)
            sides[left++] =
                sides[i]; /* the same edge in both directions, since the order of identities is the same there */
    }
    return left;
}

static void find_twins(contour_side *sides, size_t count, size_t *place_of)
{
    for (size_t i = 0; i < count; i++)
        place_of[sides[i].identity] = i; /* the later of the two */
    for (size_t i = 0; i < count; i++)
    {
        size_t other = place_of[sides[i].identity];
        if (other != i)
        {
            sides[i].twin = other;
            sides[other].twin = i;
        }
    }
}

/* An unused edge that begins at this point, or count. */
static size_t next_side(const contour_side *sides, size_t count, const double *point)
{
    size_t low = 0, high = count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        if (compare_points(sides[middle].from, point) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < count && compare_points(sides[low].from, point) == 0)
    {
        if (!sides[low].used)
            return low;
        low++;
    }
    return count;
}

static void join_lines(contour_side *sides, size_t count, grz_contour_lines *lines)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
    {
        if (sides[i].used)
            continue;
        lines->starts[lines->count++] = size;
        memcpy(lines->points + 3 * size++, sides[i].from, 3 * sizeof(double));
        for (size_t at = i; at < count; at = next_side(sides, count, sides[at].to))
        {
            sides[at].used = sides[sides[at].twin].used = true;
            memcpy(lines->points + 3 * size++, sides[at].to, 3 * sizeof(double));
        }
    }
    lines->starts[lines->count] = size;
}

bool grz_contour_of(const graze_context *context, const double *points, const size_t *starts, size_t polygon_count,
                    grz_contour_lines *out_lines)
{
    size_t most = polygon_count > 0 ? starts[polygon_count] - starts[0] : 0;
    contour_side *sides = grz_allocate_zeroed(context, 2 * most + 1, sizeof *sides);
    size_t *place_of = grz_allocate_zeroed(context, most + 1, sizeof *place_of);
    *out_lines = (grz_contour_lines){.points = grz_allocate_zeroed(context, 6 * most + 1, sizeof(double)),
                                     .starts = grz_allocate_zeroed(context, most + 1, sizeof(size_t))};
    bool done = sides != NULL && place_of != NULL && out_lines->points != NULL && out_lines->starts != NULL;
    if (done)
    {
        size_t count = find_border(points, starts, polygon_count, sides);
        find_twins(sides, count, place_of);
        join_lines(sides, count, out_lines);
    }
    grz_release(context, sides);
    grz_release(context, place_of);
    return done;
}

void grz_contour_release(const graze_context *context, grz_contour_lines *lines)
{
    grz_release(context, lines->points);
    grz_release(context, lines->starts);
}
