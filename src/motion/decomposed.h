/* SPDX-License-Identifier: MIT */
/* Doubles as integers times powers of two. */
#ifndef GRZ_MOTION_DECOMPOSED_H
#define GRZ_MOTION_DECOMPOSED_H

#include "base/bits.h"
#include "motion/scratch.h"

/* x = sign mantissa 2^exponent, with an odd mantissa or 0. */
typedef struct grz_decomposed
{
    uint64_t mantissa;
    int exponent, sign;
} grz_decomposed;

static inline grz_decomposed grz_decompose(double x)
{
    uint64_t bits = grz_bits(x), fraction = bits & GRZ_FRACTION_BITS;
    int biased = (int)(bits >> 52 & 0x7ff), sign = bits >> 63 != 0 ? -1 : 1;
    uint64_t mantissa = biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
    if (mantissa == 0)
        return (grz_decomposed){0, 0, 0};
    int zeros = __builtin_ctzll(mantissa);
    return (grz_decomposed){mantissa >> zeros, (biased != 0 ? biased : 1) - 1075 + zeros, sign};
}

/* The lowest exponent of numbers that are not 0; `unit` where there are none. */
static inline int grz_lowest_exponent(const double *x, int count, int unit)
{
    for (int i = 0; i < count; i++)
    {
        grz_decomposed part = grz_decompose(x[i]);
        if (part.sign != 0 && part.exponent < unit)
            unit = part.exponent;
    }
    return unit;
}

/* x / 2^unit, an integer. */
static inline grz_integer grz_number_of_double(grz_scratch *scratch, double x, int unit)
{
    grz_decomposed part = grz_decompose(x);
    grz_integer whole = {&part.mantissa, part.sign != 0, part.sign};
    return grz_number_shift(scratch, &whole, part.sign != 0 ? part.exponent - unit : 0);
}

#endif
