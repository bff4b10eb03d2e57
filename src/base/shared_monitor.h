/* SPDX-License-Identifier: MIT */
/*
 * A monitor (budget_monitor.h) for tasks on several threads. The thread that made the call checks it, and tells the
 * others when they are to stop; the work of the others counts from its next check on.
 */
#ifndef GRZ_BASE_SHARED_MONITOR_H
#define GRZ_BASE_SHARED_MONITOR_H

#include <stdatomic.h>

#include "base/budget_monitor.h"
#include "base/thread.h"

typedef struct grz_shared_monitor
{
    grz_monitor *monitor;
    uint64_t thread;      /* that made the call */
    atomic_ullong others; /* elements that other threads did */
    atomic_bool stopped;
} grz_shared_monitor;

static inline void grz_shared_monitor_start(grz_shared_monitor *shared, grz_monitor *monitor)
{
    shared->monitor = monitor;
    shared->thread = grz_thread_self();
    atomic_init(&shared->others, 0);
    atomic_init(&shared->stopped, false);
}

/* Whether the call may still go on; NULL: it may. */
static inline bool grz_shared_monitor_may_continue(grz_shared_monitor *shared)
{
    return shared == NULL || !atomic_load_explicit(&shared->stopped, memory_order_relaxed);
}

/* Counts elements, and checks when it is time to. Returns whether the call may go on. */
static inline bool grz_shared_monitor_elements(grz_shared_monitor *shared, uint64_t count)
{
    if (shared == NULL)
        return true;
    if (grz_thread_self() != shared->thread)
        atomic_fetch_add_explicit(&shared->others, count, memory_order_relaxed);
    else if (!grz_monitor_elements(shared->monitor,
                                   count + atomic_exchange_explicit(&shared->others, 0, memory_order_relaxed)))
        atomic_store_explicit(&shared->stopped, true, memory_order_relaxed);
    return grz_shared_monitor_may_continue(shared);
}

#endif
