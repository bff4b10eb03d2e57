/* SPDX-License-Identifier: MIT */
/*
 * Four doubles as one value: AABBs in doubles. SSE2 where the target has it (every x86-64 does), plain C elsewhere;
 * both give the same answers. A comparison gives a mask for f64x4_and and f64x4_all.
 */
#ifndef GRZ_SIMD_F64X4_H
#define GRZ_SIMD_F64X4_H

#include <math.h>
#include <stdbool.h>

#include "simd/f32x4.h"

#if defined(__SSE2__)

typedef struct f64x4
{
    __m128d low, high;
} f64x4;

static inline f64x4 f64x4_load(const double *p)
{
    return (f64x4){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)};
}

/* Three numbers and 0. */
static inline f64x4 f64x4_load3(const double *p)
{
    return (f64x4){_mm_loadu_pd(p), _mm_load_sd(p + 2)};
}

static inline f64x4 f64x4_make(double x, double y, double z, double w)
{
    return (f64x4){_mm_set_pd(y, x), _mm_set_pd(w, z)};
}

static inline void f64x4_store(double *p, f64x4 a)
{
    _mm_storeu_pd(p, a.low);
    _mm_storeu_pd(p + 2, a.high);
}

static inline f64x4 f64x4_splat(double x)
{
    return (f64x4){_mm_set1_pd(x), _mm_set1_pd(x)};
}

static inline f64x4 f64x4_from_f32x4(f32x4 a)
{
    return (f64x4){_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))};
}

/* As floats, in the current rounding mode. */
static inline f32x4 f64x4_to_f32x4(f64x4 a)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(a.low), _mm_cvtpd_ps(a.high));
}

static inline f64x4 f64x4_add(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}

static inline f64x4 f64x4_sub(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}

static inline f64x4 f64x4_mul(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}

static inline f64x4 f64x4_abs(f64x4 a)
{
    __m128d sign = _mm_set1_pd(-0.0);
    return (f64x4){_mm_andnot_pd(sign, a.low), _mm_andnot_pd(sign, a.high)};
}

static inline f64x4 f64x4_sqrt(f64x4 a)
{
    return (f64x4){_mm_sqrt_pd(a.low), _mm_sqrt_pd(a.high)};
}

/* a < b ? a : b, and a > b ? a : b. */
static inline f64x4 f64x4_min(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_min_pd(a.low, b.low), _mm_min_pd(a.high, b.high)};
}

static inline f64x4 f64x4_max(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_max_pd(a.low, b.low), _mm_max_pd(a.high, b.high)};
}

static inline double f64x4_reduce_max(f64x4 a)
{
    __m128d two = _mm_max_pd(a.low, a.high);
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline f64x4 f64x4_le(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_cmple_pd(a.low, b.low), _mm_cmple_pd(a.high, b.high)};
}

static inline f64x4 f64x4_eq(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_cmpeq_pd(a.low, b.low), _mm_cmpeq_pd(a.high, b.high)};
}

static inline f64x4 f64x4_and(f64x4 a, f64x4 b)
{
    return (f64x4){_mm_and_pd(a.low, b.low), _mm_and_pd(a.high, b.high)};
}

static inline bool f64x4_all(f64x4 a)
{
    return _mm_movemask_pd(_mm_and_pd(a.low, a.high)) == 3;
}

#else

typedef struct f64x4
{
    double lanes[4];
} f64x4;

static inline f64x4 f64x4_load(const double *p)
{
    return (f64x4){{p[0], p[1], p[2], p[3]}};
}

/* Three numbers and 0. */
static inline f64x4 f64x4_load3(const double *p)
{
    return (f64x4){{p[0], p[1], p[2], 0}};
}

static inline f64x4 f64x4_make(double x, double y, double z, double w)
{
    return (f64x4){{x, y, z, w}};
}

static inline void f64x4_store(double *p, f64x4 a)
{
    for (int i = 0; i < 4; i++)
        p[i] = a.lanes[i];
}

static inline f64x4 f64x4_splat(double x)
{
    return (f64x4){{x, x, x, x}};
}

static inline f64x4 f64x4_from_f32x4(f32x4 a)
{
    return (f64x4){{a.lanes[0], a.lanes[1], a.lanes[2], a.lanes[3]}};
}

static inline f32x4 f64x4_to_f32x4(f64x4 a)
{
    return (f32x4){{(float)a.lanes[0], (float)a.lanes[1], (float)a.lanes[2], (float)a.lanes[3]}};
}

static inline f64x4 f64x4_add(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] += b.lanes[i];
    return a;
}

static inline f64x4 f64x4_sub(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] -= b.lanes[i];
    return a;
}

static inline f64x4 f64x4_mul(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] *= b.lanes[i];
    return a;
}

static inline f64x4 f64x4_abs(f64x4 a)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = fabs(a.lanes[i]);
    return a;
}

static inline f64x4 f64x4_sqrt(f64x4 a)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = sqrt(a.lanes[i]);
    return a;
}

static inline f64x4 f64x4_min(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline f64x4 f64x4_max(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline double f64x4_reduce_max(f64x4 a)
{
    double x = a.lanes[0] > a.lanes[1] ? a.lanes[0] : a.lanes[1], y = a.lanes[2] > a.lanes[3] ? a.lanes[2] : a.lanes[3];
    return x > y ? x : y;
}

static inline f64x4 f64x4_le(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] <= b.lanes[i];
    return a;
}

static inline f64x4 f64x4_eq(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] == b.lanes[i];
    return a;
}

static inline f64x4 f64x4_and(f64x4 a, f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] *= b.lanes[i];
    return a;
}

static inline bool f64x4_all(f64x4 a)
{
    return (a.lanes[0] != 0) & (a.lanes[1] != 0) & (a.lanes[2] != 0) & (a.lanes[3] != 0);
}

#endif

#endif
