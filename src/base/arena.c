/* SPDX-License-Identifier: MIT */
/* Arena allocation; see arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>

struct grz_arena_block
{
    grz_arena_block *older;
    size_t size, used; /* of the bytes after the header */
};

enum
{
    ALIGNMENT = alignof(max_align_t),
    FIRST_BLOCK_SIZE = 4096
};

/* Header size rounded up, so that the memory after it is aligned. */
#define HEADER_SIZE ((sizeof(grz_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

grz_arena grz_arena_make(const graze_context *context)
{
    grz_arena arena = {context, NULL};
    return arena;
}

void *grz_arena_allocate(grz_arena *arena, size_t count, size_t element_size)
{
    if (element_size != 0 && count > ((size_t)PTRDIFF_MAX / 2) / element_size)
        return NULL;
    size_t size = (count * element_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    grz_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size)
    {
        size_t block_size = block == NULL ? FIRST_BLOCK_SIZE : 2 * block->size;
        if (block_size < size)
            block_size = size;
        block = grz_allocate(arena->context, HEADER_SIZE + block_size, 1);
        if (block == NULL)
            return NULL;
        block->older = arena->blocks;
        block->size = block_size;
        block->used = 0;
        arena->blocks = block;
    }
    void *memory = (char *)block + HEADER_SIZE + block->used;
    block->used += size;
    return memory;
}

static void release_chain(const graze_context *context, grz_arena_block *block)
{
    while (block != NULL)
    {
        grz_arena_block *older = block->older;
        grz_release(context, block);
        block = older;
    }
}

void grz_arena_reset(grz_arena *arena)
{
    grz_arena_block *newest = arena->blocks; /* also the largest, as blocks grow */
    if (newest == NULL)
        return;
    release_chain(arena->context, newest->older);
    newest->older = NULL;
    newest->used = 0;
}

void grz_arena_release(grz_arena *arena)
{
    release_chain(arena->context, arena->blocks);
    arena->blocks = NULL;
}
