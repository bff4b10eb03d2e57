/* SPDX-License-Identifier: MIT */
/*
 * Growable arrays that survive allocation failure: a push that fails leaves the array as it was.
 *
 *     GRZ_ARRAY(uint32_t) corners = {0};
 *     if (!GRZ_PUSH(context, &corners, 7)) ... out of memory ...
 *     grz_release(context, corners.data);
 */
#ifndef GRZ_BASE_ARRAY_H
#define GRZ_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

#define GRZ_ARRAY(type)                                                                                                \
    struct                                                                                                             \
    {                                                                                                                  \
        type *data;                                                                                                    \
        size_t count, capacity;                                                                                        \
    }

/* Makes room for `needed` elements in all, growing by half each time. `data` points to the array's data pointer. */
bool grz_array_reserve(const graze_context *context, void *data, size_t *capacity, size_t needed, size_t element_size);

#define GRZ_RESERVE(context, array, needed)                                                                            \
    ((needed) <= (array)->capacity ||                                                                                  \
     grz_array_reserve((context), &(array)->data, &(array)->capacity, (needed), sizeof *(array)->data))

#define GRZ_PUSH(context, array, value)                                                                                \
    (GRZ_RESERVE((context), (array), (array)->count + 1) && ((array)->data[(array)->count++] = (value), true))

#endif
