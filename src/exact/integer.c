/* SPDX-License-Identifier: MIT */
/* Integers of any width; see integer.h. Schoolbook algorithms (Knuth, TAOCP 2, §4.3.1): widths are small. */
#include "exact/integer.h"

#include <string.h>

#if defined(__GNUC__)
#define LEADING_ZEROS(x) __builtin_clzll(x)
#else
#error "a count of leading zeros is needed for this compiler"
#endif

static void trim(grz_integer *r, int count)
{
    while (count > 0 && r->limbs[count - 1] == 0)
        count--;
    r->count = count;
    if (count == 0)
        r->sign = 0;
}

void grz_integer_difference(grz_integer *r, const uint64_t *a, const uint64_t *b, int width)
{
    uint64_t borrow = 0;
    for (int i = 0; i < width; i++)
    {
        grz_u128 d = (grz_u128)a[i] - b[i] - borrow;
        r->limbs[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    r->sign = 1;
    if (r->limbs[width - 1] >> 63)
    {
        r->sign = -1;
        uint64_t carry = 1;
        for (int i = 0; i < width; i++)
        {
            uint64_t flipped = ~r->limbs[i];
            r->limbs[i] = flipped + carry;
            carry &= r->limbs[i] == 0;
        }
    }
    trim(r, width);
}

void grz_integer_multiply(grz_integer *r, const grz_integer *a, const grz_integer *b)
{
    r->sign = a->sign * b->sign;
    if (r->sign == 0)
    {
        r->count = 0;
        return;
    }
    memset(r->limbs, 0, (size_t)b->count * sizeof *r->limbs);
    int zeros = 0; /* numbers over the whole range of doubles are mostly zeros, below or between their terms */
    while (b->limbs[zeros] == 0)
        zeros++;
    for (int i = 0; i < a->count; i++)
    {
        uint64_t carry = 0;
        for (int j = a->limbs[i] != 0 ? zeros : b->count; j < b->count; j++)
        {
            /* At most (2^64-1)^2 + 2 (2^64-1) = 2^128 - 1: no overflow. */
            grz_u128 t = (grz_u128)a->limbs[i] * b->limbs[j] + r->limbs[i + j] + carry;
            r->limbs[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        r->limbs[i + b->count] = carry;
    }
    trim(r, a->count + b->count);
}

int grz_integer_compare_magnitudes(const grz_integer *a, const grz_integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
    {
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    }
    return 0;
}

static void add_magnitude(grz_integer *r, const grz_integer *a)
{
    int longest = r->count > a->count ? r->count : a->count;
    uint64_t carry = 0;
    for (int i = 0; i < longest; i++)
    {
        grz_u128 sum = (grz_u128)(i < r->count ? r->limbs[i] : 0) + (i < a->count ? a->limbs[i] : 0) + carry;
        r->limbs[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    r->count = longest;
    if (carry != 0)
        r->limbs[r->count++] = carry;
}

/* r = larger - smaller in magnitude, where r is one of the two. */
static void subtract_magnitude(grz_integer *r, const grz_integer *larger, const grz_integer *smaller)
{
    uint64_t borrow = 0;
    int count = larger->count;
    for (int i = 0; i < count; i++)
    {
        grz_u128 d = (grz_u128)larger->limbs[i] - (i < smaller->count ? smaller->limbs[i] : 0) - borrow;
        r->limbs[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    trim(r, count);
}

void grz_integer_accumulate(grz_integer *r, const grz_integer *a, bool negate)
{
    int sign = negate ? -a->sign : a->sign;
    if (sign == 0)
        return;
    if (r->sign == 0 || r->sign == sign)
    {
        if (r->sign == 0)
            r->count = 0;
        r->sign = sign;
        add_magnitude(r, a);
        return;
    }
    int order = grz_integer_compare_magnitudes(r, a);
    if (order >= 0)
    {
        subtract_magnitude(r, r, a);
        return;
    }
    r->sign = sign;
    subtract_magnitude(r, a, r);
}

int grz_integer_bits(const grz_integer *a)
{
    return a->count == 0 ? 0 : 64 * a->count - LEADING_ZEROS(a->limbs[a->count - 1]);
}

void grz_integer_shift(grz_integer *r, const grz_integer *a, int shift)
{
    int words = shift / 64, bits = shift % 64;
    memset(r->limbs, 0, (size_t)words * sizeof *r->limbs);
    uint64_t carry = 0;
    for (int i = 0; i < a->count; i++)
    {
        r->limbs[words + i] = (a->limbs[i] << bits) | carry;
        carry = bits == 0 ? 0 : a->limbs[i] >> (64 - bits);
    }
    r->limbs[words + a->count] = carry;
    r->sign = 1;
    trim(r, words + a->count + 1);
}

/* The double nearest to (quotient + fraction) * 2^exponent, where 0 <= fraction < 1, and `inexact` says that it is
   not 0. The quotient has at least 56 bits, so that the fraction never decides more than a tie. */
static double round_to_double(uint64_t quotient, bool inexact, int exponent, int sign)
{
    int top = 63 - LEADING_ZEROS(quotient) + exponent; /* the value lies in [2^top, 2^(top+1)) */
    uint64_t sign_bit = sign < 0 ? UINT64_C(1) << 63 : 0;
    uint64_t bits;
    if (top > 1023)
        bits = UINT64_C(0x7fefffffffffffff);
    else if (top < -1075)
        bits = 0; /* below half of the smallest double */
    else
    {
        int unit = top < -1022 ? -1074 : top - 52; /* exponent of the last place */
        int drop = unit - exponent;                /* bits to round away: 3 .. 64 */
        uint64_t kept = drop >= 64 ? 0 : quotient >> drop;
        uint64_t half = UINT64_C(1) << (drop - 1);
        uint64_t rest = drop >= 64 ? quotient : quotient & (half * 2 - 1);
        bool up = rest > half || (rest == half && (inexact || (kept & 1) != 0));
        /* Counting in units of the last place, a normal number carries its implicit bit into the exponent field. */
        bits = kept + (up ? 1 : 0);
        if (top >= -1022)
            bits += (uint64_t)(top + 1022) << 52;
        if (bits > UINT64_C(0x7fefffffffffffff))
            bits = UINT64_C(0x7fefffffffffffff);
    }
    bits |= sign_bit;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * The quotient and rest of two numbers of `count` + 1 and `count` limbs, where the divisor's highest bit is set and the
 * quotient has one limb: one step of long division (Knuth, TAOCP 2, algorithm D). The estimate from the highest limbs
 * is at most 2 too large. The rest replaces the dividend; returns the quotient.
 */
static uint64_t divide_step(uint64_t *dividend, const uint64_t *divisor, int count)
{
    uint64_t top = divisor[count - 1], quotient = UINT64_MAX;
    if (top != 0 && dividend[count] < top) /* it is not 0: its highest bit is set */
        quotient = (uint64_t)(((grz_u128)dividend[count] << 64 | dividend[count - 1]) / top);
    uint64_t carry = 0, borrow = 0;
    for (int i = 0; i <= count; i++)
    {
        grz_u128 product = (grz_u128)(i < count ? divisor[i] : 0) * quotient + carry;
        grz_u128 d = (grz_u128)dividend[i] - (uint64_t)product - borrow;
        dividend[i] = (uint64_t)d;
        carry = (uint64_t)(product >> 64);
        borrow = (uint64_t)(d >> 64) & 1;
    }
    while (borrow != 0)
    {
        grz_u128 sum = 0;
        for (int i = 0; i <= count; i++)
        {
            sum = (grz_u128)dividend[i] + (i < count ? divisor[i] : 0) + (uint64_t)(sum >> 64);
            dividend[i] = (uint64_t)sum;
        }
        quotient--;
        borrow -= (uint64_t)(sum >> 64);
    }
    return quotient;
}

double grz_integer_quotient(const grz_integer *numerator, const grz_integer *denominator, int exponent)
{
    if (numerator->sign == 0)
        return 0.0;
    /* Scale so that the quotient has 63 or 64 bits and the divisor's highest bit is set. The dividend then has one limb
       more than the divisor, and is less than 2^64 times as large. */
    uint64_t rest_limbs[GRZ_QUOTIENT_LIMBS], divisor_limbs[GRZ_QUOTIENT_LIMBS];
    grz_integer rest = {rest_limbs, 0, 0}, divisor = {divisor_limbs, 0, 0};
    int divisor_bits = grz_integer_bits(denominator);
    int shift = 63 - (grz_integer_bits(numerator) - divisor_bits), down = shift < 0 ? -shift : 0;
    int align = (64 - (divisor_bits + down) % 64) % 64;
    grz_integer_shift(&rest, numerator, align + (shift > 0 ? shift : 0));
    grz_integer_shift(&divisor, denominator, align + down);
    uint64_t quotient = divide_step(rest.limbs, divisor.limbs, divisor.count);
    bool inexact = false;
    for (int i = 0; i < divisor.count && !inexact; i++)
        inexact = rest.limbs[i] != 0;
    return round_to_double(quotient, inexact, exponent - shift, numerator->sign * denominator->sign);
}

double grz_integer_round(grz_u128 magnitude, int sign, int exponent)
{
    if (magnitude == 0)
        return 0.0;
    uint64_t high = (uint64_t)(magnitude >> 64), low = (uint64_t)magnitude;
    int zeros = high != 0 ? LEADING_ZEROS(high) : 64 + LEADING_ZEROS(low);
    grz_u128 shifted = magnitude << zeros;
    return round_to_double((uint64_t)(shifted >> 64), (uint64_t)shifted != 0, exponent + 64 - zeros, sign);
}
