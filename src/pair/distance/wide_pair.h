/* SPDX-License-Identifier: MIT */
/* Distances of triangle pairs that doubles leave too wide, in twice the precision. See wide_pair.c. */
#ifndef GRZ_PAIR_DISTANCE_WIDE_PAIR_H
#define GRZ_PAIR_DISTANCE_WIDE_PAIR_H

#include "base/double_double.h"
#include "convex/wide_distance.h"
#include "pair/distance/triangle_distance.h"

enum
{
    GRZ_PLANE_TRIANGLES = 32, /* whose heights are kept, of each mesh */
    GRZ_PAIRS_TOGETHER = 24   /* of which no more are measured at once */
};

/* A plane between two triangles, by its normal in twice the precision. */
typedef struct grz_wide_plane
{
    grz_dd normal[3];
    bool known;
} grz_wide_plane;

/* Whether a pair that doubles leave open is likely a small gap: its points are certainly not the same, and so near each
   other as gaps are whose planes doubles tilt too much: where triangles cross, features are farther apart. */
static inline bool grz_open_pair_is_likely_apart(const grz_measure_frame *frame, const grz_closest_pair *gap)
{
    return frame->usable && gap->distance > 4 * frame->point_error && gap->distance < 0x1p26 * frame->point_error;
}

/* Measures a pair again whose points are known in doubles (`shifted`): bounds at most 2^-36 of the distance apart, and
   it does not meet. False where that does not succeed: then nothing is changed. The result depends on the pair alone.
   *out_plane (may be NULL) is the plane that gives the lower bound. */
bool grz_measure_widely(const grz_measure_frame *frame, grz_closest_pair *gap, grz_wide_plane *out_plane);

/* Measures up to GRZ_PAIRS_TOGETHER pairs at once, as the hulls of all their triangles of A and of B, where the
   features of these that are closest belong to one pair: mostly so where two faces are nearly parallel. That pair's
   bounds are then those of grz_measure_widely, and none of the others is nearer than its lower bound. Returns the
   pair's index, or -1 where that does not succeed, and then nothing is changed. The search starts from pairs[first]. */
int grz_measure_together(const grz_measure_frame *frame, grz_closest_pair *const pairs[], int count, int first,
                         grz_wide_plane *out_plane);

/* A height that was computed. */
typedef struct grz_known_height
{
    uint64_t number; /* of a triangle or vertex, and 1 more; 0: none */
    grz_dd height;
} grz_known_height;

/* Such a plane and many pairs of a frame, whose triangles and vertices are measured along it once each, mostly. In the
   default floating-point environment only. */
typedef struct grz_plane_test
{
    const grz_measure_frame *frame;
    grz_wide_heights heights;
    grz_known_height triangles[2][GRZ_PLANE_TRIANGLES]; /* of the highest corner (of A) or the lowest (of B) */
    grz_known_height vertices[2][GRZ_PLANE_TRIANGLES];
} grz_plane_test;

void grz_plane_test_begin(grz_plane_test *test, const grz_measure_frame *frame, const grz_wide_plane *plane);

/* A certified lower bound of a pair's distance by the plane; 0 where it does not separate them. */
double grz_plane_test_gap(grz_plane_test *test, const grz_closest_pair *gap);

#endif
