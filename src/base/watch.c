/* SPDX-License-Identifier: MIT */
/* Budgets and the caller's wish to stop; see watch.h. */
#include "base/watch.h"

#include "base/clock.h"

uint64_t grz_deadline_after(double seconds)
{
    if (!(seconds > 0))
        return UINT64_MAX;
    uint64_t now = grz_clock_now();
    return seconds < 1e9 ? now + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}

grz_watch grz_watch_make(double seconds, uint64_t box_tests, bool (*progress)(void *user, double share), void *user)
{
    grz_watch watch = {.progress = progress,
                       .progress_user = user,
                       .deadline = grz_deadline_after(seconds),
                       .most_box_tests = box_tests > 0 ? box_tests : UINT64_MAX,
                       .stage_end = 1};
    return watch;
}

bool grz_watch_look(grz_watch *watch)
{
    if (watch == NULL)
        return true;
    watch->unseen = 0;
    if (watch->status != GRAZE_STATUS_OK)
        return false;
    if (watch->progress != NULL && !watch->progress(watch->progress_user, watch->share))
        watch->status = GRAZE_STATUS_CANCELLED;
    else if (watch->box_tests >= watch->most_box_tests ||
             (watch->deadline != UINT64_MAX && grz_clock_now() >= watch->deadline))
        watch->status = GRAZE_STATUS_UNFINISHED;
    return watch->status == GRAZE_STATUS_OK;
}

void grz_watch_stage(grz_watch *watch, double end)
{
    if (watch == NULL)
        return;
    watch->stage_start = watch->stage_end < 1 ? watch->stage_end : 0;
    watch->stage_end = end;
}

void grz_watch_part(grz_watch *watch, double part)
{
    if (watch == NULL)
        return;
    double share = watch->stage_start + (watch->stage_end - watch->stage_start) * part;
    watch->share = share > watch->share ? share : watch->share;
}
