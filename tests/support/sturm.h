/* SPDX-License-Identifier: MIT */
/*
 * Polynomials with integer coefficients (GMP) and their roots by Sturm chains: an oracle for root isolation and for
 * signs at algebraic numbers, which shares no code and no method with src/motion.
 */
#ifndef SUPPORT_STURM_H
#define SUPPORT_STURM_H

#include <gmp.h>
#include <stdbool.h>

enum
{
    STURM_DEGREE = 40
};

/* The sum of c[i] t^i; c[degree] is not zero, or degree is -1: the zero polynomial. */
typedef struct sturm_polynomial
{
    int degree;
    mpz_t c[STURM_DEGREE + 1];
} sturm_polynomial;

void sturm_init(sturm_polynomial *p);
void sturm_clear(sturm_polynomial *p);
void sturm_copy(sturm_polynomial *out, const sturm_polynomial *p);

/* After the coefficients up to `degree` were set: drops leading zeros. */
void sturm_trim(sturm_polynomial *p, int degree);

/* The results may not be operands. */
void sturm_add(sturm_polynomial *out, const sturm_polynomial *a, const sturm_polynomial *b, int sign);
void sturm_multiply(sturm_polynomial *out, const sturm_polynomial *a, const sturm_polynomial *b);

/* Divides by the content; by a primitive divisor. */
void sturm_make_primitive(sturm_polynomial *p);
void sturm_divide(sturm_polynomial *p, const sturm_polynomial *divisor);

/* The sign at a rational. */
int sturm_sign(const sturm_polynomial *p, const mpq_t t);

/* A root of `f`, the only one in (lower, upper], which are no roots unless upper is the root itself. */
typedef struct sturm_root
{
    sturm_polynomial f;
    mpq_t lower, upper;
} sturm_root;

void sturm_root_init(sturm_root *root);
void sturm_root_clear(sturm_root *root);

/* The first root of f in (after, 1], where `after` is no root, or the last root found: then the next. False when there
   is none. f is not zero and has been made square-free by sturm_square_free. */
bool sturm_first_root(const sturm_polynomial *f, const mpq_t after, sturm_root *out);

void sturm_square_free(sturm_polynomial *out, const sturm_polynomial *f);

/* The sign of the root minus t; of g at the root. */
int sturm_compare(const sturm_root *root, const mpq_t t);
int sturm_sign_at(const sturm_root *root, const sturm_polynomial *g);

#endif
