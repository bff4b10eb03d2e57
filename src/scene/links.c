/* SPDX-License-Identifier: MIT */
/* Many short lists; see links.h. */
#include "scene/links.h"

#include <string.h>

static size_t places_in(uint32_t size_class)
{
    return (size_t)GRZ_LEAST_LINKS << (size_class - 1);
}

/* A block of that size. False when out of memory. */
static bool take_block(const graze_context *context, grz_links *links, uint32_t size_class, uint32_t *out_first)
{
    uint32_t free = links->free[size_class];
    if (free != 0)
    {
        links->free[size_class] = links->pool.data[(size_t)(free - 1) * GRZ_LEAST_LINKS].other;
        *out_first = free - 1;
        return true;
    }
    size_t first = links->pool.count, end = first + places_in(size_class);
    if (end / GRZ_LEAST_LINKS >= UINT32_MAX || !GRZ_RESERVE(context, &links->pool, end))
        return false;
    links->pool.count = end;
    *out_first = (uint32_t)(first / GRZ_LEAST_LINKS);
    return true;
}

static void give_block(grz_links *links, const grz_link_list *list)
{
    grz_links_of(links, list)[0].other = links->free[list->size_class];
    links->free[list->size_class] = list->first + 1;
}

bool grz_links_add(const graze_context *context, grz_links *links, grz_link_list *list, grz_link link)
{
    if (list->size_class == 0 || list->count == places_in(list->size_class))
    {
        grz_link_list larger = {.count = list->count, .size_class = list->size_class + 1};
        if (larger.size_class >= GRZ_LINK_CLASSES || !take_block(context, links, larger.size_class, &larger.first))
            return false;
        if (list->count > 0)
            memcpy(grz_links_of(links, &larger), grz_links_of(links, list), list->count * sizeof link);
        if (list->size_class > 0)
            give_block(links, list);
        *list = larger;
    }
    grz_links_of(links, list)[list->count++] = link;
    return true;
}

void grz_links_remove(grz_links *links, grz_link_list *list, uint32_t place)
{
    grz_link *these = grz_links_of(links, list);
    these[place] = these[--list->count];
    if (list->count == 0)
    {
        give_block(links, list);
        *list = (grz_link_list){0};
    }
}

static uint32_t class_for(uint32_t count)
{
    uint32_t size_class = count > 0 ? 1 : 0;
    while (size_class > 0 && places_in(size_class) < count)
        size_class++;
    return size_class;
}

size_t grz_links_room(uint32_t count)
{
    return count > 0 ? places_in(class_for(count)) : 0;
}

void grz_links_start_anew(grz_links *links)
{
    links->pool.count = 0;
    memset(links->free, 0, sizeof links->free);
}

void grz_links_give(grz_links *links, grz_link_list *list, uint32_t count)
{
    *list = (grz_link_list){.first = (uint32_t)(links->pool.count / GRZ_LEAST_LINKS), .size_class = class_for(count)};
    links->pool.count += grz_links_room(count);
}

void grz_links_release(const graze_context *context, grz_links *links)
{
    grz_release(context, links->pool.data);
    *links = (grz_links){0};
}
