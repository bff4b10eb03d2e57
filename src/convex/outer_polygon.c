/* SPDX-License-Identifier: MIT */
/*
 * Sides are removed one after the other: those before and after are made longer until they meet. That adds a triangle
 * over the side. Side i goes from corner i to the next one; without it corner i is the point where its neighbours meet,
 * and the next corner is gone.
 */
#include "convex/outer_polygon.h"

#include "base/memory.h"
#include "convex/cost_heap.h"

typedef struct ring
{
    double (*corners)[2];
    uint32_t *next, *previous;
    uint32_t *versions; /* UINT32_MAX: removed */
    grz_cost_heap heap;
} ring;

/* Where the sides before and after one meet. Returns the area that is added; INFINITY where they do not meet. */
static double meet(const ring *r, uint32_t side, double out_point[2])
{
    const double *a = r->corners[r->previous[side]], *b = r->corners[side], *c = r->corners[r->next[side]],
                 *d = r->corners[r->next[r->next[side]]];
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = d[0] - c[0], vy = d[1] - c[1], wx = c[0] - b[0], wy = c[1] - b[1];
    double turn = ux * vy - uy * vx, t = (wx * vy - wy * vx) / turn;
    double area = 0.5 * fabs(t * (ux * wy - uy * wx));
    out_point[0] = b[0] + t * ux;
    out_point[1] = b[1] + t * uy;
    return t >= 0 && area < INFINITY && t < INFINITY ? area : INFINITY;
}

static bool push(const graze_context *context, ring *r, uint32_t side)
{
    double point[2];
    return grz_cost_heap_push(context, &r->heap, (grz_cost){meet(r, side, point), side, ++r->versions[side]});
}

static graze_status remove_sides(const graze_context *context, ring *r, size_t *count, size_t most)
{
    for (uint32_t i = 0; i < *count; i++)
        if (!push(context, r, i))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    while (*count > most)
    {
        if (r->heap.entries.count == 0)
            return GRAZE_STATUS_BAD_ARGUMENT;
        grz_cost least = grz_cost_heap_pop(&r->heap);
        uint32_t side = least.element, gone = r->next[side];
        if (r->versions[side] != least.version)
            continue;
        /* The next corner goes, and the number of its side with it: this one takes its place. */
        double point[2];
        meet(r, side, point);
        r->corners[side][0] = point[0];
        r->corners[side][1] = point[1];
        r->next[side] = r->next[gone];
        r->previous[r->next[side]] = side;
        r->versions[gone] = UINT32_MAX;
        --*count;
        if (!push(context, r, side) || !push(context, r, r->previous[side]) || !push(context, r, r->next[side]) ||
            !push(context, r, r->previous[r->previous[side]]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_outer_polygon(const graze_context *context, double (*corners)[2], size_t count, size_t most_corners,
                               size_t *out_count)
{
    ring r = {.corners = corners,
              .next = grz_allocate(context, count, sizeof *r.next),
              .previous = grz_allocate(context, count, sizeof *r.previous),
              .versions = grz_allocate_zeroed(context, count, sizeof *r.versions)};
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    size_t left = count;
    if (r.next != NULL && r.previous != NULL && r.versions != NULL)
    {
        for (uint32_t i = 0; i < count; i++)
        {
            r.next[i] = i + 1 < count ? i + 1 : 0;
            r.previous[i] = i > 0 ? i - 1 : (uint32_t)count - 1;
        }
        status = remove_sides(context, &r, &left, most_corners);
    }
    size_t written = 0;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        if (r.versions[i] != UINT32_MAX)
        {
            corners[written][0] = corners[i][0];
            corners[written++][1] = corners[i][1];
        }
    if (status == GRAZE_STATUS_OK)
        *out_count = written;
    grz_release(context, r.next);
    grz_release(context, r.previous);
    grz_release(context, r.versions);
    grz_cost_heap_release(context, &r.heap);
    return status;
}
