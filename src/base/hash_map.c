/* SPDX-License-Identifier: MIT */
/* Hash map from 64-bit keys to 32-bit values; see hash_map.h. */
#include "base/hash_map.h"

#define NO_KEY UINT64_MAX

enum
{
    LEAST_SIZE = 16
};

/* The finalizer of SplitMix64: every bit of the key influences the low bits. */
static size_t home_slot(const grz_hash_map *table, uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(key ^ key >> 31) & (table->size - 1);
}

/* The slot of a key, or the free slot where it would be inserted. The table has a free slot. */
static size_t slot_of(const grz_hash_map *table, uint64_t key)
{
    size_t place = home_slot(table, key);
    while (table->entries[place].key != key && table->entries[place].key != NO_KEY)
        place = (place + 1) & (table->size - 1);
    return place;
}

uint32_t *grz_hash_map_find(const grz_hash_map *table, uint64_t key)
{
    if (table->size == 0)
        return NULL;
    grz_hash_map_entry *entry = &table->entries[slot_of(table, key)];
    return entry->key == key ? &entry->value : NULL;
}

static bool grow(const graze_context *context, grz_hash_map *table)
{
    grz_hash_map larger = {.size = table->size == 0 ? LEAST_SIZE : 2 * table->size, .count = table->count};
    larger.entries = grz_allocate(context, larger.size, sizeof *larger.entries);
    if (larger.entries == NULL)
        return false;
    for (size_t place = 0; place < larger.size; place++)
        larger.entries[place].key = NO_KEY;
    for (size_t place = 0; place < table->size; place++)
        if (table->entries[place].key != NO_KEY)
            larger.entries[slot_of(&larger, table->entries[place].key)] = table->entries[place];
    grz_release(context, table->entries);
    *table = larger;
    return true;
}

bool grz_hash_map_set(const graze_context *context, grz_hash_map *table, uint64_t key, uint32_t value)
{
    uint32_t *known = grz_hash_map_find(table, key);
    if (known != NULL)
    {
        *known = value;
        return true;
    }
    if (2 * (table->count + 1) > table->size && !grow(context, table))
        return false;
    table->entries[slot_of(table, key)] = (grz_hash_map_entry){key, value};
    table->count++;
    return true;
}

/* Backward shift deletion: later entries of the probe sequence move into the gap, so that no search ends too early. */
void grz_hash_map_remove(grz_hash_map *table, uint64_t key)
{
    if (grz_hash_map_find(table, key) == NULL)
        return;
    size_t gap = slot_of(table, key), mask = table->size - 1;
    for (size_t place = (gap + 1) & mask; table->entries[place].key != NO_KEY; place = (place + 1) & mask)
    {
        size_t home = home_slot(table, table->entries[place].key);
        if (((place - home) & mask) < ((place - gap) & mask))
            continue;
        table->entries[gap] = table->entries[place];
        gap = place;
    }
    table->entries[gap].key = NO_KEY;
    table->count--;
}

void grz_hash_map_release(const graze_context *context, grz_hash_map *table)
{
    grz_release(context, table->entries);
    *table = (grz_hash_map){0};
}
