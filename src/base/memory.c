/* SPDX-License-Identifier: MIT */
/* Memory through the context's hooks; see memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *default_reallocate(void *user, void *memory, size_t size)
{
    (void)user;
    return realloc(memory, size);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

graze_context graze_context_default(void)
{
    graze_context context = {.allocator = {default_allocate, default_reallocate, default_release, NULL}};
    return context;
}

graze_context grz_context_copy(const graze_context *context)
{
    if (context == NULL || context->allocator.allocate == NULL)
    {
        graze_context copy = graze_context_default();
        if (context != NULL)
        {
            copy.log = context->log;
            copy.log_user = context->log_user;
            copy.instructions = context->instructions;
            copy.tasks = context->tasks;
        }
        return copy;
    }
    return *context;
}

/* The size in bytes, at least 1 so that an allocator may not answer NULL for "nothing"; 0 on overflow. */
static size_t total_size(size_t count, size_t element_size)
{
    if (element_size != 0 && count > (size_t)PTRDIFF_MAX / element_size)
        return 0;
    size_t size = count * element_size;
    return size == 0 ? 1 : size;
}

void *grz_allocate(const graze_context *context, size_t count, size_t element_size)
{
    size_t size = total_size(count, element_size);
    if (size == 0)
        return NULL;
    if (context == NULL || context->allocator.allocate == NULL)
        return malloc(size);
    return context->allocator.allocate(context->allocator.user, size);
}

void *grz_allocate_zeroed(const graze_context *context, size_t count, size_t element_size)
{
    void *memory = grz_allocate(context, count, element_size);
    if (memory != NULL)
        memset(memory, 0, total_size(count, element_size));
    return memory;
}

void *grz_reallocate(const graze_context *context, void *memory, size_t count, size_t element_size)
{
    size_t size = total_size(count, element_size);
    if (size == 0)
        return NULL;
    if (memory == NULL)
        return grz_allocate(context, count, element_size);
    if (context == NULL || context->allocator.allocate == NULL)
        return realloc(memory, size);
    return context->allocator.reallocate(context->allocator.user, memory, size);
}

void grz_release(const graze_context *context, void *memory)
{
    if (memory == NULL)
        return;
    if (context == NULL || context->allocator.allocate == NULL)
        free(memory);
    else
        context->allocator.release(context->allocator.user, memory);
}

void graze_memory_release(const graze_context *context, void *memory)
{
    grz_release(context, memory);
}
