/* SPDX-License-Identifier: MIT */
/* Queries within longer calls; see watched.h. */
#include "pair/watched.h"

grz_watch grz_watch_of(const graze_pair_options *options)
{
    if (options == NULL)
        return grz_watch_make(0, 0, NULL, NULL);
    return grz_watch_make(options->budget.seconds, options->budget.box_tests, options->progress,
                          options->progress_user);
}

static bool look_through(void *user, double share)
{
    grz_watch *watch = user;
    grz_watch_part(watch, share);
    return grz_watch_look(watch);
}

graze_pair_options grz_watched_options(grz_watch *watch, graze_stats *stats)
{
    graze_pair_options options = graze_pair_options_default();
    *stats = (graze_stats){0};
    options.stats = stats;
    if (watch == NULL)
        return options;
    if (watch->progress != NULL || watch->deadline != UINT64_MAX)
    {
        options.progress = look_through;
        options.progress_user = watch;
    }
    if (watch->most_box_tests != UINT64_MAX)
        options.budget.box_tests =
            watch->box_tests < watch->most_box_tests ? watch->most_box_tests - watch->box_tests : 1;
    return options;
}

graze_status grz_watched_end(grz_watch *watch, graze_status status, const graze_stats *stats)
{
    if (watch == NULL)
        return status;
    watch->box_tests += stats->box_tests;
    if (status == GRAZE_STATUS_UNFINISHED && watch->status == GRAZE_STATUS_OK)
        watch->status = status;
    return watch->status != GRAZE_STATUS_OK ? watch->status : status;
}
