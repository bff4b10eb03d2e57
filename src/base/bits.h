/* SPDX-License-Identifier: MIT */
/*
 * Operations on the bits of doubles: comparisons and multiplication by powers of two that give the same result in every
 * floating-point environment. Where denormals are taken for zero, the processor's == and < see no difference between 0
 * and 2^-1074, and a denormal product is 0.
 */
#ifndef GRZ_BASE_BITS_H
#define GRZ_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define GRZ_FRACTION_BITS UINT64_C(0x000fffffffffffff)
#define GRZ_SIGN_BIT UINT64_C(0x8000000000000000)

static inline uint64_t grz_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double grz_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Rank of a number in the order of doubles: both zeros have the same, infinities are the ends. Not for NaN. */
static inline int64_t grz_rank(double x)
{
    uint64_t bits = grz_bits(x);
    int64_t magnitude = (int64_t)(bits & ~GRZ_SIGN_BIT);
    return bits >> 63 != 0 ? -magnitude : magnitude;
}

static inline bool grz_is_less(double x, double y)
{
    return grz_rank(x) < grz_rank(y);
}

/* x <= y. */
static inline bool grz_is_at_most(double x, double y)
{
    return grz_rank(x) <= grz_rank(y);
}

/* Whether x is 0 or -0, and no denormal. */
static inline bool grz_is_zero(double x)
{
    return grz_bits(x) << 1 == 0;
}

/* Whether this thread flushes denormal operands or results to zero. */
static inline bool grz_flushes_denormals(void)
{
    volatile double least = 0x1p-1074, normal = 0x1p-1022, half = 0.5;
    return !(least > 0) || !(normal * half > 0);
}

/* The exponent e of a finite x with 2^(e-1) <= |x| < 2^e; INT32_MIN for 0. */
static inline int grz_exponent_of(double x)
{
    uint64_t magnitude = grz_bits(x) & ~GRZ_SIGN_BIT;
    if (magnitude == 0)
        return INT32_MIN;
    int biased = (int)(magnitude >> 52);
    return biased != 0 ? biased - 1022 : 64 - __builtin_clzll(magnitude) - 1074;
}

/*
 * x 2^power for a finite x. A denormal result is truncated toward zero, by less than 2^-1074; a result beyond the
 * largest number is infinite. All other results are exact.
 */
static inline double grz_scale(double x, int power)
{
    uint64_t bits = grz_bits(x), sign = bits & GRZ_SIGN_BIT, fraction = bits & GRZ_FRACTION_BITS;
    int64_t biased = (int64_t)(bits >> 52 & 0x7ff);
    if (biased == 0)
    {
        if (fraction == 0)
            return x;
        int lift = __builtin_clzll(fraction) - 11;
        fraction = fraction << lift & GRZ_FRACTION_BITS;
        biased = 1 - lift;
    }
    biased += power;
    if (biased >= 0x7ff)
        return grz_from_bits(sign | UINT64_C(0x7ff) << 52);
    if (biased > 0)
        return grz_from_bits(sign | (uint64_t)biased << 52 | fraction);
    if (biased < -52)
        return grz_from_bits(sign);
    return grz_from_bits(sign | (fraction | UINT64_C(1) << 52) >> (1 - biased));
}

#endif
