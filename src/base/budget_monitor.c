/* SPDX-License-Identifier: MIT */
/* Budget and cancellation of long calls; see budget_monitor.h. */
#include "base/budget_monitor.h"

#include "base/clock.h"

uint64_t grz_deadline_after(double seconds)
{
    if (!(seconds > 0))
        return UINT64_MAX;
    uint64_t now = grz_clock_now();
    return seconds < 1e9 ? now + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}

double grz_seconds_until(uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return 0;
    uint64_t now = grz_clock_now();
    return now < deadline ? (double)(deadline - now) * 1e-9 : 1e-9;
}

grz_monitor grz_monitor_make(const graze_budget *budget)
{
    grz_monitor monitor = {.deadline = UINT64_MAX, .most_box_tests = UINT64_MAX, .stage_end = 1};
    if (budget == NULL)
        return monitor;
    monitor.progress = budget->progress;
    monitor.progress_user = budget->progress_user;
    monitor.deadline = grz_deadline_after(budget->seconds);
    if (budget->box_tests > 0)
        monitor.most_box_tests = budget->box_tests;
    return monitor;
}

grz_monitor grz_monitor_make_for_mesh(const graze_budget *budget)
{
    grz_monitor monitor = grz_monitor_make(budget);
    monitor.counts_elements = true;
    return monitor;
}

bool grz_monitor_check(grz_monitor *monitor)
{
    if (monitor == NULL)
        return true;
    monitor->unchecked_work = 0;
    if (monitor->status != GRAZE_STATUS_OK)
        return false;
    if (monitor->progress != NULL && !monitor->progress(monitor->progress_user, monitor->share))
        monitor->status = GRAZE_STATUS_CANCELLED;
    else if (monitor->box_tests >= monitor->most_box_tests ||
             (monitor->deadline != UINT64_MAX && grz_clock_now() >= monitor->deadline))
        monitor->status = GRAZE_STATUS_UNFINISHED;
    return monitor->status == GRAZE_STATUS_OK;
}

static bool forward_progress(void *user, double share)
{
    grz_monitor *monitor = user;
    grz_monitor_progress(monitor, share);
    return grz_monitor_check(monitor);
}

graze_budget grz_monitor_budget(grz_monitor *monitor)
{
    graze_budget budget = {0};
    if (monitor == NULL)
        return budget;
    if (monitor->progress != NULL || monitor->deadline != UINT64_MAX)
    {
        budget.progress = forward_progress;
        budget.progress_user = monitor;
    }
    if (monitor->most_box_tests != UINT64_MAX)
        budget.box_tests =
            monitor->box_tests < monitor->most_box_tests ? monitor->most_box_tests - monitor->box_tests : 1;
    return budget;
}

graze_status grz_monitor_end_step(grz_monitor *monitor, graze_status status, uint64_t box_tests)
{
    if (monitor == NULL)
        return status;
    monitor->box_tests += box_tests;
    if (status == GRAZE_STATUS_UNFINISHED && monitor->status == GRAZE_STATUS_OK)
        monitor->status = status;
    return monitor->status != GRAZE_STATUS_OK ? monitor->status : status;
}

void grz_monitor_stage(grz_monitor *monitor, double end)
{
    if (monitor == NULL)
        return;
    monitor->stage_start = monitor->stage_end < 1 ? monitor->stage_end : 0;
    monitor->stage_end = end;
}

void grz_monitor_progress(grz_monitor *monitor, double part)
{
    if (monitor == NULL)
        return;
    double share = monitor->stage_start + (monitor->stage_end - monitor->stage_start) * part;
    monitor->share = share > monitor->share ? share : monitor->share;
}
