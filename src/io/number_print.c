/* SPDX-License-Identifier: MIT */
/*
 * Double to decimal; see number.h. Digits come from the 128-bit product with a power of ten and are accepted only if
 * they read back as the same double; 17 always do, since their spacing is finer than that of doubles.
 */
#include "io/number.h"

#include <stdbool.h>
#include <string.h>

#include "io/power_of_ten.h"

enum
{
    LEAST_DIGITS = 15,
    MOST_DIGITS = 17
};

typedef struct decimal_digits
{
    uint64_t integer;
    int power; /* power of ten of the last digit */
} decimal_digits;

/* Rounds mantissa * 2^exponent to `count` digits; `leading` is the power of ten of the first one, or one less. */
static decimal_digits round_to_digits(uint64_t mantissa, int exponent, int count, int leading)
{
    uint64_t limit = 1;
    for (int i = 0; i < count; i++)
        limit *= 10;
    for (;; leading++)
    {
        int power = count - 1 - leading;
        grz_scaled scaled = grz_scale_by_power_of_ten(mantissa, power);
        int shift = -(scaled.exponent + exponent); /* the result has less than 61 of 128 bits */
        uint64_t integer = (uint64_t)(((scaled.high >> (shift - 1)) + 1) >> 1);
        if (integer < limit)
            return (decimal_digits){integer, -power};
    }
}

/* The power of ten of the first digit of a number whose highest bit is 2^bit, or one less. */
static int leading_power(int bit)
{
    /* floor(bit log10(2)), exact in this range; the offset makes the division round down for negative numbers. */
    return (bit * 78913 + 1100 * 262144) / 262144 - 1100;
}

size_t grz_integer_print(uint64_t value, char out[GRZ_NUMBER_SIZE])
{
    char reversed[20];
    size_t count = 0;
    do
    {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (size_t i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

/* Formats digits as %g would: plain where that is short, else with an exponent. */
static size_t lay_out(decimal_digits number, char *out)
{
    while (number.integer % 10 == 0)
    {
        number.integer /= 10;
        number.power++;
    }
    char digits[GRZ_NUMBER_SIZE];
    int count = (int)grz_integer_print(number.integer, digits);
    int point = count + number.power; /* digits before the decimal point */
    char *at = out;
    bool scientific = point < -3 || point > MOST_DIGITS;
    int before = scientific ? 1 : point;
    if (before <= 0)
    {
        *at++ = '0';
        *at++ = '.';
        for (int i = before; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < count || i < before; i++)
    {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < count ? digits[i] : '0';
    }
    if (scientific)
    {
        int exponent = point - 1;
        *at++ = 'e';
        if (exponent < 0)
            *at++ = '-';
        at += grz_integer_print((uint64_t)(exponent < 0 ? -exponent : exponent), at);
    }
    return (size_t)(at - out);
}

size_t grz_number_print(double value, char out[GRZ_NUMBER_SIZE])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *at = out;
    if (bits >> 63 != 0)
        *at++ = '-';
    bits &= ~((uint64_t)1 << 63);
    if (bits == 0)
    {
        *at++ = '0';
        return (size_t)(at - out);
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    int biased = (int)(bits >> 52);
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (biased > 0)
        mantissa |= (uint64_t)1 << 52;
    int exponent = (biased > 0 ? biased : 1) - 1075;
    int leading = leading_power(exponent + 63 - __builtin_clzll(mantissa));

    decimal_digits number = {0, 0};
    for (int count = LEAST_DIGITS; count <= MOST_DIGITS; count++)
    {
        number = round_to_digits(mantissa, exponent, count, leading);
        if (count == MOST_DIGITS || grz_number_from_decimal(number.integer, number.power) == magnitude)
            break;
    }
    return (size_t)(at - out) + lay_out(number, at);
}
