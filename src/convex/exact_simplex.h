/* SPDX-License-Identifier: MIT */
/* Whether vertices of two placed polytopes span a common point, exactly. See exact_simplex.c. */
#ifndef GRZ_CONVEX_EXACT_SIMPLEX_H
#define GRZ_CONVEX_EXACT_SIMPLEX_H

#include <stdbool.h>

#include "convex/convex_body.h"

/* Whether the origin lies in the simplex of the `count` points A - B, one to four, of the given vertices of A and B.
   Exact. */
bool grz_exact_simplex_holds_origin(const grz_convex_body *a, const grz_convex_body *b, const uint32_t vertices[][2],
                                    int count);

#endif
