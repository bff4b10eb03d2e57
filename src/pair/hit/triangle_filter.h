/* SPDX-License-Identifier: MIT */
/*
 * Two triangles in doubles, the short way. What floats leave in doubt nearly always is quite clear in doubles: the
 * triangles cross, inside in inside, or are apart. That much is told here, without the names of features and the
 * integers of exact/predicates.h, which are for the few pairs that stay in doubt.
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

/* What is known of a pair that stays in doubt: on which sides of B's plane A's corners are, and of A's plane B's, as
   exact/predicates.h has them in a frame that is no mirror image; those that are not certain are GRZ_UNCERTAIN. */
typedef struct grz_filter_signs
{
    int sides_a[3], sides_b[3];
    double images[3][3]; /* of B's corners */
} grz_filter_signs;

/*
 * A as its corners are, B as `map` takes it into A's frame. The images of B's corners, as computed here (a term passes
 * three roundings), may be off by at most `error` on each axis; it must be 2^-700 at least. It, the corners of A, the
 * images and sums of the magnitudes of their terms must not exceed 2^300. The frame may be a mirror image.
 * `out_doubt` is written only for GRZ_FILTER_UNCERTAIN.
 */
grz_filter_verdict grz_filter_triangles(grz_indexed_triangle a, grz_indexed_triangle b, const graze_pose *map,
                                        double error, grz_filter_signs *out_doubt);

#endif
