/* SPDX-License-Identifier: MIT */
/*
 * The contact region of two meshes. Every pair of triangles that meet gives a piece with correctly rounded corners
 * (exact/intersection.c). Equal real points give equal doubles, so adjacent pieces are found by comparing doubles for
 * equality. Points are indexed by the order of their coordinates, so the result does not depend on the search order.
 */
#include "graze/region.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "math/bits.h"
#include "math/vector.h"
#include "mesh/double_double.h"
#include "pair/region/intersection_pieces.h"
#include "pair/subquery.h"

/* The public region and the memory it points to. */
typedef struct owned_region
{
    graze_region region;
    graze_context context;
    double *points;
    size_t *starts;
    bool *closed;
} owned_region;

typedef struct region_builder
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;
    grz_pieces pieces;
    graze_pair_counts counts;
    graze_contact_kind kind;
    graze_status status;
    grz_monitor *monitor; /* may be NULL */
    size_t merged;        /* pieces left by the last grz_pieces_merge */
} region_builder;

enum
{
    LEAST_MERGED = 1 << 18 /* fewer pieces are not worth a merge */
};

static bool take_hit(void *user, const graze_hit *hit)
{
    region_builder *g = user;
    graze_intersection shared;
    g->counts.pairs++;
    g->counts.crossing += hit->contact.crossing;
    g->counts.touching += !hit->contact.crossing;
    g->counts.coplanar += hit->contact.coplanar;
    if ((int)hit->contact.dimension >= (int)g->kind)
        g->kind = (graze_contact_kind)(hit->contact.dimension + 1);
    if (!grz_monitor_exact_tests(g->monitor, 1))
        return false;
    g->status = graze_hit_intersection(g->a, g->b, hit, &shared);
    if (g->status == GRAZE_STATUS_OK && !grz_pieces_add(g->context, &g->pieces, &shared))
        g->status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (g->status == GRAZE_STATUS_OK && g->pieces.pieces.count >= 2 * g->merged + LEAST_MERGED)
    {
        if (!grz_pieces_merge(g->context, &g->pieces, g->monitor))
            g->status = grz_monitor_or_memory(g->monitor);
        g->merged = g->pieces.pieces.count;
    }
    if (g->status == GRAZE_STATUS_OK && g->pieces.points.count >= UINT32_MAX)
        g->status = GRAZE_STATUS_TOO_LARGE;
    return g->status == GRAZE_STATUS_OK;
}

/* The area of a polygon, from the cross products of a fan around its first corner, summed as double-doubles. */
static double polygon_area(const grz_pieces *pieces, const grz_piece *piece)
{
    grz_dd twice[3] = {{0, 0}, {0, 0}, {0, 0}};
    const double *o = pieces->points.data[piece->corners[0]].at;
    for (uint32_t k = 1; k + 1 < piece->count; k++)
    {
        const double *p = pieces->points.data[piece->corners[k]].at, *q = pieces->points.data[piece->corners[k + 1]].at;
        for (int axis = 0; axis < 3; axis++)
        {
            int y = (axis + 1) % 3, z = (axis + 2) % 3;
            grz_dd first = dd_multiply(dd_two_sum(p[y], -o[y]), dd_two_sum(q[z], -o[z]));
            grz_dd second = dd_multiply(dd_two_sum(p[z], -o[z]), dd_two_sum(q[y], -o[y]));
            twice[axis] = dd_add(twice[axis], dd_subtract(first, second));
        }
    }
    return 0.5 * hypot(hypot(twice[0].high, twice[1].high), twice[2].high);
}

static double step_length(const double *p, const double *q)
{
    return hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
}

static void measure(graze_region *r, const grz_pieces *pieces)
{
    grz_dd area = {0, 0}, length = {0, 0};
    for (size_t i = 0; i < pieces->pieces.count; i++)
        if (pieces->pieces.data[i].count > 2)
            area = dd_add(area, (grz_dd){polygon_area(pieces, &pieces->pieces.data[i]), 0});
    for (size_t c = 0; c < r->curve_count; c++)
    {
        size_t start = r->curve_starts[c], end = r->curve_starts[c + 1];
        for (size_t i = start; i < end; i++)
            if (i + 1 < end || r->curve_closed[c])
                length = dd_add(length, (grz_dd){step_length(r->curve_points + 3 * i,
                                                             r->curve_points + 3 * (i + 1 < end ? i + 1 : start)),
                                                 0});
    }
    r->area = area.high;
    r->length = length.high;
    for (int axis = 0; axis < 3; axis++)
    {
        r->bounds.lower[axis] = INFINITY;
        r->bounds.upper[axis] = -INFINITY;
        for (size_t i = 0; i < pieces->points.count; i++)
        {
            double x = pieces->points.data[i].at[axis];
            if (grz_is_less(x, r->bounds.lower[axis])) /* by bits: minima of flushed denormals are zeros */
                r->bounds.lower[axis] = x;
            if (grz_is_less(r->bounds.upper[axis], x))
                r->bounds.upper[axis] = x;
        }
    }
}

/* The numbers of isolated points, polygons and polygon corners. */
typedef struct sizes
{
    size_t points, polygons, polygon_corners;
} sizes;

static sizes sizes_of(const grz_pieces *pieces)
{
    sizes s = {0, 0, 0};
    for (size_t i = 0; i < pieces->pieces.count; i++)
    {
        uint32_t count = pieces->pieces.data[i].count;
        s.points += count == 1;
        s.polygons += count > 2;
        s.polygon_corners += count > 2 ? count : 0;
    }
    return s;
}

static double *put_point(double *to, const grz_pieces *pieces, uint32_t point)
{
    memcpy(to, pieces->points.data[point].at, 3 * sizeof *to);
    return to + 3;
}

/* Fills the arrays of the region: isolated points, curves, polygons. */
static void lay_out(owned_region *o, const grz_pieces *pieces, const grz_polylines *chains, sizes s)
{
    graze_region *r = &o->region;
    r->point_count = s.points;
    r->curve_count = chains->chains.count;
    r->polygon_count = s.polygons;
    double *point = o->points, *curve = point + 3 * s.points, *polygon = curve + 3 * chains->indices.count;
    size_t *curve_start = o->starts, *polygon_start = curve_start + r->curve_count + 1, corners = 0;
    r->points = point;
    r->curve_points = curve;
    r->curve_starts = curve_start;
    r->curve_closed = o->closed;
    r->polygon_points = polygon;
    r->polygon_starts = polygon_start;
    for (size_t i = 0; i < chains->indices.count; i++)
        curve = put_point(curve, pieces, chains->indices.data[i]);
    for (size_t c = 0; c < r->curve_count; c++)
    {
        curve_start[c] = chains->chains.data[c].start;
        o->closed[c] = chains->chains.data[c].closed;
    }
    curve_start[r->curve_count] = chains->indices.count;
    for (size_t i = 0; i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        if (piece->count == 1)
            point = put_point(point, pieces, piece->corners[0]);
        if (piece->count < 3)
            continue;
        *polygon_start++ = corners;
        corners += piece->count;
        for (uint32_t k = 0; k < piece->count; k++)
            polygon = put_point(polygon, pieces, piece->corners[k]);
    }
    *polygon_start = corners;
}

static graze_status finish(const graze_context *context, region_builder *g, const grz_polylines *chains,
                           graze_region **out_region)
{
    sizes s = sizes_of(&g->pieces);
    owned_region *o = grz_allocate_zeroed(context, 1, sizeof *o);
    if (o == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    o->context = grz_context_copy(context);
    o->points = grz_allocate(context, s.points + chains->indices.count + s.polygon_corners, 3 * sizeof *o->points);
    o->starts = grz_allocate(context, chains->chains.count + s.polygons + 2, sizeof *o->starts);
    o->closed = grz_allocate(context, chains->chains.count, sizeof *o->closed);
    if (o->points == NULL || o->starts == NULL || o->closed == NULL)
    {
        graze_region_destroy(&o->region);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    o->region.counts = g->counts;
    o->region.kind = g->kind;
    lay_out(o, &g->pieces, chains, s);
    measure(&o->region, &g->pieces);
    *out_region = &o->region;
    return GRAZE_STATUS_OK;
}

graze_status graze_region_create(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_pair_options *options, graze_region **out_region)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (out_region == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL),
                *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    region_builder g = {.context = context, .a = a, .b = b, .monitor = needed};
    grz_polylines chains = {0};
    graze_stats stats;
    grz_monitor_stage(needed, 0.9);
    graze_pair_options visit_options = grz_subquery_options(needed, &stats);
    graze_status status = graze_pair_visit(context, a, b, &visit_options, take_hit, &g);
    if (options != NULL && options->stats != NULL && status != GRAZE_STATUS_BAD_ARGUMENT)
        *options->stats = stats;
    status = grz_subquery_end(needed, status, &stats);
    if (g.status != GRAZE_STATUS_OK)
        status = g.status;
    grz_monitor_stage(needed, 1);
    grz_monitor_progress(needed, 0);
    if (status == GRAZE_STATUS_OK &&
        !(grz_pieces_weld(context, &g.pieces, needed) && grz_pieces_reduce(context, &g.pieces, needed) &&
          grz_pieces_chain(context, &g.pieces, needed, &chains)))
        status = grz_monitor_or_memory(needed);
    if (status == GRAZE_STATUS_OK)
        status = finish(context, &g, &chains, out_region);
    grz_pieces_release(context, &g.pieces);
    grz_polylines_release(context, &chains);
    return status;
}

void graze_region_destroy(graze_region *region)
{
    if (region == NULL)
        return;
    owned_region *o = (owned_region *)region;
    graze_context context = o->context;
    grz_release(&context, o->points);
    grz_release(&context, o->starts);
    grz_release(&context, o->closed);
    grz_release(&context, o);
}
