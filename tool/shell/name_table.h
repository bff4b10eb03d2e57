/* SPDX-License-Identifier: MIT */
/* Names and the numbers they get, in the order in which they come up; found by hashing, so that a million is fine. */
#ifndef TOOL_SHELL_NAME_TABLE_H
#define TOOL_SHELL_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with all zeros. */
typedef struct name_table
{
    char **names; /* by number */
    size_t count, capacity;
    uint32_t *slots; /* numbers plus one, by hash; 0 is free */
    size_t slot_count;
} name_table;

#define NO_NAME UINT32_MAX

/* The number of a name, or NO_NAME. */
uint32_t names_find(const name_table *table, const char *name);

/* The number of a name, a new one where it was not there. NO_NAME when memory ends. */
uint32_t names_add(name_table *table, const char *name);

void names_release(name_table *table);

#endif
