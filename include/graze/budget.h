/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Budgets: how much a long call may cost, and a progress callback that may cancel it. One struct for all calls.
 */
#ifndef GRAZE_BUDGET_H
#define GRAZE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/export.h"

GRAZE_BEGIN_DECLS

/// Called during a long call, at least every 2^14 box tests or 1,000 exact decisions; with several threads, at least as
/// often in the calling thread. `share` estimates how much of the call is done, from 0 to 1, never falls, and need not
/// reach 1. Return false to cancel. Called from the thread that made the call, never from two at once.
typedef bool (*graze_progress_function)(void *user, double share);

/// What a call may cost. All zeros: no limit and no callback; a NULL budget means the same. The limits are checked as
/// often as the progress function is called; a call may exceed them by that much.
///
/// A used-up budget makes a call fail with GRAZE_STATUS_UNFINISHED, and the progress function with
/// GRAZE_STATUS_CANCELLED; results are left unchanged. When it is used up, graze_pair_depth and
/// graze_pair_deepest_point return the interval known by then, graze_scene_update reports undecided pairs, and a search
/// (graze_search_run) may be resumed.
typedef struct graze_budget
{
    double seconds;     ///< wall-clock time; 0: no limit. Whether a call finishes then depends on the machine
    uint64_t box_tests; ///< work, in box tests; 0: no limit. Calls that make or prepare a mesh (meshes, trees,
                        ///< topology, bodies, files) count every element, in every pass over it, as one
    graze_progress_function progress; ///< may be NULL
    void *progress_user;
} graze_budget;

GRAZE_END_DECLS

#endif
