/* SPDX-License-Identifier: MIT */
/* String interning; see name_table.h. Open addressing with linear probing, at most half full. */
#include "text/name_table.h"

#include <string.h>

/* FNV-1a (Fowler, Noll, Vo) with a final mix, since only the low bits are used. */
static size_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot of the name, or the free slot for it. */
static size_t slot_of(const grz_name_table *table, const char *name)
{
    size_t mask = table->slot_count - 1, slot = hash_of(name) & mask;
    while (table->slots[slot] != 0 && strcmp(table->names[table->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

uint32_t grz_names_find(const grz_name_table *table, const char *name)
{
    uint32_t entry = table->slot_count > 0 ? table->slots[slot_of(table, name)] : 0;
    return entry > 0 ? entry - 1 : GRZ_NO_NAME;
}

static bool make_room(const graze_context *context, grz_name_table *table)
{
    if (table->count == table->capacity)
    {
        size_t capacity = table->capacity == 0 ? 64 : table->capacity * 2;
        char **names =
            capacity <= UINT32_MAX / 2 ? grz_reallocate(context, table->names, capacity, sizeof *names) : NULL;
        if (names == NULL)
            return false;
        table->names = names;
        table->capacity = capacity;
    }
    if (table->slot_count >= 2 * table->capacity)
        return true;
    uint32_t *slots = grz_allocate_zeroed(context, 2 * table->capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    grz_release(context, table->slots);
    table->slots = slots;
    table->slot_count = 2 * table->capacity;
    for (size_t i = 0; i < table->count; i++)
        slots[slot_of(table, table->names[i])] = (uint32_t)i + 1;
    return true;
}

uint32_t grz_names_add(const graze_context *context, grz_name_table *table, const char *name)
{
    uint32_t found = grz_names_find(table, name);
    if (found != GRZ_NO_NAME)
        return found;
    size_t size = strlen(name) + 1;
    char *copy = make_room(context, table) ? grz_allocate(context, size, 1) : NULL;
    if (copy == NULL)
        return GRZ_NO_NAME;
    memcpy(copy, name, size);
    size_t slot = slot_of(table, name);
    table->names[table->count] = copy;
    table->slots[slot] = (uint32_t)++table->count;
    return (uint32_t)table->count - 1;
}

void grz_names_release(const graze_context *context, grz_name_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        grz_release(context, table->names[i]);
    grz_release(context, table->names);
    grz_release(context, table->slots);
    *table = (grz_name_table){0};
}
