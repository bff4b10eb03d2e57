/* SPDX-License-Identifier: MIT */
/* Pairs that are not ready for a search: without tables, or with numbers near the ends of the range. See scaled_pair.c.
 */
#ifndef GRZ_CONVEX_SCALED_PAIR_H
#define GRZ_CONVEX_SCALED_PAIR_H

#include "convex/convex_support.h"

typedef struct grz_scaled_pair
{
    grz_convex_body a, b; /* with tables, and poses in the scaled world */
    grz_convex_table tables[2];
    grz_convex_operands operands;
    int exponent;  /* lengths are those of the scaled world times 2^exponent */
    double radius; /* the sum of both, in the scaled world */
    bool is_point; /* both are the same single point */
} grz_scaled_pair;

/* False where they cannot be made ready. Operands refer to the pair itself, which must stay where it is. */
bool grz_scaled_pair_make(const grz_convex_body *a, const grz_convex_body *b, grz_scaled_pair *out_pair);

/* length 2^exponent, rounded up. */
double grz_scaled_pair_raise(double length, int exponent);

#endif
