/* SPDX-License-Identifier: MIT */
/*
 * Budget and cancellation of a long call: the caller's progress function, a deadline, and a limit on box tests. A call
 * reports its work to the monitor, which checks all three after at most GRZ_WORK_PER_CHECK units. The unit is one box
 * test; an exact predicate counts for GRZ_EXACT_TEST_WORK of them. So at most 2^14 box tests or 1,000 exact predicates
 * lie between two checks.
 *
 * Every function accepts NULL, for a call without limits.
 */
#ifndef GRZ_BASE_BUDGET_MONITOR_H
#define GRZ_BASE_BUDGET_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/budget.h"
#include "graze/status.h"

enum
{
    GRZ_WORK_PER_CHECK = 1 << 13,
    GRZ_EXACT_TEST_WORK = 16
};

typedef struct grz_monitor
{
    bool (*progress)(void *user, double share); /* may be NULL; false cancels */
    void *progress_user;
    uint64_t deadline;                  /* by grz_clock_now; UINT64_MAX: none */
    uint64_t box_tests, most_box_tests; /* done, and allowed; UINT64_MAX: any number */
    uint64_t unchecked_work;            /* work since the last check */
    double share;                       /* fraction of the call that is done, as reported last; never decreases */
    double stage_start, stage_end;      /* fractions at the start and end of the current stage */
    bool counts_elements;               /* whether the elements of a mesh count as box tests */
    graze_status status;                /* OK while the call may go on; then CANCELLED or UNFINISHED for good */
} grz_monitor;

/* NULL means no limits. */
grz_monitor grz_monitor_make(const graze_budget *budget);

/* The same for a call that works on the elements of a mesh. */
grz_monitor grz_monitor_make_for_mesh(const graze_budget *budget);

/* The time this many seconds from now, by grz_clock_now; UINT64_MAX (never) when `seconds` is not above 0 or too
   large. */
uint64_t grz_deadline_after(double seconds);

/* The reverse: the time left until then, as `seconds` of a budget; more than 0 also when it is over, 0 for UINT64_MAX.
 */
double grz_seconds_until(uint64_t deadline);

/* Checks all limits. Returns whether the call may continue. */
bool grz_monitor_check(grz_monitor *monitor);

/* The budget of a step of the call that takes one itself: what is left of this one. The step's progress is that of the
   current stage. NULL: no limits. The monitor must outlive the step. */
graze_budget grz_monitor_budget(grz_monitor *monitor);

/* Takes note of the status of such a step, and of the box tests it took where the caller knows them. Returns the status
   of the call. */
graze_status grz_monitor_end_step(grz_monitor *monitor, graze_status status, uint64_t box_tests);

/* Begins the next stage, which ends at this fraction of the call. */
void grz_monitor_stage(grz_monitor *monitor, double end);

/* Reports how much of the stage is done, from 0 to 1. */
void grz_monitor_progress(grz_monitor *monitor, double part);

/* Whether there is any limit. */
static inline bool grz_monitor_is_needed(const grz_monitor *monitor)
{
    return monitor->progress != NULL || monitor->deadline != UINT64_MAX || monitor->most_box_tests != UINT64_MAX;
}

/* Whether the call may continue, without a check. */
static inline bool grz_monitor_may_continue(const grz_monitor *monitor)
{
    return monitor == NULL || monitor->status == GRAZE_STATUS_OK;
}

/* Counts work, and checks the limits when it is due. Returns whether the call may continue. */
static inline bool grz_monitor_work(grz_monitor *monitor, uint64_t work)
{
    if (monitor == NULL)
        return true;
    monitor->unchecked_work += work;
    return monitor->unchecked_work < GRZ_WORK_PER_CHECK ? monitor->status == GRAZE_STATUS_OK
                                                        : grz_monitor_check(monitor);
}

static inline bool grz_monitor_exact_tests(grz_monitor *monitor, uint64_t count)
{
    return grz_monitor_work(monitor, GRZ_EXACT_TEST_WORK * count);
}

/* The same for box tests, which have a limit of their own. */
static inline bool grz_monitor_box_tests(grz_monitor *monitor, uint64_t count)
{
    if (monitor == NULL)
        return true;
    monitor->box_tests += count;
    return monitor->box_tests < monitor->most_box_tests ? grz_monitor_work(monitor, count) : grz_monitor_check(monitor);
}

/* Elements of a mesh (vertices, half-edges, triangles) in one pass over them. They count as box tests where the call
   does nothing else. */
static inline bool grz_monitor_elements(grz_monitor *monitor, uint64_t count)
{
    if (monitor == NULL)
        return true;
    return monitor->counts_elements ? grz_monitor_box_tests(monitor, count) : grz_monitor_work(monitor, count);
}

enum
{
    GRZ_BLOCK_SIZE = 1 << 12 /* elements that a tight loop goes over without a check */
};

/* Takes the next block of a loop over `count` elements, which ended at *end: from *first to *end. False after the last
   one, or when the call may not go on. */
static inline bool grz_monitor_block(grz_monitor *monitor, size_t count, size_t *first, size_t *end)
{
    *first = *end;
    *end = count - *first < GRZ_BLOCK_SIZE ? count : *first + GRZ_BLOCK_SIZE;
    return *first < count && grz_monitor_elements(monitor, *end - *first);
}

/* The same for a loop that is the current stage, of which it reports how much is done. */
static inline bool grz_monitor_stage_block(grz_monitor *monitor, size_t count, size_t *first, size_t *end)
{
    if (monitor != NULL && count > 0)
        grz_monitor_progress(monitor, (double)*end / (double)count);
    return grz_monitor_block(monitor, count, first, end);
}

/* Begins another pass of such a call, of which this share is done. */
static inline void grz_monitor_pass(grz_monitor *monitor, double share)
{
    if (monitor != NULL && monitor->counts_elements)
        grz_monitor_progress(monitor, share);
}

/* Why the call was stopped; OK when it was not. */
static inline graze_status grz_monitor_status(const grz_monitor *monitor)
{
    return monitor == NULL ? GRAZE_STATUS_OK : monitor->status;
}

/* The same where a failed call that was not stopped ran out of memory. */
static inline graze_status grz_monitor_or_memory(const grz_monitor *monitor)
{
    return grz_monitor_may_continue(monitor) ? GRAZE_STATUS_OUT_OF_MEMORY : monitor->status;
}

#endif
