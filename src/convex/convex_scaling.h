/* SPDX-License-Identifier: MIT */
/* Pairs that are not ready for a search: without tables, or with numbers near the ends of the range. See
 * convex_scaling.c.
 */
#ifndef GRZ_CONVEX_CONVEX_SCALING_H
#define GRZ_CONVEX_CONVEX_SCALING_H

#include "convex/convex_support.h"

typedef struct grz_convex_scaled
{
    grz_convex_body a, b; /* with tables, and poses in the scaled world */
    grz_convex_table tables[2];
    grz_convex_operands operands;
    int exponent;  /* lengths are those of the scaled world times 2^exponent */
    double radius; /* the sum of both, in the scaled world */
    bool is_point; /* both are the same single point */
} grz_convex_scaled;

/* False where they cannot be made ready. Operands refer to the pair itself, which must stay where it is, and to both
   bodies. */
bool grz_convex_scaled_make(const grz_convex_body *a, const grz_convex_body *b, grz_convex_scaled *out_pair);

/* length 2^exponent, rounded up. */
double grz_convex_scaled_raise(double length, int exponent);

#endif
