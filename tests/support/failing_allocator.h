/* SPDX-License-Identifier: MIT */
/*
 * An allocator that counts, and refuses from a chosen request on. What it hands out is filled with nonsense, and a
 * block that was written beyond its end aborts the program when it is released. To see a function survive every
 * failure:
 *
 *     for (size_t allowed = 0;; allowed++)
 *     {
 *         failing_allocator allocator = {.allowed = allowed};
 *         graze_context context = failing_allocator_context(&allocator);
 *         graze_status status = ...;
 *         ... destroy what was made ...
 *         assert_int_equal(allocator.live, 0);
 *         if (status == GRAZE_STATUS_OK)
 *             break;
 *         assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
 *     }
 */
#ifndef GRAZE_TESTS_FAILING_ALLOCATOR_H
#define GRAZE_TESTS_FAILING_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "graze/context.h"

typedef struct failing_allocator
{
    size_t allowed;  /* this many requests succeed, all later ones fail, */
    bool once;       /* or only the next one, */
    size_t largest;  /* and all for larger blocks than that; 0: no limit */
    size_t refused;  /* and all for blocks of exactly that size */
    size_t requests; /* seen so far */
    size_t live;     /* blocks not yet released */
    size_t bytes;    /* in them */
} failing_allocator;

graze_context failing_allocator_context(failing_allocator *allocator);

#endif
