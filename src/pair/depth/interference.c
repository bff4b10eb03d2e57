/* SPDX-License-Identifier: MIT */
/*
 * Everything about two bodies that overlap, from one search for their hits: graze_pair_interference. The deepest common
 * point comes first (deepest_common_point.c); it is the lower bound and the first direction of the separating
 * translation (separating_translation.c).
 *
 * Why the sum of two depths bounds a separating translation from below. Let x be a common point, at distance r from A's
 * surface and s from B's. The ball of radius r around x lies in A, and the ball of radius s in B. After a translation
 * shorter than r + s the balls still overlap.
 */
#include "graze/depth.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "pair/depth/deepest_common_point.h"
#include "pair/depth/overlap_pieces.h"
#include "pair/depth/overlap_volume.h"
#include "pair/region/region.h"

enum
{
    USUAL_QUERIES = 600,
    VOLUME_CELLS = 20000 /* pieces of surfaces that are examined for the volume */
};

/* The way out: upper bound by a translation, lower bound by the sum of two depths. */
static void report_way_out(const grz_pair_hits *s, const graze_interference_options *options,
                           const grz_deepest_common_point *found, graze_depth *way_out)
{
    grz_deepest_point deepest = {
        .depth = found->depth, .side = 1 - found->side, .triangle = GRZ_NO_TRIANGLE, .other_triangle = found->triangle};
    memcpy(deepest.point, found->point, sizeof deepest.point);
    memcpy(deepest.nearest, found->nearest, sizeof deepest.nearest);
    graze_verdict overlap = way_out->overlap;
    graze_pair_counts counts = way_out->counts;
    *way_out = grz_depth_report(s, &deepest, &found->way, overlap);
    way_out->counts = counts;
    way_out->lower = fmin(found->sum, found->way.length);
    way_out->reached = found->way.length <= found->sum * (1 + options->relative_error);
    way_out->queries = found->queries;
}

/* Depth, way out and volume of solids of which nothing is known but that they may overlap. */
static void set_unknown_depth(const graze_interference_options *options, graze_interference *interference)
{
    interference->deepest.upper = interference->way_out.upper = INFINITY;
    interference->deepest.reached = interference->way_out.reached = false;
    interference->volume_error = options->volume ? INFINITY : 0;
}

/* The common volume. Of solids in one another all triangles of the inner one bound it, and none of the other. */
static graze_status find_volume(grz_pair_hits *s, const graze_interference_options *options,
                                grz_located_surfaces *located, grz_overlap_volume *out_volume)
{
    const grz_hits none = {0};
    bool a_in_b = options->containment == GRAZE_CONTAINMENT_A_IN_B;
    bool contained = a_in_b || options->containment == GRAZE_CONTAINMENT_B_IN_A;
    for (int side = 0; side < 2 && contained; side++)
        if (located->status == GRAZE_STATUS_OK && located->of[side] != NULL)
            memset(located->of[side],
                   (side == 0) == (a_in_b != s->swapped) ? GRZ_TRIANGLE_INSIDE : GRZ_TRIANGLE_OUTSIDE,
                   s->body_pair.sides[side].placed->mesh->triangle_count);
    return grz_find_overlap_volume(&s->body_pair, contained ? &none : &s->hits, located, options->relative_error,
                                   VOLUME_CELLS, out_volume);
}

static graze_status measure(grz_pair_hits *s, const graze_interference_options *options,
                            graze_interference *interference, grz_deepest_common_point *found)
{
    grz_deepest_wish wish = {options->relative_error, options->absolute_error, options->max_cells,
                             options->max_queries != 0 ? options->max_queries : USUAL_QUERIES};
    graze_verdict overlap;
    graze_status status = grz_overlap(&s->body_pair, &s->hits, &overlap);
    if (status != GRAZE_STATUS_OK)
        return status;
    interference->deepest.overlap = interference->way_out.overlap = overlap;
    interference->deepest.reached = interference->way_out.reached = true;
    interference->way_out.counts = grz_count_hits(&s->hits);
    if (overlap == GRAZE_VERDICT_NO)
        return GRAZE_STATUS_OK;
    if (options->contacts_only)
    {
        set_unknown_depth(options, interference);
        return GRAZE_STATUS_OK;
    }
    grz_located_surfaces located = grz_locate_surfaces(&s->body_pair, &s->hits);
    grz_overlap_volume volume = {0, 0};
    status = grz_find_deepest_common_point(&s->body_pair, &s->hits, &located, &wish, found);
    if (status == GRAZE_STATUS_OK && options->volume)
        status = find_volume(s, options, &located, &volume);
    grz_located_surfaces_release(s->body_pair.context, &located);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (volume.error > options->relative_error * volume.value && isfinite(found->way.length))
        grz_narrow_overlap_volume(&s->body_pair, found->way.translation, &volume);
    interference->deepest = grz_deepest_report(s, found, &wish, overlap);
    interference->volume = volume.value;
    interference->volume_error = volume.error;
    report_way_out(s, options, found, &interference->way_out);
    return GRAZE_STATUS_OK;
}

/* The contact region, and pieces where they are wanted and there may be several. */
static graze_status make_region(grz_pair_hits *s, const graze_interference_options *options,
                                const grz_deepest_common_point *found, graze_interference *interference)
{
    bool pieces = options->pieces && !options->contacts_only && interference->deepest.overlap == GRAZE_VERDICT_YES;
    const grz_placed_body *sides = s->body_pair.sides;
    grz_hit_pieces hit_pieces = {0};
    if (!options->region && !pieces)
        return GRAZE_STATUS_OK;
    graze_status status =
        grz_region_create_from_hits(s->body_pair.context, sides[0].placed, sides[1].placed, s->hits.data, s->hits.count,
                                    s->body_pair.monitor, pieces ? &hit_pieces : NULL, &interference->region);
    if (status == GRAZE_STATUS_OK && pieces && grz_may_have_pieces(&s->body_pair, interference->region))
    {
        status = grz_find_overlap_pieces(&s->body_pair, &s->hits, &hit_pieces, found, interference->region);
        if (status != GRAZE_STATUS_OK)
            graze_region_destroy(interference->region);
    }
    grz_hit_pieces_release(s->body_pair.context, &hit_pieces);
    return status;
}

/* graze_pair_interference for valid arguments. */
static graze_status find_interference(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, const graze_interference_options *options,
                                      grz_monitor *monitor, graze_interference *out)
{
    grz_pair_hits s;
    graze_status status = grz_pair_hits_make(context, a, b, options->body_a, options->body_b, monitor, &s);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_interference interference;
    memset(&interference, 0, sizeof interference);
    grz_deepest_common_point found = {.depth = 0};
    status = measure(&s, options, &interference, &found);
    if (status == GRAZE_STATUS_OK)
        status = make_region(&s, options, &found, &interference);
    if (status == GRAZE_STATUS_OK)
        *out = interference;
    grz_pair_hits_release(&s);
    return status;
}

graze_status graze_pair_interference(const graze_context *context, const graze_placed_mesh *a,
                                     const graze_placed_mesh *b, const graze_interference_options *options,
                                     graze_interference *out_interference)
{
    GRZ_FULL_STRUCT(graze_interference_options, options);
    if (out_interference == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_interference_options wish = options != NULL ? *options : graze_interference_options_default();
    graze_status status = grz_depth_check_arguments(a, b, wish.relative_error, wish.budget.seconds);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(wish.absolute_error >= 0 && wish.absolute_error < INFINITY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make(&wish.budget), *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    status = find_interference(context, a, b, &wish, needed, out_interference);
    if (status != GRAZE_STATUS_UNFINISHED)
        return status;
    memset(out_interference, 0, sizeof *out_interference);
    set_unknown_depth(&wish, out_interference);
    out_interference->deepest.overlap = out_interference->way_out.overlap = GRAZE_VERDICT_UNKNOWN;
    out_interference->way_out.unfinished = true;
    return GRAZE_STATUS_OK;
}
