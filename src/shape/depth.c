/* SPDX-License-Identifier: MIT */
/*
 * How deep two shapes are in each other. Of compounds: a translation that separates them separates all pairs of leaves,
 * so that the way out is at least the longest of any pair; and it is at most that of the boxes around both.
 */
#include "shape/depth.h"

#include <math.h>

#include "base/bits.h"
#include "base/struct_size.h"

/* Adds the depth of a pair of leaves to that of all. */
static void unite(graze_shape_depth *all, const graze_shape_depth *found, const grz_leaf_part *a,
                  const grz_leaf_part *b)
{
    bool first = all->overlap == GRAZE_VERDICT_NO, deeper = first || found->lower > all->lower;
    if (all->overlap != GRAZE_VERDICT_YES)
        all->overlap = found->overlap;
    if (deeper)
    {
        all->lower = found->lower;
        all->part_a = a->number;
        all->part_b = b->number;
    }
    /* A common point is at least as deep in the compound as in its leaf. */
    if (first || found->depth_lower > all->depth_lower)
    {
        all->depth_lower = found->depth_lower;
        all->has_point = found->has_point;
        for (int k = 0; k < 3; k++)
            all->point[k] = found->point[k];
    }
    all->upper = all->depth_upper = INFINITY;
}

static graze_status measure_pairs(grz_shape_query *q, const grz_leaf_pairs *pairs,
                                  const graze_shape_depth_options *wanted, graze_shape_depth *out)
{
    graze_shape_depth all = grz_shape_depth_none();
    bool single = pairs->a.count == 1 && pairs->b.count == 1;
    for (size_t i = 0; i < pairs->a.count; i++)
    {
        if (grz_box_gap(&pairs->a.parts[i].bounds, &pairs->b.bounds) > 0)
            continue;
        for (size_t j = 0; j < pairs->b.count && grz_monitor_box_tests(q->monitor, 1); j++)
        {
            const grz_leaf_part *a = &pairs->a.parts[i], *b = &pairs->b.parts[j];
            graze_shape_depth found;
            q->stats.box_tests++;
            if (grz_box_gap(&a->bounds, &b->bounds) > 0)
                continue;
            graze_status status = grz_leaves_depth(q, &a->placed, &b->placed, wanted, &found);
            if (status != GRAZE_STATUS_OK)
                return status;
            if (single)
                all = found;
            else if (found.overlap != GRAZE_VERDICT_NO)
                unite(&all, &found, a, b);
        }
    }
    if (all.overlap != GRAZE_VERDICT_NO)
        grz_depth_try_boxes(&pairs->a.bounds, &pairs->b.bounds, &all);
    *out = all;
    return grz_monitor_status(q->monitor);
}

static graze_status measure_leaves(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    grz_leaf_pairs pairs;
    graze_shape_depth depth;
    graze_status status = grz_leaf_pairs_make(q, a, b, &pairs);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = measure_pairs(q, &pairs, wanted, &depth);
    if (status == GRAZE_STATUS_OK)
    {
        if (pairs.swapped)
            grz_shape_depth_swap(&depth);
        *out_depth = depth;
    }
    grz_leaf_pairs_release(q, &pairs);
    return status;
}

/* The ways out of the boxes around two leaves, where no better one is known. */
static graze_status try_boxes(const grz_plain_pair *pair, const graze_shape_depth_options *wanted,
                              graze_shape_depth *depth)
{
    graze_box a, b;
    if (depth->overlap == GRAZE_VERDICT_NO || depth->upper - depth->lower <= wanted->relative_error * depth->upper)
        return GRAZE_STATUS_OK;
    graze_status status = graze_placed_bounds(pair->a, &a);
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_bounds(pair->b, &b);
    if (status == GRAZE_STATUS_OK)
        grz_depth_try_boxes(&a, &b, depth);
    return status;
}

/* The same for two single leaves. */
static graze_status measure_plain(grz_shape_query *q, const grz_plain_pair *pair,
                                  const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    graze_shape_depth depth;
    q->stats.box_tests++;
    if (!grz_monitor_box_tests(q->monitor, 1))
        return grz_monitor_status(q->monitor);
    graze_status status = grz_leaves_depth(q, pair->a, pair->b, wanted, &depth);
    if (status == GRAZE_STATUS_OK)
        status = try_boxes(pair, wanted, &depth);
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(q->monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (pair->swapped)
        grz_shape_depth_swap(&depth);
    *out_depth = depth;
    return status;
}

graze_status graze_shape_pair_depth(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_depth_options *options, graze_shape_depth *out_depth)
{
    GRZ_FULL_STRUCT(graze_shape_depth_options, options);
    if (out_depth == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape_depth_options wanted = options != NULL ? *options : graze_shape_depth_options_default();
    if (!(wanted.relative_error >= 0 && wanted.relative_error < INFINITY) || grz_is_less(wanted.relative_error, 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_shape_call call;
    grz_plain_pair pair;
    graze_status status;
    grz_shape_query *q = grz_shape_call_begin(&call, context, &wanted.budget, wanted.cache);
    if (!grz_plain_pair_make(q, a, b, &pair, &status))
        status = measure_leaves(q, a, b, &wanted, out_depth);
    else if (status == GRAZE_STATUS_OK)
        status = measure_plain(q, &pair, &wanted, out_depth);
    grz_shape_call_end(&call, wanted.stats);
    return status;
}
