/* SPDX-License-Identifier: MIT */
/* Growable arrays; see array.h. */
#include "base/array.h"

#include <stdint.h>
#include <string.h>

bool grz_array_reserve(const graze_context *context, void *data, size_t *capacity, size_t needed, size_t element_size)
{
    if (needed <= *capacity)
        return true;
    size_t grown = *capacity > SIZE_MAX / 2 ? needed : *capacity + *capacity / 2 + 8;
    if (grown < needed)
        grown = needed;
    /* `data` is the address of a typed pointer; memcpy moves it in and out without breaking aliasing rules. */
    void *memory;
    memcpy(&memory, data, sizeof memory);
    memory = grz_reallocate(context, memory, grown, element_size);
    if (memory == NULL)
        return false;
    memcpy(data, &memory, sizeof memory);
    *capacity = grown;
    return true;
}
