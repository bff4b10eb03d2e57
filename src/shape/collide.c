/* SPDX-License-Identifier: MIT */
/* Whether two shapes collide, or are within a tolerance: over all pairs of leaves whose boxes are that near. */
#include <math.h>

#include "base/bits.h"
#include "base/struct_size.h"
#include "shape/leaves.h"
#include "shape/pair_hull.h"
#include "shape/primitive_mesh.h"

/* Stops at the first pair of leaves that is within reach. */
static graze_status decide_pairs(grz_shape_query *q, const grz_leaf_pairs *pairs, grz_reach reach,
                                 graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    graze_verdict verdict = GRAZE_VERDICT_NO;
    for (size_t i = 0; i < pairs->a.count; i++)
    {
        if (grz_box_gap(&pairs->a.parts[i].bounds, &pairs->b.bounds) > reach.tolerance)
            continue;
        for (size_t j = 0; j < pairs->b.count; j++)
        {
            const grz_leaf_part *a = &pairs->a.parts[i], *b = &pairs->b.parts[j];
            graze_verdict found;
            q->stats.box_tests++;
            if (!grz_monitor_box_tests(q->monitor, 1))
                return grz_monitor_status(q->monitor);
            if (grz_box_gap(&a->bounds, &b->bounds) > reach.tolerance)
                continue;
            graze_status status = grz_leaves_decide(q, &a->placed, &b->placed, reach, &found, out_hit);
            if (status != GRAZE_STATUS_OK)
                return status;
            if (found != GRAZE_VERDICT_NO)
                verdict = found;
            if (found != GRAZE_VERDICT_YES)
                continue;
            if (out_hit != NULL)
            {
                out_hit->part_a = a->number;
                out_hit->part_b = b->number;
            }
            *out_verdict = verdict;
            return GRAZE_STATUS_OK;
        }
    }
    *out_verdict = verdict;
    return GRAZE_STATUS_OK;
}

/* The same for two single leaves. Two hulls are asked at once, without the table of methods. */
static graze_status decide_plain(grz_shape_query *q, const grz_plain_pair *pair, grz_reach reach,
                                 graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    graze_verdict verdict;
    graze_status status = GRAZE_STATUS_OK;
    q->stats.box_tests++;
    if (!grz_monitor_box_tests(q->monitor, 1))
        return grz_monitor_status(q->monitor);
    if (reach.tolerance != 0 || reach.strict || !grz_hulls_collide(q, pair->a, pair->b, &verdict, out_hit))
        status = grz_leaves_decide(q, pair->a, pair->b, reach, &verdict, out_hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (verdict == GRAZE_VERDICT_YES && out_hit != NULL)
        out_hit->part_a = out_hit->part_b = 0;
    *out_verdict = verdict;
    return status;
}

static graze_status decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                           graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    grz_leaf_pairs pairs;
    grz_plain_pair pair;
    graze_verdict verdict = GRAZE_VERDICT_NO; /* nothing is nearer than 0 */
    graze_shape_hit hit, *wanted = out_hit != NULL ? &hit : NULL;
    graze_status status;
    bool nothing = reach.strict && reach.tolerance == 0;
    if (grz_plain_pair_make(q, a, b, &pair, &status))
    {
        pairs.swapped = pair.swapped;
        if (status == GRAZE_STATUS_OK && !nothing)
            status = decide_plain(q, &pair, reach, &verdict, wanted);
    }
    else
    {
        status = grz_leaf_pairs_make(q, a, b, &pairs);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (!nothing)
            status = decide_pairs(q, &pairs, reach, &verdict, wanted);
        grz_leaf_pairs_release(q, &pairs);
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_verdict = verdict;
    if (verdict != GRAZE_VERDICT_YES || out_hit == NULL)
        return status;
    if (pairs.swapped)
        grz_shape_hit_swap(&hit);
    *out_hit = hit;
    return status;
}

/* Whether the cache knows the answer: where a common point is wanted, only that they are apart. */
static bool recall(const graze_shape_options *options, const graze_placed *a, const graze_placed *b,
                   graze_verdict *out_collide, const graze_shape_hit *out_hit)
{
    const graze_budget *budget = &options->budget;
    if (budget->progress != NULL || budget->box_tests > 0 || budget->seconds != 0)
        return false;
    graze_verdict verdict = grz_hulls_recall(options->cache, a, b);
    if (verdict == GRAZE_VERDICT_UNKNOWN)
        verdict = grz_primitive_mesh_recall(options->cache, a, b);
    if (verdict == GRAZE_VERDICT_UNKNOWN || (verdict == GRAZE_VERDICT_YES && out_hit != NULL))
        return false;
    *out_collide = verdict;
    if (options->stats != NULL)
        *options->stats = (graze_stats){.box_tests = 1};
    return true;
}

graze_status graze_shape_pair_any(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                  const graze_shape_options *options, graze_verdict *out_collide,
                                  graze_shape_hit *out_hit)
{
    graze_shape_options defaults;
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (out_collide == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (options == NULL)
    {
        defaults = graze_shape_options_default();
        options = &defaults;
    }
    if (options->cache != NULL && recall(options, a, b, out_collide, out_hit))
        return GRAZE_STATUS_OK;
    grz_shape_call call;
    grz_shape_query *q = grz_shape_call_begin(&call, context, &options->budget, options->cache);
    graze_status status = decide(q, a, b, (grz_reach){0, false}, out_collide, out_hit);
    grz_shape_call_end(&call, options->stats);
    return status;
}

graze_status graze_shape_pair_tolerance_any(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                            double tolerance, const graze_shape_tolerance_options *options,
                                            graze_verdict *out_within, graze_shape_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_shape_tolerance_options, options);
    if (out_within == NULL || !options_fits || !(tolerance >= 0 && tolerance < INFINITY) || grz_is_less(tolerance, 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape_tolerance_options wanted = options != NULL ? *options : graze_shape_tolerance_options_default();
    grz_shape_call call;
    grz_shape_query *q = grz_shape_call_begin(&call, context, &wanted.budget, wanted.cache);
    graze_status status = decide(q, a, b, (grz_reach){tolerance, wanted.strict}, out_within, out_hit);
    grz_shape_call_end(&call, wanted.stats);
    return status;
}
