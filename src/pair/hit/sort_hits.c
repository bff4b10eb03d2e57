/* SPDX-License-Identifier: MIT */
/*
 * Sorting hits. The two triangles and the index of a hit are packed into one number, as short as their ranges allow;
 * these numbers are sorted, and each hit is moved once at the end.
 */
#include "pair/hit/sort_hits.h"

#include "base/memory.h"
#include "base/sort.h"

enum
{
    FEW_HITS = 128 /* hits that are sorted without an allocation */
};

/* Bit widths of the packed fields: triangle of A on top, index at the bottom. */
typedef struct packing
{
    uint32_t lowest_a, lowest_b;
    unsigned bits_a, bits_b, bits_place;
} packing;

static unsigned bits_of(uint64_t x)
{
    return x == 0 ? 0 : 64 - (unsigned)__builtin_clzll(x);
}

static packing find_packing(const graze_hit *hits, size_t count)
{
    uint32_t lowest_a = UINT32_MAX, highest_a = 0, lowest_b = UINT32_MAX, highest_b = 0;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t a = hits[i].triangle_a, b = hits[i].triangle_b;
        lowest_a = a < lowest_a ? a : lowest_a;
        highest_a = a > highest_a ? a : highest_a;
        lowest_b = b < lowest_b ? b : lowest_b;
        highest_b = b > highest_b ? b : highest_b;
    }
    return (packing){lowest_a, lowest_b, bits_of(highest_a - lowest_a), bits_of(highest_b - lowest_b),
                     bits_of(count - 1)};
}

/* Sorts the indices of the hits; count > 0. `words` has room for twice as many. */
static void sort_packed(const graze_hit *hits, size_t count, packing p, uint64_t *words)
{
    for (size_t i = 0; i < count; i++)
    {
        uint64_t a = hits[i].triangle_a - p.lowest_a, b = hits[i].triangle_b - p.lowest_b;
        words[i] = (a << p.bits_b | b) << p.bits_place | i;
    }
    grz_sort_numbers(words, words + count, count, p.bits_place);
    uint64_t mask = ((uint64_t)1 << p.bits_place) - 1;
    for (size_t i = 0; i < count; i++)
        words[i] &= mask;
}

/* The same where the three fields do not fit into one number. `words` has room for four times as many. */
static void sort_unpacked(const graze_hit *hits, size_t count, uint64_t *words)
{
    grz_key_value *entries = (grz_key_value *)(void *)words;
    for (size_t i = 0; i < count; i++)
        entries[i] = (grz_key_value){(uint64_t)hits[i].triangle_a << 32 | hits[i].triangle_b, i};
    grz_sort_keyed(entries, entries + count, count);
    for (size_t i = 0; i < count; i++)
        words[i] = entries[i].value;
}

bool grz_sort_hits_into(const graze_context *context, const graze_hit *hits, size_t count, graze_hit *out_hits,
                        size_t capacity)
{
    if (count == 0 || capacity == 0)
        return true;
    packing p = find_packing(hits, count);
    bool packed = p.bits_a + p.bits_b + p.bits_place <= 64;
    uint64_t few[2 * FEW_HITS], *words = few;
    if (!packed || count > FEW_HITS)
        words = grz_allocate(context, count, (packed ? 2 : 4) * sizeof *words);
    if (words == NULL)
        return false;
    if (packed)
        sort_packed(hits, count, p, words);
    else
        sort_unpacked(hits, count, words);
    for (size_t i = 0; i < count && i < capacity; i++)
        out_hits[i] = hits[words[i]];
    if (words != few)
        grz_release(context, words);
    return true;
}
