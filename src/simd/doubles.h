/* SPDX-License-Identifier: MIT */
/*
 * Eight doubles in lanes, and a choice per lane. Included only by kernel templates, like lanes.h, whose rules it
 * follows: every variant computes the same bits, minimum and maximum are (a < b ? a : b) and (a > b ? a : b), so that
 * a NaN in the first operand gives the second.
 */
#ifndef GRZ_SIMD_DOUBLES_H
#define GRZ_SIMD_DOUBLES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/strict.h"
#include "simd/lanes.h"

#if defined(GRZ_LANES_AVX512)

typedef __m512d doubles;
typedef __mmask8 choice;

#define GRZ_DOUBLES_BINARY(name, operation)                                                                            \
    static inline doubles name(doubles a, doubles b)                                                                   \
    {                                                                                                                  \
        return operation##_pd(a, b);                                                                                   \
    }

static inline doubles doubles_load(const double *p)
{
    return _mm512_loadu_pd(p);
}

static inline void doubles_store(double *p, doubles a)
{
    _mm512_storeu_pd(p, a);
}

static inline doubles doubles_fill(double x)
{
    return _mm512_set1_pd(x);
}

static inline doubles doubles_sqrt(doubles a)
{
    return _mm512_sqrt_pd(a);
}

static inline choice doubles_lt(doubles a, doubles b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

static inline choice doubles_le(doubles a, doubles b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}

static inline choice choice_and(choice a, choice b)
{
    return (choice)(a & b);
}

/* a where chosen, else b. */
static inline doubles doubles_select(choice c, doubles a, doubles b)
{
    return _mm512_mask_blend_pd(c, b, a);
}

GRZ_DOUBLES_BINARY(doubles_add, _mm512_add)
GRZ_DOUBLES_BINARY(doubles_sub, _mm512_sub)
GRZ_DOUBLES_BINARY(doubles_mul, _mm512_mul)
GRZ_DOUBLES_BINARY(doubles_div, _mm512_div)
GRZ_DOUBLES_BINARY(doubles_min, _mm512_min)
GRZ_DOUBLES_BINARY(doubles_max, _mm512_max)

#elif defined(GRZ_LANES_AVX)

typedef struct doubles
{
    __m256d x[2];
} doubles;

typedef doubles choice;

#define GRZ_DOUBLES_BINARY(name, operation)                                                                            \
    static inline doubles name(doubles a, doubles b)                                                                   \
    {                                                                                                                  \
        return (doubles){{operation(a.x[0], b.x[0]), operation(a.x[1], b.x[1])}};                                      \
    }
#define GRZ_COMPARE_LT(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define GRZ_COMPARE_LE(a, b) _mm256_cmp_pd(a, b, _CMP_LE_OQ)

static inline doubles doubles_load(const double *p)
{
    return (doubles){{_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}};
}

static inline void doubles_store(double *p, doubles a)
{
    _mm256_storeu_pd(p, a.x[0]);
    _mm256_storeu_pd(p + 4, a.x[1]);
}

static inline doubles doubles_fill(double x)
{
    return (doubles){{_mm256_set1_pd(x), _mm256_set1_pd(x)}};
}

static inline doubles doubles_sqrt(doubles a)
{
    return (doubles){{_mm256_sqrt_pd(a.x[0]), _mm256_sqrt_pd(a.x[1])}};
}

static inline doubles doubles_select(choice c, doubles a, doubles b)
{
    return (doubles){{_mm256_blendv_pd(b.x[0], a.x[0], c.x[0]), _mm256_blendv_pd(b.x[1], a.x[1], c.x[1])}};
}

GRZ_DOUBLES_BINARY(doubles_add, _mm256_add_pd)
GRZ_DOUBLES_BINARY(doubles_sub, _mm256_sub_pd)
GRZ_DOUBLES_BINARY(doubles_mul, _mm256_mul_pd)
GRZ_DOUBLES_BINARY(doubles_div, _mm256_div_pd)
GRZ_DOUBLES_BINARY(doubles_min, _mm256_min_pd)
GRZ_DOUBLES_BINARY(doubles_max, _mm256_max_pd)
GRZ_DOUBLES_BINARY(doubles_lt, GRZ_COMPARE_LT)
GRZ_DOUBLES_BINARY(doubles_le, GRZ_COMPARE_LE)
GRZ_DOUBLES_BINARY(choice_and, _mm256_and_pd)

#elif defined(GRZ_LANES_SSE)

typedef struct doubles
{
    __m128d x[4];
} doubles;

typedef doubles choice;

#define GRZ_DOUBLES_BINARY(name, operation)                                                                            \
    static inline doubles name(doubles a, doubles b)                                                                   \
    {                                                                                                                  \
        return (doubles){{operation(a.x[0], b.x[0]), operation(a.x[1], b.x[1]), operation(a.x[2], b.x[2]),             \
                          operation(a.x[3], b.x[3])}};                                                                 \
    }

static inline doubles doubles_load(const double *p)
{
    return (doubles){{_mm_loadu_pd(p), _mm_loadu_pd(p + 2), _mm_loadu_pd(p + 4), _mm_loadu_pd(p + 6)}};
}

static inline void doubles_store(double *p, doubles a)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_pd(p + 2 * i, a.x[i]);
}

static inline doubles doubles_fill(double value)
{
    __m128d x = _mm_set1_pd(value);
    return (doubles){{x, x, x, x}};
}

static inline doubles doubles_sqrt(doubles a)
{
    return (doubles){{_mm_sqrt_pd(a.x[0]), _mm_sqrt_pd(a.x[1]), _mm_sqrt_pd(a.x[2]), _mm_sqrt_pd(a.x[3])}};
}

GRZ_DOUBLES_BINARY(doubles_add, _mm_add_pd)
GRZ_DOUBLES_BINARY(doubles_sub, _mm_sub_pd)
GRZ_DOUBLES_BINARY(doubles_mul, _mm_mul_pd)
GRZ_DOUBLES_BINARY(doubles_div, _mm_div_pd)
GRZ_DOUBLES_BINARY(doubles_min, _mm_min_pd)
GRZ_DOUBLES_BINARY(doubles_max, _mm_max_pd)
GRZ_DOUBLES_BINARY(doubles_lt, _mm_cmplt_pd)
GRZ_DOUBLES_BINARY(doubles_le, _mm_cmple_pd)
GRZ_DOUBLES_BINARY(choice_and, _mm_and_pd)
GRZ_DOUBLES_BINARY(doubles_or, _mm_or_pd)
GRZ_DOUBLES_BINARY(doubles_and_not, _mm_andnot_pd)

static inline doubles doubles_select(choice c, doubles a, doubles b)
{
    return doubles_or(choice_and(c, a), doubles_and_not(c, b));
}

#else

typedef struct doubles
{
    double x[8];
} doubles;

typedef struct choice
{
    bool x[8];
} choice;

#define GRZ_DOUBLES_EACH(type, expression)                                                                             \
    type r;                                                                                                            \
    for (int i = 0; i < 8; i++)                                                                                        \
        r.x[i] = (expression);                                                                                         \
    return r
#define GRZ_DOUBLES_BINARY(name, expression)                                                                           \
    static inline doubles name(doubles a, doubles b)                                                                   \
    {                                                                                                                  \
        GRZ_DOUBLES_EACH(doubles, expression);                                                                         \
    }

static inline doubles doubles_load(const double *p)
{
    GRZ_DOUBLES_EACH(doubles, p[i]);
}

static inline void doubles_store(double *p, doubles a)
{
    memcpy(p, a.x, sizeof a.x);
}

static inline doubles doubles_fill(double value)
{
    GRZ_DOUBLES_EACH(doubles, value);
}

static inline doubles doubles_sqrt(doubles a)
{
    GRZ_DOUBLES_EACH(doubles, sqrt(a.x[i]));
}

static inline choice doubles_lt(doubles a, doubles b)
{
    GRZ_DOUBLES_EACH(choice, a.x[i] < b.x[i]);
}

static inline choice doubles_le(doubles a, doubles b)
{
    GRZ_DOUBLES_EACH(choice, a.x[i] <= b.x[i]);
}

static inline choice choice_and(choice a, choice b)
{
    GRZ_DOUBLES_EACH(choice, a.x[i] && b.x[i]);
}

static inline doubles doubles_select(choice c, doubles a, doubles b)
{
    GRZ_DOUBLES_EACH(doubles, c.x[i] ? a.x[i] : b.x[i]);
}

GRZ_DOUBLES_BINARY(doubles_add, a.x[i] + b.x[i])
GRZ_DOUBLES_BINARY(doubles_sub, a.x[i] - b.x[i])
GRZ_DOUBLES_BINARY(doubles_mul, a.x[i] * b.x[i])
GRZ_DOUBLES_BINARY(doubles_div, a.x[i] / b.x[i])
GRZ_DOUBLES_BINARY(doubles_min, a.x[i] < b.x[i] ? a.x[i] : b.x[i])
GRZ_DOUBLES_BINARY(doubles_max, a.x[i] > b.x[i] ? a.x[i] : b.x[i])

#endif

static inline doubles doubles_abs(doubles a)
{
    return doubles_max(a, doubles_sub(doubles_fill(0.0), a));
}

/* Three coordinates. */
typedef struct triple
{
    doubles x, y, z;
} triple;

static inline triple triple_add(triple a, triple b)
{
    return (triple){doubles_add(a.x, b.x), doubles_add(a.y, b.y), doubles_add(a.z, b.z)};
}

static inline triple triple_sub(triple a, triple b)
{
    return (triple){doubles_sub(a.x, b.x), doubles_sub(a.y, b.y), doubles_sub(a.z, b.z)};
}

static inline triple triple_scale(doubles s, triple a)
{
    return (triple){doubles_mul(s, a.x), doubles_mul(s, a.y), doubles_mul(s, a.z)};
}

static inline doubles triple_dot(triple a, triple b)
{
    return doubles_add(doubles_add(doubles_mul(a.x, b.x), doubles_mul(a.y, b.y)), doubles_mul(a.z, b.z));
}

static inline triple triple_select(choice c, triple a, triple b)
{
    return (triple){doubles_select(c, a.x, b.x), doubles_select(c, a.y, b.y), doubles_select(c, a.z, b.z)};
}

#endif
