/* SPDX-License-Identifier: MIT */
/* Two sets of points, and a plane between their hulls by GJK. In doubles: it finds planes, and proves nothing. */
#ifndef GRZ_CERTIFICATE_POINT_SETS_H
#define GRZ_CERTIFICATE_POINT_SETS_H

#include <stddef.h>

#include "math/vector.h"

typedef struct grz_point_set
{
    const v3 *points;
    size_t count; /* at least 1 */
} grz_point_set;

/* A lower bound of the distance of the hulls, about; 0 or less: none was found. `direction` goes from A to B along the
   nearest points; it is where the search starts, too. */
double grz_point_sets_gap(grz_point_set a, grz_point_set b, v3 *direction);

/* The largest n . x of A and the least of B. */
void grz_point_sets_ends(grz_point_set a, grz_point_set b, v3 n, double *out_end_of_a, double *out_start_of_b);

#endif
