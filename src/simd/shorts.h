/* SPDX-License-Identifier: MIT */
/*
 * Eight 16-bit numbers as one value: boxes on a grid, while building. Lanes 0 to 2 hold a box's lower corner, lanes 4
 * to 6 its upper one, negated, so that one minimum is the union of two boxes. SSE2 where the target has it (every
 * x86-64 does), plain C elsewhere; both give the same bits.
 */
#ifndef GRZ_SIMD_SHORTS_H
#define GRZ_SIMD_SHORTS_H

#include <stdint.h>

#include "simd/quad.h"

#if defined(__SSE2__)

typedef __m128i shorts;

/* From and to memory aligned to 16 bytes. */
static inline shorts shorts_load(const int16_t *p)
{
    return _mm_load_si128((const __m128i *)(const void *)p);
}

static inline void shorts_store(int16_t *p, shorts a)
{
    _mm_store_si128((__m128i *)(void *)p, a);
}

static inline shorts shorts_fill(int16_t x)
{
    return _mm_set1_epi16(x);
}

static inline shorts shorts_min(shorts a, shorts b)
{
    return _mm_min_epi16(a, b);
}

/* The centre of a box in lanes 0 to 2, and negated in lanes 4 to 6. */
static inline shorts shorts_centre(shorts box)
{
    shorts half = _mm_srai_epi16(box, 1);
    return _mm_sub_epi16(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
}

/* All of a where `first` holds, else all of b. */
static inline shorts shorts_choose(bool first, shorts a, shorts b)
{
    shorts mask = _mm_set1_epi16((short)-(int)first);
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

/* The sizes of a box, in lanes 0 to 2. */
static inline shorts shorts_sizes(shorts box)
{
    shorts sum = _mm_add_epi16(box, _mm_shuffle_epi32(box, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_sub_epi16(_mm_setzero_si128(), sum);
}

/* x y + y z + z x of a box's sizes. */
static inline float shorts_area(shorts box)
{
    return quad_area(_mm_cvtepi32_ps(_mm_unpacklo_epi16(shorts_sizes(box), _mm_setzero_si128())));
}

/* The same of four boxes, one after the other. */
static inline void shorts_four_areas(const int16_t *boxes, float out[4])
{
    shorts zero = _mm_setzero_si128();
    shorts low = _mm_unpacklo_epi16(shorts_sizes(shorts_load(boxes)), shorts_sizes(shorts_load(boxes + 8)));
    shorts high = _mm_unpacklo_epi16(shorts_sizes(shorts_load(boxes + 16)), shorts_sizes(shorts_load(boxes + 24)));
    shorts xy = _mm_unpacklo_epi32(low, high);
    quad x = _mm_cvtepi32_ps(_mm_unpacklo_epi16(xy, zero)), y = _mm_cvtepi32_ps(_mm_unpackhi_epi16(xy, zero));
    quad z = _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpackhi_epi32(low, high), zero));
    quad_store(out, quad_add(quad_add(quad_multiply(x, y), quad_multiply(y, z)), quad_multiply(z, x)));
}

#else

typedef struct shorts
{
    int16_t lanes[8];
} shorts;

static inline shorts shorts_load(const int16_t *p)
{
    shorts a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = p[i];
    return a;
}

static inline void shorts_store(int16_t *p, shorts a)
{
    for (int i = 0; i < 8; i++)
        p[i] = a.lanes[i];
}

static inline shorts shorts_fill(int16_t x)
{
    shorts a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = x;
    return a;
}

static inline shorts shorts_min(shorts a, shorts b)
{
    for (int i = 0; i < 8; i++)
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline shorts shorts_centre(shorts box)
{
    shorts a;
    for (int i = 0; i < 8; i++)
        a.lanes[i] = (int16_t)(uint16_t)((box.lanes[i] >> 1) - (box.lanes[(i + 4) % 8] >> 1));
    return a;
}

static inline shorts shorts_choose(bool first, shorts a, shorts b)
{
    return first ? a : b;
}

static inline float shorts_area(shorts box)
{
    quad size = {{0, 0, 0, 0}};
    for (int i = 0; i < 3; i++)
        size.lanes[i] = (float)(uint16_t) - (box.lanes[i] + box.lanes[i + 4]);
    return quad_area(size);
}

static inline void shorts_four_areas(const int16_t *boxes, float out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = shorts_area(shorts_load(boxes + 8 * i));
}

#endif

#endif
