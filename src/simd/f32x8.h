/* SPDX-License-Identifier: MIT */
/*
 * Eight floats in lanes, and masks of lanes. Included only by kernel templates: the implementation depends on the
 * instruction set the including file is compiled for. GRZ_SIMD_SCALAR forces plain C. Every variant computes the same
 * bits: minimum and maximum are defined as (a < b ? a : b) and (a > b ? a : b), and fused multiply-add is in fma.h.
 */
#ifndef GRZ_SIMD_F32X8_H
#define GRZ_SIMD_F32X8_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strict_float.h"

#if !defined(GRZ_SIMD_SCALAR) && defined(__AVX512VL__)
#define GRZ_VECTORS_AVX512 1
#define GRZ_VECTORS_AVX 1
#elif !defined(GRZ_SIMD_SCALAR) && defined(__AVX2__)
#define GRZ_VECTORS_AVX 1
#elif !defined(GRZ_SIMD_SCALAR) && defined(__SSE2__)
#define GRZ_VECTORS_SSE 1
#endif

#if !defined(GRZ_VECTORS_AVX)

/* Eight lane indices from 0 to 7, from bytes; higher bits are dropped. */
typedef struct permutation8
{
    uint8_t lanes[8];
} permutation8;

static inline permutation8 permutation8_load(const uint8_t *bytes, int shift)
{
    permutation8 p;
    for (int i = 0; i < 8; i++)
        p.lanes[i] = (uint8_t)(bytes[i] >> shift & 7);
    return p;
}

/* The same for differences of bytes from one number. */
static inline permutation8 permutation8_after(const uint8_t *bytes, unsigned from)
{
    permutation8 p;
    for (int i = 0; i < 8; i++)
        p.lanes[i] = (uint8_t)((bytes[i] - from) & 7);
    return p;
}

#endif

#if defined(GRZ_VECTORS_AVX)

#include <immintrin.h>

typedef __m256 f32x8;
#if defined(GRZ_VECTORS_AVX512)
typedef __mmask8 mask32x8;
#else
typedef __m256 mask32x8;
#endif
typedef __m256i permutation8;

/* Eight lane indices from 0 to 7, from bytes; higher bits are dropped. */
static inline permutation8 permutation8_load(const uint8_t *bytes, int shift)
{
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    return _mm256_and_si256(_mm256_srli_epi32(lanes, shift), _mm256_set1_epi32(7));
}

/* The same for differences of bytes from one number. */
static inline permutation8 permutation8_after(const uint8_t *bytes, unsigned from)
{
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    return _mm256_and_si256(_mm256_sub_epi32(lanes, _mm256_set1_epi32((int)from)), _mm256_set1_epi32(7));
}

/* For each lane, the entry of a table of eight that its index names. */
static inline f32x8 f32x8_permute(const float *table, permutation8 p)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), p);
}

static inline f32x8 f32x8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void f32x8_store(float *p, f32x8 a)
{
    _mm256_storeu_ps(p, a);
}

static inline f32x8 f32x8_splat(float x)
{
    return _mm256_set1_ps(x);
}

/* Eight 16-bit integers, as floats. */
static inline f32x8 f32x8_load_i16(const int16_t *p)
{
    __m128i words;
    memcpy(&words, p, sizeof words);
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words));
}

static inline f32x8 f32x8_add(f32x8 a, f32x8 b)
{
    return _mm256_add_ps(a, b);
}

static inline f32x8 f32x8_sub(f32x8 a, f32x8 b)
{
    return _mm256_sub_ps(a, b);
}

static inline f32x8 f32x8_mul(f32x8 a, f32x8 b)
{
    return _mm256_mul_ps(a, b);
}

static inline f32x8 f32x8_min(f32x8 a, f32x8 b)
{
    return _mm256_min_ps(a, b);
}

static inline f32x8 f32x8_max(f32x8 a, f32x8 b)
{
    return _mm256_max_ps(a, b);
}

static inline f32x8 f32x8_abs(f32x8 a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline f32x8 f32x8_div(f32x8 a, f32x8 b)
{
    return _mm256_div_ps(a, b);
}

static inline f32x8 f32x8_sqrt(f32x8 a)
{
    return _mm256_sqrt_ps(a);
}

static inline float f32x8_reduce_min(f32x8 a)
{
    __m128 four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline float f32x8_reduce_max(f32x8 a)
{
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#if defined(GRZ_VECTORS_AVX512)

static inline mask32x8 f32x8_le(f32x8 a, f32x8 b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline mask32x8 f32x8_lt(f32x8 a, f32x8 b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline mask32x8 mask32x8_all(void)
{
    return 0xff;
}

static inline mask32x8 mask32x8_and_within(mask32x8 t, f32x8 a, float lower, f32x8 b, float upper)
{
    t = _mm256_mask_cmp_ps_mask(t, a, _mm256_set1_ps(lower), _CMP_GE_OQ);
    return _mm256_mask_cmp_ps_mask(t, b, _mm256_set1_ps(upper), _CMP_LE_OQ);
}

/* The same for loops with many comparisons in flight: in vector registers, since only one port compares into mask
   registers. */
typedef __m256i vmask32x8;

static inline vmask32x8 vmask32x8_all(void)
{
    return _mm256_set1_epi32(-1);
}

static inline vmask32x8 vmask32x8_and_within(vmask32x8 v, f32x8 a, float lower, f32x8 b, float upper)
{
    __m256i from = _mm256_castps_si256(_mm256_cmp_ps(a, _mm256_set1_ps(lower), _CMP_GE_OQ));
    __m256i to = _mm256_castps_si256(_mm256_cmp_ps(b, _mm256_set1_ps(upper), _CMP_LE_OQ));
    return _mm256_ternarylogic_epi32(v, from, to, 0x80);
}

static inline unsigned vmask32x8_bits(vmask32x8 v)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

static inline mask32x8 mask32x8_and(mask32x8 a, mask32x8 b)
{
    return (mask32x8)(a & b);
}

static inline mask32x8 mask32x8_or(mask32x8 a, mask32x8 b)
{
    return (mask32x8)(a | b);
}

static inline mask32x8 mask32x8_xor(mask32x8 a, mask32x8 b)
{
    return (mask32x8)(a ^ b);
}

static inline unsigned mask32x8_bits(mask32x8 a)
{
    return a;
}

static inline f32x8 f32x8_select(mask32x8 t, f32x8 a, f32x8 b)
{
    return _mm256_mask_blend_ps(t, b, a);
}

#else

static inline mask32x8 f32x8_le(f32x8 a, f32x8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

static inline mask32x8 f32x8_lt(f32x8 a, f32x8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline mask32x8 mask32x8_and(mask32x8 a, mask32x8 b)
{
    return _mm256_and_ps(a, b);
}

static inline mask32x8 mask32x8_or(mask32x8 a, mask32x8 b)
{
    return _mm256_or_ps(a, b);
}

static inline mask32x8 mask32x8_xor(mask32x8 a, mask32x8 b)
{
    return _mm256_xor_ps(a, b);
}

static inline unsigned mask32x8_bits(mask32x8 a)
{
    return (unsigned)_mm256_movemask_ps(a);
}

static inline f32x8 f32x8_select(mask32x8 t, f32x8 a, f32x8 b)
{
    return _mm256_blendv_ps(b, a, t);
}

#endif

#elif defined(GRZ_VECTORS_SSE)

#include <emmintrin.h>

typedef struct f32x8
{
    __m128 low, high;
} f32x8;

typedef f32x8 mask32x8;

static inline f32x8 f32x8_permute(const float *table, permutation8 p)
{
    return (f32x8){_mm_setr_ps(table[p.lanes[0]], table[p.lanes[1]], table[p.lanes[2]], table[p.lanes[3]]),
                   _mm_setr_ps(table[p.lanes[4]], table[p.lanes[5]], table[p.lanes[6]], table[p.lanes[7]])};
}

/* Applies a four-lane operation to both halves. */
#define GRZ_BOTH(operation, a, b) ((f32x8){operation((a).low, (b).low), operation((a).high, (b).high)})

static inline f32x8 f32x8_load(const float *p)
{
    return (f32x8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}

static inline void f32x8_store(float *p, f32x8 a)
{
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}

static inline f32x8 f32x8_splat(float x)
{
    return (f32x8){_mm_set1_ps(x), _mm_set1_ps(x)};
}

static inline f32x8 f32x8_load_i16(const int16_t *p)
{
    __m128i words;
    memcpy(&words, p, sizeof words);
    __m128i sign = _mm_srai_epi16(words, 15);
    return (f32x8){_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, sign)), _mm_cvtepi32_ps(_mm_unpackhi_epi16(words, sign))};
}

static inline f32x8 f32x8_add(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_add_ps, a, b);
}

static inline f32x8 f32x8_sub(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_sub_ps, a, b);
}

static inline f32x8 f32x8_mul(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_mul_ps, a, b);
}

static inline f32x8 f32x8_min(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_min_ps, a, b);
}

static inline f32x8 f32x8_max(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_max_ps, a, b);
}

static inline f32x8 f32x8_abs(f32x8 a)
{
    f32x8 sign = f32x8_splat(-0.0f);
    return GRZ_BOTH(_mm_andnot_ps, sign, a);
}

static inline f32x8 f32x8_div(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_div_ps, a, b);
}

static inline f32x8 f32x8_sqrt(f32x8 a)
{
    return (f32x8){_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}

static inline float f32x8_reduce_min(f32x8 a)
{
    __m128 four = _mm_min_ps(a.low, a.high);
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline float f32x8_reduce_max(f32x8 a)
{
    __m128 four = _mm_max_ps(a.low, a.high);
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline mask32x8 f32x8_le(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_cmple_ps, a, b);
}

static inline mask32x8 f32x8_lt(f32x8 a, f32x8 b)
{
    return GRZ_BOTH(_mm_cmplt_ps, a, b);
}

static inline mask32x8 mask32x8_and(mask32x8 a, mask32x8 b)
{
    return GRZ_BOTH(_mm_and_ps, a, b);
}

static inline mask32x8 mask32x8_or(mask32x8 a, mask32x8 b)
{
    return GRZ_BOTH(_mm_or_ps, a, b);
}

static inline mask32x8 mask32x8_xor(mask32x8 a, mask32x8 b)
{
    return GRZ_BOTH(_mm_xor_ps, a, b);
}

static inline unsigned mask32x8_bits(mask32x8 a)
{
    return (unsigned)(_mm_movemask_ps(a.low) | _mm_movemask_ps(a.high) << 4);
}

static inline f32x8 f32x8_select(mask32x8 t, f32x8 a, f32x8 b)
{
    return (f32x8){_mm_or_ps(_mm_and_ps(t.low, a.low), _mm_andnot_ps(t.low, b.low)),
                   _mm_or_ps(_mm_and_ps(t.high, a.high), _mm_andnot_ps(t.high, b.high))};
}

#else

typedef struct f32x8
{
    float x[8];
} f32x8;

typedef unsigned mask32x8;

#define GRZ_EACH(expression)                                                                                           \
    f32x8 r;                                                                                                           \
    for (int i = 0; i < 8; i++)                                                                                        \
        r.x[i] = (expression);                                                                                         \
    return r

static inline f32x8 f32x8_permute(const float *table, permutation8 p)
{
    GRZ_EACH(table[p.lanes[i]]);
}

static inline f32x8 f32x8_load(const float *p)
{
    GRZ_EACH(p[i]);
}

static inline void f32x8_store(float *p, f32x8 a)
{
    memcpy(p, a.x, sizeof a.x);
}

static inline f32x8 f32x8_splat(float value)
{
    GRZ_EACH(value);
}

static inline f32x8 f32x8_load_i16(const int16_t *p)
{
    GRZ_EACH((float)p[i]);
}

static inline f32x8 f32x8_add(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] + b.x[i]);
}

static inline f32x8 f32x8_sub(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] - b.x[i]);
}

static inline f32x8 f32x8_mul(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] * b.x[i]);
}

static inline f32x8 f32x8_min(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] < b.x[i] ? a.x[i] : b.x[i]);
}

static inline f32x8 f32x8_max(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] > b.x[i] ? a.x[i] : b.x[i]);
}

static inline f32x8 f32x8_abs(f32x8 a)
{
    GRZ_EACH(a.x[i] < 0 ? -a.x[i] : a.x[i]);
}

static inline f32x8 f32x8_div(f32x8 a, f32x8 b)
{
    GRZ_EACH(a.x[i] / b.x[i]);
}

static inline f32x8 f32x8_sqrt(f32x8 a)
{
    GRZ_EACH(sqrtf(a.x[i]));
}

static inline float f32x8_reduce_min(f32x8 a)
{
    float lowest = a.x[0];
    for (int i = 1; i < 8; i++)
        lowest = a.x[i] < lowest ? a.x[i] : lowest;
    return lowest;
}

static inline float f32x8_reduce_max(f32x8 a)
{
    float highest = a.x[0];
    for (int i = 1; i < 8; i++)
        highest = a.x[i] > highest ? a.x[i] : highest;
    return highest;
}

static inline mask32x8 f32x8_le(f32x8 a, f32x8 b)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)(a.x[i] <= b.x[i]) << i;
    return bits;
}

static inline mask32x8 f32x8_lt(f32x8 a, f32x8 b)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)(a.x[i] < b.x[i]) << i;
    return bits;
}

static inline mask32x8 mask32x8_and(mask32x8 a, mask32x8 b)
{
    return a & b;
}

static inline mask32x8 mask32x8_or(mask32x8 a, mask32x8 b)
{
    return a | b;
}

static inline mask32x8 mask32x8_xor(mask32x8 a, mask32x8 b)
{
    return a ^ b;
}

static inline unsigned mask32x8_bits(mask32x8 a)
{
    return a;
}

static inline f32x8 f32x8_select(mask32x8 t, f32x8 a, f32x8 b)
{
    GRZ_EACH((t >> i & 1) != 0 ? a.x[i] : b.x[i]);
}

#endif

#if !defined(GRZ_VECTORS_AVX512)

static inline mask32x8 mask32x8_all(void)
{
    return f32x8_le(f32x8_splat(0.0f), f32x8_splat(0.0f));
}

/* t and a >= lower and b <= upper, written so that a number in memory need not be broadcast first. */
static inline mask32x8 mask32x8_and_within(mask32x8 t, f32x8 a, float lower, f32x8 b, float upper)
{
    return mask32x8_and(t, mask32x8_and(f32x8_le(f32x8_splat(lower), a), f32x8_le(b, f32x8_splat(upper))));
}

typedef mask32x8 vmask32x8;

static inline vmask32x8 vmask32x8_all(void)
{
    return mask32x8_all();
}

static inline vmask32x8 vmask32x8_and_within(vmask32x8 v, f32x8 a, float lower, f32x8 b, float upper)
{
    return mask32x8_and_within(v, a, lower, b, upper);
}

static inline unsigned vmask32x8_bits(vmask32x8 v)
{
    return mask32x8_bits(v);
}

#endif

#endif
