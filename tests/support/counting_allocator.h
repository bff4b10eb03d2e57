/* SPDX-License-Identifier: MIT */
/* An allocator that knows how much is in use, and was at most. Any number of threads may use it. */
#ifndef SUPPORT_COUNTING_ALLOCATOR_H
#define SUPPORT_COUNTING_ALLOCATOR_H

#include <stdatomic.h>
#include <stddef.h>

#include "graze/context.h"

typedef struct counting_allocator
{
    atomic_size_t live;        /* blocks that were not released */
    atomic_size_t bytes, peak; /* in them, and the most there ever were */
} counting_allocator;

graze_context counting_allocator_context(counting_allocator *allocator);

#endif
