/* SPDX-License-Identifier: MIT */
/*
 * How two placed trees lie to one another: maps between their coordinates, with certified errors.
 */
#ifndef GRZ_PAIR_RELATIVE_POSE_H
#define GRZ_PAIR_RELATIVE_POSE_H

#include <stdbool.h>

#include "graze/pose.h"
#include "simd/kernels.h"
#include "tree/tree.h"

/* x -> matrix x + offset. No row or column of the matrix has a larger sum of magnitudes than `norm`. For x in [-1, 1]^3
   the image of the exact map differs by at most `error` on each axis from that of this one, before rounding. */
typedef struct grz_tree_transform
{
    double matrix[3][3];
    double offset[3];
    double norm, error;
} grz_tree_transform;

/* The map from mesh coordinates under one pose to those under another, what entries of its matrix and of its
   translation are off by at most, and a bound on sums of magnitudes as in grz_tree_transform. */
typedef struct grz_relative_pose
{
    graze_pose pose;
    double norm;
    double matrix_error, offset_error;
} grz_relative_pose;

/* From coordinates under `from` to those under `to` (NULL poses move nothing). False when `to` has no inverse, or
   numbers are out of range. */
bool grz_relative_pose_make(const graze_pose *to, const graze_pose *from, grz_relative_pose *out);

/*
 * Poses for scaled vertices (mesh/mesh.h), in a world that is scaled as well, such that matrices are about 1, or
 * one as much above as the other is below: scaling all of space by one power of two changes no decision. What ends
 * among the denormals is off by less than 2^-1074. A NULL pose moves nothing. A length is 2^out_world times that in the
 * scaled world. False where nothing is to be scaled, or a
 * matrix is 0.
 */
bool grz_scaled_poses(const graze_mesh *mesh_a, const graze_pose *a, const graze_mesh *mesh_b, const graze_pose *b,
                      graze_pose *out_a, graze_pose *out_b, int *out_world);

/* Both ways, from B's coordinates to A's and back. The same, and faster where both poses are rotations. */
bool grz_relative_pose_make_both(const graze_pose *a, const graze_pose *b, grz_relative_pose *out_there,
                                 grz_relative_pose *out_back);

/* The same between tree coordinates. */
bool grz_tree_transform_make(const graze_tree *to, const graze_tree *from, const grz_relative_pose *relative,
                             grz_tree_transform *out_map);

/* What the box kernels need of a map. */
grz_float_transform grz_tree_transform_to_float(const grz_tree_transform *map);

/* Another tree's leaf, seen from here. */
void grz_leaf_placement_make(const grz_tree_transform *map, const grz_triangles8 *leaf, grz_leaf_placement *out);

/* The same for many leaves: what kernels need for such views. */
void grz_leaf_transform_make(const grz_tree_transform *map, grz_leaf_transform *out);

/* What the distance kernels need to know of two leaves, the second seen from the first one's tree. */
grz_leaf_translation grz_leaf_translation_make(const grz_triangles8 *to, const grz_leaf_placement *from);

#endif
