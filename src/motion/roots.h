/* SPDX-License-Identifier: MIT */
/*
 * Roots of polynomials in (0, 1]: isolated by Descartes' rule and bisection, in ascending order; and the sign that
 * another polynomial has at a root, exactly.
 */
#ifndef GRZ_MOTION_ROOTS_H
#define GRZ_MOTION_ROOTS_H

#include "motion/polynomial.h"

/* A root: `lower` itself if it is exact, dyadic and known (once located: a double), else the only root of `polynomial`
   in the open interval, and a simple one. The polynomial becomes a divisor of itself where one was found that has the
   root. */
typedef struct grz_root
{
    bool exact, located;
    bool isolated; /* if located: the polynomial has no other root between the doubles around it */
    grz_time lower, upper;
    grz_polynomial polynomial;
    int sign;         /* of the polynomial between lower and the root */
    double low, high; /* doubles around it; if located: equal, or neighbours */
} grz_root;

/* The roots of a polynomial, one after the other. */
typedef struct grz_root_search
{
    grz_scratch *scratch;
    grz_polynomial polynomial, local; /* of the interval [n, n + 1] 2^-k at `cell` */
    grz_time cell, end;               /* of the interval, and of the range */
    bool square_free;                 /* the polynomial was made so */
    bool has_parent;                  /* the interval is the first half of that of `parent` */
    grz_polynomial parent;
    bool start_seen; /* whether the interval's beginning was examined as a root */
    bool finished, root_at_one;
} grz_root_search;

/* The time t as a root. */
void grz_root_at(grz_scratch *scratch, double t, grz_root *out);

/* Where to look for roots: in [n, n + 1) 2^-k, or from n 2^-k on; but not at 0, and at 1 too. */
typedef struct grz_root_range
{
    int n, k;
    bool to_the_end;
} grz_root_range;

/* Starts with a polynomial, which is not zero. A range of NULL is (0, 1]. */
void grz_root_search_start(grz_root_search *search, grz_scratch *scratch, const grz_polynomial *polynomial,
                           const grz_root_range *range);

/* Finds the next root; false when there is none. */
bool grz_root_search_next(grz_root_search *search, grz_root *out);

/* The doubles around a root: equal if it is a double, else neighbours. Narrows the root's interval to them. */
void grz_root_locate(grz_scratch *scratch, grz_root *root, double *out_lower, double *out_upper);

/* Narrows the interval of a root that is not exact to 2^-bits of itself, with 1 <= bits <= 40: by the secant, whose
   place signs confirm (Abbott, Quadratic interval refinement for real roots, 2006), else by the coefficients of the
   interval in doubles with wide exponents, likewise; or, if neither holds, by halving: then it is false. */
bool grz_root_narrow(grz_scratch *scratch, grz_root *root, int bits);

/* The sign of a polynomial at a root that was located, as far as doubles decide it: 0 where they do not. */
int grz_sign_near_root(const grz_polynomial *polynomial, const grz_root *root);

/* The sign of a polynomial at a root; may narrow the root's interval, and find a divisor of its polynomial. */
int grz_sign_at_root(grz_scratch *scratch, const grz_polynomial *polynomial, grz_root *root);

/* The sign it has right after the root: that of the first derivative which is not 0 there. */
int grz_sign_after_root(grz_scratch *scratch, const grz_polynomial *polynomial, grz_root *root);

/* The sign of a root minus a time. */
int grz_root_compare_time(grz_scratch *scratch, const grz_root *root, const grz_time *time);

/* The sign of a - b; may narrow both intervals. */
int grz_root_compare(grz_scratch *scratch, grz_root *a, grz_root *b);

#endif
