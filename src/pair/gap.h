/* SPDX-License-Identifier: MIT */
/*
 * How far triangles of two placed meshes are apart: the one place where distances of pairs are computed, so that every
 * way to ask gives the same numbers.
 *
 * Eight pairs at a time are placed in doubles, in the world shifted by A's translation: there, two meshes near each
 * other but far from the origin lose nothing. A kernel finds points and a certified lower bound. Pairs that it cannot
 * tell apart from touching are decided, and measured, in integers.
 */
#ifndef GRZ_PAIR_GAP_H
#define GRZ_PAIR_GAP_H

#include <stdbool.h>

#include "exact/points.h"
#include "graze/pair.h"
#include "simd/distance.h"

/* Two meshes and how they stand to each other. */
typedef struct grz_gap_frame
{
    const grz_distance_kernels *kernels;
    const graze_mesh *mesh_a, *mesh_b;
    graze_pose pose_a, pose_b;
    graze_pose near_a, near_b; /* the same, shifted so that A's translation is 0 */
    bool usable;               /* whether magnitudes allow doubles */
    bool point_a, point_b;     /* whether all corners of a mesh are one point */
    double error;              /* what a coordinate of a placed corner is off by in doubles */
    double point_error;        /* and by how much a computed point may lie off its triangle, as a distance */
    grz_stages stages;
    uint64_t pairs;          /* measured */
    uint64_t exact_measures; /* of these: by integers */
} grz_gap_frame;

/* The distance of two triangles. */
typedef struct grz_gap
{
    uint32_t triangle_a, triangle_b;
    double lower, upper;           /* certified; all numbers are 0 when they meet */
    double distance;               /* between the two, not 0 unless they meet */
    double point_a[3], point_b[3]; /* in the world, but for A's translation when `shifted`; not set when they meet */
    bool meet;                     /* exact */
    bool shifted;
} grz_gap;

/* Pairs to be measured. */
typedef struct grz_gap_pairs
{
    uint32_t a[GRZ_LANES], b[GRZ_LANES];
    unsigned count;
} grz_gap_pairs;

void grz_gap_frame_make(grz_gap_frame *frame, const graze_context *context, const graze_placed_mesh *a,
                        const graze_placed_mesh *b);

/* The largest sum of magnitudes that makes a placed coordinate, rounded up. */
double grz_gap_reach(const graze_mesh *mesh, const graze_pose *pose);

/* Measures up to eight pairs. */
void grz_gap_measure(grz_gap_frame *frame, const grz_gap_pairs *pairs, grz_gap out[GRZ_LANES]);

/* Measures a pair in integers: bounds a few units in the last place apart. */
void grz_gap_refine(grz_gap_frame *frame, grz_gap *gap);

/* Whether the triangles of a pair that do not meet are at most `most` apart, or, when strict, less. Exact. */
bool grz_gap_within(grz_gap_frame *frame, const grz_gap *gap, double most, bool strict);

/* The points in the world, rounded once more. */
void grz_gap_points(const grz_gap_frame *frame, const grz_gap *gap, double point_a[3], double point_b[3]);

#endif
