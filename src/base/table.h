/* SPDX-License-Identifier: MIT */
/*
 * A growing table from keys of 64 bits to numbers of 32: open addressing, at most half full. The key UINT64_MAX is not
 * allowed.
 */
#ifndef GRZ_BASE_TABLE_H
#define GRZ_BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct grz_table_entry
{
    uint64_t key;
    uint32_t value;
} grz_table_entry;

typedef struct grz_table
{
    grz_table_entry *entries;
    size_t size, count; /* places, a power of two or 0, and how many are used */
} grz_table;

/* Where a key's number is, or NULL. Valid until the table changes. */
uint32_t *grz_table_find(const grz_table *table, uint64_t key);

/* Sets a key's number, new or not. False when out of memory. */
bool grz_table_set(const graze_context *context, grz_table *table, uint64_t key, uint32_t value);

/* Takes a key out; one that is not there is fine. */
void grz_table_remove(grz_table *table, uint64_t key);

void grz_table_release(const graze_context *context, grz_table *table);

#endif
