/* SPDX-License-Identifier: MIT */
/* First impacts of two small moving meshes by comparing all pairs of their triangles, each exactly. */
#ifndef FUZZ_TWIN_IMPACT_H
#define FUZZ_TWIN_IMPACT_H

#include "motion_case.h"

typedef struct twin_impact
{
    uint32_t rows, columns;
    graze_moving_contact contacts[SMALL_TRIANGLES][SMALL_TRIANGLES]; /* verdict NONE: the pair does not meet */
    graze_impact_interval first;                                     /* of all */
} twin_impact;

void twin_impact_find(const motion_case *c, bool crossing, twin_impact *out);

/* Earlier, at the same time as far as intervals tell, or later: below, equal to or above 0. */
int compare_times(const graze_impact_interval *x, const graze_impact_interval *y);

/* The distance of both at a time, from below and from above; poses are known within bounds. */
typedef struct distance_at
{
    double lower, upper;
} distance_at;

distance_at twin_distance_at(const motion_case *c, double t);

#endif
