/* SPDX-License-Identifier: MIT */
/*
 * Powers of ten in 128 bits; see power_of_ten.h. 10^q = 2^q 5^q, and 5^q = 5^(27k) 5^r with 0 <= r < 27: the second
 * factor fits 64 bits exactly, the first comes from a short table of truncated 128-bit values. Invariant: the result
 * never exceeds the true product, and is smaller by at most the slack.
 */
#include "text/power_of_ten.h"

enum
{
    STEP = 27 /* 5^27 is the largest power of five below 2^64 */
};

typedef struct truncated_power
{
    uint64_t high, low; /* the top 128 bits; the rest is truncated */
    int exponent;       /* of two, for the lowest of these bits */
} truncated_power;

/* 5^(27k) for k = -13 ... 12 */
/* clang-format off */
static const truncated_power big_powers[] = {
    {0x8049a4ac0c5811ae, 0x205b896d777d6278, -942}, /* 5^-351 */
    {0xcf42894a5dce35ea, 0x52064cac828675b9, -880}, /* 5^-324 */
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e, -817}, /* 5^-297 */
    {0x873e4f75e2224e68, 0x5a7744a6e804a291, -754}, /* 5^-270 */
    {0xda7f5bf590966848, 0xaf39a475506a899e, -692}, /* 5^-243 */
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3, -629}, /* 5^-216 */
    {0x8e938662882af53e, 0x547eb47b7282ee9c, -566}, /* 5^-189 */
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112, -504}, /* 5^-162 */
    {0xba121a4650e4ddeb, 0x92f34d62616ce413, -441}, /* 5^-135 */
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f, -378}, /* 5^-108 */
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3, -316}, /* 5^-81 */
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886, -253}, /* 5^-54 */
    {0x9e74d1b791e07e48, 0x775ea264cf55347d, -190}, /* 5^-27 */
    {0x8000000000000000, 0x0000000000000000, -127}, /* 5^0 */
    {0xcecb8f27f4200f3a, 0x0000000000000000, -65}, /* 5^27 */
    {0xa70c3c40a64e6c51, 0x999090b65f67d924, -2}, /* 5^54 */
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 61}, /* 5^81 */
    {0xda01ee641a708de9, 0xe80e6f4820cc9495, 123}, /* 5^108 */
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 186}, /* 5^135 */
    {0x8e41ade9fbebc27d, 0x14588f13be847307, 249}, /* 5^162 */
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 311}, /* 5^189 */
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 374}, /* 5^216 */
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 437}, /* 5^243 */
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 499}, /* 5^270 */
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8, 562}, /* 5^297 */
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 625}, /* 5^324 */
};
/* clang-format on */

uint64_t grz_small_power_of_five(int power)
{
    static const uint64_t powers[] = {
        1,
        5,
        25,
        125,
        625,
        3125,
        15625,
        78125,
        390625,
        1953125,
        9765625,
        48828125,
        244140625,
        1220703125,
        6103515625,
        30517578125,
        152587890625,
        762939453125,
        3814697265625,
        19073486328125,
        95367431640625,
        476837158203125,
        2384185791015625,
        11920928955078125,
        59604644775390625,
        298023223876953125,
        1490116119384765625,
        7450580596923828125,
    };
    return powers[power];
}

static int leading_zeros(grz_u128 number)
{
    uint64_t high = (uint64_t)(number >> 64);
    return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)number);
}

/* floor(a b / 2^128) */
static grz_u128 multiply_high(grz_u128 a, uint64_t b_high, uint64_t b_low)
{
    uint64_t a_high = (uint64_t)(a >> 64), a_low = (uint64_t)a;
    grz_u128 middle = (grz_u128)a_low * b_high;
    grz_u128 other = (grz_u128)a_high * b_low;
    grz_u128 carry = (((grz_u128)a_low * b_low) >> 64) + (uint64_t)middle + (uint64_t)other;
    return (grz_u128)a_high * b_high + (middle >> 64) + (other >> 64) + (carry >> 64);
}

grz_scaled grz_scale_by_power_of_ten(uint64_t integer, int power)
{
    int step = (power - GRZ_POWER_MIN) / STEP + GRZ_POWER_MIN / STEP;
    const truncated_power *big = &big_powers[step - GRZ_POWER_MIN / STEP];

    grz_u128 product = (grz_u128)integer * grz_small_power_of_five(power - step * STEP);
    int shift = leading_zeros(product);
    product <<= shift; /* still exact: 64 bits times 63 */
    grz_scaled result = {multiply_high(product, big->high, big->low), 0, power - shift + big->exponent + 128};
    /* Truncation of the table entry costs less than one unit of the product's high half, truncation of the product
     * another. */
    /* shortcut: powers-of-ten */
    result.slack = step == 0 ? 0 : 2;
    if (result.high >> 127 == 0)
    {
        result.high <<= 1;
        result.slack *= 2;
        result.exponent--;
    }
    return result;
}
