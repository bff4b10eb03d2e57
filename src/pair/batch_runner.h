/* SPDX-License-Identifier: MIT */
/*
 * Many poses of one pair, of whatever kind: which thread answers which pose, and what of the budget it may use.
 *
 * On several threads a batch runs in rounds. A round is a number of runs of consecutive poses, one task per run, so
 * that poses near in time stay on one thread. Between two rounds the caller is asked whether to continue. Each query
 * runs on a single thread.
 */
#ifndef GRZ_PAIR_BATCH_RUNNER_H
#define GRZ_PAIR_BATCH_RUNNER_H

#include <stdatomic.h>

#include "graze/batch.h"

enum
{
    GRZ_BATCH_CACHE_SIZE = 2048 /* bytes of a cache, at most; zeroed memory is an empty one */
};

/* What one query may use. */
typedef struct grz_batch_query
{
    const graze_context *context;
    graze_budget budget;
    graze_stats *stats; /* receives the cost */
    void *cache;        /* of poses that follow each other; or NULL */
} grz_batch_query;

/* Answers one pose into a buffer of the batch. */
typedef graze_status (*grz_batch_function)(void *user, size_t index, const grz_batch_query *query);

typedef struct grz_batch
{
    const graze_context *context;
    size_t count;
    graze_budget budget; /* for all poses together */
    grz_batch_function answer;
    void *user;
    void *cache; /* of the caller, used on one thread; NULL: none. Runs on several threads have one each */
} grz_batch;

/* Answers all poses, or fails. `sum` is what was used, also then. */
graze_status grz_batch_run(const grz_batch *batch, graze_stats *sum);

/* The pose of a batch by its index; strides need not respect alignment. */
graze_pose grz_batch_pose(const graze_pose *poses, size_t stride, size_t index);

/* Whether strides are right and all poses finite; fills in the error. */
graze_status grz_batch_check(const graze_pose_batch *batch, graze_error *error);

#endif
