/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The context: where memory comes from, where messages go and who does the work. There are no globals.
 *
 * Every function that allocates takes a context, or works on an object that was created with one. NULL means malloc, no
 * log and one thread. A context is a plain struct owned by the caller. Objects copy it: the struct itself may be
 * destroyed after the call, but the allocator, log and thread pool behind its `user` pointers must outlive all objects
 * created with it.
 *
 * Queries use up to 256 KiB of stack. Threads that call Graze need at least 512 KiB; Graze's own threads have more.
 *
 * Any rounding mode and flush-to-zero setting is allowed; see docs/environments.md.
 */
#ifndef GRAZE_CONTEXT_H
#define GRAZE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "graze/export.h"
#include "graze/status.h"

GRAZE_BEGIN_DECLS

/// Allocation hooks. All three or none; the contracts are those of malloc, realloc and free.
/// Thread safety: called from whichever thread runs the query.
typedef struct graze_allocator
{
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *memory, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} graze_allocator;

typedef enum graze_log_level
{
    GRAZE_LOG_DEBUG,
    GRAZE_LOG_INFO,
    GRAZE_LOG_WARNING,
    GRAZE_LOG_ERROR
} graze_log_level;

typedef void (*graze_log_function)(void *user, graze_log_level level, const char *text);

/// Instruction set of the SIMD kernels. Answers are the same for all.
typedef enum graze_instructions
{
    GRAZE_INSTRUCTIONS_BEST = 0, ///< the best this processor has
    GRAZE_INSTRUCTIONS_SCALAR,   ///< plain C
    GRAZE_INSTRUCTIONS_SSE2,
    GRAZE_INSTRUCTIONS_AVX2,   ///< with FMA, as all such processors have it
    GRAZE_INSTRUCTIONS_AVX512, ///< with VBMI2, that is Ice Lake, Zen 4 and later
    GRAZE_INSTRUCTIONS_COUNT
} graze_instructions;

/// Hooks to a thread pool: the built-in one of graze/tasks.h, or the caller's own. `run` calls task(argument, index)
/// once for every index from 0 to count - 1, in any order and on any threads, and returns when all calls have. Graze
/// may call it from several threads at once, and from within a task. Answers do not depend on it, nor does their order.
/// Thread safety: with it, the allocation hooks are called from several threads at once.
typedef struct graze_tasks
{
    void (*run)(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument); ///< NULL: serial
    uint32_t concurrency; ///< how many tasks run at once; 0 and 1 mean serial
    void *user;
} graze_tasks;

typedef struct graze_context
{
    graze_allocator allocator;
    graze_log_function log; ///< NULL is silence
    void *log_user;
    graze_instructions instructions; ///< for tests and comparisons; an instruction set the processor lacks is replaced
                                     ///< by the next smaller one
    graze_tasks tasks;
    void *reserved[4]; ///< NULL; room for later fields: contexts are copied everywhere, so their size is fixed
} graze_context;

/// A context that behaves like NULL. Start from it, so that fields added later have their defaults.
GRAZE_API graze_context graze_context_default(void);

/// Releases memory that Graze allocated for the caller with this context (NULL memory is fine).
GRAZE_API void graze_memory_release(const graze_context *context, void *memory);

GRAZE_END_DECLS

#endif
