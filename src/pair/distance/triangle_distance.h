/* SPDX-License-Identifier: MIT */
/*
 * Distances of triangle pairs of two placed meshes: the only place where they are computed, so that all queries give
 * the same numbers.
 *
 * Eight pairs at a time are placed in doubles, in the world shifted by A's translation: there, two meshes near each
 * other but far from the origin lose no accuracy. A kernel finds the closest points and a certified lower bound. Pairs
 * whose lower bound is not above 0 are decided, and measured, in integers.
 */
#ifndef GRZ_PAIR_DISTANCE_TRIANGLE_DISTANCE_H
#define GRZ_PAIR_DISTANCE_TRIANGLE_DISTANCE_H

#include <stdbool.h>

#include "exact/predicates.h"
#include "graze/pair.h"
#include "simd/distance.h"

/* Two placed meshes and the error bounds for measuring them. */
typedef struct grz_measure_frame
{
    const grz_distance_kernels *kernels;
    const graze_mesh *mesh_a, *mesh_b;
    graze_pose pose_a, pose_b;
    graze_pose shifted_a, shifted_b; /* the same, shifted so that A's translation is 0 */
    bool usable;                     /* whether magnitudes allow doubles */
    bool point_a, point_b;           /* whether all corners of the mesh are one point */
    double error;                    /* error bound of a coordinate of a placed corner in doubles */
    double point_error;              /* bound of the distance of a computed point from its triangle */
    grz_filter_stats stages;
    uint64_t pairs;          /* measured */
    uint64_t exact_measures; /* of these, in integers */
} grz_measure_frame;

/* The distance of two triangles. */
typedef struct grz_closest_pair
{
    uint32_t triangle_a, triangle_b;
    double lower, upper;           /* certified; all numbers are 0 when they meet */
    double distance;               /* between lower and upper; 0 only when they meet */
    double point_a[3], point_b[3]; /* in the world, less A's translation when `shifted`; not set when they meet */
    bool meet;                     /* exact */
    bool shifted;
    bool open; /* doubles do not say whether they meet */
} grz_closest_pair;

/* Pairs to be measured. */
typedef struct grz_triangle_pair_batch
{
    uint32_t a[GRZ_LANES], b[GRZ_LANES];
    unsigned count;
} grz_triangle_pair_batch;

void grz_measure_frame_make(grz_measure_frame *frame, const graze_context *context, const graze_placed_mesh *a,
                            const graze_placed_mesh *b);

/* The largest sum of magnitudes of a placed coordinate's terms, rounded up. */
double grz_coordinate_bound(const graze_mesh *mesh, const graze_pose *pose);

/* Measures up to eight pairs in doubles. Of those left open only numbers in doubles, if any, are known: upper and
   distance are valid then, and INFINITY where magnitudes allow no doubles. */
void grz_measure_pairs_in_doubles(grz_measure_frame *frame, const grz_triangle_pair_batch *pairs,
                                  grz_closest_pair out[GRZ_LANES]);

/* Decides whether a pair left open meets, and measures it: in twice the precision or in integers. */
void grz_measure_open_pair(grz_measure_frame *frame, grz_closest_pair *gap);

/* Both. */
void grz_measure_pairs(grz_measure_frame *frame, const grz_triangle_pair_batch *pairs, grz_closest_pair out[GRZ_LANES]);

/* Measures a pair in integers: bounds a few units in the last place apart. */
void grz_measure_exactly(grz_measure_frame *frame, grz_closest_pair *gap);

/* Whether the triangles of a disjoint pair are at most `most` apart, or, when strict, less. Exact. */
bool grz_pair_is_within(grz_measure_frame *frame, const grz_closest_pair *gap, double most, bool strict);

/* The same for the real sum of up to four numbers. */
bool grz_pair_is_within_sum(grz_measure_frame *frame, const grz_closest_pair *gap, const double *terms, int count,
                            bool strict);

/* The points in the world, rounded once more. */
void grz_closest_points_in_world(const grz_measure_frame *frame, const grz_closest_pair *gap, double point_a[3],
                                 double point_b[3]);

#endif
