/* SPDX-License-Identifier: MIT */
/*
 * A growing table from keys of 64 bits to numbers of 32: open addressing, at most half full. The key UINT64_MAX is not
 * allowed.
 */
#ifndef GRZ_BASE_HASH_MAP_H
#define GRZ_BASE_HASH_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct grz_hash_map_entry
{
    uint64_t key;
    uint32_t value;
} grz_hash_map_entry;

typedef struct grz_hash_map
{
    grz_hash_map_entry *entries;
    size_t size, count; /* places, a power of two or 0, and how many are used */
} grz_hash_map;

/* Where a key's number is, or NULL. Valid until the table changes. */
uint32_t *grz_hash_map_find(const grz_hash_map *table, uint64_t key);

/* Sets a key's number, new or not. False when out of memory. */
bool grz_hash_map_set(const graze_context *context, grz_hash_map *table, uint64_t key, uint32_t value);

/* Takes a key out; one that is not there is fine. */
void grz_hash_map_remove(grz_hash_map *table, uint64_t key);

void grz_hash_map_release(const graze_context *context, grz_hash_map *table);

#endif
