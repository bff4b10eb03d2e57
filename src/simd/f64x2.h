/* SPDX-License-Identifier: MIT */
/*
 * Two doubles as one value: the same sums for two triangles, or for two ends of an interval. SSE2 where the target has
 * it (every x86-64 does), plain C elsewhere; both give the same bits. Masks of lanes are numbers: 1 for the first, 2
 * for the second.
 */
#ifndef GRZ_SIMD_F64X2_H
#define GRZ_SIMD_F64X2_H

#include <math.h>

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128d f64x2;

static inline f64x2 f64x2_make(double first, double second)
{
    return _mm_set_pd(second, first);
}

static inline f64x2 f64x2_splat(double x)
{
    return _mm_set1_pd(x);
}

static inline f64x2 f64x2_load(const double *p)
{
    return _mm_loadu_pd(p);
}

static inline void f64x2_store(double *p, f64x2 a)
{
    _mm_storeu_pd(p, a);
}

static inline f64x2 f64x2_add(f64x2 a, f64x2 b)
{
    return _mm_add_pd(a, b);
}

static inline f64x2 f64x2_sub(f64x2 a, f64x2 b)
{
    return _mm_sub_pd(a, b);
}

static inline f64x2 f64x2_mul(f64x2 a, f64x2 b)
{
    return _mm_mul_pd(a, b);
}

static inline f64x2 f64x2_div(f64x2 a, f64x2 b)
{
    return _mm_div_pd(a, b);
}

static inline f64x2 f64x2_abs(f64x2 a)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

/* |a| with the sign of b. */
static inline f64x2 f64x2_copy_sign(f64x2 a, f64x2 b)
{
    const __m128d sign = _mm_set1_pd(-0.0);
    return _mm_or_pd(_mm_andnot_pd(sign, a), _mm_and_pd(sign, b));
}

/* a < b ? a : b, and a > b ? a : b. */
static inline f64x2 f64x2_min(f64x2 a, f64x2 b)
{
    return _mm_min_pd(a, b);
}

static inline f64x2 f64x2_max(f64x2 a, f64x2 b)
{
    return _mm_max_pd(a, b);
}

static inline f64x2 f64x2_swap(f64x2 a)
{
    return _mm_shuffle_pd(a, a, 1);
}

/* The first lane of a and the second of b, and the other way round. */
static inline f64x2 f64x2_outer(f64x2 a, f64x2 b)
{
    return _mm_shuffle_pd(a, b, 2);
}

static inline f64x2 f64x2_inner(f64x2 a, f64x2 b)
{
    return _mm_shuffle_pd(a, b, 1);
}

/* The first lanes of both, and the second ones. */
static inline f64x2 f64x2_unpack_low(f64x2 a, f64x2 b)
{
    return _mm_unpacklo_pd(a, b);
}

static inline f64x2 f64x2_unpack_high(f64x2 a, f64x2 b)
{
    return _mm_unpackhi_pd(a, b);
}

static inline double f64x2_first(f64x2 a)
{
    return _mm_cvtsd_f64(a);
}

/* Where a > b. */
static inline unsigned f64x2_gt_bits(f64x2 a, f64x2 b)
{
    return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a, b));
}

/* Where the sign is set. */
static inline unsigned f64x2_sign_bits(f64x2 a)
{
    return (unsigned)_mm_movemask_pd(a);
}

#else

typedef struct f64x2
{
    double first, second;
} f64x2;

static inline f64x2 f64x2_make(double first, double second)
{
    return (f64x2){first, second};
}

static inline f64x2 f64x2_splat(double x)
{
    return (f64x2){x, x};
}

static inline f64x2 f64x2_load(const double *p)
{
    return (f64x2){p[0], p[1]};
}

static inline void f64x2_store(double *p, f64x2 a)
{
    p[0] = a.first;
    p[1] = a.second;
}

static inline f64x2 f64x2_add(f64x2 a, f64x2 b)
{
    return (f64x2){a.first + b.first, a.second + b.second};
}

static inline f64x2 f64x2_sub(f64x2 a, f64x2 b)
{
    return (f64x2){a.first - b.first, a.second - b.second};
}

static inline f64x2 f64x2_mul(f64x2 a, f64x2 b)
{
    return (f64x2){a.first * b.first, a.second * b.second};
}

static inline f64x2 f64x2_div(f64x2 a, f64x2 b)
{
    return (f64x2){a.first / b.first, a.second / b.second};
}

static inline f64x2 f64x2_abs(f64x2 a)
{
    return (f64x2){fabs(a.first), fabs(a.second)};
}

static inline f64x2 f64x2_copy_sign(f64x2 a, f64x2 b)
{
    return (f64x2){copysign(a.first, b.first), copysign(a.second, b.second)};
}

static inline f64x2 f64x2_min(f64x2 a, f64x2 b)
{
    return (f64x2){a.first < b.first ? a.first : b.first, a.second < b.second ? a.second : b.second};
}

static inline f64x2 f64x2_max(f64x2 a, f64x2 b)
{
    return (f64x2){a.first > b.first ? a.first : b.first, a.second > b.second ? a.second : b.second};
}

static inline f64x2 f64x2_swap(f64x2 a)
{
    return (f64x2){a.second, a.first};
}

static inline f64x2 f64x2_outer(f64x2 a, f64x2 b)
{
    return (f64x2){a.first, b.second};
}

static inline f64x2 f64x2_inner(f64x2 a, f64x2 b)
{
    return (f64x2){a.second, b.first};
}

static inline f64x2 f64x2_unpack_low(f64x2 a, f64x2 b)
{
    return (f64x2){a.first, b.first};
}

static inline f64x2 f64x2_unpack_high(f64x2 a, f64x2 b)
{
    return (f64x2){a.second, b.second};
}

static inline double f64x2_first(f64x2 a)
{
    return a.first;
}

static inline unsigned f64x2_gt_bits(f64x2 a, f64x2 b)
{
    return (unsigned)(a.first > b.first) | (unsigned)(a.second > b.second) << 1;
}

static inline unsigned f64x2_sign_bits(f64x2 a)
{
    return (unsigned)(signbit(a.first) != 0) | (unsigned)(signbit(a.second) != 0) << 1;
}

#endif

#endif
