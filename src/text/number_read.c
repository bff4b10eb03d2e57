/* SPDX-License-Identifier: MIT */
/*
 * Decimal to double; see number.h. The first 19 digits times the power of ten give 128 bits with a certified error
 * bound. Unless the midpoint of two doubles lies within that error, the rounding is decided; else big integers decide.
 */
#include "text/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "text/big_decimal.h"
#include "text/power_of_ten.h"

enum
{
    INTEGER_DIGITS = 19, /* digits that always fit into 64 bits */
    MANTISSA_BITS = 53,
    LEAST_BINARY_EXPONENT = -1074, /* of the smallest denormal */
    LARGEST_BINARY_EXPONENT = 971  /* of the last bit of the largest double */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* mantissa * 2^exponent, which is a double or just above the largest. */
static double assemble(uint64_t mantissa, int exponent)
{
    if (mantissa >> MANTISSA_BITS != 0) /* rounding carried into a new bit */
    {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > LARGEST_BINARY_EXPONENT)
        return (double)INFINITY;
    uint64_t bits = mantissa;
    if (mantissa >> (MANTISSA_BITS - 1) != 0)
        bits = (mantissa & (((uint64_t)1 << (MANTISSA_BITS - 1)) - 1)) |
               ((uint64_t)(exponent - LEAST_BINARY_EXPONENT + 1) << (MANTISSA_BITS - 1));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds integer * 10^power (the decimal's power, or larger if digits after those of the integer were cut). */
static double round_to_double(uint64_t integer, int64_t power, bool cut, const grz_decimal *decimal)
{
    /* The integer is at least 1 and below 2^64: beyond these powers the result is certain. */
    if (integer == 0 || power < -345)
        return 0.0;
    if (power > 309)
        return (double)INFINITY;
    grz_scaled scaled = grz_scale_by_power_of_ten(integer, (int)power);
    grz_u128 slack = scaled.slack;
    if (cut) /* the true integer is less than one larger: a relative error of 1 / integer */
        slack += ~(grz_u128)0 / integer + 8;

    int exponent = scaled.exponent + 128 - MANTISSA_BITS;
    if (exponent < LEAST_BINARY_EXPONENT)
        exponent = LEAST_BINARY_EXPONENT;
    int dropped = exponent - scaled.exponent; /* bits, 75 or more */
    if (dropped > 129)
        return 0.0;
    grz_u128 mantissa = dropped < 128 ? scaled.high >> dropped : 0;
    /* With 129 dropped bits, one more than there are, the midpoint is just out of range unless the slack reaches it. */
    grz_u128 rest = dropped < 128 ? scaled.high - (mantissa << dropped) : scaled.high;
    bool up;
    if (dropped == 129)
        up = ~(grz_u128)0 - rest < slack && grz_decimal_compare(decimal, 1, LEAST_BINARY_EXPONENT - 1) > 0;
    else
    {
        grz_u128 half = (grz_u128)1 << (dropped - 1);
        /* shortcut: quick-numbers */
        if (rest < half && half - rest > slack)
            up = false;
        else if (rest > half)
            up = true;
        else
        {
            int sign = slack == 0 ? 0 : grz_decimal_compare(decimal, 2 * (uint64_t)mantissa + 1, exponent - 1);
            up = sign > 0 || (sign == 0 && (mantissa & 1) != 0);
        }
    }
    return assemble((uint64_t)mantissa + up, exponent);
}

double grz_number_from_decimal(uint64_t integer, int power)
{
    grz_decimal decimal = {NULL, NULL, integer, power};
    return round_to_double(integer, power, false, &decimal);
}

/* Whether the text at `at` starts with `word`, ignoring case. */
static bool starts_with(const char *at, const char *end, const char *word)
{
    for (; *word != '\0'; at++, word++)
    {
        if (at == end || (*at | 0x20) != *word)
            return false;
    }
    return true;
}

/* nan, nan(...), inf, infinity: its end, or NULL. */
static const char *read_nonfinite(const char *at, const char *end, double *out_value)
{
    if (starts_with(at, end, "inf"))
    {
        *out_value = (double)INFINITY;
        return at + (starts_with(at, end, "infinity") ? 8 : 3);
    }
    if (!starts_with(at, end, "nan"))
        return NULL;
    at += 3;
    *out_value = (double)NAN;
    if (at == end || *at != '(')
        return at;
    const char *closing = at;
    while (closing < end && *closing != ')' && *closing > ' ')
        closing++;
    return closing < end && *closing == ')' ? closing + 1 : at;
}

const char *grz_integer_read(const char *at, const char *end, int64_t *out_value)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !is_digit(*at))
        return NULL;
    int64_t value = 0;
    for (; at < end && is_digit(*at); at++)
    {
        int digit = *at - '0';
        value = value >= INT64_MAX / 10 ? INT64_MAX : value * 10 + digit;
    }
    *out_value = negative ? -value : value;
    return at;
}

/* The exponent after e or E, or 0 if there is none; advances *at behind it. */
static int64_t read_exponent(const char **at, const char *end)
{
    int64_t exponent;
    if (*at == end || (**at != 'e' && **at != 'E'))
        return 0;
    const char *after = grz_integer_read(*at + 1, end, &exponent);
    if (after == NULL)
        return 0; /* the e belongs to what follows the number */
    *at = after;
    /* Far beyond any double, yet adding the number of digits cannot overflow. */
    const int64_t limit = INT64_MAX / 4;
    return exponent > limit ? limit : exponent < -limit ? -limit : exponent;
}

/* The digits of a number while they are read. */
typedef struct digit_run
{
    uint64_t integer; /* of the first 19 significant digits */
    int count;        /* of those */
    int64_t passed;   /* number of digits after those */
    bool cut;         /* whether one of them was not 0 */
} digit_run;

static const char *read_digits(const char *at, const char *end, digit_run *digits)
{
    for (; at < end && is_digit(*at); at++)
    {
        if (digits->count < INTEGER_DIGITS)
        {
            digits->integer = digits->integer * 10 + (uint64_t)(*at - '0');
            digits->count += digits->integer != 0;
        }
        else
        {
            digits->passed++;
            digits->cut = digits->cut || *at != '0';
        }
    }
    return at;
}

const char *grz_decimal_read(const char *at, const char *end, double *out_value, int64_t *out_place)
{
    *out_place = 0;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    double value;
    const char *start = at;
    digit_run digits = {0, 0, 0, false};
    at = read_digits(at, end, &digits);
    int64_t digit_count = at - start, fraction = 0;
    if (at < end && *at == '.')
    {
        const char *point = at;
        at = read_digits(at + 1, end, &digits);
        fraction = at - point - 1;
        if (at == point + 1 && starts_with(at, end, "#")) /* 1.#QNAN, 1.#INF and similar */
        {
            while (at<end && * at> ' ')
                at++;
            *out_value = (double)NAN;
            return at;
        }
    }
    if (digit_count + fraction == 0)
    {
        at = read_nonfinite(start, end, &value);
        if (at != NULL)
            *out_value = negative ? -value : value;
        return at;
    }
    const char *digits_end = at;
    int64_t power = read_exponent(&at, end) - fraction;
    *out_place = power;
    grz_decimal decimal = {start, digits_end, 0, power};
    value = round_to_double(digits.integer, power + digits.passed, digits.cut, &decimal);
    *out_value = negative ? -value : value;
    return at;
}

const char *grz_number_read(const char *at, const char *end, double *out_value)
{
    int64_t place;
    return grz_decimal_read(at, end, out_value, &place);
}
