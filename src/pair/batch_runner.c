/* SPDX-License-Identifier: MIT */
/* Many poses of one pair; see batch_runner.h. */
#include "pair/batch_runner.h"

#include <stdalign.h>
#include <string.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/thread.h"

enum
{
    RUN_LENGTH = 32,       /* poses per task */
    RUNS_A_THREAD = 4,     /* tasks per thread and round */
    PROGRESS_INTERVAL = 64 /* poses between two calls of the progress function on one thread */
};

/* The result of a run of poses. */
typedef struct run_result
{
    graze_status status;
    graze_stats stats;
} run_result;

typedef struct batch_work
{
    const grz_batch *batch;
    graze_context alone; /* for queries on one of several threads */
    uint64_t deadline;
    size_t first; /* first pose of the round */
    run_result *runs;
    size_t current;         /* on one thread: the current pose */
    uint64_t caller_thread; /* the calling thread: it alone calls the progress function */
    atomic_bool cancelled;  /* its return value, for the other threads */
} batch_work;

graze_pose grz_batch_pose(const graze_pose *poses, size_t stride, size_t index)
{
    graze_pose pose;
    memcpy(&pose, (const char *)poses + index * (stride != 0 ? stride : sizeof pose), sizeof pose);
    return pose;
}

static void add_stats(graze_stats *sum, const graze_stats *more)
{
    sum->box_tests += more->box_tests;
    sum->leaf_pairs += more->leaf_pairs;
    sum->triangle_tests += more->triangle_tests;
    sum->exact_signs += more->exact_signs;
}

/* Sets the time budget of a query to the rest of the batch's; false when none is left. */
static bool set_time_left(const batch_work *w, graze_budget *budget)
{
    if (w->deadline == UINT64_MAX)
        return true;
    uint64_t current = grz_clock_now();
    budget->seconds = current < w->deadline ? (double)(w->deadline - current) * 1e-9 : 0;
    return current < w->deadline;
}

/* The progress function of a query on one of several threads. */
static bool may_continue(void *user, double share)
{
    (void)share;
    batch_work *w = user;
    const graze_budget *budget = &w->batch->budget;
    double done = (double)w->first / (double)w->batch->count;
    if (grz_thread_self() == w->caller_thread && !budget->progress(budget->progress_user, done))
        atomic_store(&w->cancelled, true);
    return !atomic_load_explicit(&w->cancelled, memory_order_relaxed);
}

static void answer_run(void *argument, size_t index)
{
    batch_work *w = argument;
    const grz_batch *batch = w->batch;
    size_t begin = w->first + index * RUN_LENGTH;
    size_t end = batch->count - begin < RUN_LENGTH ? batch->count : begin + RUN_LENGTH;
    run_result result = {GRAZE_STATUS_OK, {0}};
    graze_stats one = {0};
    alignas(max_align_t) unsigned char cache[GRZ_BATCH_CACHE_SIZE];
    grz_batch_query query = {.context = &w->alone, .stats = &one, .cache = batch->cache != NULL ? cache : NULL};
    if (query.cache != NULL)
        memset(cache, 0, sizeof cache);
    if (batch->budget.progress != NULL)
    {
        query.budget.progress = may_continue;
        query.budget.progress_user = w;
    }
    for (size_t i = begin; i < end && result.status == GRAZE_STATUS_OK; i++)
    {
        if (atomic_load_explicit(&w->cancelled, memory_order_relaxed))
            result.status = GRAZE_STATUS_CANCELLED;
        else
            result.status =
                set_time_left(w, &query.budget) ? batch->answer(batch->user, i, &query) : GRAZE_STATUS_UNFINISHED;
        add_stats(&result.stats, &one);
    }
    w->runs[index] = result;
}

static graze_status answer_on_threads(batch_work *w, uint32_t threads, graze_stats *sum)
{
    const grz_batch *batch = w->batch;
    const graze_budget *budget = &batch->budget;
    size_t most_runs = (size_t)threads * RUNS_A_THREAD, count = batch->count;
    w->runs = grz_allocate(batch->context, most_runs, sizeof *w->runs);
    if (w->runs == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    w->alone = grz_context_copy(batch->context);
    w->alone.tasks = (graze_tasks){0};
    w->caller_thread = grz_thread_self();
    graze_status status = GRAZE_STATUS_OK;
    for (w->first = 0; w->first < count && status == GRAZE_STATUS_OK; w->first += most_runs * RUN_LENGTH)
    {
        size_t left = (count - w->first + RUN_LENGTH - 1) / RUN_LENGTH, runs = left < most_runs ? left : most_runs;
        grz_parallel_for(batch->context, runs, answer_run, w);
        for (size_t i = 0; i < runs; i++)
        {
            add_stats(sum, &w->runs[i].stats);
            if (status == GRAZE_STATUS_OK)
                status = w->runs[i].status;
        }
        double share = left == runs ? 1 : (double)(w->first + runs * RUN_LENGTH) / (double)count;
        if (status == GRAZE_STATUS_OK && left > runs && budget->progress != NULL &&
            !budget->progress(budget->progress_user, share))
            status = GRAZE_STATUS_CANCELLED;
    }
    grz_release(batch->context, w->runs);
    return status;
}

static bool pass_progress_on(void *user, double share)
{
    const batch_work *w = user;
    const graze_budget *budget = &w->batch->budget;
    return budget->progress(budget->progress_user, ((double)w->current + share) / (double)w->batch->count);
}

static graze_status answer_in_order(batch_work *w, graze_stats *sum)
{
    const grz_batch *batch = w->batch;
    graze_stats one = {0};
    grz_batch_query query = {.context = batch->context, .budget = batch->budget, .stats = &one, .cache = batch->cache};
    if (batch->budget.progress != NULL)
    {
        query.budget.progress = pass_progress_on;
        query.budget.progress_user = w;
    }
    graze_status status = GRAZE_STATUS_OK;
    for (w->current = 0; w->current < batch->count && status == GRAZE_STATUS_OK; w->current++)
    {
        if (w->current > 0 && !set_time_left(w, &query.budget))
            return GRAZE_STATUS_UNFINISHED;
        one = (graze_stats){0};
        status = batch->answer(batch->user, w->current, &query);
        add_stats(sum, &one);
        if (batch->budget.box_tests > 0)
        {
            if (sum->box_tests >= batch->budget.box_tests && w->current + 1 < batch->count)
                return status == GRAZE_STATUS_OK ? GRAZE_STATUS_UNFINISHED : status;
            query.budget.box_tests = batch->budget.box_tests - sum->box_tests;
        }
        if (status == GRAZE_STATUS_OK && query.budget.progress != NULL && (w->current + 1) % PROGRESS_INTERVAL == 0 &&
            !pass_progress_on(w, 1))
            status = GRAZE_STATUS_CANCELLED;
    }
    return status;
}

graze_status grz_batch_run(const grz_batch *batch, graze_stats *sum)
{
    batch_work w = {.batch = batch};
    atomic_init(&w.cancelled, false);
    uint32_t threads = grz_concurrency(batch->context);
    w.deadline = grz_deadline_after(batch->budget.seconds);
    bool parallel = threads > 1 && batch->count >= threads && batch->budget.box_tests == 0;
    return parallel ? answer_on_threads(&w, threads, sum) : answer_in_order(&w, sum);
}

static bool is_finite(const graze_pose *poses, size_t stride, size_t index)
{
    if (poses == NULL)
        return true;
    graze_pose pose = grz_batch_pose(poses, stride, index);
    return graze_pose_check(&pose, NULL) == GRAZE_STATUS_OK;
}

graze_status grz_batch_check(const graze_pose_batch *batch, graze_error *error)
{
    size_t strides[2] = {batch->poses_a != NULL ? batch->stride_a : 0, batch->poses_b != NULL ? batch->stride_b : 0};
    for (int side = 0; side < 2; side++)
        if (strides[side] != 0 && strides[side] < sizeof(graze_pose))
            return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a stride of %zu bytes is smaller than a pose",
                             strides[side]);
    for (size_t i = 0; i < batch->count; i++)
    {
        bool right = is_finite(batch->poses_a, strides[0], i) && is_finite(batch->poses_b, strides[1], i);
        if (!right)
            return grz_error_index(error, GRAZE_STATUS_NOT_FINITE, i, "pose %zu holds a number that is not finite", i);
    }
    return GRAZE_STATUS_OK;
}
