/* SPDX-License-Identifier: MIT */
/*
 * Sums of products that are rounded once, to nearest: all products are added as integers, in digits of 32 bits in units
 * of 2^LEAST, the product of two least denormals. Digits are signed until all is added; each takes a few dozen amounts
 * of less than 2^32, so that none overflows.
 */
#include "math/rounded_dot.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum
{
    LEAST = -2 * 1074,
    DIGITS = (2 * 1024 + 8 - LEAST) / 32 + 3
};

typedef struct wide_sum
{
    int64_t digits[DIGITS];
} wide_sum;

/* Adds value 2^exponent. */
static void add_shifted(wide_sum *sum, uint64_t value, int exponent, bool negative)
{
    int at = (exponent - LEAST) / 32, shift = (exponent - LEAST) % 32;
    for (int half = 0; half < 2; half++)
    {
        uint64_t part = (value >> (32 * half) & 0xffffffff) << shift;
        int64_t low = (int64_t)(part & 0xffffffff), high = (int64_t)(part >> 32);
        sum->digits[at + half] += negative ? -low : low;
        sum->digits[at + half + 1] += negative ? -high : high;
    }
}

/* x = +-*out_bits 2^exponent, with at most 53 bits. */
static int take_apart(double x, uint64_t *out_bits)
{
    int exponent;
    double share = frexp(fabs(x), &exponent);
    *out_bits = (uint64_t)ldexp(share, 53);
    exponent -= 53;
    for (; *out_bits != 0 && exponent < -1074; exponent++)
        *out_bits >>= 1; /* of a denormal, zeros */
    return *out_bits != 0 ? exponent : 0;
}

static void add_product(wide_sum *sum, double x, double y)
{
    uint64_t a, b;
    int exponent = take_apart(x, &a);
    exponent += take_apart(y, &b);
    if (a == 0 || b == 0)
        return;
    bool negative = signbit(x) != signbit(y);
    uint64_t a_low = a & 0xffffffff, b_low = b & 0xffffffff, a_high = a >> 32, b_high = b >> 32;
    add_shifted(sum, a_low * b_low, exponent, negative);
    add_shifted(sum, a_high * b_low + a_low * b_high, exponent + 32, negative);
    add_shifted(sum, a_high * b_high, exponent + 64, negative);
}

/* Makes all digits those of a number that is not negative; returns whether it was. */
static bool settle(wide_sum *sum)
{
    bool negative = false;
    for (int pass = 0; pass < 2; pass++)
    {
        int64_t carry = 0;
        for (int i = 0; i < DIGITS; i++)
        {
            int64_t digit = sum->digits[i] + carry, low = digit & 0xffffffff;
            carry = (digit - low) / 0x100000000;
            sum->digits[i] = low;
        }
        if (carry >= 0)
            break;
        negative = true;
        sum->digits[DIGITS - 1] -= 0x100000000;
        for (int i = 0; i < DIGITS; i++)
            sum->digits[i] = -sum->digits[i];
    }
    return negative;
}

static unsigned bit_at(const wide_sum *sum, int bit)
{
    return bit < 0 ? 0 : (unsigned)(sum->digits[bit / 32] >> bit % 32 & 1);
}

static double rounded(wide_sum *sum)
{
    bool negative = settle(sum), rest = false;
    int top = 32 * DIGITS - 1;
    while (top >= 0 && bit_at(sum, top) == 0)
        top--;
    if (top < 0)
        return 0;
    int last = top - 52 > -1074 - LEAST ? top - 52 : -1074 - LEAST; /* of the bits that a double has */
    uint64_t bits = 0;
    for (int bit = top; bit >= last; bit--)
        bits = bits << 1 | bit_at(sum, bit);
    for (int bit = 0; bit < last - 1 && !rest; bit++)
        rest = bit_at(sum, bit) != 0;
    if (bit_at(sum, last - 1) != 0 && (rest || (bits & 1) != 0))
        bits++;
    double magnitude = ldexp((double)bits, last + LEAST);
    return negative ? -magnitude : magnitude;
}

double grz_rounded_dot(const double a[3], const double b[3], double c)
{
    wide_sum sum;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < 3; i++)
        add_product(&sum, a[i], b[i]);
    add_product(&sum, c, 1);
    return rounded(&sum);
}
