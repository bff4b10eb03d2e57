/* SPDX-License-Identifier: MIT */
/* The counting allocator; see counting_allocator.h. */
#include "support/counting_allocator.h"

#include <stdlib.h>
#include <string.h>

/* A header with its size precedes every block. */
typedef union header
{
    size_t size;
    max_align_t align;
} header;

static void note(counting_allocator *allocator, size_t size)
{
    size_t now = atomic_fetch_add(&allocator->bytes, size) + size, peak = atomic_load(&allocator->peak);
    while (now > peak && !atomic_compare_exchange_weak(&allocator->peak, &peak, now))
    {
    }
}

static void *allocate(void *user, size_t size)
{
    counting_allocator *allocator = user;
    header *block = size < SIZE_MAX / 2 ? malloc(sizeof *block + size) : NULL;
    if (block == NULL)
        return NULL;
    block->size = size;
    atomic_fetch_add(&allocator->live, 1);
    note(allocator, size);
    return block + 1;
}

static void release(void *user, void *memory)
{
    counting_allocator *allocator = user;
    if (memory == NULL)
        return;
    header *block = (header *)memory - 1;
    atomic_fetch_sub(&allocator->live, 1);
    atomic_fetch_sub(&allocator->bytes, block->size);
    free(block);
}

/* Old and new block exist at the same time, as with any allocator. */
static void *reallocate(void *user, void *memory, size_t size)
{
    void *next = allocate(user, size);
    if (next == NULL || memory == NULL)
        return next;
    size_t before = ((header *)memory - 1)->size;
    memcpy(next, memory, before < size ? before : size);
    release(user, memory);
    return next;
}

graze_context counting_allocator_context(counting_allocator *allocator)
{
    atomic_init(&allocator->live, 0);
    atomic_init(&allocator->bytes, 0);
    atomic_init(&allocator->peak, 0);
    graze_context context = graze_context_default();
    context.allocator = (graze_allocator){allocate, reallocate, release, allocator};
    return context;
}
