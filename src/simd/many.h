/* SPDX-License-Identifier: MIT */
/*
 * Lanes for one row at a time, or for two where registers hold sixteen floats (GRZ_ROWS): kernels that compare rows
 * with lanes are written in these terms. The bits of the second row follow those of the first. Part of the kernel
 * templates; see lanes.h.
 */
#ifndef GRZ_SIMD_MANY_H
#define GRZ_SIMD_MANY_H

#include "simd/fused.h"

/* One row, or two; the second may repeat the first. */
typedef struct rows
{
    unsigned first, second;
} rows;

#if defined(GRZ_LANES_AVX512)

#if !defined(GRZ_FUSED)
#error "sixteen floats at a time are for kernels that fuse"
#endif

enum
{
    GRZ_ROWS = 2,
    GRZ_MANY = 16
};

typedef __m512 many;
typedef __m512i many_picks;
typedef __mmask16 many_truth;

/* The same eight lanes for each row. */
static inline many many_load(const float *p)
{
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(p));
}

static inline many many_fill(float x)
{
    return _mm512_set1_ps(x);
}

/* For each lane, the number in a table of eight that its pick names. */
static inline many many_pick(const float *table, many_picks p)
{
    return _mm512_permutexvar_ps(p, _mm512_castps256_ps512(_mm256_loadu_ps(table)));
}

/* Places from 0 to GRZ_MANY - 1: what bytes are more than one; further bits are dropped. */
static inline many_picks many_picks_after(const uint8_t *bytes, unsigned from)
{
    __m512i places = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)bytes));
    return _mm512_sub_epi32(places, _mm512_set1_epi32((int)from));
}

/* The same as many_pick from a table of GRZ_MANY. */
static inline many many_pick_any(const float *table, many_picks p)
{
    return _mm512_permutexvar_ps(p, _mm512_loadu_ps(table));
}

/* Each row's number in all of its lanes. */
static inline many many_spread(const float *table, rows r)
{
    return _mm512_mask_broadcastss_ps(_mm512_set1_ps(table[r.first]), 0xff00, _mm_load_ss(table + r.second));
}

static inline many many_read(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void many_store(float *p, many a)
{
    _mm512_storeu_ps(p, a);
}

static inline many many_add(many a, many b)
{
    return _mm512_add_ps(a, b);
}

static inline many many_sub(many a, many b)
{
    return _mm512_sub_ps(a, b);
}

static inline many many_mul(many a, many b)
{
    return _mm512_mul_ps(a, b);
}

static inline many many_mul_add(many a, many b, many c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline many many_mul_sub(many a, many b, many c)
{
    return _mm512_fmsub_ps(a, b, c);
}

static inline many many_sub_mul(many c, many a, many b)
{
    return _mm512_fnmadd_ps(a, b, c);
}

static inline many many_min(many a, many b)
{
    return _mm512_min_ps(a, b);
}

static inline many many_max(many a, many b)
{
    return _mm512_max_ps(a, b);
}

static inline many many_abs(many a)
{
    return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a);
}

static inline many_truth many_lt(many a, many b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline many_truth many_le(many a, many b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline many_truth many_and(many_truth a, many_truth b)
{
    return (many_truth)(a & b);
}

static inline many_truth many_or(many_truth a, many_truth b)
{
    return (many_truth)(a | b);
}

static inline many_truth many_differ(many_truth a, many_truth b)
{
    return (many_truth)(a ^ b);
}

static inline many many_select(many_truth t, many a, many b)
{
    return _mm512_mask_blend_ps(t, b, a);
}

static inline unsigned many_bits(many_truth t)
{
    return t;
}

#else

enum
{
    GRZ_ROWS = 1,
    GRZ_MANY = 8
};

typedef lanes many;
typedef picks many_picks;
typedef truth many_truth;

#define many_picks_load picks_load
#define many_picks_after picks_after
#define many_pick lanes_pick
#define many_pick_any lanes_pick
#define many_load lanes_load
#define many_read lanes_load
#define many_store lanes_store
#define many_fill lanes_fill
#define many_add lanes_add
#define many_sub lanes_sub
#define many_mul lanes_mul
#define many_mul_add lanes_mul_add
#define many_mul_sub lanes_mul_sub
#define many_sub_mul lanes_sub_mul
#define many_min lanes_min
#define many_max lanes_max
#define many_abs lanes_abs
#define many_lt lanes_lt
#define many_le lanes_le
#define many_and truth_and
#define many_or truth_or
#define many_differ truth_differ
#define many_select lanes_select
#define many_bits truth_bits

static inline many many_spread(const float *table, rows r)
{
    return lanes_fill(table[r.first]);
}

#endif

static inline many many_dot(const many a[3], const many b[3])
{
    return many_mul_add(a[2], b[2], many_mul_add(a[1], b[1], many_mul(a[0], b[0])));
}

static inline void many_cross(const many a[3], const many b[3], many out[3])
{
    out[0] = many_mul_sub(a[1], b[2], many_mul(a[2], b[1]));
    out[1] = many_mul_sub(a[2], b[0], many_mul(a[0], b[2]));
    out[2] = many_mul_sub(a[0], b[1], many_mul(a[1], b[0]));
}

/* Takes the next rows out of a mask that is not 0. `present` gets `mask` for each row there is. */
static inline rows rows_take(unsigned *left, unsigned mask, unsigned *present)
{
    rows r;
    r.first = r.second = (unsigned)__builtin_ctz(*left);
    *left &= *left - 1;
    *present = mask;
    if (GRZ_ROWS == 2 && *left != 0)
    {
        r.second = (unsigned)__builtin_ctz(*left);
        *left &= *left - 1;
        *present |= mask << 8;
    }
    return r;
}

/* Places the bits of these rows in a matrix of 8 x 8. */
static inline uint64_t rows_place(rows r, unsigned bits)
{
    uint64_t matrix = (uint64_t)(bits & 0xff) << 8 * r.first;
    if (GRZ_ROWS == 2)
        matrix |= (uint64_t)(bits >> 8) << 8 * r.second;
    return matrix;
}

/* The bits of these rows in such a matrix. */
static inline unsigned rows_bits(rows r, uint64_t matrix)
{
    unsigned bits = (unsigned)(matrix >> 8 * r.first) & 0xff;
    if (GRZ_ROWS == 2 && r.second != r.first)
        bits |= ((unsigned)(matrix >> 8 * r.second) & 0xff) << 8;
    return bits;
}

#endif
