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

/* Whether a budget or a callback may stop a query with these options, which may be NULL. */
static inline bool grz_has_limits(const graze_pair_options *options)
{
    return options != NULL &&
           (options->progress != NULL || options->budget.seconds > 0 || options->budget.box_tests > 0);
}

/* The monitor of a call with these options; NULL means the defaults. */
grz_monitor grz_monitor_from_options(const graze_pair_options *options);

/* Options for one step; the monitor may be NULL. */
graze_pair_options grz_subquery_options(grz_monitor *monitor, graze_stats *stats);

/* The status of the call after that step. CANCELLED remains only where the step's own callback returned it, and the
   monitor is OK then. */
graze_status grz_subquery_end(grz_monitor *monitor, graze_status status, const graze_stats *stats);

#endif
