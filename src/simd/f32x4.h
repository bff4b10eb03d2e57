/* SPDX-License-Identifier: MIT */
/*
 * src/simd: vector types and the kernels written with them. May use base and math.
 *
 * Four floats as one value: minimum and maximum of boxes while building. SSE where the target has it (every x86-64
 * does), plain C elsewhere; both give the same bits.
 */
#ifndef GRZ_SIMD_F32X4_H
#define GRZ_SIMD_F32X4_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128 f32x4;

static inline f32x4 f32x4_load(const float *p)
{
    return _mm_load_ps(p);
}

static inline void f32x4_store(float *p, f32x4 a)
{
    _mm_store_ps(p, a);
}

static inline f32x4 f32x4_splat(float x)
{
    return _mm_set1_ps(x);
}

static inline f32x4 f32x4_add(f32x4 a, f32x4 b)
{
    return _mm_add_ps(a, b);
}

static inline f32x4 f32x4_sub(f32x4 a, f32x4 b)
{
    return _mm_sub_ps(a, b);
}

static inline f32x4 f32x4_mul(f32x4 a, f32x4 b)
{
    return _mm_mul_ps(a, b);
}

static inline f32x4 f32x4_min(f32x4 a, f32x4 b)
{
    return _mm_min_ps(a, b);
}

static inline f32x4 f32x4_max(f32x4 a, f32x4 b)
{
    return _mm_max_ps(a, b);
}

/* Whether a <= b and c <= d in all lanes. */
static inline bool f32x4_all_le(f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    return _mm_movemask_ps(_mm_and_ps(_mm_cmple_ps(a, b), _mm_cmple_ps(c, d))) == 15;
}

/* The first three lanes, rounded toward zero; they must fit. */
static inline void f32x4_to_i32(int32_t out[4], f32x4 a)
{
    _mm_store_si128((__m128i *)(void *)out, _mm_cvttps_epi32(a));
}

/* From integers below 2^24, aligned to 16 bytes. */
static inline f32x4 f32x4_from_u32(const uint32_t p[4])
{
    return _mm_cvtepi32_ps(_mm_load_si128((const __m128i *)(const void *)p));
}

/* Each lane rounded toward zero; they must fit 31 bits. */
static inline f32x4 f32x4_trunc(f32x4 a)
{
    return _mm_cvtepi32_ps(_mm_cvttps_epi32(a));
}

/* Prefix sums. For integers, whose sums are exact in any order. */
static inline f32x4 f32x4_prefix_sum(f32x4 a)
{
    a = _mm_add_ps(a, _mm_castsi128_ps(_mm_slli_si128(_mm_castps_si128(a), 4)));
    return _mm_add_ps(a, _mm_castsi128_ps(_mm_slli_si128(_mm_castps_si128(a), 8)));
}

/* Broadcasts the last lane. */
static inline f32x4 f32x4_splat_last(f32x4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 3, 3, 3));
}

/* Broadcasts the least lane. */
static inline f32x4 f32x4_splat_min(f32x4 a)
{
    a = _mm_min_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_min_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1)));
}

/* A bit for each lane where both are equal. */
static inline unsigned f32x4_eq_bits(f32x4 a, f32x4 b)
{
    return (unsigned)_mm_movemask_ps(_mm_cmpeq_ps(a, b));
}

/* x y + y z + z x of the first three lanes. */
static inline float f32x4_half_area(f32x4 a)
{
    /* Multiplying with the fourth lane may be slow (denormals). */
    f32x4 products =
        _mm_mul_ps(_mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 2, 1, 0)), _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 2, 1)));
    f32x4 sum = _mm_add_ss(products, _mm_shuffle_ps(products, products, _MM_SHUFFLE(1, 1, 1, 1)));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_shuffle_ps(products, products, _MM_SHUFFLE(2, 2, 2, 2))));
}

#else

typedef struct f32x4
{
    float lanes[4];
} f32x4;

static inline f32x4 f32x4_load(const float *p)
{
    f32x4 a = {{p[0], p[1], p[2], p[3]}};
    return a;
}

static inline void f32x4_store(float *p, f32x4 a)
{
    for (int i = 0; i < 4; i++)
        p[i] = a.lanes[i];
}

static inline f32x4 f32x4_splat(float x)
{
    f32x4 a = {{x, x, x, x}};
    return a;
}

static inline f32x4 f32x4_add(f32x4 a, f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] + b.lanes[i];
    return a;
}

static inline f32x4 f32x4_sub(f32x4 a, f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] - b.lanes[i];
    return a;
}

static inline f32x4 f32x4_mul(f32x4 a, f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] * b.lanes[i];
    return a;
}

static inline f32x4 f32x4_min(f32x4 a, f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline f32x4 f32x4_max(f32x4 a, f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline bool f32x4_all_le(f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    int all = 1;
    for (int i = 0; i < 4; i++)
        all &= (int)(a.lanes[i] <= b.lanes[i]) & (int)(c.lanes[i] <= d.lanes[i]);
    return all != 0;
}

static inline void f32x4_to_i32(int32_t out[4], f32x4 a)
{
    for (int i = 0; i < 3; i++)
        out[i] = (int32_t)a.lanes[i];
}

static inline f32x4 f32x4_from_u32(const uint32_t p[4])
{
    f32x4 a = {{(float)p[0], (float)p[1], (float)p[2], (float)p[3]}};
    return a;
}

static inline f32x4 f32x4_trunc(f32x4 a)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = (float)(int32_t)a.lanes[i];
    return a;
}

static inline f32x4 f32x4_prefix_sum(f32x4 a)
{
    for (int i = 1; i < 4; i++)
        a.lanes[i] += a.lanes[i - 1];
    return a;
}

static inline f32x4 f32x4_splat_last(f32x4 a)
{
    return f32x4_splat(a.lanes[3]);
}

static inline f32x4 f32x4_splat_min(f32x4 a)
{
    float least = a.lanes[0];
    for (int i = 1; i < 4; i++)
        least = a.lanes[i] < least ? a.lanes[i] : least;
    return f32x4_splat(least);
}

static inline unsigned f32x4_eq_bits(f32x4 a, f32x4 b)
{
    unsigned bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (unsigned)(a.lanes[i] == b.lanes[i]) << i;
    return bits;
}

static inline float f32x4_half_area(f32x4 a)
{
    return a.lanes[0] * a.lanes[1] + a.lanes[1] * a.lanes[2] + a.lanes[2] * a.lanes[0];
}

#endif

#endif
