/* SPDX-License-Identifier: MIT */
/*
 * Where to cut a piece: the plane across an axis after which the hulls of both halves have the least volume together.
 * The volume of the body is the same before and after, so this is what is left of the excess in volume. Candidates are
 * the coordinates of vertices inside of the hull, where notches end, and evenly spaced places. Estimates: from a part
 * of the triangles where there are many.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "decomposition/decomposition.h"

enum
{
    VERTEX_CANDIDATES = 12,
    EVEN_CANDIDATES = 7,
    MOST_TRIANGLES = 6000
};

static int compare(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;
    return a < b ? -1 : a > b;
}

/* The extent of the hull along an axis. */
static interval range_of(const grz_hull *hull, int axis)
{
    interval range = {INFINITY, -INFINITY};
    for (size_t v = 0; v < hull->vertex_count; v++)
    {
        range.lower = fmin(range.lower, hull->vertices[v][axis]);
        range.upper = fmax(range.upper, hull->vertices[v][axis]);
    }
    return range;
}

/* Whether a point is a vertex of the hull: only roughly in the plane of two axes, which is enough for candidates. */
static bool is_vertex(const grz_hull *hull, const grz_cell_point *p)
{
    for (size_t v = 0; v < hull->vertex_count; v++)
        if (hull->vertices[v][0] == p->at[0].lower && hull->vertices[v][1] == p->at[1].lower &&
            hull->vertices[v][2] == p->at[2].lower)
            return true;
    return false;
}

/* Writes candidates for an axis, strictly inside of the range. `scratch` has room for all points. */
static size_t find_places(const grz_convex_piece *piece, const bool *inner, int axis, double *scratch,
                          double *out_places)
{
    interval range = range_of(piece->hull, axis);
    double width = range.upper - range.lower, margin = 1e-6 * width;
    size_t found = 0, distinct = 0, count = 0;
    for (size_t i = 0; i < piece->points.count; i++)
    {
        double x = piece->points.data[i].at[axis].lower;
        if (inner[i] && x > range.lower + margin && x < range.upper - margin)
            scratch[found++] = x;
    }
    qsort(scratch, found, sizeof *scratch, compare);
    for (size_t i = 0; i < found; i++)
        if (distinct == 0 || scratch[i] > scratch[distinct - 1])
            scratch[distinct++] = scratch[i];
    size_t taken = distinct < VERTEX_CANDIDATES ? distinct : VERTEX_CANDIDATES;
    for (size_t i = 0; i < taken; i++)
        out_places[count++] = scratch[taken > 1 ? i * (distinct - 1) / (taken - 1) : distinct / 2];
    for (int i = 1; i <= EVEN_CANDIDATES; i++)
    {
        double x = range.lower + width * i / (EVEN_CANDIDATES + 1);
        if (x > range.lower && x < range.upper)
            out_places[count++] = x;
    }
    return count;
}

static graze_status volume_in(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                              uint32_t *scratch, double *out_volume)
{
    grz_cell_points points = {0};
    grz_hull *hull = NULL;
    size_t kept = grz_cell_triangles(body, cell, triangles, count, scratch);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (grz_cell_points_find(body, cell, scratch, kept, &points))
        status = grz_cell_hull_estimate(body->context, &points, body->monitor, &hull);
    if (status == GRAZE_STATUS_OK)
        *out_volume = hull != NULL ? grz_hull_volume(hull) : 0;
    grz_hull_destroy(hull);
    grz_release(body->context, points.data);
    return status;
}

static graze_status try_cut(grz_cut_body *body, const grz_convex_piece *piece, const uint32_t *sample, size_t count,
                            int axis, double place, uint32_t *scratch, grz_cut *best)
{
    double volumes[2] = {0, 0};
    for (int half = 0; half < 2; half++)
    {
        graze_box cell = piece->cell;
        *(half == 0 ? &cell.upper[axis] : &cell.lower[axis]) = place;
        graze_status status = volume_in(body, &cell, sample, count, scratch, &volumes[half]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    double volume = volumes[0] + volumes[1];
    if (volume < best->volume)
        *best = (grz_cut){axis, place, volume};
    return GRAZE_STATUS_OK;
}

graze_status grz_cut_find(grz_cut_body *body, const grz_convex_piece *piece, grz_cut *out_cut)
{
    const graze_context *context = body->context;
    grz_cut best = {.volume = INFINITY};
    size_t stride = piece->triangle_count / MOST_TRIANGLES + 1, count = 0;
    bool *inner = grz_allocate(context, piece->points.count, sizeof *inner);
    double *scratch = grz_allocate(context, piece->points.count, sizeof *scratch);
    uint32_t *sample = grz_allocate(context, piece->triangle_count, sizeof *sample);
    uint32_t *kept = grz_allocate(context, piece->triangle_count, sizeof *kept);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (inner != NULL && scratch != NULL && sample != NULL && kept != NULL)
        status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < piece->points.count && status == GRAZE_STATUS_OK; i++)
        inner[i] = grz_cell_point_is_exact(&piece->points.data[i]) && !is_vertex(piece->hull, &piece->points.data[i]);
    for (size_t i = 0; i < piece->triangle_count && status == GRAZE_STATUS_OK; i += stride)
        sample[count++] = piece->triangles[i];
    for (int axis = 0; axis < 3 && status == GRAZE_STATUS_OK; axis++)
    {
        double places[VERTEX_CANDIDATES + EVEN_CANDIDATES];
        size_t found = find_places(piece, inner, axis, scratch, places);
        for (size_t i = 0; i < found && status == GRAZE_STATUS_OK; i++)
            status = try_cut(body, piece, sample, count, axis, places[i], kept, &best);
        if (status == GRAZE_STATUS_OK)
            status = grz_monitor_status(body->monitor);
    }
    grz_release(context, inner);
    grz_release(context, scratch);
    grz_release(context, sample);
    grz_release(context, kept);
    if (status == GRAZE_STATUS_OK)
        *out_cut = best;
    return status;
}
