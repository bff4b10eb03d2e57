/* SPDX-License-Identifier: MIT */
/*
 * Decimal numbers in text: read to the nearest double (ties to even), printed so that they read back exactly.
 * Independent of the locale and the floating-point environment.
 */
#ifndef GRZ_TEXT_NUMBER_H
#define GRZ_TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/strict_float.h"

/*
 * Reads the number that starts at `at`: digits with an optional sign, point and exponent, or a word for a number that
 * is not finite (nan, inf, infinity, 1.#QNAN and similar). A number too large for a double becomes infinity. Returns
 * the end of the number, or NULL if there is none; *out_value is then untouched.
 */
const char *grz_number_read(const char *at, const char *end, double *out_value);

/* The same, and the power of ten that the last digit stands for: -2 of 1.50, 1 of 15e1; 0 of what is not finite. */
const char *grz_decimal_read(const char *at, const char *end, double *out_value, int64_t *out_place);

/* Reads decimal digits with an optional sign; saturates on overflow. Returns the end, or NULL if there is no number. */
const char *grz_integer_read(const char *at, const char *end, int64_t *out_value);

/* integer * 10^power to the nearest double; infinity when too large. */
double grz_number_from_decimal(uint64_t integer, int power);

#define GRZ_NUMBER_SIZE 32 /* room for any printed number */

/* Prints a finite number with the fewest of 15, 16 or 17 digits that read back exactly, without a terminating zero
 * byte. Returns the length. */
size_t grz_number_print(double value, char out[GRZ_NUMBER_SIZE]);
/* The same as C's printf does it with %.15g, %.16g or %.17g, terminated by a zero byte; a negative zero is "-0.0", and
 * numbers that are not finite are words. */
void grz_real_print(double value, char out[GRZ_NUMBER_SIZE]);

size_t grz_integer_print(uint64_t value, char out[GRZ_NUMBER_SIZE]);

#endif
