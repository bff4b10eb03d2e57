/* SPDX-License-Identifier: MIT */
/*
 * src/base: memory, errors, arrays, arenas, sorting, threads, the clock. Knows no geometry; uses libc, POSIX threads
 * and the public headers export.h, status.h, context.h and tasks.h only.
 *
 * Memory: every allocation goes through the context's hooks, so that a test can make each of them fail in turn. Sizes
 * are checked for overflow here, once.
 */
#ifndef GRZ_BASE_MEMORY_H
#define GRZ_BASE_MEMORY_H

#include <stddef.h>

#include "base/strict_float.h"
#include "graze/context.h"

/* NULL when the size overflows or the allocator refuses; a zero size gives a pointer that may be released. */
void *grz_allocate(const graze_context *context, size_t count, size_t element_size);
void *grz_allocate_zeroed(const graze_context *context, size_t count, size_t element_size);

/* On failure returns NULL and leaves `memory` as it was. */
void *grz_reallocate(const graze_context *context, void *memory, size_t count, size_t element_size);

void grz_release(const graze_context *context, void *memory);

/* The context that an object stores when it is created. */
graze_context grz_context_copy(const graze_context *context);

#endif
