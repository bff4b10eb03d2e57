/* SPDX-License-Identifier: MIT */
/*
 * Polynomials in time with integer coefficients, in homogeneous form: the sum of c[i] s^(n-i) t^i, where s = 1 - t. So
 * c[i] is the Bernstein coefficient of [0, 1] times the binomial n over i: c[0] is the value at t = 0, c[n] that at
 * t = 1, products are convolutions, and no number is divided. By Descartes' rule in x = t/s there are as many roots
 * in the open interval as the coefficients change sign, or fewer by an even number; roots count with multiplicity.
 *
 * Only signs matter: all polynomials here may be multiplied by a positive number.
 */
#ifndef GRZ_MOTION_POLYNOMIAL_H
#define GRZ_MOTION_POLYNOMIAL_H

#include "motion/scratch.h"

enum
{
    GRZ_DEGREE_MAX = 8
};

typedef struct grz_polynomial
{
    int degree;
    grz_integer c[GRZ_DEGREE_MAX + 1];
} grz_polynomial;

/* A time n 2^-k in [0, 1]. */
typedef struct grz_time
{
    grz_integer n;
    int k;
} grz_time;

grz_time grz_time_from_double(grz_scratch *scratch, double t);

/* The sign of a - b. */
int grz_time_compare(grz_scratch *scratch, const grz_time *a, const grz_time *b);

void grz_polynomial_multiply(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b,
                             grz_polynomial *out);

/* out = a + b or a - b, of one degree; out may be a. */
void grz_polynomial_add(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate_b,
                        grz_polynomial *out);

/* The same function with a higher degree: times (s + t). */
void grz_polynomial_elevate(grz_scratch *scratch, const grz_polynomial *a, int degree, grz_polynomial *out);

/* out = a + b or a - b, of any degrees. */
void grz_polynomial_sum(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate_b,
                        grz_polynomial *out);

/* The derivative in t. */
void grz_polynomial_differentiate(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out);

/* a b - c d, of products of one degree. */
void grz_polynomial_minor(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b,
                          const grz_polynomial *c, const grz_polynomial *d, grz_polynomial *out);

bool grz_polynomial_is_zero(const grz_polynomial *a);

/* How often the coefficients change sign; zeros do not count. */
int grz_polynomial_variations(const grz_polynomial *a);

/* False if it certainly has no root in (0, 1]. */
bool grz_polynomial_may_have_roots(const grz_polynomial *a);

/* The polynomial of degree 1 with that root. */
void grz_polynomial_of_root(grz_scratch *scratch, const grz_time *time, grz_polynomial *out);

/* The value at a time n 2^-k, times 2^(k degree); its sign. */
grz_integer grz_polynomial_value_at(grz_scratch *scratch, const grz_polynomial *a, const grz_time *time);
int grz_polynomial_sign_at(grz_scratch *scratch, const grz_polynomial *a, const grz_time *time);

/* The polynomial of [lower, upper] instead of [0, 1]. */
void grz_polynomial_restrict(grz_scratch *scratch, const grz_polynomial *a, const grz_time *lower,
                             const grz_time *upper, grz_polynomial *out);

/* The polynomial of the first half, [0, 1/2], and of the second. */
void grz_polynomial_first_half(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out);
void grz_polynomial_second_half(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out);

/* In the following (polynomial_gcd.c) roots at t = 0 and t = 1 are dropped. */

/* A greatest common divisor of two polynomials that are not zero. */
void grz_polynomial_gcd(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, grz_polynomial *out);

/* Divides by what all coefficients have in common. */
void grz_polynomial_make_primitive(grz_scratch *scratch, grz_polynomial *a);

/* Whether two polynomials certainly have no common divisor: by their remainders modulo a prime. */
bool grz_polynomials_are_coprime(const grz_polynomial *a, const grz_polynomial *b);

/* Whether a polynomial divides another one; both are not zero. `quotient`, if not NULL, then has the other's further
   roots. */
bool grz_polynomial_divides(grz_scratch *scratch, const grz_polynomial *divisor, const grz_polynomial *whole,
                            grz_polynomial *quotient);

/* A polynomial with the same roots in (0, 1), each of them once; `a` is not zero. */
void grz_polynomial_square_free(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out);

#endif
