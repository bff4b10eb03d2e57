/* SPDX-License-Identifier: MIT */
/* Many poses of one pair of meshes; see graze/batch.h, and pair/batch_runner.h for how they are distributed. */
#include "graze/batch.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "graze/cache.h"
#include "pair/batch_runner.h"

_Static_assert(sizeof(graze_pair_cache) <= GRZ_BATCH_CACHE_SIZE, "a batch has room for the cache");

typedef struct pair_batch
{
    const graze_placed_mesh *a, *b;
    const graze_pose_batch *poses;
    bool *found;               /* one of these is NULL; buffers of the batch, not the caller's */
    graze_pair_counts *counts; /* one answer per pose */
} pair_batch;

static graze_status answer_pose(void *user, size_t index, const grz_batch_query *query)
{
    const pair_batch *w = user;
    graze_placed_mesh a = *w->a, b = *w->b;
    if (w->poses->poses_a != NULL)
        a.pose = grz_batch_pose(w->poses->poses_a, w->poses->stride_a, index);
    if (w->poses->poses_b != NULL)
        b.pose = grz_batch_pose(w->poses->poses_b, w->poses->stride_b, index);
    if (w->found != NULL)
    {
        graze_any_options options = graze_any_options_default();
        options.stats = query->stats;
        options.budget = query->budget;
        options.cache = query->cache;
        return graze_pair_any(query->context, &a, &b, &options, &w->found[index], NULL);
    }
    graze_pair_options options = graze_pair_options_default();
    options.stats = query->stats;
    options.budget = query->budget;
    return graze_pair_count(query->context, &a, &b, &options, &w->counts[index]);
}

static graze_status run_batch(const graze_context *context, pair_batch *w, const graze_any_options *options,
                              graze_error *error)
{
    if (w->poses == NULL || w->a == NULL || w->b == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a batch needs two placed meshes and poses");
    graze_status status = grz_batch_check(w->poses, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_stats sum = {0};
    grz_batch batch = {.context = context,
                       .count = w->poses->count,
                       .budget = options->budget,
                       .answer = answer_pose,
                       .user = w,
                       .cache = options->cache};
    status = grz_batch_run(&batch, &sum);
    if (options->stats != NULL)
        *options->stats = sum;
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
    pair_batch w = {.a = a, .b = b, .poses = batch, .found = found};
    const graze_any_options defaults = graze_any_options_default();
    graze_status status = run_batch(context, &w, options != NULL ? options : &defaults, error);
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
    pair_batch w = {.a = a, .b = b, .poses = batch, .counts = counts};
    graze_any_options wanted = graze_any_options_default();
    if (options != NULL)
    {
        wanted.stats = options->stats;
        wanted.budget = options->budget;
    }
    graze_status status = run_batch(context, &w, &wanted, error);
    if (status == GRAZE_STATUS_OK && count > 0)
        memcpy(out_counts, counts, count * sizeof *counts);
    grz_release(context, counts);
    return status;
}
