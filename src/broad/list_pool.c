/* SPDX-License-Identifier: MIT */
/* Pool of short lists; see list_pool.h. */
#include "broad/list_pool.h"

#include <string.h>

static size_t block_capacity(uint32_t size_class)
{
    return (size_t)GRZ_LIST_LEAST_CAPACITY << (size_class - 1);
}

/* Allocates a block of a size class. False when out of memory. */
static bool allocate_block(const graze_context *context, grz_list_pool *links, uint32_t size_class, uint32_t *out_first)
{
    uint32_t free = links->free[size_class];
    if (free != 0)
    {
        links->free[size_class] = links->pool.data[(size_t)(free - 1) * GRZ_LIST_LEAST_CAPACITY].other;
        *out_first = free - 1;
        return true;
    }
    size_t first = links->pool.count, end = first + block_capacity(size_class);
    if (end / GRZ_LIST_LEAST_CAPACITY >= UINT32_MAX || !GRZ_RESERVE(context, &links->pool, end))
        return false;
    links->pool.count = end;
    *out_first = (uint32_t)(first / GRZ_LIST_LEAST_CAPACITY);
    return true;
}

static void free_block(grz_list_pool *links, const grz_pooled_list *list)
{
    grz_list_entries(links, list)[0].other = links->free[list->size_class];
    links->free[list->size_class] = list->first + 1;
}

bool grz_list_add(const graze_context *context, grz_list_pool *links, grz_pooled_list *list, grz_list_entry link)
{
    if (list->size_class == 0 || list->count == block_capacity(list->size_class))
    {
        grz_pooled_list larger = {.count = list->count, .size_class = list->size_class + 1};
        if (larger.size_class >= GRZ_LIST_SIZE_CLASSES ||
            !allocate_block(context, links, larger.size_class, &larger.first))
            return false;
        if (list->count > 0)
            memcpy(grz_list_entries(links, &larger), grz_list_entries(links, list), list->count * sizeof link);
        if (list->size_class > 0)
            free_block(links, list);
        *list = larger;
    }
    grz_list_entries(links, list)[list->count++] = link;
    return true;
}

void grz_list_remove(grz_list_pool *links, grz_pooled_list *list, uint32_t index)
{
    grz_list_entry *these = grz_list_entries(links, list);
    these[index] = these[--list->count];
    if (list->count == 0)
    {
        free_block(links, list);
        *list = (grz_pooled_list){0};
    }
}

static uint32_t size_class_for(uint32_t count)
{
    uint32_t size_class = count > 0 ? 1 : 0;
    while (size_class > 0 && block_capacity(size_class) < count)
        size_class++;
    return size_class;
}

size_t grz_list_capacity_for(uint32_t count)
{
    return count > 0 ? block_capacity(size_class_for(count)) : 0;
}

void grz_list_pool_clear(grz_list_pool *links)
{
    links->pool.count = 0;
    memset(links->free, 0, sizeof links->free);
}

void grz_list_reserve(grz_list_pool *links, grz_pooled_list *list, uint32_t count)
{
    *list = (grz_pooled_list){.first = (uint32_t)(links->pool.count / GRZ_LIST_LEAST_CAPACITY),
                              .size_class = size_class_for(count)};
    links->pool.count += grz_list_capacity_for(count);
}

void grz_list_pool_release(const graze_context *context, grz_list_pool *links)
{
    grz_release(context, links->pool.data);
    *links = (grz_list_pool){0};
}
