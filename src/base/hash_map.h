/* SPDX-License-Identifier: MIT */
/*
 * A growing hash map from 64-bit keys to 32-bit values: open addressing, at most half full. The key UINT64_MAX is not
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
    size_t size, count; /* slots, a power of two or 0, and how many are used */
} grz_hash_map;

/* The value of a key, or NULL. Valid until the map changes. */
uint32_t *grz_hash_map_find(const grz_hash_map *table, uint64_t key);

/* Sets the value of a new or existing key. False when out of memory. */
bool grz_hash_map_set(const graze_context *context, grz_hash_map *table, uint64_t key, uint32_t value);

/* Removes a key, if it is there. */
void grz_hash_map_remove(grz_hash_map *table, uint64_t key);

void grz_hash_map_release(const graze_context *context, grz_hash_map *table);

#endif
