/* SPDX-License-Identifier: MIT */
/*
 * The contact region of two meshes. Every pair of triangles that meet gives a piece with correctly rounded corners
 * (exact/intersection.c). Equal real points give equal doubles, so adjacent pieces are found by comparing doubles for
 * equality. Points are indexed by the order of their coordinates, so the result does not depend on the search order.
 */
#include "graze/region.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/double_double.h"
#include "base/struct_size.h"
#include "math/vector.h"
#include "pair/fixed_cache.h"
#include "pair/region/intersection_pieces.h"
#include "pair/region/region.h"
#include "pair/subquery.h"

/* The public region and the memory it points to. */
typedef struct owned_region
{
    graze_region region;
    graze_context context;
    double *points;
    size_t *starts;
    bool *closed;
    graze_region_component *components;
    uint32_t *component_numbers;
    graze_overlap_piece *overlaps;
    uint32_t *component_overlaps;
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
    grz_hit_pieces *kept; /* the pieces of all hits, if they are wanted: none are merged then. May be NULL */
    grz_fixed_cache *fixed;
} region_builder;

enum
{
    LEAST_MERGED = 1 << 18 /* fewer pieces are not worth a merge */
};

/* The intersection of two triangles that meet, in fixed point where that suffices. */
static graze_status intersect(region_builder *g, const graze_hit *hit, graze_intersection *out)
{
    if (!g->fixed->started)
        grz_fixed_cache_start_absolute(g->fixed, g->a, g->b);
    if (g->fixed->usable && grz_fixed_intersection(grz_fixed_cache_triangle(g->fixed, 0, g->a->mesh, hit->triangle_a),
                                                   grz_fixed_cache_triangle(g->fixed, 1, g->b->mesh, hit->triangle_b),
                                                   g->fixed->unit, &hit->contact, out))
        return GRAZE_STATUS_OK;
    return graze_hit_intersection(g->a, g->b, hit, out);
}

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
    g->status = intersect(g, hit, &shared);
    if (g->status == GRAZE_STATUS_OK && !grz_pieces_add(g->context, &g->pieces, &shared))
        g->status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (g->status == GRAZE_STATUS_OK && g->kept == NULL && g->pieces.pieces.count >= 2 * g->merged + LEAST_MERGED)
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

static double curve_length(const graze_region *r, size_t curve)
{
    grz_dd length = {0, 0};
    size_t start = r->curve_starts[curve], end = r->curve_starts[curve + 1];
    for (size_t i = start; i < end; i++)
        if (i + 1 < end || r->curve_closed[curve])
            length = dd_add(
                length,
                (grz_dd){step_length(r->curve_points + 3 * i, r->curve_points + 3 * (i + 1 < end ? i + 1 : start)), 0});
    return length.high;
}

static const graze_box no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void include(graze_box *box, const double at[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        if (grz_is_less(at[axis], box->lower[axis])) /* by bits: minima of flushed denormals are zeros */
            box->lower[axis] = at[axis];
        if (grz_is_less(box->upper[axis], at[axis]))
            box->upper[axis] = at[axis];
    }
}

/* The point of each component that is nearest to the centre of its box. */
static void choose_points(owned_region *o, const grz_pieces *pieces, const grz_region_components *components)
{
    for (size_t i = 0; i < pieces->points.count; i++)
    {
        graze_region_component *c = &o->components[components->component_of[i]];
        const double *at = pieces->points.data[i].at;
        double centre[3];
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = 0.5 * c->bounds.lower[axis] + 0.5 * c->bounds.upper[axis];
        bool first = isinf(c->point[0]) != 0;
        if (first || step_length(at, centre) < step_length(c->point, centre))
            memcpy(c->point, at, sizeof c->point);
    }
}

static void raise_kind(graze_region_component *component, graze_contact_kind kind)
{
    if (component->kind < kind)
        component->kind = kind;
}

/* Lengths, areas and boxes of the components and of the whole. */
static void measure(owned_region *o, const grz_pieces *pieces, const grz_region_components *components)
{
    graze_region *r = &o->region;
    grz_dd area = {0, 0}, length = {0, 0};
    for (size_t c = 0; c < components->count; c++)
        o->components[c] = (graze_region_component){.bounds = no_box, .point = {INFINITY, INFINITY, INFINITY}};
    for (size_t i = 0, polygon = 0; i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        graze_region_component *component = &o->components[components->component_of[piece->corners[0]]];
        component->point_count += piece->count == 1;
        raise_kind(component, piece->count > 2   ? GRAZE_CONTACT_FACE
                              : piece->count > 1 ? GRAZE_CONTACT_EDGE
                                                 : GRAZE_CONTACT_POINT);
        if (piece->count < 3)
            continue;
        double size = polygon_area(pieces, piece);
        component->area += size;
        component->polygon_count++;
        o->component_numbers[r->point_count + r->curve_count + polygon++] = components->component_of[piece->corners[0]];
        area = dd_add(area, (grz_dd){size, 0});
    }
    for (size_t c = 0; c < r->curve_count; c++)
    {
        graze_region_component *component = &o->components[r->curve_components[c]];
        double size = curve_length(r, c);
        component->length += size;
        component->curve_count++;
        length = dd_add(length, (grz_dd){size, 0});
    }
    r->area = area.high;
    r->length = length.high;
    r->bounds = no_box;
    for (size_t i = 0; i < pieces->points.count; i++)
    {
        include(&r->bounds, pieces->points.data[i].at);
        include(&o->components[components->component_of[i]].bounds, pieces->points.data[i].at);
    }
    choose_points(o, pieces, components);
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
static void lay_out(owned_region *o, const grz_pieces *pieces, const grz_polylines *chains,
                    const grz_region_components *components, sizes s)
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
    r->component_count = components->count;
    r->components = o->components;
    r->point_components = o->component_numbers;
    r->curve_components = r->point_components + s.points;
    r->polygon_components = r->curve_components + r->curve_count;
    uint32_t *number = o->component_numbers;
    for (size_t i = 0; i < chains->indices.count; i++)
        curve = put_point(curve, pieces, chains->indices.data[i]);
    for (size_t c = 0; c < r->curve_count; c++)
    {
        curve_start[c] = chains->chains.data[c].start;
        o->closed[c] = chains->chains.data[c].closed;
        o->component_numbers[s.points + c] =
            components->component_of[chains->indices.data[chains->chains.data[c].start]];
    }
    curve_start[r->curve_count] = chains->indices.count;
    for (size_t i = 0; i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        if (piece->count == 1)
        {
            point = put_point(point, pieces, piece->corners[0]);
            *number++ = components->component_of[piece->corners[0]];
        }
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
                           const grz_region_components *components, graze_region **out_region)
{
    sizes s = sizes_of(&g->pieces);
    owned_region *o = grz_allocate_zeroed(context, 1, sizeof *o);
    if (o == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    o->context = grz_context_copy(context);
    o->points = grz_allocate(context, s.points + chains->indices.count + s.polygon_corners, 3 * sizeof *o->points);
    o->starts = grz_allocate(context, chains->chains.count + s.polygons + 2, sizeof *o->starts);
    o->closed = grz_allocate(context, chains->chains.count, sizeof *o->closed);
    o->components = grz_allocate(context, components->count, sizeof *o->components);
    o->component_numbers =
        grz_allocate(context, s.points + chains->chains.count + s.polygons, sizeof *o->component_numbers);
    if (o->points == NULL || o->starts == NULL || o->closed == NULL || o->components == NULL ||
        o->component_numbers == NULL)
    {
        graze_region_destroy(&o->region);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    o->region.counts = g->counts;
    o->region.kind = g->kind;
    lay_out(o, &g->pieces, chains, components, s);
    measure(o, &g->pieces, components);
    *out_region = &o->region;
    return GRAZE_STATUS_OK;
}

/* Keeps a copy of the welded pieces, before duplicates are dropped. */
static bool keep_pieces(region_builder *g)
{
    if (g->kept == NULL)
        return true;
    size_t count = g->pieces.pieces.count;
    g->kept->pieces = grz_allocate(g->context, count, sizeof *g->kept->pieces);
    if (g->kept->pieces != NULL && count > 0)
        memcpy(g->kept->pieces, g->pieces.pieces.data, count * sizeof *g->kept->pieces);
    return g->kept->pieces != NULL;
}

/* Hands points and components over to those who want them. */
static void keep_points(region_builder *g, grz_region_components *components)
{
    g->kept->points = g->pieces.points.data;
    g->kept->point_count = g->pieces.points.count;
    g->kept->component_of = components->component_of;
    g->pieces.points.data = NULL;
    components->component_of = NULL;
}

/* Makes the region of the pieces gathered; releases them. */
static graze_status build(region_builder *g, graze_status status, graze_region **out_region)
{
    const graze_context *context = g->context;
    grz_polylines chains = {0};
    grz_region_components components = {0, NULL};
    if (g->status != GRAZE_STATUS_OK)
        status = g->status;
    if (status == GRAZE_STATUS_OK && !(grz_pieces_weld(context, &g->pieces, g->monitor) && keep_pieces(g) &&
                                       grz_pieces_reduce(context, &g->pieces, g->monitor) &&
                                       grz_pieces_chain(context, &g->pieces, g->monitor, &chains) &&
                                       grz_pieces_components(context, &g->pieces, g->monitor, &components)))
        status = grz_monitor_or_memory(g->monitor);
    if (status == GRAZE_STATUS_OK)
        status = finish(context, g, &chains, &components, out_region);
    if (g->kept != NULL && status == GRAZE_STATUS_OK)
        keep_points(g, &components);
    else if (g->kept != NULL)
        grz_hit_pieces_release(context, g->kept);
    grz_pieces_release(context, &g->pieces);
    grz_polylines_release(context, &chains);
    grz_release(context, components.component_of);
    return status;
}

graze_status grz_region_create_from_hits(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, const graze_hit *hits, size_t hit_count,
                                         grz_monitor *monitor, grz_hit_pieces *out_pieces, graze_region **out_region)
{
    grz_fixed_cache fixed;
    region_builder g = {.context = context, .a = a, .b = b, .monitor = monitor, .kept = out_pieces, .fixed = &fixed};
    fixed.started = false; /* and nothing else: clearing its triangles takes longer than many regions */
    if (out_pieces != NULL)
        memset(out_pieces, 0, sizeof *out_pieces);
    for (size_t i = 0; i < hit_count && take_hit(&g, &hits[i]);)
        i++;
    return build(&g, grz_monitor_status(monitor), out_region);
}

graze_status graze_region_create(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_pair_options *options, graze_region **out_region)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (out_region == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL),
                *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    grz_fixed_cache fixed;
    region_builder g = {.context = context, .a = a, .b = b, .monitor = needed, .fixed = &fixed};
    fixed.started = false;
    graze_stats stats;
    grz_monitor_stage(needed, 0.9);
    graze_pair_options visit_options = grz_subquery_options(needed, &stats);
    graze_status status = graze_pair_visit(context, a, b, &visit_options, take_hit, &g);
    if (options != NULL && options->stats != NULL && status != GRAZE_STATUS_BAD_ARGUMENT)
        *options->stats = stats;
    status = grz_subquery_end(needed, status, &stats);
    grz_monitor_stage(needed, 1);
    grz_monitor_progress(needed, 0);
    return build(&g, status, out_region);
}

void grz_hit_pieces_release(const graze_context *context, grz_hit_pieces *pieces)
{
    grz_release(context, pieces->pieces);
    grz_release(context, pieces->points);
    grz_release(context, pieces->component_of);
    memset(pieces, 0, sizeof *pieces);
}

void grz_region_set_overlaps(graze_region *region, graze_overlap_piece *overlaps, size_t count,
                             uint32_t *component_overlaps)
{
    owned_region *o = (owned_region *)region;
    region->overlaps = o->overlaps = overlaps;
    region->overlap_count = count;
    region->component_overlaps = o->component_overlaps = component_overlaps;
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
    grz_release(&context, o->components);
    grz_release(&context, o->component_numbers);
    grz_release(&context, o->overlaps);
    grz_release(&context, o->component_overlaps);
    grz_release(&context, o);
}
