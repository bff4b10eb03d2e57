/* SPDX-License-Identifier: MIT */
/* Queries that are steps of longer calls; see subquery.h. */
#include "pair/subquery.h"

graze_pair_options grz_subquery_options(grz_monitor *monitor, graze_stats *stats)
{
    graze_pair_options options = graze_pair_options_default();
    *stats = (graze_stats){0};
    options.stats = stats;
    options.budget = grz_monitor_budget(monitor);
    return options;
}

graze_status grz_subquery_end(grz_monitor *monitor, graze_status status, const graze_stats *stats)
{
    return grz_monitor_end_step(monitor, status, stats->box_tests);
}
