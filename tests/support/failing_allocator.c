/* SPDX-License-Identifier: MIT */
/* The failing allocator; see failing_allocator.h. */
#include "support/failing_allocator.h"

#include <stdlib.h>

static bool fails(failing_allocator *allocator)
{
    size_t number = allocator->requests++;
    return allocator->once ? number == allocator->allowed : number >= allocator->allowed;
}

static void *allocate(void *user, size_t size)
{
    failing_allocator *allocator = user;
    if (fails(allocator))
        return NULL;
    void *memory = malloc(size);
    allocator->live += memory != NULL;
    return memory;
}

static void *reallocate(void *user, void *memory, size_t size)
{
    failing_allocator *allocator = user;
    if (memory == NULL)
        return allocate(user, size);
    return fails(allocator) ? NULL : realloc(memory, size);
}

static void release(void *user, void *memory)
{
    failing_allocator *allocator = user;
    allocator->live -= memory != NULL;
    free(memory);
}

graze_context failing_allocator_context(failing_allocator *allocator)
{
    graze_context context = graze_context_default();
    context.allocator = (graze_allocator){allocate, reallocate, release, allocator};
    return context;
}
