/* SPDX-License-Identifier: MIT */
/* String interning: each distinct name gets a number, in order of first appearance; a hash table, so that a million
 * names is fast. */
#ifndef TOOL_SHELL_NAME_TABLE_H
#define TOOL_SHELL_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise with zeros. */
typedef struct name_table
{
    char **names; /* by number */
    size_t count, capacity;
    uint32_t *slots; /* number + 1, by hash; 0: free slot */
    size_t slot_count;
} name_table;

#define NO_NAME UINT32_MAX

/* The number of a name, or NO_NAME. */
uint32_t names_find(const name_table *table, const char *name);

/* The number of a name, which is added if it is new. NO_NAME when out of memory. */
uint32_t names_add(name_table *table, const char *name);

void names_release(name_table *table);

#endif
