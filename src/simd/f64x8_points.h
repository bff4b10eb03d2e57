/* SPDX-License-Identifier: MIT */
/*
 * Points in lanes: loads eight points of three doubles each, from anywhere in memory, and transposes them. Just the
 * three doubles of a point are read. A part of kernel templates, like f64x8.h.
 */
#ifndef GRZ_SIMD_F64X8_POINTS_H
#define GRZ_SIMD_F64X8_POINTS_H

#include "simd/f64x8.h"

#if defined(GRZ_VECTORS_AVX512)

/* A point in the lower half, another in the upper one. */
static inline __m512d load_two_points(const double *low, const double *high)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_maskz_loadu_pd(7, low)), _mm256_maskz_loadu_pd(7, high), 1);
}

static inline void f64x8_load_points(const double *const points[8], f64x8 out[3])
{
    __m512d p04 = load_two_points(points[0], points[4]), p15 = load_two_points(points[1], points[5]);
    __m512d p26 = load_two_points(points[2], points[6]), p37 = load_two_points(points[3], points[7]);
    __m512d x0z0 = _mm512_unpacklo_pd(p04, p15), y0 = _mm512_unpackhi_pd(p04, p15); /* x0 x1 z0 z1 | x4 x5 z4 z5 */
    __m512d x2z2 = _mm512_unpacklo_pd(p26, p37), y2 = _mm512_unpackhi_pd(p26, p37);
    const __m512i lower = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0),
                  upper = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    out[0] = _mm512_permutex2var_pd(x0z0, lower, x2z2);
    out[1] = _mm512_permutex2var_pd(y0, lower, y2);
    out[2] = _mm512_permutex2var_pd(x0z0, upper, x2z2);
}

#elif defined(GRZ_VECTORS_AVX)

static inline void load_four_points(const double *const points[4], f64x8 out[3], int half)
{
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    __m256d p0 = _mm256_maskload_pd(points[0], three), p1 = _mm256_maskload_pd(points[1], three);
    __m256d p2 = _mm256_maskload_pd(points[2], three), p3 = _mm256_maskload_pd(points[3], three);
    __m256d x0z0 = _mm256_unpacklo_pd(p0, p1), y0 = _mm256_unpackhi_pd(p0, p1); /* x0 x1 z0 z1 */
    __m256d x2z2 = _mm256_unpacklo_pd(p2, p3), y2 = _mm256_unpackhi_pd(p2, p3);
    out[0].x[half] = _mm256_permute2f128_pd(x0z0, x2z2, 0x20);
    out[1].x[half] = _mm256_permute2f128_pd(y0, y2, 0x20);
    out[2].x[half] = _mm256_permute2f128_pd(x0z0, x2z2, 0x31);
}

static inline void f64x8_load_points(const double *const points[8], f64x8 out[3])
{
    load_four_points(points, out, 0);
    load_four_points(points + 4, out, 1);
}

#else

static inline void f64x8_load_points(const double *const points[8], f64x8 out[3])
{
    for (int k = 0; k < 3; k++)
    {
        double lanes[8];
        for (int i = 0; i < 8; i++)
            lanes[i] = points[i][k];
        out[k] = f64x8_load(lanes);
    }
}

#endif
#endif
