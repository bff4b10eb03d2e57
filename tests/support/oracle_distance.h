/* SPDX-License-Identifier: MIT */
/* The distance of two placed triangles in plain rationals. */
#ifndef SUPPORT_ORACLE_DISTANCE_H
#define SUPPORT_ORACLE_DISTANCE_H

#include <gmp.h>

#include "support/oracle.h"

/* The square of their distance. */
void oracle_distance_sq(oracle *judge, const graze_placed_triangle *a, const graze_placed_triangle *b, mpq_t out);

/* Compares a number that is not negative with the distance whose square is given: -1, 0 or 1. Infinity is larger. */
int oracle_compare_distance(double number, const mpq_t distance_sq);

#endif
