/* SPDX-License-Identifier: MIT */
/*
 * Lanes for one row at a time, or for two where registers hold sixteen floats (GRZ_ROWS): kernels that compare rows
 * with lanes are written with these. The bits of the second row follow those of the first. Part of the kernel
 * templates; see f32x8.h.
 */
#ifndef GRZ_SIMD_F32XN_H
#define GRZ_SIMD_F32XN_H

#include "simd/fma.h"

/* One row, or two; the second may repeat the first. */
typedef struct row_pair
{
    unsigned first, second;
} row_pair;

#if defined(GRZ_VECTORS_AVX512)

#if !defined(GRZ_FUSED)
#error "sixteen floats at a time are for kernels that fuse"
#endif

enum
{
    GRZ_ROWS = 2,
    GRZ_VECTOR_WIDTH = 16
};

typedef __m512 f32xN;
typedef __m512i permutationN;
typedef __mmask16 mask32xN;

/* The same eight lanes for each row. */
static inline f32xN f32xN_repeat8(const float *p)
{
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(p));
}

static inline f32xN f32xN_splat(float x)
{
    return _mm512_set1_ps(x);
}

/* For each lane, the entry of a table of eight that its index names. */
static inline f32xN f32xN_permute8(const float *table, permutationN p)
{
    return _mm512_permutexvar_ps(p, _mm512_castps256_ps512(_mm256_loadu_ps(table)));
}

/* Lane indices from 0 to GRZ_VECTOR_WIDTH - 1: differences of bytes from one number; higher bits are dropped. */
static inline permutationN permutationN_after(const uint8_t *bytes, unsigned from)
{
    __m512i lanes = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)bytes));
    return _mm512_sub_epi32(lanes, _mm512_set1_epi32((int)from));
}

/* The same as f32xN_permute8 from a table of GRZ_VECTOR_WIDTH. */
static inline f32xN f32xN_permute(const float *table, permutationN p)
{
    return _mm512_permutexvar_ps(p, _mm512_loadu_ps(table));
}

/* Broadcasts each row's number to its lanes. */
static inline f32xN f32xN_splat_rows(const float *table, row_pair r)
{
    return _mm512_mask_broadcastss_ps(_mm512_set1_ps(table[r.first]), 0xff00, _mm_load_ss(table + r.second));
}

static inline f32xN f32xN_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void f32xN_store(float *p, f32xN a)
{
    _mm512_storeu_ps(p, a);
}

static inline f32xN f32xN_add(f32xN a, f32xN b)
{
    return _mm512_add_ps(a, b);
}

static inline f32xN f32xN_sub(f32xN a, f32xN b)
{
    return _mm512_sub_ps(a, b);
}

static inline f32xN f32xN_mul(f32xN a, f32xN b)
{
    return _mm512_mul_ps(a, b);
}

static inline f32xN f32xN_mul_add(f32xN a, f32xN b, f32xN c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline f32xN f32xN_mul_sub(f32xN a, f32xN b, f32xN c)
{
    return _mm512_fmsub_ps(a, b, c);
}

static inline f32xN f32xN_sub_mul(f32xN c, f32xN a, f32xN b)
{
    return _mm512_fnmadd_ps(a, b, c);
}

static inline f32xN f32xN_min(f32xN a, f32xN b)
{
    return _mm512_min_ps(a, b);
}

static inline f32xN f32xN_max(f32xN a, f32xN b)
{
    return _mm512_max_ps(a, b);
}

static inline f32xN f32xN_abs(f32xN a)
{
    return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a);
}

static inline mask32xN f32xN_lt(f32xN a, f32xN b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline mask32xN f32xN_le(f32xN a, f32xN b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline mask32xN mask32xN_and(mask32xN a, mask32xN b)
{
    return (mask32xN)(a & b);
}

static inline mask32xN mask32xN_or(mask32xN a, mask32xN b)
{
    return (mask32xN)(a | b);
}

static inline mask32xN mask32xN_xor(mask32xN a, mask32xN b)
{
    return (mask32xN)(a ^ b);
}

static inline f32xN f32xN_select(mask32xN t, f32xN a, f32xN b)
{
    return _mm512_mask_blend_ps(t, b, a);
}

static inline unsigned mask32xN_bits(mask32xN t)
{
    return t;
}

#else

enum
{
    GRZ_ROWS = 1,
    GRZ_VECTOR_WIDTH = 8
};

typedef f32x8 f32xN;
typedef permutation8 permutationN;
typedef mask32x8 mask32xN;

#define permutationN_load permutation8_load
#define permutationN_after permutation8_after
#define f32xN_permute8 f32x8_permute
#define f32xN_permute f32x8_permute
#define f32xN_repeat8 f32x8_load
#define f32xN_load f32x8_load
#define f32xN_store f32x8_store
#define f32xN_splat f32x8_splat
#define f32xN_add f32x8_add
#define f32xN_sub f32x8_sub
#define f32xN_mul f32x8_mul
#define f32xN_mul_add f32x8_mul_add
#define f32xN_mul_sub f32x8_mul_sub
#define f32xN_sub_mul f32x8_sub_mul
#define f32xN_min f32x8_min
#define f32xN_max f32x8_max
#define f32xN_abs f32x8_abs
#define f32xN_lt f32x8_lt
#define f32xN_le f32x8_le
#define mask32xN_and mask32x8_and
#define mask32xN_or mask32x8_or
#define mask32xN_xor mask32x8_xor
#define f32xN_select f32x8_select
#define mask32xN_bits mask32x8_bits

static inline f32xN f32xN_splat_rows(const float *table, row_pair r)
{
    return f32x8_splat(table[r.first]);
}

#endif

static inline f32xN f32xN_dot(const f32xN a[3], const f32xN b[3])
{
    return f32xN_mul_add(a[2], b[2], f32xN_mul_add(a[1], b[1], f32xN_mul(a[0], b[0])));
}

static inline void f32xN_cross(const f32xN a[3], const f32xN b[3], f32xN out[3])
{
    out[0] = f32xN_mul_sub(a[1], b[2], f32xN_mul(a[2], b[1]));
    out[1] = f32xN_mul_sub(a[2], b[0], f32xN_mul(a[0], b[2]));
    out[2] = f32xN_mul_sub(a[0], b[1], f32xN_mul(a[1], b[0]));
}

/* Takes the next rows out of a mask that is not 0. `present` gets `mask` for each row present. */
static inline row_pair row_pair_take(unsigned *left, unsigned mask, unsigned *present)
{
    row_pair r;
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
static inline uint64_t row_pair_place(row_pair r, unsigned bits)
{
    uint64_t matrix = (uint64_t)(bits & 0xff) << 8 * r.first;
    if (GRZ_ROWS == 2)
        matrix |= (uint64_t)(bits >> 8) << 8 * r.second;
    return matrix;
}

/* The bits of these rows in such a matrix. */
static inline unsigned row_pair_bits(row_pair r, uint64_t matrix)
{
    unsigned bits = (unsigned)(matrix >> 8 * r.first) & 0xff;
    if (GRZ_ROWS == 2 && r.second != r.first)
        bits |= ((unsigned)(matrix >> 8 * r.second) & 0xff) << 8;
    return bits;
}

#endif
