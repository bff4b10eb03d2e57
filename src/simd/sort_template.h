/* SPDX-License-Identifier: MIT */
/*
 * Some numbers in order. Each number's place is how many are smaller: that takes n comparisons for each, but many at a
 * time, and none of them is a branch. Where no instruction compares such numbers side by side they are merged.
 */
#include "base/sort.h"
#include "simd/kernels.h"
#include "simd/lanes.h"

#if defined(GRZ_LANES_AVX512)

enum
{
    SORT_LANES = 8
};

typedef __m512i numbers;

static inline numbers numbers_load(const uint64_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline numbers numbers_all(uint64_t number)
{
    return _mm512_set1_epi64((long long)number);
}

/* Adds one to each count whose number is larger. */
static inline numbers numbers_count(numbers counts, numbers larger, numbers smaller)
{
    return _mm512_mask_add_epi64(counts, _mm512_cmpgt_epi64_mask(larger, smaller), counts, _mm512_set1_epi64(1));
}

static inline void numbers_store(uint64_t *to, numbers n)
{
    _mm512_storeu_si512(to, n);
}

#elif defined(GRZ_LANES_AVX)

enum
{
    SORT_LANES = 4
};

typedef __m256i numbers;

static inline numbers numbers_load(const uint64_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline numbers numbers_all(uint64_t number)
{
    return _mm256_set1_epi64x((long long)number);
}

static inline numbers numbers_count(numbers counts, numbers larger, numbers smaller)
{
    return _mm256_sub_epi64(counts, _mm256_cmpgt_epi64(larger, smaller));
}

static inline void numbers_store(uint64_t *to, numbers n)
{
    _mm256_storeu_si256((__m256i *)(void *)to, n);
}

#endif

#if defined(GRZ_LANES_AVX)

enum
{
    SORT_GROUP = 4 * SORT_LANES /* compared with each number at a time: four registers, and four of counts */
};

static void sort_kernel(const uint64_t *given, unsigned count, uint64_t *out_sorted)
{
    uint64_t padded[GRZ_SORT_MOST + SORT_GROUP], places[SORT_GROUP];
    memcpy(padded, given, count * sizeof *given);
    memset(padded + count, 0, SORT_GROUP * sizeof *padded);
    memcpy(out_sorted, given, count * sizeof *given); /* equal numbers would leave places as they are */
    for (unsigned first = 0; first < count; first += SORT_GROUP)
    {
        numbers a = numbers_load(padded + first), b = numbers_load(padded + first + SORT_LANES);
        numbers c = numbers_load(padded + first + 2 * SORT_LANES), d = numbers_load(padded + first + 3 * SORT_LANES);
        numbers below_a = numbers_all(0), below_b = below_a, below_c = below_a, below_d = below_a;
        for (unsigned i = 0; i < count; i++)
        {
            numbers one = numbers_all(padded[i]);
            below_a = numbers_count(below_a, a, one);
            below_b = numbers_count(below_b, b, one);
            below_c = numbers_count(below_c, c, one);
            below_d = numbers_count(below_d, d, one);
        }
        numbers_store(places, below_a);
        numbers_store(places + SORT_LANES, below_b);
        numbers_store(places + 2 * SORT_LANES, below_c);
        numbers_store(places + 3 * SORT_LANES, below_d);
        for (unsigned i = 0; i < SORT_GROUP && first + i < count; i++)
            out_sorted[places[i]] = padded[first + i];
    }
}

#else

static void sort_kernel(const uint64_t *given, unsigned count, uint64_t *out_sorted)
{
    uint64_t scratch[GRZ_SORT_MOST];
    memcpy(out_sorted, given, count * sizeof *given);
    grz_sort_numbers(out_sorted, scratch, count, 0);
}

#endif
