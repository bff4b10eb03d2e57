/* SPDX-License-Identifier: MIT */
/*
 * Penetration depth of two bodies; see graze/depth.h.
 *
 * Why the lower bound holds. Let x be a point of one body or its surface, in the other body, at distance r from the
 * other surface. The ball of radius r around x lies in that body, so after a translation shorter than r, x is still
 * inside: the bodies overlap, or a surface lies in a body. Hence every separating translation has at least length r.
 *
 * The two searches alternate: a few queries for a deep point (deepest_point.c), then the separating translation
 * (separating_translation.c), and the rest of the budget for the deep point, first on surfaces, then in the interior,
 * until the bounds are within the relative error.
 */
#include "graze/depth.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "pair/arguments.h"
#include "pair/depth/penetration_work.h"

enum
{
    USUAL_QUERIES = 600,
    FIRST_QUERIES = 48, /* queries of the first search for a deep point */
    RESERVED_SHARE =
        8 /* 1 / RESERVED_SHARE of the remaining queries is reserved for the last search for a deep point */
};

graze_status grz_depth_check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b, double relative_error,
                                       double seconds)
{
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool error_fits = relative_error >= 0 && relative_error < INFINITY;
    return error_fits && seconds >= 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

void grz_pair_hits_release(grz_pair_hits *s)
{
    grz_body_pair_release(&s->body_pair);
    grz_release(s->body_pair.context, s->hits.data);
}

graze_status grz_pair_hits_make(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_body *body_a, const graze_body *body_b, grz_monitor *monitor,
                                grz_pair_hits *out)
{
    grz_pair_hits s = {.body_pair = {.context = context, .monitor = monitor}, .swapped = grz_arguments_swapped(a, b)};
    const graze_placed_mesh *placed[2] = {s.swapped ? b : a, s.swapped ? a : b};
    const graze_body *bodies[2] = {s.swapped ? body_b : body_a, s.swapped ? body_a : body_b};
    graze_status status = grz_hits_gather(context, placed[0], placed[1], monitor, &s.hits);
    for (int i = 0; i < 2 && status == GRAZE_STATUS_OK; i++)
        status = grz_placed_body_make(context, placed[i], bodies[i], monitor, &s.body_pair.sides[i]);
    if (status == GRAZE_STATUS_OK)
        *out = s;
    else
        grz_pair_hits_release(&s);
    return status;
}

graze_pair_counts grz_count_hits(const grz_hits *hits)
{
    graze_pair_counts counts = {.pairs = hits->count};
    for (size_t i = 0; i < hits->count; i++)
    {
        counts.crossing += hits->data[i].contact.crossing;
        counts.coplanar += hits->data[i].contact.coplanar;
    }
    counts.touching = counts.pairs - counts.crossing;
    return counts;
}

graze_depth grz_depth_report(const grz_pair_hits *s, const grz_deepest_point *deepest,
                             const grz_separating_translation *way, graze_verdict overlap)
{
    graze_depth depth = {.overlap = overlap, .lower = deepest->depth, .upper = way->length};
    for (int axis = 0; axis < 3; axis++)
        depth.translation[axis] = s->swapped ? -way->translation[axis] : way->translation[axis];
    memcpy(depth.point, deepest->point, sizeof depth.point);
    memcpy(depth.nearest, deepest->nearest, sizeof depth.nearest);
    depth.inside_b = deepest->depth > 0 && (deepest->side == 0) != s->swapped;
    depth.triangle_a = depth.inside_b ? deepest->triangle : deepest->other_triangle;
    depth.triangle_b = depth.inside_b ? deepest->other_triangle : deepest->triangle;
    return depth;
}

/* Remaining queries; the last step may have exceeded the budget. */
static uint32_t left(const grz_depth_budget *budget)
{
    return budget->max_queries > budget->queries ? budget->max_queries - budget->queries : 0;
}

static graze_status measure(grz_pair_hits *s, const graze_depth_options *options, graze_verdict overlap,
                            graze_depth *out_depth)
{
    grz_depth_budget budget = {.max_queries = options->max_queries != 0 ? options->max_queries : USUAL_QUERIES,
                               .monitor = s->body_pair.monitor};
    double stretch = 1 + options->relative_error;
    grz_separating_translation way = {.length = INFINITY};
    grz_depth_search deep;
    graze_status status = grz_depth_search_start(&deep, &s->body_pair, &budget, options->relative_error);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_depth_search_run(&deep, INFINITY, FIRST_QUERIES);
    uint32_t max_queries = budget.max_queries;
    budget.max_queries -= left(&budget) / RESERVED_SHARE;
    if (status == GRAZE_STATUS_OK)
        status = grz_find_separating_translation(&s->body_pair, &s->hits, &deep.best, deep.best.depth,
                                                 options->relative_error, &budget, &way);
    budget.max_queries = max_queries;
    if (status == GRAZE_STATUS_OK)
        status = grz_depth_search_run(&deep, way.length / stretch, left(&budget) / 2);
    if (status == GRAZE_STATUS_OK && !(deep.best.depth >= way.length / stretch))
        status = grz_depth_search_interior(&deep);
    if (status == GRAZE_STATUS_OK)
        status = grz_depth_search_run(&deep, way.length / stretch, UINT32_MAX);
    if (status == GRAZE_STATUS_OK)
        status = grz_depth_search_refine(&deep);
    if (status == GRAZE_STATUS_UNFINISHED) /* the bounds found so far are certified */
        status = GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
    {
        *out_depth = grz_depth_report(s, &deep.best, &way, overlap);
        out_depth->reached = way.length <= deep.best.depth * stretch;
        out_depth->queries = budget.queries;
    }
    grz_depth_search_end(&deep);
    return status;
}

/* graze_pair_depth for valid arguments. */
static graze_status find_depth(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               const graze_depth_options *wish, grz_monitor *monitor, graze_depth *out_depth)
{
    grz_pair_hits s;
    graze_status status = grz_pair_hits_make(context, a, b, wish->body_a, wish->body_b, monitor, &s);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_verdict overlap = GRAZE_VERDICT_UNKNOWN;
    status = grz_overlap(&s.body_pair, &s.hits, &overlap);
    graze_depth depth = {.overlap = overlap, .reached = true};
    if (status == GRAZE_STATUS_OK && overlap != GRAZE_VERDICT_NO)
        status = measure(&s, wish, overlap, &depth);
    if (status == GRAZE_STATUS_OK)
    {
        depth.counts = grz_count_hits(&s.hits);
        *out_depth = depth;
    }
    grz_pair_hits_release(&s);
    return status;
}

graze_status graze_pair_depth(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              const graze_depth_options *options, graze_depth *out_depth)
{
    GRZ_FULL_STRUCT(graze_depth_options, options);
    if (out_depth == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_depth_options wish = options != NULL ? *options : graze_depth_options_default();
    graze_status status = grz_depth_check_arguments(a, b, wish.relative_error, wish.budget.seconds);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_monitor monitor = grz_monitor_make(&wish.budget);
    status = find_depth(context, a, b, &wish, grz_monitor_is_needed(&monitor) ? &monitor : NULL, out_depth);
    if (status != GRAZE_STATUS_UNFINISHED)
        return status;
    *out_depth = (graze_depth){.overlap = GRAZE_VERDICT_UNKNOWN, .upper = INFINITY, .unfinished = true};
    return GRAZE_STATUS_OK;
}

graze_status graze_pair_overlap(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_overlap_options *options, graze_verdict *out_overlap)
{
    GRZ_FULL_STRUCT(graze_overlap_options, options);
    if (out_overlap == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_overlap_options wish = options != NULL ? *options : graze_overlap_options_default();
    graze_status status = grz_depth_check_arguments(a, b, 0, wish.budget.seconds);
    grz_pair_hits s;
    grz_monitor monitor = grz_monitor_make(&wish.budget), *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    if (status == GRAZE_STATUS_OK)
        status = grz_pair_hits_make(context, a, b, wish.body_a, wish.body_b, needed, &s);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_verdict overlap;
    status = grz_overlap(&s.body_pair, &s.hits, &overlap);
    if (status == GRAZE_STATUS_OK)
        *out_overlap = overlap;
    grz_pair_hits_release(&s);
    return status;
}
