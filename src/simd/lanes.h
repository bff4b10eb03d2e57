/* SPDX-License-Identifier: MIT */
/*
 * Eight floats in lanes, and truth per lane. Included only by kernel templates: what it means depends on the
 * instruction set the including file is compiled for. GRZ_SIMD_SCALAR forces plain C. Every variant computes the same
 * bits: minimum and maximum are defined as (a < b ? a : b) and (a > b ? a : b), and what may be fused is in fused.h.
 */
#ifndef GRZ_SIMD_LANES_H
#define GRZ_SIMD_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strict.h"

#if !defined(GRZ_SIMD_SCALAR) && defined(__AVX512VL__)
#define GRZ_LANES_AVX512 1
#define GRZ_LANES_AVX 1
#elif !defined(GRZ_SIMD_SCALAR) && defined(__AVX2__)
#define GRZ_LANES_AVX 1
#elif !defined(GRZ_SIMD_SCALAR) && defined(__SSE2__)
#define GRZ_LANES_SSE 1
#endif

#if !defined(GRZ_LANES_AVX)

/* Eight places from 0 to 7, from bytes; further bits of these are dropped. */
typedef struct picks
{
    uint8_t places[8];
} picks;

static inline picks picks_load(const uint8_t *bytes, int shift)
{
    picks p;
    for (int i = 0; i < 8; i++)
        p.places[i] = (uint8_t)(bytes[i] >> shift & 7);
    return p;
}

/* What bytes are more than one, likewise. */
static inline picks picks_after(const uint8_t *bytes, unsigned from)
{
    picks p;
    for (int i = 0; i < 8; i++)
        p.places[i] = (uint8_t)((bytes[i] - from) & 7);
    return p;
}

#endif

#if defined(GRZ_LANES_AVX)

#include <immintrin.h>

typedef __m256 lanes;
#if defined(GRZ_LANES_AVX512)
typedef __mmask8 truth;
#else
typedef __m256 truth;
#endif
typedef __m256i picks;

/* Eight places from 0 to 7, from bytes; further bits of these are dropped. */
static inline picks picks_load(const uint8_t *bytes, int shift)
{
    __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    return _mm256_and_si256(_mm256_srli_epi32(places, shift), _mm256_set1_epi32(7));
}

/* What bytes are more than one, likewise. */
static inline picks picks_after(const uint8_t *bytes, unsigned from)
{
    __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    return _mm256_and_si256(_mm256_sub_epi32(places, _mm256_set1_epi32((int)from)), _mm256_set1_epi32(7));
}

/* For each lane, the number in a table of eight that its pick names. */
static inline lanes lanes_pick(const float *table, picks p)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), p);
}

static inline lanes lanes_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void lanes_store(float *p, lanes a)
{
    _mm256_storeu_ps(p, a);
}

static inline lanes lanes_fill(float x)
{
    return _mm256_set1_ps(x);
}

/* Eight 16-bit integers, as floats. */
static inline lanes lanes_load_short(const int16_t *p)
{
    __m128i words;
    memcpy(&words, p, sizeof words);
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words));
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_ps(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_ps(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_ps(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_ps(a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_ps(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline lanes lanes_div(lanes a, lanes b)
{
    return _mm256_div_ps(a, b);
}

static inline lanes lanes_sqrt(lanes a)
{
    return _mm256_sqrt_ps(a);
}

static inline float lanes_lowest(lanes a)
{
    __m128 four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline float lanes_highest(lanes a)
{
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#if defined(GRZ_LANES_AVX512)

static inline truth lanes_le(lanes a, lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline truth lanes_lt(lanes a, lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline truth truth_all(void)
{
    return 0xff;
}

static inline truth truth_and_within(truth t, lanes a, float lower, lanes b, float upper)
{
    t = _mm256_mask_cmp_ps_mask(t, a, _mm256_set1_ps(lower), _CMP_GE_OQ);
    return _mm256_mask_cmp_ps_mask(t, b, _mm256_set1_ps(upper), _CMP_LE_OQ);
}

/* The same for loops, where many comparisons are under way at a time: in vectors, since only one port compares into
   mask registers. */
typedef __m256i overlap;

static inline overlap overlap_all(void)
{
    return _mm256_set1_epi32(-1);
}

static inline overlap overlap_and_within(overlap v, lanes a, float lower, lanes b, float upper)
{
    __m256i from = _mm256_castps_si256(_mm256_cmp_ps(a, _mm256_set1_ps(lower), _CMP_GE_OQ));
    __m256i to = _mm256_castps_si256(_mm256_cmp_ps(b, _mm256_set1_ps(upper), _CMP_LE_OQ));
    return _mm256_ternarylogic_epi32(v, from, to, 0x80);
}

static inline unsigned overlap_bits(overlap v)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

static inline truth truth_and(truth a, truth b)
{
    return (truth)(a & b);
}

static inline truth truth_or(truth a, truth b)
{
    return (truth)(a | b);
}

static inline truth truth_differ(truth a, truth b)
{
    return (truth)(a ^ b);
}

static inline unsigned truth_bits(truth a)
{
    return a;
}

static inline lanes lanes_select(truth t, lanes a, lanes b)
{
    return _mm256_mask_blend_ps(t, b, a);
}

#else

static inline truth lanes_le(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

static inline truth lanes_lt(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline truth truth_and(truth a, truth b)
{
    return _mm256_and_ps(a, b);
}

static inline truth truth_or(truth a, truth b)
{
    return _mm256_or_ps(a, b);
}

static inline truth truth_differ(truth a, truth b)
{
    return _mm256_xor_ps(a, b);
}

static inline unsigned truth_bits(truth a)
{
    return (unsigned)_mm256_movemask_ps(a);
}

static inline lanes lanes_select(truth t, lanes a, lanes b)
{
    return _mm256_blendv_ps(b, a, t);
}

#endif

#elif defined(GRZ_LANES_SSE)

#include <emmintrin.h>

typedef struct lanes
{
    __m128 low, high;
} lanes;

typedef lanes truth;

static inline lanes lanes_pick(const float *table, picks p)
{
    return (lanes){_mm_setr_ps(table[p.places[0]], table[p.places[1]], table[p.places[2]], table[p.places[3]]),
                   _mm_setr_ps(table[p.places[4]], table[p.places[5]], table[p.places[6]], table[p.places[7]])};
}

/* Applies a four-lane operation to both halves. */
#define GRZ_BOTH(operation, a, b) ((lanes){operation((a).low, (b).low), operation((a).high, (b).high)})

static inline lanes lanes_load(const float *p)
{
    return (lanes){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}

static inline void lanes_store(float *p, lanes a)
{
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}

static inline lanes lanes_fill(float x)
{
    return (lanes){_mm_set1_ps(x), _mm_set1_ps(x)};
}

static inline lanes lanes_load_short(const int16_t *p)
{
    __m128i words;
    memcpy(&words, p, sizeof words);
    __m128i sign = _mm_srai_epi16(words, 15);
    return (lanes){_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, sign)), _mm_cvtepi32_ps(_mm_unpackhi_epi16(words, sign))};
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_add_ps, a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_sub_ps, a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_mul_ps, a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_min_ps, a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_max_ps, a, b);
}

static inline lanes lanes_abs(lanes a)
{
    lanes sign = lanes_fill(-0.0f);
    return GRZ_BOTH(_mm_andnot_ps, sign, a);
}

static inline lanes lanes_div(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_div_ps, a, b);
}

static inline lanes lanes_sqrt(lanes a)
{
    return (lanes){_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}

static inline float lanes_lowest(lanes a)
{
    __m128 four = _mm_min_ps(a.low, a.high);
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline float lanes_highest(lanes a)
{
    __m128 four = _mm_max_ps(a.low, a.high);
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline truth lanes_le(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_cmple_ps, a, b);
}

static inline truth lanes_lt(lanes a, lanes b)
{
    return GRZ_BOTH(_mm_cmplt_ps, a, b);
}

static inline truth truth_and(truth a, truth b)
{
    return GRZ_BOTH(_mm_and_ps, a, b);
}

static inline truth truth_or(truth a, truth b)
{
    return GRZ_BOTH(_mm_or_ps, a, b);
}

static inline truth truth_differ(truth a, truth b)
{
    return GRZ_BOTH(_mm_xor_ps, a, b);
}

static inline unsigned truth_bits(truth a)
{
    return (unsigned)(_mm_movemask_ps(a.low) | _mm_movemask_ps(a.high) << 4);
}

static inline lanes lanes_select(truth t, lanes a, lanes b)
{
    return (lanes){_mm_or_ps(_mm_and_ps(t.low, a.low), _mm_andnot_ps(t.low, b.low)),
                   _mm_or_ps(_mm_and_ps(t.high, a.high), _mm_andnot_ps(t.high, b.high))};
}

#else

typedef struct lanes
{
    float x[8];
} lanes;

typedef unsigned truth;

#define GRZ_EACH(expression)                                                                                           \
    lanes r;                                                                                                           \
    for (int i = 0; i < 8; i++)                                                                                        \
        r.x[i] = (expression);                                                                                         \
    return r

static inline lanes lanes_pick(const float *table, picks p)
{
    GRZ_EACH(table[p.places[i]]);
}

static inline lanes lanes_load(const float *p)
{
    GRZ_EACH(p[i]);
}

static inline void lanes_store(float *p, lanes a)
{
    memcpy(p, a.x, sizeof a.x);
}

static inline lanes lanes_fill(float value)
{
    GRZ_EACH(value);
}

static inline lanes lanes_load_short(const int16_t *p)
{
    GRZ_EACH((float)p[i]);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] + b.x[i]);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] - b.x[i]);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] * b.x[i]);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] < b.x[i] ? a.x[i] : b.x[i]);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] > b.x[i] ? a.x[i] : b.x[i]);
}

static inline lanes lanes_abs(lanes a)
{
    GRZ_EACH(a.x[i] < 0 ? -a.x[i] : a.x[i]);
}

static inline lanes lanes_div(lanes a, lanes b)
{
    GRZ_EACH(a.x[i] / b.x[i]);
}

static inline lanes lanes_sqrt(lanes a)
{
    GRZ_EACH(sqrtf(a.x[i]));
}

static inline float lanes_lowest(lanes a)
{
    float lowest = a.x[0];
    for (int i = 1; i < 8; i++)
        lowest = a.x[i] < lowest ? a.x[i] : lowest;
    return lowest;
}

static inline float lanes_highest(lanes a)
{
    float highest = a.x[0];
    for (int i = 1; i < 8; i++)
        highest = a.x[i] > highest ? a.x[i] : highest;
    return highest;
}

static inline truth lanes_le(lanes a, lanes b)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)(a.x[i] <= b.x[i]) << i;
    return bits;
}

static inline truth lanes_lt(lanes a, lanes b)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)(a.x[i] < b.x[i]) << i;
    return bits;
}

static inline truth truth_and(truth a, truth b)
{
    return a & b;
}

static inline truth truth_or(truth a, truth b)
{
    return a | b;
}

static inline truth truth_differ(truth a, truth b)
{
    return a ^ b;
}

static inline unsigned truth_bits(truth a)
{
    return a;
}

static inline lanes lanes_select(truth t, lanes a, lanes b)
{
    GRZ_EACH((t >> i & 1) != 0 ? a.x[i] : b.x[i]);
}

#endif

#if !defined(GRZ_LANES_AVX512)

static inline truth truth_all(void)
{
    return lanes_le(lanes_fill(0.0f), lanes_fill(0.0f));
}

/* t and a >= lower and b <= upper, written so that a number in memory need not be spread first. */
static inline truth truth_and_within(truth t, lanes a, float lower, lanes b, float upper)
{
    return truth_and(t, truth_and(lanes_le(lanes_fill(lower), a), lanes_le(b, lanes_fill(upper))));
}

typedef truth overlap;

static inline overlap overlap_all(void)
{
    return truth_all();
}

static inline overlap overlap_and_within(overlap v, lanes a, float lower, lanes b, float upper)
{
    return truth_and_within(v, a, lower, b, upper);
}

static inline unsigned overlap_bits(overlap v)
{
    return truth_bits(v);
}

#endif

#endif
