/* SPDX-License-Identifier: MIT */
/* Exact sums and products of doubles; see dyadic.h. */
#include "exact/dyadic.h"

#include <string.h>

#include "base/bits.h"

static grz_integer view(const grz_dyadic *a)
{
    /* Operands are only read. */
    return (grz_integer){(uint64_t *)(uintptr_t)a->limbs, a->count, a->sign};
}

/* Drops limbs that are zero at the low end. */
static void normalize(grz_dyadic *r)
{
    int zeros = 0;
    while (zeros < r->count && r->limbs[zeros] == 0)
        zeros++;
    if (zeros > 0 && zeros < r->count)
        memmove(r->limbs, r->limbs + zeros, (size_t)(r->count - zeros) * sizeof *r->limbs);
    r->count -= zeros;
    r->exponent = r->count > 0 ? r->exponent + zeros : 0;
    r->sign = r->count > 0 ? r->sign : 0;
}

void grz_dyadic_set(grz_dyadic *r, double x)
{
    uint64_t bits = grz_bits(x), fraction = bits & GRZ_FRACTION_BITS;
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
    int shift = (biased == 0 ? 1 : biased) - 1075 + 64 * 17; /* not negative: x is a multiple of 2^-1088 */
    r->sign = bits >> 63 != 0 ? -1 : 1;
    r->exponent = shift / 64 - 17;
    r->limbs[0] = mantissa << shift % 64;
    r->limbs[1] = shift % 64 == 0 ? 0 : mantissa >> (64 - shift % 64);
    r->count = r->limbs[1] != 0 ? 2 : 1;
    normalize(r);
}

void grz_dyadic_copy(grz_dyadic *r, const grz_dyadic *a)
{
    r->sign = a->sign;
    r->count = a->count;
    r->exponent = a->exponent;
    memcpy(r->limbs, a->limbs, (size_t)a->count * sizeof *r->limbs);
}

void grz_dyadic_multiply(grz_dyadic *r, const grz_dyadic *a, const grz_dyadic *b)
{
    grz_integer x = view(a), y = view(b), product = {r->limbs, 0, 0};
    grz_integer_multiply(&product, &x, &y);
    r->sign = product.sign;
    r->count = product.count;
    r->exponent = a->exponent + b->exponent;
    normalize(r);
}

/* Appends zeros at the low end, so that the exponent becomes a lower one. */
static void lower_exponent(grz_dyadic *r, int exponent)
{
    int zeros = r->exponent - exponent;
    memmove(r->limbs + zeros, r->limbs, (size_t)r->count * sizeof *r->limbs);
    memset(r->limbs, 0, (size_t)zeros * sizeof *r->limbs);
    r->count += zeros;
    r->exponent = exponent;
}

void grz_dyadic_accumulate(grz_dyadic *r, const grz_dyadic *a, bool negate)
{
    if (a->sign == 0)
        return;
    if (r->sign == 0)
    {
        grz_dyadic_copy(r, a);
        r->sign = negate ? -a->sign : a->sign;
        return;
    }
    grz_dyadic shifted;
    grz_integer term = view(a), sum;
    if (a->exponent < r->exponent)
        lower_exponent(r, a->exponent);
    else if (a->exponent > r->exponent)
    {
        grz_dyadic_copy(&shifted, a);
        lower_exponent(&shifted, r->exponent);
        term = view(&shifted);
    }
    sum = view(r);
    grz_integer_accumulate(&sum, &term, negate);
    r->sign = sum.sign;
    r->count = sum.count;
    normalize(r);
}

void grz_dyadic_accumulate_product(grz_dyadic *r, const grz_dyadic *a, const grz_dyadic *b, bool negate)
{
    grz_dyadic product;
    grz_dyadic_multiply(&product, a, b);
    grz_dyadic_accumulate(r, &product, negate);
}

void grz_dyadic_multiply_double(grz_dyadic *r, const grz_dyadic *a, double x)
{
    grz_dyadic factor;
    grz_dyadic_set(&factor, x);
    grz_dyadic_multiply(r, a, &factor);
}

int grz_dyadic_compare(const grz_dyadic *a, const grz_dyadic *b)
{
    grz_dyadic difference;
    grz_dyadic_copy(&difference, a);
    grz_dyadic_accumulate(&difference, b, true);
    return difference.sign;
}

/* The double `top` * 2^power, widened by some units in the last place; cut at the ends of the range. */
static interval scaled(double top, int power)
{
    double lower = grz_scale(top * (1 - 8 * GRZ_U), power), upper = grz_scale(top * (1 + 8 * GRZ_U), power);
    if (!(lower < INFINITY))
        lower = DBL_MAX;
    if (upper < INFINITY) /* grz_scale truncates denormals */
        upper = grz_from_bits(grz_bits(upper) + 1);
    return (interval){lower, upper};
}

/* The first 64 bits of |a|, and what follows them as a power of two: |a| is in [top, top + 1) 2^*out_power. */
static uint64_t leading_bits(const grz_dyadic *a, int *out_power)
{
    uint64_t high = a->limbs[a->count - 1], low = a->count > 1 ? a->limbs[a->count - 2] : 0;
    int zeros = __builtin_clzll(high);
    *out_power = 64 * (a->exponent + a->count - 1) - zeros;
    return zeros == 0 ? high : high << zeros | low >> (64 - zeros);
}

interval grz_dyadic_bounds(const grz_dyadic *a)
{
    if (a->sign == 0)
        return interval_point(0);
    int power;
    double top = (double)leading_bits(a, &power); /* rounded by u at most; less than 2^-63 is cut off */
    interval magnitude = scaled(top, power);
    return a->sign > 0 ? magnitude : (interval){-magnitude.upper, -magnitude.lower};
}

interval grz_dyadic_root_bounds(const grz_dyadic *a)
{
    if (a->sign <= 0)
        return interval_point(0);
    int power;
    double top = (double)leading_bits(a, &power);
    int odd = power & 1;
    /* The root of (1 + d) has a relative error below d, and rounds once more. */
    return scaled(sqrt(odd != 0 ? 2 * top : top), (power - odd) / 2);
}
