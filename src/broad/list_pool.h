/* SPDX-License-Identifier: MIT */
/*
 * Pool of many short lists in one allocation: adjacency lists of boxes, hash buckets, octants. A list is a block of 4,
 * 8, 16... entries; freed blocks are reused by lists of their size class.
 */
#ifndef GRZ_BROAD_LIST_POOL_H
#define GRZ_BROAD_LIST_POOL_H

#include "base/array.h"

typedef struct grz_list_entry
{
    uint32_t other;     /* the other box, or another id */
    uint32_t candidate; /* data of the entry: index of the candidate pair, hash, position */
} grz_list_entry;

typedef struct grz_pooled_list
{
    uint32_t first; /* start of its block, in units of GRZ_LIST_LEAST_CAPACITY */
    uint32_t count;
    uint32_t size_class; /* its block has GRZ_LIST_LEAST_CAPACITY << (size_class - 1) entries; 0: it has none */
} grz_pooled_list;

enum
{
    GRZ_LIST_LEAST_CAPACITY = 4,
    GRZ_LIST_SIZE_CLASSES = 32
};

typedef struct grz_list_pool
{
    GRZ_ARRAY(grz_list_entry) pool;
    uint32_t free[GRZ_LIST_SIZE_CLASSES]; /* first free block + 1; `other` of its first entry is the next one */
} grz_list_pool;

static inline grz_list_entry *grz_list_entries(const grz_list_pool *links, const grz_pooled_list *list)
{
    if (links->pool.data == NULL) /* adding even 0 to NULL is undefined */
        return NULL;
    return links->pool.data + (size_t)list->first * GRZ_LIST_LEAST_CAPACITY;
}

/* Appends an entry. False when out of memory, with the list unchanged. */
bool grz_list_add(const graze_context *context, grz_list_pool *links, grz_pooled_list *list, grz_list_entry link);

/* Removes the entry at a position; the last entry takes its place. An empty list frees its block. */
void grz_list_remove(grz_list_pool *links, grz_pooled_list *list, uint32_t index);

/* Capacity of the block of a list with so many entries. */
size_t grz_list_capacity_for(uint32_t count);

/* grz_list_pool_clear frees all blocks; grz_list_reserve gives an empty list a block for so many entries: faster than
   adding them one by one when all lists are rebuilt. The pool must have room for the sum of grz_list_capacity_for. */
void grz_list_pool_clear(grz_list_pool *links);
void grz_list_reserve(grz_list_pool *links, grz_pooled_list *list, uint32_t count);

void grz_list_pool_release(const graze_context *context, grz_list_pool *links);

#endif
