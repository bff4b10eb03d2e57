/* SPDX-License-Identifier: MIT */
/*
 * Operations that fitting needs beyond f64x8.h: loading vertices into lanes, extremes over lanes, conversions. Included
 * only by kernel templates, and every variant computes the same bits. Vertices are loaded straight into registers:
 * scalar stores followed by a vector load would stall store-to-load forwarding.
 */
#ifndef GRZ_SIMD_FIT_VECTORS_H
#define GRZ_SIMD_FIT_VECTORS_H

#include "simd/f64x8.h"

#if defined(GRZ_VECTORS_AVX)

/* The same coordinate of four vertices. */
typedef struct grz_four_vertices
{
    __m256d x, y, z;
} grz_four_vertices;

static inline grz_four_vertices load_four(const double *const v[4])
{
    __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(v[0])), _mm_loadu_pd(v[2]), 1);
    __m256d odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(v[1])), _mm_loadu_pd(v[3]), 1);
    __m128d low = _mm_loadh_pd(_mm_load_sd(v[0] + 2), v[1] + 2), high = _mm_loadh_pd(_mm_load_sd(v[2] + 2), v[3] + 2);
    return (grz_four_vertices){_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd),
                               _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1)};
}

static inline __m128d lower_half(__m256d a)
{
    return _mm256_castpd256_pd128(a);
}

static inline __m128d upper_half(__m256d a)
{
    return _mm256_extractf128_pd(a, 1);
}

static inline double lowest_of_four(__m256d a)
{
    __m128d two = _mm_min_pd(lower_half(a), upper_half(a));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline double highest_of_four(__m256d a)
{
    __m128d two = _mm_max_pd(lower_half(a), upper_half(a));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

/* Stores eight integers less 32768, which must fit 16 bits. */
static inline void store_shorts(int16_t *out, __m128i low, __m128i high)
{
    __m128i middle = _mm_set1_epi32(32768);
    __m128i words = _mm_packs_epi32(_mm_sub_epi32(low, middle), _mm_sub_epi32(high, middle));
    memcpy(out, &words, sizeof words);
}

#endif

#if defined(GRZ_VECTORS_AVX512)

/* Eight vertices, by axis. */
static inline v3x8 v3x8_of_vertices(const double *const v[8])
{
    grz_four_vertices low = load_four(v), high = load_four(v + 4);
    return (v3x8){_mm512_insertf64x4(_mm512_castpd256_pd512(low.x), high.x, 1),
                  _mm512_insertf64x4(_mm512_castpd256_pd512(low.y), high.y, 1),
                  _mm512_insertf64x4(_mm512_castpd256_pd512(low.z), high.z, 1)};
}

static inline double f64x8_reduce_min(f64x8 a)
{
    return lowest_of_four(_mm256_min_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1)));
}

static inline double f64x8_reduce_max(f64x8 a)
{
    return highest_of_four(_mm256_max_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1)));
}

static inline f32x8 f64x8_to_f32x8(f64x8 a)
{
    return _mm512_cvtpd_ps(a);
}

/* Rounds toward zero and subtracts 32768; the result must fit 16 bits. */
static inline void f64x8_store_i16(int16_t *out, f64x8 a)
{
    __m256i words = _mm512_cvttpd_epi32(a);
    store_shorts(out, _mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

#elif defined(GRZ_VECTORS_AVX)

static inline v3x8 v3x8_of_vertices(const double *const v[8])
{
    grz_four_vertices low = load_four(v), high = load_four(v + 4);
    return (v3x8){{{low.x, high.x}}, {{low.y, high.y}}, {{low.z, high.z}}};
}

static inline double f64x8_reduce_min(f64x8 a)
{
    return lowest_of_four(_mm256_min_pd(a.x[0], a.x[1]));
}

static inline double f64x8_reduce_max(f64x8 a)
{
    return highest_of_four(_mm256_max_pd(a.x[0], a.x[1]));
}

static inline f32x8 f64x8_to_f32x8(f64x8 a)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.x[0])), _mm256_cvtpd_ps(a.x[1]), 1);
}

static inline void f64x8_store_i16(int16_t *out, f64x8 a)
{
    store_shorts(out, _mm256_cvttpd_epi32(a.x[0]), _mm256_cvttpd_epi32(a.x[1]));
}

#elif defined(GRZ_VECTORS_SSE)

static inline v3x8 v3x8_of_vertices(const double *const v[8])
{
    v3x8 t;
    for (int i = 0; i < 4; i++)
    {
        __m128d even = _mm_loadu_pd(v[2 * i]), odd = _mm_loadu_pd(v[2 * i + 1]);
        t.x.x[i] = _mm_unpacklo_pd(even, odd);
        t.y.x[i] = _mm_unpackhi_pd(even, odd);
        t.z.x[i] = _mm_loadh_pd(_mm_load_sd(v[2 * i] + 2), v[2 * i + 1] + 2);
    }
    return t;
}

static inline double f64x8_reduce_min(f64x8 a)
{
    __m128d two = _mm_min_pd(_mm_min_pd(a.x[0], a.x[2]), _mm_min_pd(a.x[1], a.x[3]));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline double f64x8_reduce_max(f64x8 a)
{
    __m128d two = _mm_max_pd(_mm_max_pd(a.x[0], a.x[2]), _mm_max_pd(a.x[1], a.x[3]));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline f32x8 f64x8_to_f32x8(f64x8 a)
{
    return (f32x8){_mm_movelh_ps(_mm_cvtpd_ps(a.x[0]), _mm_cvtpd_ps(a.x[1])),
                   _mm_movelh_ps(_mm_cvtpd_ps(a.x[2]), _mm_cvtpd_ps(a.x[3]))};
}

static inline void f64x8_store_i16(int16_t *out, f64x8 a)
{
    __m128i middle = _mm_set1_epi32(32768);
    __m128i low = _mm_unpacklo_epi64(_mm_cvttpd_epi32(a.x[0]), _mm_cvttpd_epi32(a.x[1]));
    __m128i high = _mm_unpacklo_epi64(_mm_cvttpd_epi32(a.x[2]), _mm_cvttpd_epi32(a.x[3]));
    __m128i words = _mm_packs_epi32(_mm_sub_epi32(low, middle), _mm_sub_epi32(high, middle));
    memcpy(out, &words, sizeof words);
}

#else

static inline v3x8 v3x8_of_vertices(const double *const v[8])
{
    v3x8 t;
    for (int i = 0; i < 8; i++)
    {
        t.x.x[i] = v[i][0];
        t.y.x[i] = v[i][1];
        t.z.x[i] = v[i][2];
    }
    return t;
}

static inline double f64x8_reduce_min(f64x8 a)
{
    double lowest = a.x[0];
    for (int i = 1; i < 8; i++)
        lowest = a.x[i] < lowest ? a.x[i] : lowest;
    return lowest;
}

static inline double f64x8_reduce_max(f64x8 a)
{
    double highest = a.x[0];
    for (int i = 1; i < 8; i++)
        highest = a.x[i] > highest ? a.x[i] : highest;
    return highest;
}

static inline f32x8 f64x8_to_f32x8(f64x8 a)
{
    float floats[8];
    for (int i = 0; i < 8; i++)
        floats[i] = (float)a.x[i];
    return f32x8_load(floats);
}

static inline void f64x8_store_i16(int16_t *out, f64x8 a)
{
    for (int i = 0; i < 8; i++)
        out[i] = (int16_t)((int)a.x[i] - 32768);
}

#endif

#endif
