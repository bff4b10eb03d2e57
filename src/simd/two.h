/* SPDX-License-Identifier: MIT */
/*
 * Two doubles as one value: the same sums for two triangles, or for two ends of an interval. SSE2 where the target has
 * it (every x86-64 does), plain C elsewhere; both give the same bits. Sets of lanes are numbers: 1 for the first,
 * 2 for the second.
 */
#ifndef GRZ_SIMD_TWO_H
#define GRZ_SIMD_TWO_H

#include <math.h>

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128d two;

static inline two two_of(double first, double second)
{
    return _mm_set_pd(second, first);
}

static inline two two_fill(double x)
{
    return _mm_set1_pd(x);
}

static inline two two_load(const double *p)
{
    return _mm_loadu_pd(p);
}

static inline void two_store(double *p, two a)
{
    _mm_storeu_pd(p, a);
}

static inline two two_add(two a, two b)
{
    return _mm_add_pd(a, b);
}

static inline two two_subtract(two a, two b)
{
    return _mm_sub_pd(a, b);
}

static inline two two_multiply(two a, two b)
{
    return _mm_mul_pd(a, b);
}

static inline two two_magnitude(two a)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

/* a < b ? a : b, and a > b ? a : b. */
static inline two two_min(two a, two b)
{
    return _mm_min_pd(a, b);
}

static inline two two_max(two a, two b)
{
    return _mm_max_pd(a, b);
}

static inline two two_swap(two a)
{
    return _mm_shuffle_pd(a, a, 1);
}

/* The first lanes of both, and the second ones. */
static inline two two_firsts(two a, two b)
{
    return _mm_unpacklo_pd(a, b);
}

static inline two two_seconds(two a, two b)
{
    return _mm_unpackhi_pd(a, b);
}

static inline double two_first(two a)
{
    return _mm_cvtsd_f64(a);
}

/* Where a > b. */
static inline unsigned two_above(two a, two b)
{
    return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a, b));
}

/* Where the sign is set. */
static inline unsigned two_signs(two a)
{
    return (unsigned)_mm_movemask_pd(a);
}

#else

typedef struct two
{
    double first, second;
} two;

static inline two two_of(double first, double second)
{
    return (two){first, second};
}

static inline two two_fill(double x)
{
    return (two){x, x};
}

static inline two two_load(const double *p)
{
    return (two){p[0], p[1]};
}

static inline void two_store(double *p, two a)
{
    p[0] = a.first;
    p[1] = a.second;
}

static inline two two_add(two a, two b)
{
    return (two){a.first + b.first, a.second + b.second};
}

static inline two two_subtract(two a, two b)
{
    return (two){a.first - b.first, a.second - b.second};
}

static inline two two_multiply(two a, two b)
{
    return (two){a.first * b.first, a.second * b.second};
}

static inline two two_magnitude(two a)
{
    return (two){fabs(a.first), fabs(a.second)};
}

static inline two two_min(two a, two b)
{
    return (two){a.first < b.first ? a.first : b.first, a.second < b.second ? a.second : b.second};
}

static inline two two_max(two a, two b)
{
    return (two){a.first > b.first ? a.first : b.first, a.second > b.second ? a.second : b.second};
}

static inline two two_swap(two a)
{
    return (two){a.second, a.first};
}

static inline two two_firsts(two a, two b)
{
    return (two){a.first, b.first};
}

static inline two two_seconds(two a, two b)
{
    return (two){a.second, b.second};
}

static inline double two_first(two a)
{
    return a.first;
}

static inline unsigned two_above(two a, two b)
{
    return (unsigned)(a.first > b.first) | (unsigned)(a.second > b.second) << 1;
}

static inline unsigned two_signs(two a)
{
    return (unsigned)(signbit(a.first) != 0) | (unsigned)(signbit(a.second) != 0) << 1;
}

#endif

#endif
