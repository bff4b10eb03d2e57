/* SPDX-License-Identifier: MIT */
/* Arrays of references that count their allocations, and boxes of voxels; see fixed_octree.h. */
#include <stdlib.h>
#include <string.h>

#include "literature/fixed_octree.h"

/* Gives an array room for `capacity` items. */
static void resize(counted_array *array, uint32_t capacity, counted_work *work)
{
    uint32_t *items = NULL;
    if (capacity == 0)
        free(array->items);
    else
        items = realloc(array->items, capacity * sizeof *items);
    if (capacity > 0 && items == NULL)
    {
        work->failed = true;
        return;
    }
    work->allocations += array->capacity == 0 && capacity > 0;
    work->releases += array->capacity > 0 && capacity == 0;
    work->reallocations += array->capacity > 0 && capacity > 0;
    work->bytes += ((double)capacity - array->capacity) * sizeof *items;
    array->items = items;
    array->capacity = capacity;
}

void counted_push(counted_array *array, uint32_t item, counted_work *work)
{
    if (array->count == array->capacity)
        resize(array, array->capacity + work->hysteresis, work);
    if (work->failed || array->items == NULL)
        return;
    array->items[array->count++] = item;
    work->references++;
}

bool counted_remove(counted_array *array, uint32_t item, counted_work *work)
{
    uint32_t i = 0;
    while (i < array->count && array->items[i] != item)
        i++;
    if (i == array->count)
        return false;
    array->items[i] = array->items[--array->count];
    work->references--;
    if (array->count == 0)
        resize(array, 0, work);
    else if (array->capacity - array->count >= 2 * work->hysteresis)
        resize(array, array->capacity - work->hysteresis, work);
    return true;
}

int voxel_difference(const voxel_box *box, const voxel_box *without, voxel_box parts[6])
{
    voxel_box rest = *box;
    int count = 0;
    if (!voxel_boxes_meet(box, without))
    {
        parts[0] = *box;
        return 1;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        if (rest.lower[axis] < without->lower[axis])
        {
            parts[count] = rest;
            parts[count++].upper[axis] = without->lower[axis] - 1;
            rest.lower[axis] = without->lower[axis];
        }
        if (rest.upper[axis] > without->upper[axis])
        {
            parts[count] = rest;
            parts[count++].lower[axis] = without->upper[axis] + 1;
            rest.upper[axis] = without->upper[axis];
        }
    }
    return count;
}

bool voxel_boxes_equal(const voxel_box *a, const voxel_box *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool voxel_boxes_meet(const voxel_box *a, const voxel_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || a->upper[axis] < b->lower[axis])
            return false;
    return true;
}
