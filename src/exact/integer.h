/* SPDX-License-Identifier: MIT */
/*
 * src/exact: adaptive predicates. Signs of polynomials in the input numbers, decided exactly, and what follows from
 * them: contacts of triangles, point location. May use base and math. Compiled with strict floating point.
 *
 * Big integers as sign and magnitude, in storage the caller provides: nothing allocates, so nothing can fail. A finite
 * double is an integer times a power of two, so over a common power of two all of Graze's predicates are integer
 * polynomials. Width follows the operands: numbers with few significant bits, such as those of CAD grids, cost one
 * limb; the far ends of the double range cost a few hundred.
 */
#ifndef GRZ_EXACT_INTEGER_H
#define GRZ_EXACT_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strict_float.h"

__extension__ typedef unsigned __int128 grz_u128;

enum
{
    /* A placed coordinate is a sum of three products of doubles and a double. In units of 2^-2148 a product is below
       2^4196, so the sum and a difference of two such sums are below 2^4200: 66 limbs, with room for a sign. */
    GRZ_COORDINATE_LIMBS = 66,
    GRZ_MINOR_LIMBS = 2 * GRZ_COORDINATE_LIMBS + 1,       /* sum of products of two differences */
    GRZ_DETERMINANT_LIMBS = 3 * GRZ_COORDINATE_LIMBS + 1, /* sum of products of three */
    GRZ_SQUARE_LIMBS = 6 * GRZ_COORDINATE_LIMBS + 8,      /* the square of a determinant */
    GRZ_QUOTIENT_LIMBS = GRZ_SQUARE_LIMBS + 4             /* the same with room to shift */
};

/* Magnitude in limbs[0 .. count-1], least significant first, the last one not zero; sign 0 exactly when count is 0. */
typedef struct grz_integer
{
    uint64_t *limbs;
    int count;
    int sign;
} grz_integer;

/* r = a - b, both two's complement numbers of `width` limbs. */
void grz_integer_difference(grz_integer *r, const uint64_t *a, const uint64_t *b, int width);

/* r = a * b. The result may not share storage with the operands. */
void grz_integer_multiply(grz_integer *r, const grz_integer *a, const grz_integer *b);

/* r = r + a, or r - a when `negate` is set. */
void grz_integer_accumulate(grz_integer *r, const grz_integer *a, bool negate);

/* How many bits |a| has; -1, 0, 1 by the order of |a| and |b|; r = |a| * 2^shift, which may not share storage with a.
 */
int grz_integer_bits(const grz_integer *a);
int grz_integer_compare_magnitudes(const grz_integer *a, const grz_integer *b);
void grz_integer_shift(grz_integer *r, const grz_integer *a, int shift);

/* The double nearest to numerator / denominator * 2^exponent, ties to even; at most the largest finite double.
   The denominator is not zero. Scratch space of GRZ_QUOTIENT_LIMBS limbs each is taken from the stack. */
double grz_integer_quotient(const grz_integer *numerator, const grz_integer *denominator, int exponent);

/* The double nearest to sign * magnitude * 2^exponent, likewise. */
double grz_integer_round(grz_u128 magnitude, int sign, int exponent);

#endif
