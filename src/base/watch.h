/* SPDX-License-Identifier: MIT */
/*
 * What may stop a long call: the caller's progress function, a deadline, a number of box tests. Whoever works counts
 * what was done, and at the latest after GRZ_WORK_A_LOOK of it the watch looks at all three. That is in units of box
 * tests; an exact decision counts for GRZ_DECISION_WORK of them. So no more than 2^14 box tests or 1,000 exact
 * decisions lie between two looks.
 *
 * Every function takes NULL for a call that nothing may stop.
 */
#ifndef GRZ_BASE_WATCH_H
#define GRZ_BASE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/status.h"

enum
{
    GRZ_WORK_A_LOOK = 1 << 13,
    GRZ_DECISION_WORK = 16
};

typedef struct grz_watch
{
    bool (*progress)(void *user, double share); /* may be NULL; false cancels */
    void *progress_user;
    uint64_t deadline;                  /* by grz_clock_now; UINT64_MAX: none */
    uint64_t box_tests, most_box_tests; /* done, and allowed; UINT64_MAX: any number */
    uint64_t unseen;                    /* work since the last look */
    double share;                       /* of the call that is done, as told last; never falls */
    double stage_start, stage_end;      /* shares at the ends of the stage at hand */
    graze_status status;                /* OK while the call may go on; then CANCELLED or UNFINISHED for good */
} grz_watch;

/* 0 seconds and 0 box tests are no limits. */
grz_watch grz_watch_make(double seconds, uint64_t box_tests, bool (*progress)(void *user, double share), void *user);

/* The time that many seconds from now, by grz_clock_now; UINT64_MAX when that is never or `seconds` is not above 0. */
uint64_t grz_deadline_after(double seconds);

/* Looks at everything. Returns whether the call may go on. */
bool grz_watch_look(grz_watch *watch);

/* Begins the next stage, which ends at this share of the call. */
void grz_watch_stage(grz_watch *watch, double end);

/* Says how much of the stage is done, from 0 to 1. */
void grz_watch_part(grz_watch *watch, double part);

/* Whether anything may stop it. */
static inline bool grz_watch_is_needed(const grz_watch *watch)
{
    return watch->progress != NULL || watch->deadline != UINT64_MAX || watch->most_box_tests != UINT64_MAX;
}

/* Whether the call may still go on, without looking. */
static inline bool grz_watch_goes_on(const grz_watch *watch)
{
    return watch == NULL || watch->status == GRAZE_STATUS_OK;
}

/* Counts work, and looks when it is time to. Returns whether the call may go on. */
static inline bool grz_watch_work(grz_watch *watch, uint64_t work)
{
    if (watch == NULL)
        return true;
    watch->unseen += work;
    return watch->unseen < GRZ_WORK_A_LOOK ? watch->status == GRAZE_STATUS_OK : grz_watch_look(watch);
}

static inline bool grz_watch_decisions(grz_watch *watch, uint64_t count)
{
    return grz_watch_work(watch, GRZ_DECISION_WORK * count);
}

/* Box tests are limited too. */
static inline bool grz_watch_boxes(grz_watch *watch, uint64_t count)
{
    if (watch == NULL)
        return true;
    watch->box_tests += count;
    return watch->box_tests < watch->most_box_tests ? grz_watch_work(watch, count) : grz_watch_look(watch);
}

/* What stopped the call; OK when nothing did. */
static inline graze_status grz_watch_status(const grz_watch *watch)
{
    return watch == NULL ? GRAZE_STATUS_OK : watch->status;
}

/* The same, where otherwise memory was short. */
static inline graze_status grz_watch_or_memory(const grz_watch *watch)
{
    return grz_watch_goes_on(watch) ? GRAZE_STATUS_OUT_OF_MEMORY : watch->status;
}

#endif
