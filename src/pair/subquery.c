/* SPDX-License-Identifier: MIT */
/* Queries that are steps of longer calls; see subquery.h. */
#include "pair/subquery.h"

static bool forward_progress(void *user, double share)
{
    grz_monitor *monitor = user;
    grz_monitor_progress(monitor, share);
    return grz_monitor_check(monitor);
}

graze_pair_options grz_subquery_options(grz_monitor *monitor, graze_stats *stats)
{
    graze_pair_options options = graze_pair_options_default();
    *stats = (graze_stats){0};
    options.stats = stats;
    if (monitor == NULL)
        return options;
    if (monitor->progress != NULL || monitor->deadline != UINT64_MAX)
    {
        options.budget.progress = forward_progress;
        options.budget.progress_user = monitor;
    }
    if (monitor->most_box_tests != UINT64_MAX)
        options.budget.box_tests =
            monitor->box_tests < monitor->most_box_tests ? monitor->most_box_tests - monitor->box_tests : 1;
    return options;
}

graze_status grz_subquery_end(grz_monitor *monitor, graze_status status, const graze_stats *stats)
{
    if (monitor == NULL)
        return status;
    monitor->box_tests += stats->box_tests;
    if (status == GRAZE_STATUS_UNFINISHED && monitor->status == GRAZE_STATUS_OK)
        monitor->status = status;
    return monitor->status != GRAZE_STATUS_OK ? monitor->status : status;
}
