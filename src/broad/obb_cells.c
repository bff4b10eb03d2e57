/* SPDX-License-Identifier: MIT */
/*
 * Cells of an OBB; see obb_cells.h. All numbers are in units of cells; the scale is a power of two, so scaling is
 * exact.
 *
 * A box with centre c and half edges a lies, for any direction m, between the planes m . p = m . c -+ h with h = sum |m
 * . a|. As m the computed cross products of two edges are taken, at face value. Error bound: dot products of three
 * terms err by 4 U of their magnitudes, sums of four of them by 4 U more: 16 U of all magnitudes covers both ends. In a
 * column p lies in a square of the other two axes, over which m . p varies linearly; the terms added per column err by
 * 8 U of the largest terms possible. All this is added to h beforehand, so columns are computed without error terms.
 *
 * Each underflow loses less than 2^-1020 of a cell, times a magnitude below 2^64 wherever it counts: adding 2^-900
 * covers it. Infinite or NaN bounds count as unbounded.
 */
#include "broad/obb_cells.h"

#include <float.h>
#include <math.h>

#include "math/interval.h"

#define UNDERFLOW 0x1p-900

enum
{
    FAR = GRZ_GRID_LAST_CELL
};

/* An OBB in units of cells. */
typedef struct scaled_obb
{
    double centre[3], axes[3][3];
    double half[3]; /* half extents of its AABB, rounded outward */
} scaled_obb;

static scaled_obb scale_box(const graze_oriented_box *box, uint32_t level)
{
    scaled_obb s;
    double scale = grz_cells_per_unit(level);
    for (int k = 0; k < 3; k++)
    {
        double sum = 0;
        s.centre[k] = box->centre[k] * scale;
        for (int edge = 0; edge < 3; edge++)
        {
            s.axes[edge][k] = box->axes[edge][k] * scale;
            sum += fabs(s.axes[edge][k]);
        }
        /* shortcut: obb-cell-range */
        s.half[k] = sum + (8 * GRZ_U * (sum + fabs(s.centre[k])) + UNDERFLOW);
    }
    return s;
}

/* floor(x), clamped to the range of cells. */
static int32_t floor_of(double x)
{
    return x > -FAR ? (x < FAR ? (int32_t)floor(x) : FAR) : -FAR;
}

/* Largest magnitude of a cell coordinate: the range of floats, to which coordinates are clamped (see fat_aabb.c). */
static double cell_range_limit(uint32_t level)
{
    return fmin((double)FLT_MAX * grz_cells_per_unit(level), FAR);
}

/* The cells of the AABB, clamped. *out_beyond: it exceeds the range of cells, or is unknown. */
static grz_cell_range range_of(const scaled_obb *s, uint32_t level, bool *out_beyond)
{
    grz_cell_range range;
    double end = cell_range_limit(level);
    *out_beyond = false;
    for (int k = 0; k < 3; k++)
    {
        double lower = s->centre[k] - s->half[k], upper = s->centre[k] + s->half[k];
        if (!(lower >= -end && upper <= end)) /* NaN is inf - inf: both ends are unknown */
        {
            lower = isnan(lower) || isnan(upper) ? -end : fmin(fmax(lower, -end), end);
            upper = isnan(s->centre[k] - s->half[k]) || isnan(upper) ? end : fmin(fmax(upper, -end), end);
            *out_beyond = true;
        }
        range.lower[k] = floor_of(lower);
        range.upper[k] = floor_of(upper);
    }
    return range;
}

grz_cell_range grz_obb_cell_range(const graze_oriented_box *box, uint32_t level)
{
    bool ignored;
    scaled_obb s = scale_box(box, level);
    return range_of(&s, level, &ignored);
}

uint32_t grz_obb_cell_level(const graze_oriented_box *box, int most, grz_cell_range *out_range)
{
    double size = 0, extent = 0;
    for (int k = 0; k < 3; k++)
    {
        double sum = fabs(box->axes[0][k]) + fabs(box->axes[1][k]) + fabs(box->axes[2][k]);
        size = fmax(size, 2 * sum);
        extent = fmax(extent, fabs(box->centre[k]) + sum);
    }
    uint32_t level = grz_cell_level_for_size(size, extent, most);
    *out_range = grz_obb_cell_range(box, level);
    while (grz_cell_range_is_wider(out_range, most) && level < GRZ_GRID_LEVELS - 1)
        *out_range = grz_obb_cell_range(box, ++level);
    return level;
}

/* lower <= m . p <= upper. */
typedef struct slab
{
    double m[3];
    double lower, upper;
} slab;

static void face_slab(const scaled_obb *s, int edge, const grz_cell_range *range, slab *out)
{
    const double *u = s->axes[edge], *v = s->axes[(edge + 1) % 3];
    double middle = 0, extent = 0, sizes = 0, largest = 0;
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out->m[k] = u[i] * v[j] - u[j] * v[i];
        middle += out->m[k] * s->centre[k];
        sizes += fabs(out->m[k]) * (fabs(s->centre[k]) + s->half[k]);
        largest += fabs(out->m[k]) * fmax(fabs((double)range->lower[k]), fabs((double)range->upper[k] + 1));
    }
    for (int e = 0; e < 3; e++)
        extent += fabs(out->m[0] * s->axes[e][0] + out->m[1] * s->axes[e][1] + out->m[2] * s->axes[e][2]);
    extent += 16 * GRZ_U * sizes + 16 * GRZ_U * (largest + sizes) + UNDERFLOW;
    out->lower = middle - extent;
    out->upper = middle + extent;
    if (!isfinite(out->lower) || !isfinite(out->upper))
        *out = (slab){{0}, -INFINITY, INFINITY};
}

/* Clips an interval of a column along an axis to a slab. `from` is the lower corner of the column. Returns whether
   anything is left. */
static bool clip_to_slab(const slab *p, int axis, const double from[3], double *lower, double *upper)
{
    double least = p->lower, most = p->upper, way = p->m[axis];
    for (int k = 0; k < 3; k++)
    {
        if (k == axis)
            continue;
        double x = p->m[k] * from[k], y = p->m[k] * (from[k] + 1);
        least -= fmax(x, y);
        most -= fmin(x, y);
    }
    if (way == 0)
        return !(least > 0) && !(most < 0);
    double x = way > 0 ? least / way : most / way, y = way > 0 ? most / way : least / way;
    x -= 2 * GRZ_U * fabs(x) + UNDERFLOW;
    y += 2 * GRZ_U * fabs(y) + UNDERFLOW;
    if (x > *lower)
        *lower = x;
    if (y < *upper)
        *upper = y;
    return *lower <= *upper;
}

/* Appends the cells of a column that the box may touch. */
static bool rasterise_column(const graze_context *context, const slab slabs[3], int axis, const grz_cell_range *range,
                             grz_cell cell, grz_cell_list *cells)
{
    double from[3], lower = range->lower[axis], upper = (double)range->upper[axis] + 1;
    for (int k = 0; k < 3; k++)
        from[k] = cell.at[k];
    for (int p = 0; p < 3; p++)
        if (!clip_to_slab(&slabs[p], axis, from, &lower, &upper))
            return true;
    int32_t first = floor_of(lower), last = floor_of(upper);
    if (first < range->lower[axis])
        first = range->lower[axis];
    if (last > range->upper[axis])
        last = range->upper[axis];
    for (cell.at[axis] = first; cell.at[axis] <= last; cell.at[axis]++)
        if (!GRZ_PUSH(context, cells, cell))
            return false;
    return true;
}

bool grz_obb_cells(const graze_context *context, const graze_oriented_box *box, uint32_t level,
                   const grz_cell_range *range, grz_cell_list *cells)
{
    scaled_obb s = scale_box(box, level);
    slab slabs[3] = {{{0}, -INFINITY, INFINITY}, {{0}, -INFINITY, INFINITY}, {{0}, -INFINITY, INFINITY}};
    int axis = 0;
    bool beyond;
    range_of(&s, level, &beyond);
    for (int k = 0; k < 3; k++)
    {
        /* The outermost cells are unbounded: there slabs cannot be used. */
        if (!beyond)
            face_slab(&s, k, range, &slabs[k]);
        if ((double)range->upper[k] - range->lower[k] > (double)range->upper[axis] - range->lower[axis])
            axis = k;
    }
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    grz_cell cell = {{0}};
    for (cell.at[x] = range->lower[x]; cell.at[x] <= range->upper[x]; cell.at[x]++)
        for (cell.at[y] = range->lower[y]; cell.at[y] <= range->upper[y]; cell.at[y]++)
            if (!rasterise_column(context, slabs, axis, range, cell, cells))
                return false;
    return true;
}
