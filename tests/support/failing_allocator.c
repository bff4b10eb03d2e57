/* SPDX-License-Identifier: MIT */
/* The failing allocator; see failing_allocator.h. */
#include "support/failing_allocator.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    HEADER = 64, /* before each block, preserving its alignment; its first bytes are the size */
    FENCE = 32,  /* after each block: writes there are detected when it is released */
    UNWRITTEN = 0xa5
};

static void *allocate(void *user, size_t size)
{
    failing_allocator *allocator = user;
    bool refused = allocator->requests++ >= allocator->allowed;
    if (refused && allocator->once)
        allocator->allowed = SIZE_MAX;
    if (refused || (allocator->largest > 0 && size > allocator->largest) || (size > 0 && size == allocator->refused))
        return NULL;
    char *block = size < SIZE_MAX - HEADER - FENCE ? malloc(HEADER + size + FENCE) : NULL;
    if (block == NULL)
        return NULL;
    memcpy(block, &size, sizeof size);
    memset(block + HEADER, UNWRITTEN, size + FENCE);
    allocator->live++;
    allocator->bytes += size;
    return block + HEADER;
}

static size_t size_of(const void *memory)
{
    size_t size;
    memcpy(&size, (const char *)memory - HEADER, sizeof size);
    return size;
}

static void release(void *user, void *memory)
{
    failing_allocator *allocator = user;
    if (memory == NULL)
        return;
    const unsigned char *fence = (const unsigned char *)memory + size_of(memory);
    for (int i = 0; i < FENCE; i++)
        if (fence[i] != UNWRITTEN)
        {
            fprintf(stderr, "a block of %zu bytes was written beyond its end\n", size_of(memory));
            abort();
        }
    allocator->live--;
    allocator->bytes -= size_of(memory);
    free((char *)memory - HEADER);
}

static void *reallocate(void *user, void *memory, size_t size)
{
    void *larger = allocate(user, size);
    if (larger == NULL || memory == NULL)
        return larger;
    memcpy(larger, memory, size < size_of(memory) ? size : size_of(memory));
    release(user, memory);
    return larger;
}

graze_context failing_allocator_context(failing_allocator *allocator)
{
    graze_context context = graze_context_default();
    context.allocator = (graze_allocator){allocate, reallocate, release, allocator};
    return context;
}
