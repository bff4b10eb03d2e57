/* SPDX-License-Identifier: MIT */
/*
 * Many short lists in one piece of memory: for every box its links to others. A list lies in a block of 4, 8, 16...
 * places; blocks that a list has outgrown, or left empty, serve others of their size.
 */
#ifndef GRZ_BROAD_LIST_POOL_H
#define GRZ_BROAD_LIST_POOL_H

#include "base/array.h"

typedef struct grz_list_entry
{
    uint32_t other;     /* the box at the other end */
    uint32_t candidate; /* what the two are to each other */
} grz_list_entry;

typedef struct grz_pooled_list
{
    uint32_t first; /* place of its block, in units of GRZ_LIST_LEAST_CAPACITY */
    uint32_t count;
    uint32_t size_class; /* its block has GRZ_LIST_LEAST_CAPACITY << (size_class - 1) places; 0: it has none */
} grz_pooled_list;

enum
{
    GRZ_LIST_LEAST_CAPACITY = 4,
    GRZ_LIST_SIZE_CLASSES = 32
};

typedef struct grz_list_pool
{
    GRZ_ARRAY(grz_list_entry) pool;
    uint32_t
        free[GRZ_LIST_SIZE_CLASSES]; /* first free block of each size + 1; the next is named where its first link was */
} grz_list_pool;

static inline grz_list_entry *grz_list_entries(const grz_list_pool *links, const grz_pooled_list *list)
{
    if (links->pool.data == NULL) /* to which not even zero may be added */
        return NULL;
    return links->pool.data + (size_t)list->first * GRZ_LIST_LEAST_CAPACITY;
}

/* Adds a link at the end. False when out of memory, with the list as it was. */
bool grz_list_add(const graze_context *context, grz_list_pool *links, grz_pooled_list *list, grz_list_entry link);

/* Takes the link at a place away; the last one takes its place. An empty list gives its block back. */
void grz_list_remove(grz_list_pool *links, grz_pooled_list *list, uint32_t place);

/* Places that a list of so many links takes. */
size_t grz_list_capacity_for(uint32_t count);

/* Forgets all blocks, and then gives lists, which are empty, blocks for so many links: all lists anew, faster than one
   by one. The pool has room for what grz_list_capacity_for says of them all. */
void grz_list_pool_clear(grz_list_pool *links);
void grz_list_reserve(grz_list_pool *links, grz_pooled_list *list, uint32_t count);

void grz_list_pool_release(const graze_context *context, grz_list_pool *links);

#endif
