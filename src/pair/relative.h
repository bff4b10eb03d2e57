/* SPDX-License-Identifier: MIT */
/*
 * How two placed trees lie to one another: maps between their coordinates, with certified errors.
 */
#ifndef GRZ_PAIR_RELATIVE_H
#define GRZ_PAIR_RELATIVE_H

#include <stdbool.h>

#include "graze/pose.h"
#include "simd/kernels.h"
#include "tree/tree.h"

/* x -> matrix x + offset. No row or column of the matrix has a larger sum of magnitudes than `norm`. For x in [-1, 1]^3
   the image of the exact map differs by at most `error` on each axis from that of this one, before rounding. */
typedef struct grz_map
{
    double matrix[3][3];
    double offset[3];
    double norm, error;
} grz_map;

/* The map from mesh coordinates under one pose to those under another, what entries of its matrix and of its
   translation are off by at most, and a bound on sums of magnitudes as in grz_map. */
typedef struct grz_relative
{
    graze_pose pose;
    double norm;
    double matrix_error, offset_error;
} grz_relative;

/* From coordinates under `from` to those under `to` (NULL poses move nothing). False when `to` has no inverse, or
   numbers are out of range. */
bool grz_relative_make(const graze_pose *to, const graze_pose *from, grz_relative *out);

/*
 * Poses for scaled vertices (mesh/mesh.h), in a world that is scaled as well, such that matrices are about 1, or
 * one as much above as the other is below: scaling all of space by one power of two changes no decision. What ends
 * among the denormals is off by less than 2^-1074. A NULL pose moves nothing. False where nothing is to be scaled, or a
 * matrix is 0.
 */
bool grz_scaled_poses(const graze_mesh *mesh_a, const graze_pose *a, const graze_mesh *mesh_b, const graze_pose *b,
                      graze_pose *out_a, graze_pose *out_b);

/* Both ways, from B's coordinates to A's and back. The same, and faster where both poses are rotations. */
bool grz_relative_make_both(const graze_pose *a, const graze_pose *b, grz_relative *out_there, grz_relative *out_back);

/* The same between tree coordinates. */
bool grz_relative_map(const graze_tree *to, const graze_tree *from, const grz_relative *relative, grz_map *out_map);

/* What the box kernels need of a map. */
grz_float_map grz_map_to_float(const grz_map *map);

/* Another tree's leaf, seen from here. */
void grz_view_leaf(const grz_map *map, const grz_triangles8 *leaf, grz_leaf_view *out);

/* The same for many leaves: what kernels need for such views. */
void grz_turn_leaves(const grz_map *map, grz_leaf_turn *out);

/* What the distance kernels need to know of two leaves, the second seen from the first one's tree. */
grz_leaf_shift grz_shift_leaves(const grz_triangles8 *to, const grz_leaf_view *from);

#endif
