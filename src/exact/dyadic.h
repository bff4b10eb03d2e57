/* SPDX-License-Identifier: MIT */
/*
 * Exact numbers m 2^e: sums and products of doubles, in storage of their own, so that nothing can fail. For polynomials
 * of a degree that predicates.h does not have. Slow; filters stand in front of them.
 *
 * Width. A double is a multiple of 2^-1088 below 2^1024: 33 limbs of 64 bits. A product of k doubles has at most 33 k
 * limbs, and a sum of fewer than 2^64 such products one more. Polynomials up to degree 14 fit.
 */
#ifndef GRZ_EXACT_DYADIC_H
#define GRZ_EXACT_DYADIC_H

#include "exact/integer.h"
#include "math/interval.h"

enum
{
    GRZ_DYADIC_LIMBS = 14 * 33 + 8
};

/* sign * limbs * 2^(64 exponent); the first and the last limb are not zero; sign 0 exactly when count is 0. */
typedef struct grz_dyadic
{
    int sign, count, exponent;
    uint64_t limbs[GRZ_DYADIC_LIMBS];
} grz_dyadic;

/* A finite double. */
void grz_dyadic_set(grz_dyadic *r, double x);
void grz_dyadic_copy(grz_dyadic *r, const grz_dyadic *a);

/* r = a b; r = r + a, or r - a when `negate` is set. The result of a product may not share storage with the factors. */
void grz_dyadic_multiply(grz_dyadic *r, const grz_dyadic *a, const grz_dyadic *b);
void grz_dyadic_accumulate(grz_dyadic *r, const grz_dyadic *a, bool negate);

/* r = r + a b, or r - a b. */
void grz_dyadic_accumulate_product(grz_dyadic *r, const grz_dyadic *a, const grz_dyadic *b, bool negate);

/* r = a x. */
void grz_dyadic_multiply_double(grz_dyadic *r, const grz_dyadic *a, double x);

/* The sign of a - b. */
int grz_dyadic_compare(const grz_dyadic *a, const grz_dyadic *b);

/* Doubles around it, a few units in the last place apart; the ends of the range beyond it. */
interval grz_dyadic_bounds(const grz_dyadic *a);

/* Doubles around its square root, likewise; of a number that is not negative. */
interval grz_dyadic_root_bounds(const grz_dyadic *a);

#endif
