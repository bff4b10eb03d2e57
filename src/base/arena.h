/* SPDX-License-Identifier: MIT */
/*
 * Arena: many small allocations that are released together. Blocks grow; nothing moves, so pointers stay valid.
 */
#ifndef GRZ_BASE_ARENA_H
#define GRZ_BASE_ARENA_H

#include <stddef.h>

#include "base/memory.h"

typedef struct grz_arena_block grz_arena_block;

typedef struct grz_arena
{
    const graze_context *context;
    grz_arena_block *blocks; /* newest first */
} grz_arena;

grz_arena grz_arena_make(const graze_context *context);

/* Memory aligned for any type, or NULL. A failed request leaves the arena usable. */
void *grz_arena_allocate(grz_arena *arena, size_t count, size_t element_size);

/* Releases all allocations at once; the largest block stays for the next ones. */
void grz_arena_reset(grz_arena *arena);

void grz_arena_release(grz_arena *arena);

#endif
