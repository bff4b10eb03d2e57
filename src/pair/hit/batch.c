/* SPDX-License-Identifier: MIT */
/*
 * Many poses of one pair of meshes; see graze/batch.h.
 *
 * On several threads a batch runs in rounds. A round is a number of runs of consecutive poses, one task per run, so
 * that poses near in time stay on one thread. Between two rounds the caller is asked whether to continue. Each query
 * runs on a single thread.
 */
#include "graze/batch.h"

#include <stdatomic.h>
#include <string.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/struct_size.h"
#include "base/tasks.h"
#include "base/thread.h"
#include "graze/cache.h"
#include "pair/hit/parallel_search.h"

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
    const graze_context *context; /* for the queries */
    const graze_placed_mesh *a, *b;
    const graze_pose_batch *batch;
    graze_any_options options; /* the cache only for `found` */
    uint64_t deadline;
    bool *found;               /* one of these is NULL */
    graze_pair_counts *counts; /* one answer per pose */
    size_t first;              /* first pose of the round */
    run_result *runs;
    size_t current;         /* on one thread: the current pose */
    uint64_t caller_thread; /* the calling thread: it alone calls the progress function */
    atomic_bool cancelled;  /* its return value, for the other threads */
} batch_work;

/* Strides need not respect alignment. */
static graze_pose pose_at(const graze_pose *poses, size_t stride, size_t index)
{
    graze_pose pose;
    memcpy(&pose, (const char *)poses + index * (stride != 0 ? stride : sizeof pose), sizeof pose);
    return pose;
}

/* The same without the cache. */
static graze_pair_options count_options(const graze_any_options *options)
{
    graze_pair_options result = graze_pair_options_default();
    result.stats = options->stats;
    result.budget = options->budget;
    return result;
}

static graze_status answer_pose(const batch_work *w, size_t index, const graze_any_options *options)
{
    graze_placed_mesh a = *w->a, b = *w->b;
    if (w->batch->poses_a != NULL)
        a.pose = pose_at(w->batch->poses_a, w->batch->stride_a, index);
    if (w->batch->poses_b != NULL)
        b.pose = pose_at(w->batch->poses_b, w->batch->stride_b, index);
    if (w->found != NULL)
        return graze_pair_any(w->context, &a, &b, options, &w->found[index], NULL);
    graze_pair_options plain = count_options(options);
    return graze_pair_count(w->context, &a, &b, &plain, &w->counts[index]);
}

static void add_stats(graze_stats *sum, const graze_stats *more)
{
    sum->box_tests += more->box_tests;
    sum->leaf_pairs += more->leaf_pairs;
    sum->triangle_tests += more->triangle_tests;
    sum->exact_signs += more->exact_signs;
}

/* Sets the time budget of a query to the rest of the batch's; false when none is left. */
static bool set_time_left(const batch_work *w, graze_any_options *options)
{
    if (w->deadline == UINT64_MAX)
        return true;
    uint64_t current = grz_clock_now();
    options->budget.seconds = current < w->deadline ? (double)(w->deadline - current) * 1e-9 : 0;
    return current < w->deadline;
}

/* The progress function of a query on one of several threads. */
static bool may_continue(void *user, double share)
{
    (void)share;
    batch_work *w = user;
    double done = (double)w->first / (double)w->batch->count;
    if (grz_thread_self() == w->caller_thread && !w->options.budget.progress(w->options.budget.progress_user, done))
        atomic_store(&w->cancelled, true);
    return !atomic_load_explicit(&w->cancelled, memory_order_relaxed);
}

static void answer_run(void *argument, size_t index)
{
    batch_work *w = argument;
    size_t begin = w->first + index * RUN_LENGTH;
    size_t end = w->batch->count - begin < RUN_LENGTH ? w->batch->count : begin + RUN_LENGTH;
    run_result result = {GRAZE_STATUS_OK, {0}};
    graze_stats one = {0};
    graze_any_options options = graze_any_options_default();
    options.stats = w->options.stats != NULL ? &one : NULL;
    graze_pair_cache cache = graze_pair_cache_default();
    options.cache = w->options.cache != NULL ? &cache : NULL;
    if (w->options.budget.progress != NULL)
    {
        options.budget.progress = may_continue;
        options.budget.progress_user = w;
    }
    for (size_t i = begin; i < end && result.status == GRAZE_STATUS_OK; i++)
    {
        if (atomic_load_explicit(&w->cancelled, memory_order_relaxed))
            result.status = GRAZE_STATUS_CANCELLED;
        else
            result.status = set_time_left(w, &options) ? answer_pose(w, i, &options) : GRAZE_STATUS_UNFINISHED;
        add_stats(&result.stats, &one);
    }
    w->runs[index] = result;
}

static graze_status answer_on_threads(batch_work *w, uint32_t threads, graze_stats *sum)
{
    size_t most_runs = (size_t)threads * RUNS_A_THREAD, count = w->batch->count;
    w->runs = grz_allocate(w->context, most_runs, sizeof *w->runs);
    if (w->runs == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_context alone = grz_context_copy(w->context);
    alone.tasks = (graze_tasks){0};
    const graze_context *together = w->context;
    w->caller_thread = grz_thread_self();
    w->context = &alone;
    graze_status status = GRAZE_STATUS_OK;
    for (w->first = 0; w->first < count && status == GRAZE_STATUS_OK; w->first += most_runs * RUN_LENGTH)
    {
        size_t left = (count - w->first + RUN_LENGTH - 1) / RUN_LENGTH, runs = left < most_runs ? left : most_runs;
        grz_parallel_for(together, runs, answer_run, w);
        for (size_t i = 0; i < runs; i++)
        {
            add_stats(sum, &w->runs[i].stats);
            if (status == GRAZE_STATUS_OK)
                status = w->runs[i].status;
        }
        double share = left == runs ? 1 : (double)(w->first + runs * RUN_LENGTH) / (double)count;
        if (status == GRAZE_STATUS_OK && left > runs && w->options.budget.progress != NULL &&
            !w->options.budget.progress(w->options.budget.progress_user, share))
            status = GRAZE_STATUS_CANCELLED;
    }
    w->context = together;
    grz_release(w->context, w->runs);
    return status;
}

static bool pass_progress_on(void *user, double share)
{
    const batch_work *w = user;
    const graze_budget *budget = &w->options.budget;
    return budget->progress(budget->progress_user, ((double)w->current + share) / (double)w->batch->count);
}

static graze_status answer_in_order(batch_work *w, graze_stats *sum)
{
    graze_any_options options = w->options;
    graze_stats one = {0};
    options.stats = w->options.stats != NULL || options.budget.box_tests > 0 ? &one : NULL;
    if (w->options.budget.progress != NULL)
    {
        options.budget.progress = pass_progress_on;
        options.budget.progress_user = w;
    }
    graze_status status = GRAZE_STATUS_OK;
    for (w->current = 0; w->current < w->batch->count && status == GRAZE_STATUS_OK; w->current++)
    {
        if (w->current > 0 && !set_time_left(w, &options))
            return GRAZE_STATUS_UNFINISHED;
        one = (graze_stats){0};
        status = answer_pose(w, w->current, &options);
        add_stats(sum, &one);
        if (w->options.budget.box_tests > 0)
        {
            if (sum->box_tests >= w->options.budget.box_tests && w->current + 1 < w->batch->count)
                return status == GRAZE_STATUS_OK ? GRAZE_STATUS_UNFINISHED : status;
            options.budget.box_tests = w->options.budget.box_tests - sum->box_tests;
        }
        if (status == GRAZE_STATUS_OK && options.budget.progress != NULL && (w->current + 1) % PROGRESS_INTERVAL == 0 &&
            !pass_progress_on(w, 1))
            status = GRAZE_STATUS_CANCELLED;
    }
    return status;
}

static bool is_finite(const graze_pose *poses, size_t stride, size_t index)
{
    if (poses == NULL)
        return true;
    graze_pose pose = pose_at(poses, stride, index);
    return graze_pose_check(&pose, NULL) == GRAZE_STATUS_OK;
}

static graze_status check_batch(const graze_pose_batch *batch, graze_error *error)
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

/* Answers into `found` or `counts`, which are buffers of the batch, not the caller's. */
static graze_status answer(batch_work *w)
{
    graze_stats sum = {0};
    atomic_init(&w->cancelled, false);
    uint32_t threads = grz_concurrency(w->context);
    w->deadline = grz_deadline_after(w->options.budget.seconds);
    bool parallel = threads > 1 && w->batch->count >= threads && w->options.budget.box_tests == 0;
    graze_status status = parallel ? answer_on_threads(w, threads, &sum) : answer_in_order(w, &sum);
    if (w->options.stats != NULL)
        *w->options.stats = sum;
    return status;
}

/* w->options are set. */
static graze_status run_batch(batch_work *w, graze_error *error)
{
    if (w->batch == NULL || w->a == NULL || w->b == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a batch needs two placed meshes and poses");
    graze_status status = check_batch(w->batch, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = answer(w);
    return status == GRAZE_STATUS_OK ? status : grz_error(error, status, "%s", graze_status_text(status));
}

graze_status graze_pair_any_batch(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                  const graze_pose_batch *batch, const graze_any_options *options, graze_error *error,
                                  bool *out_found)
{
    if (batch == NULL || (out_found == NULL && batch->count > 0))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "batch and out_found may not be NULL");
    GRZ_FULL_STRUCT(graze_any_options, options);
    if (!options_fits)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "options of another size");
    size_t count = batch->count;
    bool *found = grz_allocate(context, count, sizeof *found);
    if (found == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory for %zu answers", count);
    batch_work w = {.context = context, .a = a, .b = b, .batch = batch, .found = found};
    if (options != NULL)
        w.options = *options;
    w.options.struct_size = sizeof w.options; /* also where the caller's is larger */
    graze_status status = run_batch(&w, error);
    if (status == GRAZE_STATUS_OK && count > 0)
        memcpy(out_found, found, count * sizeof *found);
    grz_release(context, found);
    return status;
}

graze_status graze_pair_count_batch(const graze_context *context, const graze_placed_mesh *a,
                                    const graze_placed_mesh *b, const graze_pose_batch *batch,
                                    const graze_pair_options *options, graze_error *error,
                                    graze_pair_counts *out_counts)
{
    if (batch == NULL || (out_counts == NULL && batch->count > 0))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "batch and out_counts may not be NULL");
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (!options_fits)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "options of another size");
    size_t count = batch->count;
    graze_pair_counts *counts = grz_allocate(context, count, sizeof *counts);
    if (counts == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory for %zu answers", count);
    batch_work w = {
        .context = context, .a = a, .b = b, .batch = batch, .counts = counts, .options = graze_any_options_default()};
    if (options != NULL)
    {
        w.options.stats = options->stats;
        w.options.budget = options->budget;
    }
    graze_status status = run_batch(&w, error);
    if (status == GRAZE_STATUS_OK && count > 0)
        memcpy(out_counts, counts, count * sizeof *counts);
    grz_release(context, counts);
    return status;
}
