/* SPDX-License-Identifier: MIT */
/*
 * Double to decimal; see number.h. Digits come from the 128-bit product with a power of ten and are accepted only if
 * they read back as the same double; 17 always do, since their spacing is finer than that of doubles.
 */
#include "text/number.h"

#include <stdbool.h>
#include <string.h>

#include "text/power_of_ten.h"

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

/* Rounds mantissa * 2^exponent to `count` digits; `leading` is the power of ten of the first one, or one less. A double
 * halfway between two decimals of 15 to 17 digits has at most 24 binary places, so that the product is exact there. */
static decimal_digits round_to_digits(uint64_t mantissa, int exponent, int count, int leading, bool ties_to_even)
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
        bool is_tie = scaled.slack == 0 && scaled.high << (128 - shift) == (grz_u128)1 << 127;
        if (ties_to_even && is_tie && integer % 2 != 0)
            integer--;
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

/* How digits are laid out: plain up to `most` digits before the point, else with an exponent. */
typedef struct number_layout
{
    int most;
    bool like_printf; /* a sign and two digits at least in the exponent */
} number_layout;

static size_t put_exponent(int exponent, bool like_printf, char *out)
{
    char *at = out;
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    *at++ = 'e';
    if (exponent < 0 || like_printf)
        *at++ = exponent < 0 ? '-' : '+';
    if (like_printf && size < 10)
        *at++ = '0';
    at += grz_integer_print(size, at);
    return (size_t)(at - out);
}

/* Formats digits as %g would: plain where that is short, else with an exponent. */
static size_t lay_out(decimal_digits number, number_layout layout, char *out)
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
    bool scientific = point < -3 || point > layout.most;
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
        at += put_exponent(point - 1, layout.like_printf, at);
    return (size_t)(at - out);
}

static size_t print(double value, bool like_printf, char out[GRZ_NUMBER_SIZE])
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
    int count = LEAST_DIGITS;
    for (;; count++)
    {
        number = round_to_digits(mantissa, exponent, count, leading, like_printf);
        if (count == MOST_DIGITS || grz_number_from_decimal(number.integer, number.power) == magnitude)
            break;
    }
    number_layout layout = {like_printf ? count : MOST_DIGITS, like_printf};
    return (size_t)(at - out) + lay_out(number, layout, at);
}

size_t grz_number_print(double value, char out[GRZ_NUMBER_SIZE])
{
    return print(value, false, out);
}

void grz_real_print(double value, char out[GRZ_NUMBER_SIZE])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool is_finite = (bits >> 52 & 0x7ff) != 0x7ff, is_zero = bits << 1 == 0, is_negative = bits >> 63 != 0;
    if (is_finite && !(is_zero && is_negative))
    {
        out[print(value, true, out)] = '\0';
        return;
    }
    const char *word = is_zero ? "-0.0" : bits << 12 != 0 ? "-nan" : "-inf"; /* "-0" would be an integer */
    memcpy(out, word + !is_negative, strlen(word + !is_negative) + 1);
}
