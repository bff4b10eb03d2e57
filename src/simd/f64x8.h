/* SPDX-License-Identifier: MIT */
/*
 * Eight doubles in lanes, and masks of lanes. Included only by kernel templates, like f32x8.h, whose rules it follows:
 * every variant computes the same bits, minimum and maximum are (a < b ? a : b) and (a > b ? a : b), so that a NaN in
 * the first operand gives the second.
 */
#ifndef GRZ_SIMD_F64X8_H
#define GRZ_SIMD_F64X8_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/strict_float.h"
#include "simd/f32x8.h"

/* f64x8_power keeps these bits of a number: for one that is at least 2^-1022, the power of two at most it. */
#define GRZ_EXPONENT_BITS INT64_C(0x7ff0000000000000)

#define GRZ_OR_XOR 0xf6 /* x | (y ^ z) as the table of a ternary operation on bits */

#if defined(GRZ_VECTORS_AVX512)

typedef __m512d f64x8;
typedef __mmask8 mask64x8;

#define GRZ_F64X8_BINARY(name, operation)                                                                              \
    static inline f64x8 name(f64x8 a, f64x8 b)                                                                         \
    {                                                                                                                  \
        return operation##_pd(a, b);                                                                                   \
    }

static inline f64x8 f64x8_load(const double *p)
{
    return _mm512_loadu_pd(p);
}

static inline void f64x8_store(double *p, f64x8 a)
{
    _mm512_storeu_pd(p, a);
}

static inline f64x8 f64x8_splat(double x)
{
    return _mm512_set1_pd(x);
}

static inline f64x8 f64x8_sqrt(f64x8 a)
{
    return _mm512_sqrt_pd(a);
}

static inline mask64x8 f64x8_lt(f64x8 a, f64x8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

static inline mask64x8 f64x8_le(f64x8 a, f64x8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}

static inline mask64x8 mask64x8_and(mask64x8 a, mask64x8 b)
{
    return (mask64x8)(a & b);
}

/* a where the mask is set, else b. */
static inline f64x8 f64x8_select(mask64x8 c, f64x8 a, f64x8 b)
{
    return _mm512_mask_blend_pd(c, b, a);
}

static inline mask64x8 mask64x8_from_bits(unsigned bits)
{
    return (mask64x8)bits;
}

static inline unsigned mask64x8_bits(mask64x8 a)
{
    return a;
}

static inline mask64x8 f64x8_eq(f64x8 a, f64x8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

static inline f64x8 f64x8_power(f64x8 a)
{
    return _mm512_and_pd(a, _mm512_castsi512_pd(_mm512_set1_epi64(GRZ_EXPONENT_BITS)));
}

/* The bits of `all`, and those in which a and b differ. */
static inline f64x8 f64x8_or_differing(f64x8 all, f64x8 a, f64x8 b)
{
    __m512i bits =
        _mm512_ternarylogic_epi64(_mm512_castpd_si512(all), _mm512_castpd_si512(a), _mm512_castpd_si512(b), GRZ_OR_XOR);
    return _mm512_castsi512_pd(bits);
}

GRZ_F64X8_BINARY(f64x8_add, _mm512_add)
GRZ_F64X8_BINARY(f64x8_sub, _mm512_sub)
GRZ_F64X8_BINARY(f64x8_mul, _mm512_mul)
GRZ_F64X8_BINARY(f64x8_div, _mm512_div)
GRZ_F64X8_BINARY(f64x8_min, _mm512_min)
GRZ_F64X8_BINARY(f64x8_max, _mm512_max)

#elif defined(GRZ_VECTORS_AVX)

typedef struct f64x8
{
    __m256d x[2];
} f64x8;

typedef f64x8 mask64x8;

#define GRZ_F64X8_BINARY(name, operation)                                                                              \
    static inline f64x8 name(f64x8 a, f64x8 b)                                                                         \
    {                                                                                                                  \
        return (f64x8){{operation(a.x[0], b.x[0]), operation(a.x[1], b.x[1])}};                                        \
    }
#define GRZ_COMPARE_LT(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define GRZ_COMPARE_LE(a, b) _mm256_cmp_pd(a, b, _CMP_LE_OQ)

static inline f64x8 f64x8_load(const double *p)
{
    return (f64x8){{_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}};
}

static inline void f64x8_store(double *p, f64x8 a)
{
    _mm256_storeu_pd(p, a.x[0]);
    _mm256_storeu_pd(p + 4, a.x[1]);
}

static inline f64x8 f64x8_splat(double x)
{
    return (f64x8){{_mm256_set1_pd(x), _mm256_set1_pd(x)}};
}

static inline f64x8 f64x8_sqrt(f64x8 a)
{
    return (f64x8){{_mm256_sqrt_pd(a.x[0]), _mm256_sqrt_pd(a.x[1])}};
}

static inline f64x8 f64x8_select(mask64x8 c, f64x8 a, f64x8 b)
{
    return (f64x8){{_mm256_blendv_pd(b.x[0], a.x[0], c.x[0]), _mm256_blendv_pd(b.x[1], a.x[1], c.x[1])}};
}

static inline mask64x8 mask64x8_from_bits(unsigned bits)
{
    __m256i all = _mm256_set1_epi64x(bits), low = _mm256_set_epi64x(8, 4, 2, 1), high = _mm256_slli_epi64(low, 4);
    return (mask64x8){{_mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, low), low)),
                       _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, high), high))}};
}

static inline unsigned mask64x8_bits(mask64x8 a)
{
    return (unsigned)_mm256_movemask_pd(a.x[0]) | (unsigned)_mm256_movemask_pd(a.x[1]) << 4;
}

static inline mask64x8 f64x8_eq(f64x8 a, f64x8 b)
{
    return (mask64x8){{_mm256_cmp_pd(a.x[0], b.x[0], _CMP_EQ_OQ), _mm256_cmp_pd(a.x[1], b.x[1], _CMP_EQ_OQ)}};
}

static inline f64x8 f64x8_power(f64x8 a)
{
    __m256d bits = _mm256_castsi256_pd(_mm256_set1_epi64x(GRZ_EXPONENT_BITS));
    return (f64x8){{_mm256_and_pd(a.x[0], bits), _mm256_and_pd(a.x[1], bits)}};
}

static inline f64x8 f64x8_or_differing(f64x8 all, f64x8 a, f64x8 b)
{
    return (f64x8){
        {_mm256_or_pd(all.x[0], _mm256_xor_pd(a.x[0], b.x[0])), _mm256_or_pd(all.x[1], _mm256_xor_pd(a.x[1], b.x[1]))}};
}

GRZ_F64X8_BINARY(f64x8_add, _mm256_add_pd)
GRZ_F64X8_BINARY(f64x8_sub, _mm256_sub_pd)
GRZ_F64X8_BINARY(f64x8_mul, _mm256_mul_pd)
GRZ_F64X8_BINARY(f64x8_div, _mm256_div_pd)
GRZ_F64X8_BINARY(f64x8_min, _mm256_min_pd)
GRZ_F64X8_BINARY(f64x8_max, _mm256_max_pd)
GRZ_F64X8_BINARY(f64x8_lt, GRZ_COMPARE_LT)
GRZ_F64X8_BINARY(f64x8_le, GRZ_COMPARE_LE)
GRZ_F64X8_BINARY(mask64x8_and, _mm256_and_pd)

#elif defined(GRZ_VECTORS_SSE)

typedef struct f64x8
{
    __m128d x[4];
} f64x8;

typedef f64x8 mask64x8;

#define GRZ_F64X8_BINARY(name, operation)                                                                              \
    static inline f64x8 name(f64x8 a, f64x8 b)                                                                         \
    {                                                                                                                  \
        return (f64x8){{operation(a.x[0], b.x[0]), operation(a.x[1], b.x[1]), operation(a.x[2], b.x[2]),               \
                        operation(a.x[3], b.x[3])}};                                                                   \
    }

static inline f64x8 f64x8_load(const double *p)
{
    return (f64x8){{_mm_loadu_pd(p), _mm_loadu_pd(p + 2), _mm_loadu_pd(p + 4), _mm_loadu_pd(p + 6)}};
}

static inline void f64x8_store(double *p, f64x8 a)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_pd(p + 2 * i, a.x[i]);
}

static inline f64x8 f64x8_splat(double value)
{
    __m128d x = _mm_set1_pd(value);
    return (f64x8){{x, x, x, x}};
}

static inline f64x8 f64x8_sqrt(f64x8 a)
{
    return (f64x8){{_mm_sqrt_pd(a.x[0]), _mm_sqrt_pd(a.x[1]), _mm_sqrt_pd(a.x[2]), _mm_sqrt_pd(a.x[3])}};
}

GRZ_F64X8_BINARY(f64x8_add, _mm_add_pd)
GRZ_F64X8_BINARY(f64x8_sub, _mm_sub_pd)
GRZ_F64X8_BINARY(f64x8_mul, _mm_mul_pd)
GRZ_F64X8_BINARY(f64x8_div, _mm_div_pd)
GRZ_F64X8_BINARY(f64x8_min, _mm_min_pd)
GRZ_F64X8_BINARY(f64x8_max, _mm_max_pd)
GRZ_F64X8_BINARY(f64x8_lt, _mm_cmplt_pd)
GRZ_F64X8_BINARY(f64x8_le, _mm_cmple_pd)
GRZ_F64X8_BINARY(mask64x8_and, _mm_and_pd)
GRZ_F64X8_BINARY(f64x8_or, _mm_or_pd)
GRZ_F64X8_BINARY(f64x8_and_not, _mm_andnot_pd)

static inline f64x8 f64x8_select(mask64x8 c, f64x8 a, f64x8 b)
{
    return f64x8_or(mask64x8_and(c, a), f64x8_and_not(c, b));
}

static inline mask64x8 mask64x8_from_bits(unsigned bits)
{
    mask64x8 mask;
    for (int i = 0; i < 4; i++)
    {
        int first = 1 << 2 * i, second = 2 << 2 * i;
        __m128i both = _mm_set_epi32(second, second, first, first);
        mask.x[i] = _mm_castsi128_pd(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), both), both));
    }
    return mask;
}

static inline unsigned mask64x8_bits(mask64x8 a)
{
    unsigned bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (unsigned)_mm_movemask_pd(a.x[i]) << 2 * i;
    return bits;
}

static inline mask64x8 f64x8_eq(f64x8 a, f64x8 b)
{
    mask64x8 equal;
    for (int i = 0; i < 4; i++)
        equal.x[i] = _mm_cmpeq_pd(a.x[i], b.x[i]);
    return equal;
}

static inline f64x8 f64x8_power(f64x8 a)
{
    __m128d bits = _mm_castsi128_pd(_mm_set1_epi64x(GRZ_EXPONENT_BITS));
    return (f64x8){
        {_mm_and_pd(a.x[0], bits), _mm_and_pd(a.x[1], bits), _mm_and_pd(a.x[2], bits), _mm_and_pd(a.x[3], bits)}};
}

static inline f64x8 f64x8_or_differing(f64x8 all, f64x8 a, f64x8 b)
{
    for (int i = 0; i < 4; i++)
        all.x[i] = _mm_or_pd(all.x[i], _mm_xor_pd(a.x[i], b.x[i]));
    return all;
}

#else

typedef struct f64x8
{
    double x[8];
} f64x8;

typedef struct mask64x8
{
    bool x[8];
} mask64x8;

#define GRZ_F64X8_EACH(type, expression)                                                                               \
    type r;                                                                                                            \
    for (int i = 0; i < 8; i++)                                                                                        \
        r.x[i] = (expression);                                                                                         \
    return r
#define GRZ_F64X8_BINARY(name, expression)                                                                             \
    static inline f64x8 name(f64x8 a, f64x8 b)                                                                         \
    {                                                                                                                  \
        GRZ_F64X8_EACH(f64x8, expression);                                                                             \
    }

static inline f64x8 f64x8_load(const double *p)
{
    GRZ_F64X8_EACH(f64x8, p[i]);
}

static inline void f64x8_store(double *p, f64x8 a)
{
    memcpy(p, a.x, sizeof a.x);
}

static inline f64x8 f64x8_splat(double value)
{
    GRZ_F64X8_EACH(f64x8, value);
}

static inline f64x8 f64x8_sqrt(f64x8 a)
{
    GRZ_F64X8_EACH(f64x8, sqrt(a.x[i]));
}

static inline mask64x8 f64x8_lt(f64x8 a, f64x8 b)
{
    GRZ_F64X8_EACH(mask64x8, a.x[i] < b.x[i]);
}

static inline mask64x8 f64x8_le(f64x8 a, f64x8 b)
{
    GRZ_F64X8_EACH(mask64x8, a.x[i] <= b.x[i]);
}

static inline mask64x8 mask64x8_and(mask64x8 a, mask64x8 b)
{
    GRZ_F64X8_EACH(mask64x8, a.x[i] && b.x[i]);
}

static inline f64x8 f64x8_select(mask64x8 c, f64x8 a, f64x8 b)
{
    GRZ_F64X8_EACH(f64x8, c.x[i] ? a.x[i] : b.x[i]);
}

static inline mask64x8 mask64x8_from_bits(unsigned bits)
{
    GRZ_F64X8_EACH(mask64x8, (bits >> i & 1) != 0);
}

static inline unsigned mask64x8_bits(mask64x8 a)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)a.x[i] << i;
    return bits;
}

static inline mask64x8 f64x8_eq(f64x8 a, f64x8 b)
{
    GRZ_F64X8_EACH(mask64x8, a.x[i] == b.x[i]);
}

static inline f64x8 f64x8_power(f64x8 a)
{
    GRZ_F64X8_EACH(f64x8, grz_from_bits(grz_bits(a.x[i]) & GRZ_EXPONENT_BITS));
}

static inline f64x8 f64x8_or_differing(f64x8 all, f64x8 a, f64x8 b)
{
    GRZ_F64X8_EACH(f64x8, grz_from_bits(grz_bits(all.x[i]) | (grz_bits(a.x[i]) ^ grz_bits(b.x[i]))));
}

GRZ_F64X8_BINARY(f64x8_add, a.x[i] + b.x[i])
GRZ_F64X8_BINARY(f64x8_sub, a.x[i] - b.x[i])
GRZ_F64X8_BINARY(f64x8_mul, a.x[i] * b.x[i])
GRZ_F64X8_BINARY(f64x8_div, a.x[i] / b.x[i])
GRZ_F64X8_BINARY(f64x8_min, a.x[i] < b.x[i] ? a.x[i] : b.x[i])
GRZ_F64X8_BINARY(f64x8_max, a.x[i] > b.x[i] ? a.x[i] : b.x[i])

#endif

static inline unsigned f64x8_eq_bits(f64x8 a, f64x8 b)
{
    return mask64x8_bits(f64x8_eq(a, b));
}

static inline unsigned f64x8_lt_bits(f64x8 a, f64x8 b)
{
    return mask64x8_bits(f64x8_lt(a, b));
}

static inline f64x8 f64x8_abs(f64x8 a)
{
    return f64x8_max(a, f64x8_sub(f64x8_splat(0.0), a));
}

/* Three coordinates. */
typedef struct v3x8
{
    f64x8 x, y, z;
} v3x8;

static inline v3x8 v3x8_add(v3x8 a, v3x8 b)
{
    return (v3x8){f64x8_add(a.x, b.x), f64x8_add(a.y, b.y), f64x8_add(a.z, b.z)};
}

static inline v3x8 v3x8_sub(v3x8 a, v3x8 b)
{
    return (v3x8){f64x8_sub(a.x, b.x), f64x8_sub(a.y, b.y), f64x8_sub(a.z, b.z)};
}

static inline v3x8 v3x8_scale(f64x8 s, v3x8 a)
{
    return (v3x8){f64x8_mul(s, a.x), f64x8_mul(s, a.y), f64x8_mul(s, a.z)};
}

static inline f64x8 v3x8_dot(v3x8 a, v3x8 b)
{
    return f64x8_add(f64x8_add(f64x8_mul(a.x, b.x), f64x8_mul(a.y, b.y)), f64x8_mul(a.z, b.z));
}

static inline v3x8 v3x8_select(mask64x8 c, v3x8 a, v3x8 b)
{
    return (v3x8){f64x8_select(c, a.x, b.x), f64x8_select(c, a.y, b.y), f64x8_select(c, a.z, b.z)};
}

#endif
