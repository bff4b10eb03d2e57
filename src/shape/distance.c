/* SPDX-License-Identifier: MIT */
/*
 * The distance of two shapes: the least over all pairs of leaves. The pair whose boxes are nearest is measured first;
 * pairs whose boxes are farther apart than what was found are not measured.
 */
#include <math.h>

#include "base/bits.h"
#include "base/struct_size.h"
#include "shape/leaves.h"
#include "shape/pair_hull.h"

typedef struct shape_distance_search
{
    grz_shape_query *q;
    const grz_leaf_pairs *pairs;
    graze_shape_distance_options wanted; /* the limit becomes the least distance found */
    graze_shape_distance best;
    double lower; /* the least of all lower bounds */
} shape_distance_search;

static double gap_of(const shape_distance_search *s, size_t i, size_t j)
{
    return grz_box_gap(&s->pairs->a.parts[i].bounds, &s->pairs->b.parts[j].bounds);
}

static graze_status measure(shape_distance_search *s, size_t i, size_t j)
{
    const grz_leaf_part *a = &s->pairs->a.parts[i], *b = &s->pairs->b.parts[j];
    graze_shape_distance found;
    graze_status status = grz_leaves_distance(s->q, &a->placed, &b->placed, &s->wanted, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    s->lower = fmin(s->lower, found.lower);
    if (!found.found || (s->best.found && s->best.distance <= found.distance))
        return status;
    s->best = found;
    s->best.part_a = a->number;
    s->best.part_b = b->number;
    s->wanted.limit = fmin(s->wanted.limit, found.upper);
    return status;
}

static graze_status measure_all(shape_distance_search *s)
{
    size_t first_i = 0, first_j = 0;
    double least = INFINITY;
    for (size_t i = 0; i < s->pairs->a.count; i++)
        for (size_t j = 0; j < s->pairs->b.count && grz_monitor_box_tests(s->q->monitor, 1); j++)
        {
            double gap = gap_of(s, i, j);
            s->q->stats.box_tests++;
            if (gap >= least)
                continue;
            least = gap;
            first_i = i;
            first_j = j;
        }
    graze_status status = grz_monitor_status(s->q->monitor);
    if (status == GRAZE_STATUS_OK && least <= s->wanted.limit)
        status = measure(s, first_i, first_j);
    for (size_t i = 0; i < s->pairs->a.count; i++)
        for (size_t j = 0; j < s->pairs->b.count && status == GRAZE_STATUS_OK; j++)
        {
            bool met = s->best.found && s->best.upper == 0, done = i == first_i && j == first_j;
            if (!met && !done && gap_of(s, i, j) <= s->wanted.limit)
                status = measure(s, i, j);
        }
    s->best.lower = fmin(s->lower, s->wanted.limit);
    return status == GRAZE_STATUS_OK ? grz_monitor_status(s->q->monitor) : status;
}

static graze_status measure_leaves(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                   const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    grz_leaf_pairs pairs;
    graze_status status = grz_leaf_pairs_make(q, a, b, &pairs);
    if (status != GRAZE_STATUS_OK)
        return status;
    shape_distance_search s = {q, &pairs, *wanted, grz_shape_distance_none(wanted->limit), INFINITY};
    status = measure_all(&s);
    if (status == GRAZE_STATUS_OK)
    {
        if (pairs.swapped)
            grz_shape_distance_swap(&s.best);
        *out_distance = s.best;
    }
    grz_leaf_pairs_release(q, &pairs);
    return status;
}

/* The same for two single leaves. Two hulls without a budget are measured at once: nothing fails then. */
static graze_status measure_plain(grz_shape_query *q, const grz_plain_pair *pair,
                                  const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    graze_shape_distance found;
    q->stats.box_tests++;
    if (q->monitor == NULL && grz_hulls_distance(q, pair->a, pair->b, wanted->limit, out_distance))
    {
        if (out_distance->lower > wanted->limit)
            out_distance->lower = wanted->limit;
        if (pair->swapped)
            grz_shape_distance_swap(out_distance);
        return GRAZE_STATUS_OK;
    }
    if (!grz_monitor_box_tests(q->monitor, 1))
        return grz_monitor_status(q->monitor);
    graze_status status = grz_leaves_distance(q, pair->a, pair->b, wanted, &found);
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(q->monitor);
    if (status != GRAZE_STATUS_OK)
        return status;
    double limit = found.found ? fmin(wanted->limit, found.upper) : wanted->limit;
    found.lower = fmin(found.lower, limit);
    if (pair->swapped)
        grz_shape_distance_swap(&found);
    *out_distance = found;
    return status;
}

static bool is_number(double x)
{
    return x >= 0 && !grz_is_less(x, 0);
}

graze_status graze_shape_pair_distance(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                       const graze_shape_distance_options *options, graze_shape_distance *out_distance)
{
    graze_shape_distance_options defaults;
    GRZ_FULL_STRUCT(graze_shape_distance_options, options);
    if (out_distance == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (options == NULL)
    {
        defaults = graze_shape_distance_options_default();
        options = &defaults;
    }
    if (!is_number(options->limit) || !is_number(options->relative_error) || !is_number(options->absolute_error) ||
        !(options->relative_error < INFINITY) || !(options->absolute_error < INFINITY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_shape_call call;
    grz_plain_pair pair;
    graze_status status;
    grz_shape_query *q = grz_shape_call_begin(&call, context, &options->budget, options->cache);
    if (!grz_plain_pair_make(q, a, b, &pair, &status))
        status = measure_leaves(q, a, b, options, out_distance);
    else if (status == GRAZE_STATUS_OK)
        status = measure_plain(q, &pair, options, out_distance);
    grz_shape_call_end(&call, options->stats);
    return status;
}
