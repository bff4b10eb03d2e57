/* SPDX-License-Identifier: MIT */
/*
 * Queries that are steps of a longer call: they stop when the call has to stop, and their box tests count as its own.
 *
 *     graze_stats stats;
 *     graze_pair_options options = grz_subquery_options(monitor, &stats);
 *     status = grz_subquery_end(monitor, graze_pair_count(context, a, b, &options, &counts), &stats);
 */
#ifndef GRZ_PAIR_SUBQUERY_H
#define GRZ_PAIR_SUBQUERY_H

#include "base/budget_monitor.h"
#include "graze/pair.h"

/* Whether a limit or a callback may stop a query with this budget, which may be NULL. */
static inline bool grz_has_limits(const graze_budget *budget)
{
    return budget != NULL && (budget->progress != NULL || budget->seconds > 0 || budget->box_tests > 0);
}

/* Options for one step; the monitor may be NULL. */
graze_pair_options grz_subquery_options(grz_monitor *monitor, graze_stats *stats);

/* The same for graze_pair_any, without a cache. */
static inline graze_any_options grz_any_options_from(const graze_pair_options *options)
{
    graze_any_options result = graze_any_options_default();
    result.stats = options->stats;
    result.budget = options->budget;
    return result;
}

/* The status of the call after that step. CANCELLED remains only where the step's own callback returned it, and the
   monitor is OK then. */
graze_status grz_subquery_end(grz_monitor *monitor, graze_status status, const graze_stats *stats);

#endif
