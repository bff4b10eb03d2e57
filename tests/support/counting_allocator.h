/* SPDX-License-Identifier: MIT */
/* An allocator that counts bytes in use and their peak. Thread-safe. */
#ifndef SUPPORT_COUNTING_ALLOCATOR_H
#define SUPPORT_COUNTING_ALLOCATOR_H

#include <stdatomic.h>
#include <stddef.h>

#include "graze/context.h"

typedef struct counting_allocator
{
    atomic_size_t live;        /* blocks not released */
    atomic_size_t bytes, peak; /* in them, and their maximum */
} counting_allocator;

graze_context counting_allocator_context(counting_allocator *allocator);

#endif
