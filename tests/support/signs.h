/* SPDX-License-Identifier: MIT */
/* All signs of six placed points, each compared with the oracle's. */
#ifndef SUPPORT_SIGNS_H
#define SUPPORT_SIGNS_H

#include "exact/filter_stats.h"
#include "support/generators.h"
#include "support/oracle.h"

enum
{
    SIGNS_PER_CASE = 15 + 3 * 20 + 3 * 15 /* of 4 of 6 points, of 3 seen along 3 axes, of 2 along 3 axes */
};

typedef struct sign_table
{
    signed char signs[SIGNS_PER_CASE];
} sign_table;

/* The oracle's signs; and the library's, by its internal functions (counting stages) and by its public ones. */
void signs_by_oracle(oracle *judge, const triangle_case *points, sign_table *out);
void signs_by_library(const triangle_case *points, grz_filter_stats *stages, sign_table *out);
void signs_by_public(const triangle_case *points, sign_table *out);

/* The first sign that differs, or -1; and how many are zero. */
int signs_differ(const sign_table *a, const sign_table *b);
int signs_zero(const sign_table *table);

#endif
