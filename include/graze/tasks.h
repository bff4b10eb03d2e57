/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A small thread pool, for programs that have none. Graze starts threads only in a graze_pool and in a graze_detector.
 *
 *     graze_pool *pool;
 *     if (graze_pool_create(NULL, 0, &pool) == GRAZE_STATUS_OK)
 *     {
 *         graze_context context = graze_context_default();
 *         context.tasks = graze_pool_tasks(pool);
 *         ... whatever takes a context may now use several threads, with the same answers in the same order ...
 *         graze_pool_destroy(pool);
 *     }
 */
#ifndef GRAZE_TASKS_H
#define GRAZE_TASKS_H

#include "graze/context.h"

GRAZE_BEGIN_DECLS

typedef struct graze_pool graze_pool;

/// Creates a pool for `thread_count` threads in total. The calling thread is one of them, so that thread_count - 1
/// threads are started; 0 means one per processor. At most 1024. Idle threads sleep after some 20 microseconds.
/// Fails with BAD_ARGUMENT (too many), or OUT_OF_MEMORY (also when the system gives no more threads).
/// The caller owns *out_pool.
GRAZE_API graze_status graze_pool_create(const graze_context *context, uint32_t thread_count, graze_pool **out_pool);

/// Ends the threads. No work may be under way, and contexts with the pool's tasks must not be used any more.
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/// The hooks that let a context use the pool. Any number of threads and contexts may use them at once, also from
/// within a task. The thread that submits tasks works on them too, so nested use cannot deadlock.
GRAZE_API graze_tasks graze_pool_tasks(graze_pool *pool);

GRAZE_END_DECLS

#endif
