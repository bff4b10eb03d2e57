/* SPDX-License-Identifier: MIT */
/* Sorts keys of hits (grz_hit_key), so that hits are in canonical order. No two keys are the same. */
#ifndef GRZ_PAIR_HIT_SORT_KEYS_H
#define GRZ_PAIR_HIT_SORT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/context.h"

/* Numbers below 2^63; `sorted` has room for twice as many. */
void grz_sort_keys(const graze_context *context, const uint64_t *keys, size_t count, uint64_t *sorted);

/* Keys with a byte each: both are packed into one number, as short as the ranges of their triangles allow. */
typedef struct grz_packed_keys
{
    uint64_t *numbers; /* sorted */
    size_t count;
    uint32_t lowest_a, lowest_b;
    unsigned bits_b;
    uint64_t *keys; /* where they do not fit: keys and bytes in turn, as grz_key_value; else NULL */
    void *memory;
} grz_packed_keys;

/* False when out of memory. grz_packed_keys_release frees it. */
bool grz_packed_keys_make(const graze_context *context, const uint64_t *keys, const uint8_t *bytes, size_t count,
                          grz_packed_keys *out);

void grz_packed_keys_release(const graze_context *context, grz_packed_keys *packed);

static inline uint64_t grz_packed_key(const grz_packed_keys *packed, size_t index)
{
    if (packed->keys != NULL)
        return packed->keys[2 * index];
    uint64_t number = packed->numbers[index] >> 8;
    uint64_t b = (number & (((uint64_t)1 << packed->bits_b) - 1)) + packed->lowest_b;
    return ((number >> packed->bits_b) + packed->lowest_a) << 32 | b;
}

static inline uint8_t grz_packed_byte(const grz_packed_keys *packed, size_t index)
{
    return (uint8_t)(packed->keys != NULL ? packed->keys[2 * index + 1] : packed->numbers[index]);
}

#endif
