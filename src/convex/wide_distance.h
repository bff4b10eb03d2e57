/* SPDX-License-Identifier: MIT */
/* The distance of two polytopes in twice the precision of double, where doubles leave too much open: small gaps. */
#ifndef GRZ_CONVEX_WIDE_DISTANCE_H
#define GRZ_CONVEX_WIDE_DISTANCE_H

#include <stdbool.h>

#include "base/double_double.h"
#include "convex/convex_body.h"

typedef struct grz_wide_distance
{
    double lower, upper; /* certified; lower > 0 */
    double points[2][3]; /* closest points of A and B in the world, rounded */
    grz_dd normal[3];    /* of the plane that gives `lower`, from A to B, of any length */
} grz_wide_distance;

/* Measures the distance of the vertices' hulls, without radii, starting from pairs of vertices of A and B (any, one to
   four of them, none of them out of range). False where numbers are out of range, where they meet, or where no
   separating plane is found: nothing is known then. In every floating-point environment. */
bool grz_convex_wide_distance(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*start)[2], int count,
                              grz_wide_distance *out);

/* A certified lower bound of their distance, by the plane with this normal; 0 where it does not separate them, or where
   numbers are out of range. In every floating-point environment. */
double grz_convex_wide_gap(const grz_convex_body *a, const grz_convex_body *b, const grz_dd normal[3]);

#endif
