/* SPDX-License-Identifier: MIT */
/*
 * Fallback of number reading: exact comparison of a decimal of any length with the midpoint of two adjacent doubles.
 */
#ifndef GRZ_TEXT_BIG_DECIMAL_H
#define GRZ_TEXT_BIG_DECIMAL_H

#include <stdint.h>

/* The digits of a decimal number: those in [text, text_end), ignoring decimal points, or, if `text` is NULL, those of
 * `integer`; all times 10^power. */
typedef struct grz_decimal
{
    const char *text, *text_end;
    uint64_t integer;
    int64_t power;
} grz_decimal;

/* The sign of decimal - odd * 2^exponent. Both must be within a factor of four of each other and between 2^-1077 and
 * 2^1025. */
int grz_decimal_compare(const grz_decimal *decimal, uint64_t odd, int exponent);

#endif
