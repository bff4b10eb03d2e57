/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The context: where memory comes from and where messages go. There are no globals.
 *
 * Every function that allocates takes a context; NULL means malloc and silence. A context is a plain
 * struct owned by the caller. Objects copy what they need from it, so it may go away after the call;
 * what its `user` pointers lead to must live as long as the objects made with it.
 */
#ifndef GRAZE_CONTEXT_H
#define GRAZE_CONTEXT_H

#include <stddef.h>

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

/// Which instructions the vector kernels may use. All give the same answers.
typedef enum graze_instructions
{
    GRAZE_INSTRUCTIONS_BEST = 0, ///< the best this machine has
    GRAZE_INSTRUCTIONS_SCALAR,   ///< plain C
    GRAZE_INSTRUCTIONS_SSE2,
    GRAZE_INSTRUCTIONS_AVX2,
    GRAZE_INSTRUCTIONS_AVX512,
    GRAZE_INSTRUCTIONS_COUNT
} graze_instructions;

typedef struct graze_context
{
    graze_allocator allocator;
    graze_log_function log; ///< NULL is silence
    void *log_user;
    graze_instructions instructions; ///< for tests and comparisons; what the machine lacks is passed over for less
} graze_context;

/// A context that behaves like NULL. Start from it, so that fields added later have their defaults.
GRAZE_API graze_context graze_context_default(void);

/// Releases memory that Graze allocated for the caller with this context (NULL memory is fine).
GRAZE_API void graze_release(const graze_context *context, void *memory);

GRAZE_END_DECLS

#endif
