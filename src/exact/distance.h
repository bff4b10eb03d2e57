/* SPDX-License-Identifier: MIT */
/*
 * Exact distance of two triangles. Points 0, 1, 2 are the corners of A and 3, 4, 5 those of B, as placed in the world
 * (see predicates.h).
 */
#ifndef GRZ_EXACT_DISTANCE_H
#define GRZ_EXACT_DISTANCE_H

#include "exact/predicates.h"

/* The distance of two triangles that do not meet lies in [lower, upper], which differ by a few units in the last place,
   or reach the ends of the range of doubles. Each coordinate of the closest points is rounded once. */
typedef struct grz_exact_distance
{
    double lower, upper;
    double point_a[3], point_b[3];
} grz_exact_distance;

void grz_triangles_distance(grz_points *points, grz_exact_distance *out);

/* Whether two triangles that do not meet have a distance of at most `most`, a finite number that is not negative, or,
   when strict, of less. */
bool grz_triangles_within(grz_points *points, double most, bool strict);

/* The same for the real sum of up to four such numbers, which need not be a double. */
bool grz_triangles_within_sum(grz_points *points, const double *terms, int count, bool strict);

#endif
