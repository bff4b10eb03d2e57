/* SPDX-License-Identifier: MIT */
/*
 * Four doubles as one value: boxes of doubles. SSE2 where the target has it (every x86-64 does), plain C elsewhere;
 * both give the same answers. A comparison gives a value that four_both and four_all understand.
 */
#ifndef GRZ_SIMD_FOUR_H
#define GRZ_SIMD_FOUR_H

#include <math.h>
#include <stdbool.h>

#include "simd/quad.h"

#if defined(__SSE2__)

typedef struct four
{
    __m128d low, high;
} four;

static inline four four_load(const double *p)
{
    return (four){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)};
}

/* Three numbers and 0. */
static inline four four_load3(const double *p)
{
    return (four){_mm_loadu_pd(p), _mm_load_sd(p + 2)};
}

static inline four four_of(double x, double y, double z, double w)
{
    return (four){_mm_set_pd(y, x), _mm_set_pd(w, z)};
}

static inline void four_store(double *p, four a)
{
    _mm_storeu_pd(p, a.low);
    _mm_storeu_pd(p + 2, a.high);
}

static inline four four_fill(double x)
{
    return (four){_mm_set1_pd(x), _mm_set1_pd(x)};
}

static inline four four_from_quad(quad a)
{
    return (four){_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))};
}

/* As floats, rounded as the mode says. */
static inline quad four_to_quad(four a)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(a.low), _mm_cvtpd_ps(a.high));
}

static inline four four_add(four a, four b)
{
    return (four){_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}

static inline four four_subtract(four a, four b)
{
    return (four){_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}

static inline four four_multiply(four a, four b)
{
    return (four){_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}

static inline four four_magnitude(four a)
{
    __m128d sign = _mm_set1_pd(-0.0);
    return (four){_mm_andnot_pd(sign, a.low), _mm_andnot_pd(sign, a.high)};
}

static inline four four_root(four a)
{
    return (four){_mm_sqrt_pd(a.low), _mm_sqrt_pd(a.high)};
}

/* a < b ? a : b, and a > b ? a : b. */
static inline four four_min(four a, four b)
{
    return (four){_mm_min_pd(a.low, b.low), _mm_min_pd(a.high, b.high)};
}

static inline four four_max(four a, four b)
{
    return (four){_mm_max_pd(a.low, b.low), _mm_max_pd(a.high, b.high)};
}

static inline double four_highest(four a)
{
    __m128d two = _mm_max_pd(a.low, a.high);
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline four four_le(four a, four b)
{
    return (four){_mm_cmple_pd(a.low, b.low), _mm_cmple_pd(a.high, b.high)};
}

static inline four four_equal(four a, four b)
{
    return (four){_mm_cmpeq_pd(a.low, b.low), _mm_cmpeq_pd(a.high, b.high)};
}

static inline four four_both(four a, four b)
{
    return (four){_mm_and_pd(a.low, b.low), _mm_and_pd(a.high, b.high)};
}

static inline bool four_all(four a)
{
    return _mm_movemask_pd(_mm_and_pd(a.low, a.high)) == 3;
}

#else

typedef struct four
{
    double lanes[4];
} four;

static inline four four_load(const double *p)
{
    return (four){{p[0], p[1], p[2], p[3]}};
}

/* Three numbers and 0. */
static inline four four_load3(const double *p)
{
    return (four){{p[0], p[1], p[2], 0}};
}

static inline four four_of(double x, double y, double z, double w)
{
    return (four){{x, y, z, w}};
}

static inline void four_store(double *p, four a)
{
    for (int i = 0; i < 4; i++)
        p[i] = a.lanes[i];
}

static inline four four_fill(double x)
{
    return (four){{x, x, x, x}};
}

static inline four four_from_quad(quad a)
{
    return (four){{a.lanes[0], a.lanes[1], a.lanes[2], a.lanes[3]}};
}

static inline quad four_to_quad(four a)
{
    return (quad){{(float)a.lanes[0], (float)a.lanes[1], (float)a.lanes[2], (float)a.lanes[3]}};
}

static inline four four_add(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] += b.lanes[i];
    return a;
}

static inline four four_subtract(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] -= b.lanes[i];
    return a;
}

static inline four four_multiply(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] *= b.lanes[i];
    return a;
}

static inline four four_magnitude(four a)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = fabs(a.lanes[i]);
    return a;
}

static inline four four_root(four a)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = sqrt(a.lanes[i]);
    return a;
}

static inline four four_min(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline four four_max(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static inline double four_highest(four a)
{
    double x = a.lanes[0] > a.lanes[1] ? a.lanes[0] : a.lanes[1], y = a.lanes[2] > a.lanes[3] ? a.lanes[2] : a.lanes[3];
    return x > y ? x : y;
}

static inline four four_le(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] <= b.lanes[i];
    return a;
}

static inline four four_equal(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] == b.lanes[i];
    return a;
}

static inline four four_both(four a, four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] *= b.lanes[i];
    return a;
}

static inline bool four_all(four a)
{
    return (a.lanes[0] != 0) & (a.lanes[1] != 0) & (a.lanes[2] != 0) & (a.lanes[3] != 0);
}

#endif

#endif
