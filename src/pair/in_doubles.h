/* SPDX-License-Identifier: MIT */
/*
 * Two triangles in doubles, the short way. What floats leave in doubt nearly always is quite clear in doubles: the
 * triangles cross, inside in inside, or are apart. That much is told here, without the names of features and the
 * integers of exact/points.h, which are for the few pairs that stay in doubt.
 */
#ifndef GRZ_PAIR_IN_DOUBLES_H
#define GRZ_PAIR_IN_DOUBLES_H

#include <stdint.h>

#include "graze/pose.h"

typedef enum grz_verdict
{
    GRZ_IN_DOUBT,
    GRZ_APART, /* they share no point */
    GRZ_CROSS  /* the contact is grz_crossing */
} grz_verdict;

/* Corner i is the vertex corners[i], at vertices + 3 * corners[i]. */
typedef struct grz_indexed_triangle
{
    const double *vertices;
    const uint32_t *corners;
} grz_indexed_triangle;

/* What is known of a pair that stays in doubt: on which sides of B's plane A's corners are, and of A's plane B's, as
   exact/points.h has them in a frame that is no mirror image; those that are not certain are GRZ_UNSETTLED. */
typedef struct grz_doubt
{
    int sides_a[3], sides_b[3];
    double images[3][3]; /* of B's corners */
} grz_doubt;

/*
 * A as its corners are, B as `map` takes it into A's frame. The images of B's corners, as computed here (a term passes
 * three roundings), may be off by at most `error` on each axis; it must be 2^-700 at least. It, the corners of A, the
 * images and sums of the magnitudes of their terms must not exceed 2^300. The frame may be a mirror image.
 * `out_doubt` is written only for GRZ_IN_DOUBT.
 */
grz_verdict grz_judge_in_doubles(grz_indexed_triangle a, grz_indexed_triangle b, const graze_pose *map, double error,
                                 grz_doubt *out_doubt);

#endif
