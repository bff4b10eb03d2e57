/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles of two leaves whose boxes meet, listed by their exact corners, for decisions without a test of
 * floats before; part of kernels_template.h. Coplanar triangles and others are decided in different ways, many pairs at
 * a time: so likely coplanar ones, by a byte that tells directions of planes apart, have a list of their own. That only
 * sorts: a pair is decided rightly in either list.
 */
#include "simd/f32x8.h"
#include "simd/pair_queue_template.h"

/* A byte for each normal, from its products of coordinates, which do not depend on its sign or length, in eighths. */
static uint64_t directions_kernel(const grz_corners8 *leaf)
{
    f32x8 e[3], g[3], n[3], zero = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
    {
        e[k] = f32x8_load(leaf->edges[0][k]);
        g[k] = f32x8_load(leaf->edges[1][k]);
    }
    f32x8_cross(e, g, n);
    f32x8 square = f32x8_dot(n, n), scale = f32x8_div(f32x8_splat(8.0f), square);
    scale = f32x8_select(f32x8_lt(zero, square), scale, zero);
    const f32x8 first[5] = {n[0], n[1], n[0], n[1], n[2]}, second[5] = {n[0], n[1], n[1], n[2], n[0]};
    static const uint32_t factors[5] = {1, 9, 83, 29, 151};
    uint32_t sums[GRZ_LANES] = {0};
    for (int i = 0; i < 5; i++)
    {
        float rounded[GRZ_LANES]; /* the last bits are those of the nearest whole number */
        uint32_t bits[GRZ_LANES];
        f32x8 part = f32x8_mul(f32x8_mul(first[i], second[i]), scale);
        f32x8_store(rounded, f32x8_add(part, f32x8_splat(0x1.8p23f)));
        memcpy(bits, rounded, sizeof bits);
        for (int lane = 0; lane < GRZ_LANES; lane++)
            sums[lane] += factors[i] * bits[lane];
    }
    uint64_t all = 0;
    for (int lane = 0; lane < GRZ_LANES; lane++)
        all |= (uint64_t)(sums[lane] & 0xff) << 8 * lane;
    return all;
}

#if defined(GRZ_VECTORS_AVX512)

/* The pairs of a row and a lane with equal bytes. */
static inline uint64_t equal_directions(uint64_t rows, uint64_t lanes)
{
    const __m512i spread =
        _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
                         0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    return _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(_mm512_set1_epi64((long long)rows), spread),
                                  _mm512_set1_epi64((long long)lanes));
}

static inline void list_pairs(const grz_leaf_corners *a, const grz_leaf_corners *b, uint64_t pairs,
                              grz_untested_list *list)
{
    unsigned index = list->count;
    pair_list bytes;
    list->count += (unsigned)__builtin_popcountll(pairs);
    for (pair_list_make(&bytes, pairs); index < list->count; index += GRZ_LANES)
    {
        __m512i numbers = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(bytes));
        __m512i rows = _mm512_srli_epi64(numbers, 3), lanes = _mm512_and_si512(numbers, _mm512_set1_epi64(7));
        __m512i key_a = _mm512_permutexvar_epi64(rows, _mm512_loadu_si512(a->triangles));
        __m512i key_b = _mm512_permutexvar_epi64(lanes, _mm512_loadu_si512(b->triangles));
        _mm512_storeu_si512(list->keys + index, _mm512_or_si512(_mm512_slli_epi64(key_a, 32), key_b));
        for (int c = 0; c < 3; c++)
        {
            _mm512_storeu_si512(list->a[c] + index, _mm512_permutexvar_epi64(rows, _mm512_loadu_si512(a->corners[c])));
            _mm512_storeu_si512(list->b[c] + index, _mm512_permutexvar_epi64(lanes, _mm512_loadu_si512(b->corners[c])));
        }
        bytes = _mm512_alignr_epi64(_mm512_setzero_si512(), bytes, 1);
    }
}

#else

static inline uint64_t equal_directions(uint64_t rows, uint64_t lanes)
{
    const uint64_t each = UINT64_C(0x0101010101010101), low = 0x7f * each;
    uint64_t pairs = 0;
    for (unsigned row = 0; row < GRZ_LANES; row++)
    {
        uint64_t x = lanes ^ (rows >> 8 * row & 0xff) * each;
        uint64_t zeros = ~(((x & low) + low) | x | low) >> 7; /* 1 in the bytes that are 0 */
        pairs |= (zeros * UINT64_C(0x0102040810204080) >> 56) << GRZ_LANES * row;
    }
    return pairs;
}

static inline void list_pairs(const grz_leaf_corners *a, const grz_leaf_corners *b, uint64_t pairs,
                              grz_untested_list *list)
{
    for (; pairs != 0; pairs &= pairs - 1)
    {
        unsigned bit = (unsigned)__builtin_ctzll(pairs), row = bit / GRZ_LANES, lane = bit % GRZ_LANES;
        list->keys[list->count] = a->triangles[row] << 32 | b->triangles[lane];
        for (int c = 0; c < 3; c++)
        {
            list->a[c][list->count] = a->corners[c][row];
            list->b[c][list->count] = b->corners[c][lane];
        }
        list->count++;
    }
}

#endif

static void list_untested_kernel(const grz_leaf_pair *leaves, grz_untested_list lists[2])
{
    const grz_leaf_corners *a = leaves->corners_a, *b = leaves->corners_b;
    leaf_offset between;
    uint64_t near = find_near_pairs(leaves->a, leaves->rows, leaves->b, leaves->lanes, &between);
    uint64_t parallel = near & equal_directions(a->directions, b->directions);
    list_pairs(a, b, near & ~parallel, &lists[0]);
    list_pairs(a, b, parallel, &lists[1]);
}
