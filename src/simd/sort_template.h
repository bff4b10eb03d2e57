/* SPDX-License-Identifier: MIT */
/*
 * Sorting of few numbers by rank: each number's rank is the count of smaller ones. That takes n comparisons per number,
 * but many at a time, and without branches. Where no instruction compares such numbers in vectors they are
 * merge-sorted.
 */
#include "base/sort.h"
#include "simd/f32x8.h"
#include "simd/kernels.h"

#if defined(GRZ_VECTORS_AVX512)

enum
{
    SORT_LANES = 8
};

typedef __m512i u64xN;

static inline u64xN u64xN_load(const uint64_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline u64xN u64xN_splat(uint64_t number)
{
    return _mm512_set1_epi64((long long)number);
}

/* Adds one to each count where `larger` exceeds `smaller`. */
static inline u64xN u64xN_count_greater(u64xN counts, u64xN larger, u64xN smaller)
{
    return _mm512_mask_add_epi64(counts, _mm512_cmpgt_epi64_mask(larger, smaller), counts, _mm512_set1_epi64(1));
}

static inline void u64xN_store(uint64_t *to, u64xN n)
{
    _mm512_storeu_si512(to, n);
}

#elif defined(GRZ_VECTORS_AVX)

enum
{
    SORT_LANES = 4
};

typedef __m256i u64xN;

static inline u64xN u64xN_load(const uint64_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline u64xN u64xN_splat(uint64_t number)
{
    return _mm256_set1_epi64x((long long)number);
}

static inline u64xN u64xN_count_greater(u64xN counts, u64xN larger, u64xN smaller)
{
    return _mm256_sub_epi64(counts, _mm256_cmpgt_epi64(larger, smaller));
}

static inline void u64xN_store(uint64_t *to, u64xN n)
{
    _mm256_storeu_si256((__m256i *)(void *)to, n);
}

#endif

#if defined(GRZ_VECTORS_AVX)

enum
{
    SORT_GROUP = 4 * SORT_LANES /* compared with each number at a time: four registers, and four of counts */
};

static void sort_kernel(const uint64_t *given, unsigned count, uint64_t *out_sorted)
{
    uint64_t padded[GRZ_SORT_MOST + SORT_GROUP], positions[SORT_GROUP];
    memcpy(padded, given, count * sizeof *given);
    memset(padded + count, 0, SORT_GROUP * sizeof *padded);
    memcpy(out_sorted, given, count * sizeof *given); /* where numbers are equal, some outputs are not written below */
    for (unsigned first = 0; first < count; first += SORT_GROUP)
    {
        u64xN a = u64xN_load(padded + first), b = u64xN_load(padded + first + SORT_LANES);
        u64xN c = u64xN_load(padded + first + 2 * SORT_LANES), d = u64xN_load(padded + first + 3 * SORT_LANES);
        u64xN below_a = u64xN_splat(0), below_b = below_a, below_c = below_a, below_d = below_a;
        for (unsigned i = 0; i < count; i++)
        {
            u64xN one = u64xN_splat(padded[i]);
            below_a = u64xN_count_greater(below_a, a, one);
            below_b = u64xN_count_greater(below_b, b, one);
            below_c = u64xN_count_greater(below_c, c, one);
            below_d = u64xN_count_greater(below_d, d, one);
        }
        u64xN_store(positions, below_a);
        u64xN_store(positions + SORT_LANES, below_b);
        u64xN_store(positions + 2 * SORT_LANES, below_c);
        u64xN_store(positions + 3 * SORT_LANES, below_d);
        for (unsigned i = 0; i < SORT_GROUP && first + i < count; i++)
            out_sorted[positions[i]] = padded[first + i];
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
