/* SPDX-License-Identifier: MIT */
/*
 * Hash tables with open addressing: the caller stores the elements and compares them, the table holds only their 32-bit
 * numbers. A table is made for at most `count` elements and stays at most half full, so probing is short.
 *
 *     for (size_t slot = hash & table.mask; ; slot = (slot + 1) & table.mask)
 *         if table.slots[slot] is GRZ_HASH_EMPTY: not there; may be put here
 *         else: compare element table.slots[slot]
 */
#ifndef GRZ_MESH_HASH_H
#define GRZ_MESH_HASH_H

#include <stdint.h>

#include "base/memory.h"

#define GRZ_HASH_EMPTY UINT32_MAX

typedef struct grz_hash_table
{
    uint32_t *slots;
    size_t mask;
} grz_hash_table;

/* slots is NULL on failure. Release table.slots. */
static inline grz_hash_table grz_hash_table_make(const graze_context *context, size_t count)
{
    size_t size = 8;
    while (size / 2 < count)
        size *= 2;
    grz_hash_table table = {grz_allocate(context, size, sizeof(uint32_t)), size - 1};
    if (table.slots != NULL)
        for (size_t slot = 0; slot < size; slot++)
            table.slots[slot] = GRZ_HASH_EMPTY;
    return table;
}

/* Mixes a word into a hash: the finalizer of SplitMix64 after each, so that every bit influences the low ones. */
static inline uint64_t grz_hash_mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
