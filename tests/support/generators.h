/* SPDX-License-Identifier: MIT */
/*
 * Degenerate and nearly degenerate triangle pairs, where one bit changes the answer. Each generator has a name and
 * states the least shares of pairs that intersect, touch, are without area and need exact arithmetic, so that it cannot
 * become empty unnoticed.
 */
#ifndef SUPPORT_GENERATORS_H
#define SUPPORT_GENERATORS_H

#include <stdbool.h>
#include <stddef.h>

#include "graze/exact.h"
#include "support/random.h"

/* Two triangles, each with a pose or NULL. */
typedef struct triangle_case
{
    double corners[2][3][3];
    graze_pose poses[2];
    bool placed[2];
} triangle_case;

typedef void make_function(test_random *random, triangle_case *out);

/* Shares of all pairs, in percent, with slack for other seeds. */
typedef struct generator
{
    const char *name;
    make_function *make;
    int least_found;    /* of pairs that intersect, */
    int least_touching; /* that touch, */
    int least_flat;     /* that have a triangle without area, */
    int least_exact;    /* that need more than the floating-point filter, */
    int most_exact;     /* and at most: a filter that settles nothing is broken too */
} generator;

extern const generator generators[];
extern const size_t generator_count;

graze_placed_triangle case_triangle(const triangle_case *pair, int side);

/* Prints the pair so that it can be pasted into a test. */
void case_print(const triangle_case *pair);

/* A random rotation matrix, each entry rounded; translation zero. */
graze_pose random_rotation(test_random *random);

/* Pairs on small integers, without poses: exact contacts of every kind. */
make_function make_any_contact;

/* One ulp up or down. */
double one_ulp(test_random *random, double value);

/* The generators of the table. Without poses: */
make_function make_grid_2_bits, make_grid_3_bits, make_grid_4_bits, make_grid_5_bits;
make_function make_grid_tenths, make_grid_sevenths;
make_function make_shared_vertex, make_shared_edge, make_shared_triangle;
make_function make_coplanar_axis, make_coplanar_tilted, make_collinear;
make_function make_segments, make_segment_triangle, make_points;
make_function make_corner_on_edge, make_corner_on_face, make_edge_through_edge;
make_function make_crossing, make_near_miss, make_grazing;
make_function make_nudged, make_nudged_real, make_scaled, make_scaled_exactly;
make_function make_denormal, make_huge, make_largest, make_mixed_magnitudes, make_any_bits;

/* With poses: */
make_function make_rotated, make_grazing_rotated, make_equal_poses, make_turned_poses, make_turned_nudged,
    make_integer_poses;
make_function make_sheared, make_mirrored, make_singular, make_nearly_singular;
make_function make_translated, make_absorbed, make_one_placed, make_quarter_turns, make_rounded_quarter_turns;
make_function make_equal_rotations, make_extreme_poses, make_denormal_poses;

#endif
