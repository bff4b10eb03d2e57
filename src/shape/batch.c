/* SPDX-License-Identifier: MIT */
/* Many poses of one pair of shapes; see graze/shape_batch.h, and pair/batch_runner.h for how they are distributed. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "graze/shape_batch.h"
#include "pair/batch_runner.h"
#include "shape/shape.h"

_Static_assert(sizeof(graze_shape_cache) <= GRZ_BATCH_CACHE_SIZE, "a batch has room for the cache");

typedef struct shape_batch
{
    const graze_placed *a, *b;
    const graze_pose_batch *poses;
    graze_verdict *verdicts;
} shape_batch;

static void place(const shape_batch *w, size_t index, graze_placed *a, graze_placed *b)
{
    *a = *w->a;
    *b = *w->b;
    if (w->poses->poses_a != NULL)
        a->pose = grz_batch_pose(w->poses->poses_a, w->poses->stride_a, index);
    if (w->poses->poses_b != NULL)
        b->pose = grz_batch_pose(w->poses->poses_b, w->poses->stride_b, index);
}

static graze_status answer_pose(void *user, size_t index, const grz_batch_query *query)
{
    const shape_batch *w = user;
    graze_placed a, b;
    graze_shape_options options = graze_shape_options_default();
    place(w, index, &a, &b);
    options.stats = query->stats;
    options.budget = query->budget;
    options.cache = query->cache;
    return graze_shape_pair_any(query->context, &a, &b, &options, &w->verdicts[index], NULL);
}

/* Poses that the shapes may not have are refused before the first is answered. */
static graze_status check_poses(const shape_batch *w, graze_error *error)
{
    graze_status status = grz_batch_check(w->poses, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < w->poses->count; i++)
    {
        graze_placed a, b;
        place(w, i, &a, &b);
        status = graze_placed_check(&a);
        if (status == GRAZE_STATUS_OK)
            status = graze_placed_check(&b);
        if (status != GRAZE_STATUS_OK)
            return grz_error_index(error, status, i, "pose %zu: %s", i, graze_status_text(status));
    }
    return status;
}

static graze_status run_batch(const graze_context *context, shape_batch *w, const graze_shape_options *options,
                              graze_error *error)
{
    graze_status status = check_poses(w, error);
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

graze_status graze_shape_pair_any_batch(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                        const graze_pose_batch *batch, const graze_shape_options *options,
                                        graze_error *error, graze_verdict *out_collide)
{
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || batch == NULL ||
        (out_collide == NULL && batch->count > 0))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a batch needs two placed shapes, poses and out_collide");
    GRZ_FULL_STRUCT(graze_shape_options, options);
    if (!options_fits)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "options of another size");
    size_t count = batch->count;
    graze_verdict *verdicts = grz_allocate(context, count, sizeof *verdicts);
    if (verdicts == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory for %zu answers", count);
    shape_batch w = {a, b, batch, verdicts};
    const graze_shape_options defaults = graze_shape_options_default();
    graze_status status = run_batch(context, &w, options != NULL ? options : &defaults, error);
    if (status == GRAZE_STATUS_OK && count > 0)
        memcpy(out_collide, verdicts, count * sizeof *verdicts);
    grz_release(context, verdicts);
    return status;
}
