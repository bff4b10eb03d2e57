/* SPDX-License-Identifier: MIT */
/*
 * Monotone chain (Andrew 1979) with exact signs, in the projection along an axis, which is one-to-one. Equal points are
 * next to one another in the order, the first one of the input first; the others lie on it and are left out.
 */
#include "convex/flat_hull.h"

#include <stdlib.h>

#include "base/memory.h"
#include "exact/predicates.h"

typedef struct flat_point
{
    double x, y;
    uint32_t source;
} flat_point;

static int compare(const void *first, const void *second)
{
    const flat_point *a = first, *b = second;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

static bool turns_left(const double (*points)[3], uint32_t a, uint32_t b, uint32_t c, int axis)
{
    grz_points set;
    grz_points_start(&set, NULL);
    grz_points_add(&set, points[a], NULL);
    grz_points_add(&set, points[b], NULL);
    grz_points_add(&set, points[c], NULL);
    return grz_orient2d(&set, 0, 1, 2, axis) > 0;
}

/* Adds a point to the end of a chain that starts at `start`. */
static void add(const double (*points)[3], int axis, uint32_t point, size_t start, uint32_t *chain, size_t *count)
{
    while (*count >= start + 2 && !turns_left(points, chain[*count - 2], chain[*count - 1], point, axis))
        --*count;
    chain[(*count)++] = point;
}

/* Both chains, one after the other, of points in order. Returns how many points the loop has; 0 when stopped. */
static size_t make_loop(const double (*points)[3], int axis, const flat_point *order, size_t count,
                        grz_monitor *monitor, uint32_t *chain)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
    {
        if (!grz_monitor_elements(monitor, 1))
            return 0;
        add(points, axis, order[i].source, 0, chain, &length);
    }
    size_t start = length - 1; /* the upper chain starts at the last point of the lower one */
    for (size_t i = count - 1; i-- > 0;)
    {
        if (!grz_monitor_elements(monitor, 1))
            return 0;
        add(points, axis, order[i].source, start, chain, &length);
    }
    return length - 1; /* the first point is the last one, too */
}

graze_status grz_flat_hull(const graze_context *context, const double (*points)[3], size_t count, int axis,
                           grz_monitor *monitor, uint32_t *out_loop, size_t *out_count)
{
    flat_point *order = grz_allocate(context, count, sizeof *order);
    uint32_t *chain = grz_allocate(context, 2 * count, sizeof *chain);
    size_t distinct = 0;
    if (order == NULL || chain == NULL)
    {
        grz_release(context, order);
        grz_release(context, chain);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (flat_point){points[i][(axis + 1) % 3], points[i][(axis + 2) % 3], (uint32_t)i};
    qsort(order, count, sizeof *order, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || order[i].x != order[distinct - 1].x || order[i].y != order[distinct - 1].y)
            order[distinct++] = order[i];
    *out_count = make_loop(points, axis, order, distinct, monitor, chain);
    for (size_t i = 0; i < *out_count; i++)
        out_loop[i] = chain[i];
    grz_release(context, order);
    grz_release(context, chain);
    return grz_monitor_status(monitor);
}
