/* SPDX-License-Identifier: MIT */
/*
 * A floating-point filter for two triangles, in doubles. It decides nearly all pairs that the float tests leave open:
 * they cross in the interior of both, or are disjoint. It knows neither the names of features nor the exact integers of
 * exact/predicates.h, which are for the few pairs left uncertain.
 */
#ifndef GRZ_PAIR_HIT_TRIANGLE_FILTER_H
#define GRZ_PAIR_HIT_TRIANGLE_FILTER_H

#include <stdint.h>

#include "graze/pose.h"

typedef enum grz_filter_verdict
{
    GRZ_FILTER_UNCERTAIN,
    GRZ_FILTER_DISJOINT, /* they share no point */
    GRZ_FILTER_CROSSING  /* the contact is grz_crossing_contact */
} grz_filter_verdict;

/* Corner i is the vertex corners[i], at vertices + 3 * corners[i]. */
typedef struct grz_indexed_triangle
{
    const double *vertices;
    const uint32_t *corners;
} grz_indexed_triangle;

/* The signs found for an uncertain pair: the sides of A's corners to B's plane, and of B's corners to A's plane, as in
   exact/predicates.h in a frame that is no mirror image; uncertain ones are GRZ_UNCERTAIN. */
typedef struct grz_filter_signs
{
    int sides_a[3], sides_b[3];
    double transformed_b[3][3]; /* transformed corners of B */
} grz_filter_signs;

/*
 * A's corners are exact, B's are transformed by `map` into A's frame. The error of the transformed corners, as computed
 * here (a term passes three roundings), is at most `error` on each axis, which must be 2^-700 at least. It, the corners
 * of A, the transformed corners and the sums of the magnitudes of their terms must not exceed 2^300. The frame may be a
 * mirror image. `out_signs` is written only for GRZ_FILTER_UNCERTAIN.
 */
grz_filter_verdict grz_filter_triangles(grz_indexed_triangle a, grz_indexed_triangle b, const graze_pose *map,
                                        double error, grz_filter_signs *out_signs);

#endif
