/* SPDX-License-Identifier: MIT */
/*
 * Exact comparison by big integers of fixed size; see big_decimal.h. Powers of five are multiplied on the side where
 * they are positive, powers of two become one shift. A midpoint of two adjacent doubles has at most 767 significant
 * digits, so for longer decimals the first 800 digits and whether a nonzero digit follows decide.
 */
#include "text/big_decimal.h"

#include <stdbool.h>
#include <stddef.h>

#include "text/power_of_ten.h"

enum
{
    /* 801 digits are 2661 bits; 5^1152, for the smallest power with so many digits, has 2675; both sides have similar
     * sizes when they are compared. 64 limbs suffice. */
    LIMB_COUNT = 64,
    DIGIT_COUNT = 800
};

typedef struct big
{
    uint64_t limbs[LIMB_COUNT]; /* least significant first */
    int count;
} big;

static void multiply_add(big *number, uint64_t factor, uint64_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < number->count; i++)
    {
        grz_u128 product = (grz_u128)number->limbs[i] * factor + carry;
        number->limbs[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0 && number->count < LIMB_COUNT)
        number->limbs[number->count++] = carry;
}

static void multiply_by_power_of_five(big *number, int64_t power)
{
    for (; power > 27; power -= 27)
        multiply_add(number, grz_small_power_of_five(27), 0);
    multiply_add(number, grz_small_power_of_five((int)power), 0);
}

static void shift_left(big *number, int64_t bits)
{
    int whole = (int)(bits / 64), rest = (int)(bits % 64);
    if (rest != 0)
        multiply_add(number, (uint64_t)1 << rest, 0);
    for (int i = LIMB_COUNT - 1; i >= 0; i--)
        number->limbs[i] = i >= whole && i - whole < number->count ? number->limbs[i - whole] : 0;
    number->count = number->count + whole < LIMB_COUNT ? number->count + whole : LIMB_COUNT;
}

static int compare(const big *a, const big *b)
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

/* Reads the digits; returns the power of ten to multiply them with. */
static int64_t read_digits(const grz_decimal *decimal, big *number)
{
    int64_t power = decimal->power;
    if (decimal->text == NULL)
    {
        multiply_add(number, 0, decimal->integer);
        return power;
    }
    int digit_count = 0;
    bool more = false;
    for (const char *at = decimal->text; at < decimal->text_end; at++)
    {
        if (*at == '.')
            continue;
        unsigned digit = (unsigned)(*at - '0');
        /* shortcut: first-digits */
        if (digit_count < DIGIT_COUNT)
        {
            multiply_add(number, 10, digit);
            digit_count += digit_count > 0 || digit != 0;
        }
        else
        {
            more = more || digit != 0;
            power++;
        }
    }
    if (more)
    {
        multiply_add(number, 10, 1);
        power--;
    }
    return power;
}

int grz_decimal_compare(const grz_decimal *decimal, uint64_t odd, int exponent)
{
    big left = {{0}, 0}, right = {{0}, 0};
    int64_t power = read_digits(decimal, &left);
    multiply_add(&right, 0, odd);
    multiply_by_power_of_five(power >= 0 ? &left : &right, power >= 0 ? power : -power);
    int64_t shift = power - exponent; /* power of two of the left side minus that of the right side */
    if (shift >= 0)
        shift_left(&left, shift);
    else
        shift_left(&right, -shift);
    return compare(&left, &right);
}
