/* SPDX-License-Identifier: MIT */
/* String interning: each distinct name gets a number, in order of first appearance; a hash table, so that a million
 * names is fast. */
#ifndef GRZ_TEXT_NAME_TABLE_H
#define GRZ_TEXT_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Initialise with zeros. */
typedef struct grz_name_table
{
    char **names; /* by number */
    size_t count, capacity;
    uint32_t *slots; /* number + 1, by hash; 0: free slot */
    size_t slot_count;
} grz_name_table;

#define GRZ_NO_NAME UINT32_MAX

/* The number of a name, or GRZ_NO_NAME. */
uint32_t grz_names_find(const grz_name_table *table, const char *name);

/* The number of a name, which is added if it is new. GRZ_NO_NAME when out of memory. */
uint32_t grz_names_add(const graze_context *context, grz_name_table *table, const char *name);

void grz_names_release(const graze_context *context, grz_name_table *table);

#endif
