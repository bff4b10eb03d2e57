/* SPDX-License-Identifier: MIT */
/*
 * Eight 16-bit integers as one value: quantised boxes, while building. Lanes 0 to 2 hold a box's lower corner, lanes 4
 * to 6 its upper one, negated, so that one minimum is the union of two boxes. SSE2 where the target has it (every
 * x86-64 does), plain C elsewhere; both give the same bits.
 */
#ifndef GRZ_SIMD_I16X8_H
#define GRZ_SIMD_I16X8_H

#include <stdint.h>

#include "simd/f32x4.h"

#if defined(__SSE2__)

typedef __m128i i16x8;

/* From and to memory aligned to 16 bytes. */
static inline i16x8 i16x8_load(const int16_t *p)
{
    return _mm_load_si128((const __m128i *)(const void *)p);
}

static inline void i16x8_store(int16_t *p, i16x8 a)
{
    _mm_store_si128((__m128i *)(void *)p, a);
}

static inline i16x8 i16x8_splat(int16_t x)
{
    return _mm_set1_epi16(x);
}

static inline i16x8 i16x8_min(i16x8 a, i16x8 b)
{
    return _mm_min_epi16(a, b);
}

/* The centre of a box in lanes 0 to 2, and negated in lanes 4 to 6. */
static inline i16x8 i16x8_centre(i16x8 box)
{
    i16x8 half = _mm_srai_epi16(box, 1);
    return _mm_sub_epi16(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
}

/* a when `first` is set, else b. */
static inline i16x8 i16x8_select(bool first, i16x8 a, i16x8 b)
{
    i16x8 mask = _mm_set1_epi16((short)-(int)first);
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

/* The sizes of a box, in lanes 0 to 2. */
static inline i16x8 i16x8_sizes(i16x8 box)
{
    i16x8 sum = _mm_add_epi16(box, _mm_shuffle_epi32(box, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_sub_epi16(_mm_setzero_si128(), sum);
}

/* x y + y z + z x of a box's sizes. */
static inline float i16x8_half_area(i16x8 box)
{
    return f32x4_half_area(_mm_cvtepi32_ps(_mm_unpacklo_epi16(i16x8_sizes(box), _mm_setzero_si128())));
}

/* The same of four boxes, one after the other. */
static inline void i16x8_four_half_areas(const int16_t *boxes, float out[4])
{
    i16x8 zero = _mm_setzero_si128();
    i16x8 low = _mm_unpacklo_epi16(i16x8_sizes(i16x8_load(boxes)), i16x8_sizes(i16x8_load(boxes + 8)));
    i16x8 high = _mm_unpacklo_epi16(i16x8_sizes(i16x8_load(boxes + 16)), i16x8_sizes(i16x8_load(boxes + 24)));
    i16x8 xy = _mm_unpacklo_epi32(low, high);
    f32x4 x = _mm_cvtepi32_ps(_mm_unpacklo_epi16(xy, zero)), y = _mm_cvtepi32_ps(_mm_unpackhi_epi16(xy, zero));
    f32x4 z = _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpackhi_epi32(low, high), zero));
    f32x4_store(out, f32x4_add(f32x4_add(f32x4_mul(x, y), f32x4_mul(y, z)), f32x4_mul(z, x)));
}

#else

typedef struct i16x8
{
    int16_t lanes[8];
} i16x8;

static inline i16x8 i16x8_load(const int16_t *p)
{
    i16x8 a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = p[i];
    return a;
}

static inline void i16x8_store(int16_t *p, i16x8 a)
{
    for (int i = 0; i < 8; i++)
        p[i] = a.lanes[i];
}

static inline i16x8 i16x8_splat(int16_t x)
{
    i16x8 a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = x;
    return a;
}

static inline i16x8 i16x8_min(i16x8 a, i16x8 b)
{
    for (int i = 0; i < 8; i++)
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline i16x8 i16x8_centre(i16x8 box)
{
    i16x8 a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = (int16_t)(uint16_t)((box.lanes[i] >> 1) - (box.lanes[(i + 4) % 8] >> 1));
    return a;
}

static inline i16x8 i16x8_select(bool first, i16x8 a, i16x8 b)
{
    return first ? a : b;
}

static inline float i16x8_half_area(i16x8 box)
{
    f32x4 size = {{0, 0, 0, 0}};
    for (int i = 0; i < 3; i++)
        size.lanes[i] = (float)(uint16_t) - (box.lanes[i] + box.lanes[i + 4]);
    return f32x4_half_area(size);
}

static inline void i16x8_four_half_areas(const int16_t *boxes, float out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = i16x8_half_area(i16x8_load(boxes + 8 * i));
}

#endif

#endif
