/* SPDX-License-Identifier: MIT */
/*
 * Sorting keys of hits: in buckets of some 32 keys, each by a kernel (simd/sort_template.h); many keys in two steps of
 * at most 1,024 buckets each, so that the second step stays in the cache.
 */
#include "pair/hit/sort_keys.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "simd/kernels.h"

enum
{
    BUCKET_SIZE = 32, /* keys per bucket aimed at */
    MOST_BUCKETS = 1024,
    MOST_BITS = 63 /* of numbers that the kernel sorts */
};

/* Bucket sort: where the buckets begin; keys of a later bucket are larger. */
typedef struct buckets
{
    size_t count;
    size_t starts[MOST_BUCKETS + 1]; /* and the end of the last one */
} buckets;

/* Distributes the keys among so many buckets that these are small when keys are spread evenly. */
static void fill_buckets(const uint64_t *keys, size_t count, uint64_t *bucketed, buckets *out)
{
    uint64_t lowest = keys[0], highest = keys[0];
    for (size_t i = 1; i < count; i++)
    {
        lowest = keys[i] < lowest ? keys[i] : lowest;
        highest = keys[i] > highest ? keys[i] : highest;
    }
    unsigned shift = 0; /* the bucket of a key is (key - lowest) >> shift */
    while ((highest - lowest) >> shift >= MOST_BUCKETS || ((highest - lowest) >> shift) * BUCKET_SIZE > 2 * count)
        shift++;
    out->count = (size_t)((highest - lowest) >> shift) + 1;
    size_t next[MOST_BUCKETS];
    memset(next, 0, out->count * sizeof *next);
    for (size_t i = 0; i < count; i++)
        next[(keys[i] - lowest) >> shift]++;
    out->starts[0] = 0;
    for (size_t i = 0; i < out->count; i++)
    {
        out->starts[i + 1] = out->starts[i] + next[i];
        next[i] = out->starts[i];
    }
    for (size_t i = 0; i < count; i++)
        bucketed[next[(keys[i] - lowest) >> shift]++] = keys[i];
}

/* Sorts a bucket that is too large for the kernel; both arrays are overwritten, `sorted` with the result. */
static void sort_bucket(const grz_kernels *kernels, uint64_t *bucket, size_t count, uint64_t *sorted)
{
    buckets b;
    fill_buckets(bucket, count, sorted, &b);
    for (size_t i = 0; i < b.count; i++)
    {
        size_t first = b.starts[i], size = b.starts[i + 1] - first;
        if (size > GRZ_SORT_MOST)
        {
            grz_sort_numbers(sorted + first, bucket + first, size, 0);
            continue;
        }
        kernels->sort(sorted + first, (unsigned)size, bucket + first);
        memcpy(sorted + first, bucket + first, size * sizeof *sorted);
    }
}

void grz_sort_keys(const graze_context *context, const uint64_t *keys, size_t count, uint64_t *sorted)
{
    const grz_kernels *kernels = grz_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    if (count <= GRZ_SORT_MOST)
    {
        kernels->sort(keys, (unsigned)count, sorted);
        return;
    }
    buckets b;
    uint64_t *bucketed = sorted + count;
    fill_buckets(keys, count, bucketed, &b);
    for (size_t i = 0; i < b.count; i++)
    {
        size_t first = b.starts[i], size = b.starts[i + 1] - first;
        if (size <= GRZ_SORT_MOST)
            kernels->sort(bucketed + first, (unsigned)size, sorted + first);
        else
            sort_bucket(kernels, bucketed + first, size, sorted + first);
    }
}

static unsigned bits_of(uint64_t x)
{
    return x == 0 ? 0 : 64 - (unsigned)__builtin_clzll(x);
}

/* Packs keys and bytes into one number each. False where the three fields do not fit. */
static bool pack(const uint64_t *keys, const uint8_t *bytes, size_t count, grz_packed_keys *out, uint64_t *numbers)
{
    uint32_t lowest_a = UINT32_MAX, highest_a = 0, lowest_b = UINT32_MAX, highest_b = 0;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t a = (uint32_t)(keys[i] >> 32), b = (uint32_t)keys[i];
        lowest_a = a < lowest_a ? a : lowest_a;
        highest_a = a > highest_a ? a : highest_a;
        lowest_b = b < lowest_b ? b : lowest_b;
        highest_b = b > highest_b ? b : highest_b;
    }
    unsigned bits_b = bits_of(highest_b - lowest_b);
    if (bits_of(highest_a - lowest_a) + bits_b + 8 > MOST_BITS)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        uint64_t a = (uint32_t)(keys[i] >> 32) - lowest_a, b = (uint32_t)keys[i] - lowest_b;
        numbers[i] = (a << bits_b | b) << 8 | bytes[i];
    }
    out->lowest_a = lowest_a;
    out->lowest_b = lowest_b;
    out->bits_b = bits_b;
    return true;
}

/* The same where they do not fit. */
static bool sort_unpacked(const graze_context *context, const uint64_t *keys, const uint8_t *bytes, size_t count,
                          grz_packed_keys *out)
{
    grz_release(context, out->memory);
    grz_key_value *entries = grz_allocate(context, count, 2 * sizeof *entries);
    out->memory = entries;
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        entries[i] = (grz_key_value){keys[i], bytes[i]};
    grz_sort_keyed(entries, entries + count, count);
    out->keys = &entries[0].key;
    return true;
}

bool grz_packed_keys_make(const graze_context *context, const uint64_t *keys, const uint8_t *bytes, size_t count,
                          grz_packed_keys *out)
{
    *out = (grz_packed_keys){.count = count};
    if (count == 0)
        return true;
    uint64_t *memory = grz_allocate(context, count, 3 * sizeof *memory);
    out->memory = memory;
    if (memory == NULL)
        return false;
    out->numbers = memory + count;
    if (!pack(keys, bytes, count, out, memory))
        return sort_unpacked(context, keys, bytes, count, out);
    grz_sort_keys(context, memory, count, out->numbers);
    return true;
}

void grz_packed_keys_release(const graze_context *context, grz_packed_keys *packed)
{
    grz_release(context, packed->memory);
    packed->memory = NULL;
}
