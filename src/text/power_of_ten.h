/* SPDX-License-Identifier: MIT */
/*
 * An integer times a power of ten, in 128 bits with a certified error bound: shared by reading and printing decimal
 * numbers. Integer arithmetic only, so that neither rounding mode nor locale matter.
 */
#ifndef GRZ_TEXT_POWER_OF_TEN_H
#define GRZ_TEXT_POWER_OF_TEN_H

#include <stdint.h>

#include "base/strict_float.h"

__extension__ typedef unsigned __int128 grz_u128;

enum
{
    GRZ_POWER_MIN = -351, /* the range of the table */
    GRZ_POWER_MAX = 350
};

/* A real number in [high, high + slack] * 2^exponent; the top bit of `high` is set; slack 0 means exact. */
typedef struct grz_scaled
{
    grz_u128 high;
    unsigned slack;
    int exponent;
} grz_scaled;

/* integer * 10^power; `integer` is not 0, GRZ_POWER_MIN <= power <= GRZ_POWER_MAX. */
grz_scaled grz_scale_by_power_of_ten(uint64_t integer, int power);

/* 5^power for 0 <= power < 28, where it fits. */
uint64_t grz_small_power_of_five(int power);

#endif
