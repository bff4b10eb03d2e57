/* SPDX-License-Identifier: MIT */
/* A binary heap of elements by cost, least first. An entry is out of date where its element has another version by now;
   the caller skips it. Infinite costs are not kept. */
#ifndef GRZ_CONVEX_COST_HEAP_H
#define GRZ_CONVEX_COST_HEAP_H

#include <math.h>
#include <stdint.h>

#include "base/array.h"

typedef struct grz_cost
{
    double cost;
    uint32_t element, version;
} grz_cost;

typedef struct grz_cost_heap
{
    GRZ_ARRAY(grz_cost) entries;
} grz_cost_heap;

static inline bool grz_cost_heap_push(const graze_context *context, grz_cost_heap *heap, grz_cost entry)
{
    if (!(entry.cost < INFINITY))
        return true;
    if (!GRZ_PUSH(context, &heap->entries, entry))
        return false;
    grz_cost *data = heap->entries.data;
    size_t at = heap->entries.count - 1;
    for (; at > 0 && data[(at - 1) / 2].cost > entry.cost; at = (at - 1) / 2)
        data[at] = data[(at - 1) / 2];
    data[at] = entry;
    return true;
}

/* The heap is not empty. */
static inline grz_cost grz_cost_heap_pop(grz_cost_heap *heap)
{
    grz_cost *data = heap->entries.data, least = data[0], moved = data[--heap->entries.count];
    size_t count = heap->entries.count, at = 0, child;
    while ((child = 2 * at + 1) < count)
    {
        child += child + 1 < count && data[child + 1].cost < data[child].cost;
        if (data[child].cost >= moved.cost)
            break;
        data[at] = data[child];
        at = child;
    }
    data[at] = moved;
    return least;
}

static inline void grz_cost_heap_release(const graze_context *context, grz_cost_heap *heap)
{
    grz_release(context, heap->entries.data);
}

#endif
