/* SPDX-License-Identifier: MIT */
/*
 * The relative pose of two placed meshes: transforms between the coordinates of their trees, with certified error
 * bounds.
 */
#ifndef GRZ_PAIR_RELATIVE_POSE_H
#define GRZ_PAIR_RELATIVE_POSE_H

#include <stdbool.h>

#include "graze/pose.h"
#include "simd/kernels.h"
#include "tree/tree.h"

/* x -> matrix x + offset. No row or column of the matrix has a larger sum of magnitudes than `norm`. For x in [-1, 1]^3
   the results of this transform and of the exact one differ by at most `error` on each axis, before rounding. */
typedef struct grz_tree_transform
{
    double matrix[3][3];
    double offset[3];
    double norm, error;
} grz_tree_transform;

/* The transform from mesh coordinates under one pose to those under another, the error bounds of the entries of its
   matrix and of its translation, and a bound on sums of magnitudes as in grz_tree_transform. */
typedef struct grz_relative_pose
{
    graze_pose pose;
    double norm;
    double matrix_error, offset_error;
} grz_relative_pose;

/* A pose is a rotation, or a reflection, up to some roundings where the error below is less than this. */
#define GRZ_ROTATION_ERROR 0x1p-44

/* Error bound of any entry of a pose's transposed matrix as its inverse; NaN, or at least GRZ_ROTATION_ERROR, where the
   pose is no rotation. */
double grz_transposed_error(const double *m);

/* From coordinates under `from` to those under `to` (a NULL pose is the identity). False when `to` has no inverse, or
   numbers are out of range. */
bool grz_relative_pose_make(const graze_pose *to, const graze_pose *from, grz_relative_pose *out);

/*
 * Poses for scaled vertices (mesh/mesh.h), in a world scaled by a power of two as well, such that the entries of both
 * matrices are about 1, or those of one as far above 1 as those of the other are below: scaling all of space by one
 * power of two changes no decision. Numbers that become denormal have an error below 2^-1074. A NULL pose is the
 * identity. A length is 2^out_world times that in the scaled world. False where no scaling is needed, or a matrix is 0.
 */
bool grz_scaled_poses(const graze_mesh *mesh_a, const graze_pose *a, const graze_mesh *mesh_b, const graze_pose *b,
                      graze_pose *out_a, graze_pose *out_b, int *out_world);

/* In both directions, from B's coordinates to A's and back; faster than two calls where both poses are rotations. */
bool grz_relative_pose_make_both(const graze_pose *a, const graze_pose *b, grz_relative_pose *out_there,
                                 grz_relative_pose *out_back);

/* The same between tree coordinates. */
bool grz_tree_transform_make(const graze_tree *to, const graze_tree *from, const grz_relative_pose *relative,
                             grz_tree_transform *out_map);

/* The transform in floats for the box kernels, with their margins. */
grz_float_transform grz_tree_transform_to_float(const grz_tree_transform *map);

/* Another tree's leaf in this tree's coordinates. */
void grz_leaf_placement_make(const grz_tree_transform *map, const grz_triangles8 *leaf, grz_leaf_placement *out);

/* The constants for placing many leaves by kernels. */
void grz_leaf_transform_make(const grz_tree_transform *map, grz_leaf_transform *out);

/* The translation between two leaves for the distance kernels, the second placed in the first one's tree. */
grz_leaf_translation grz_leaf_translation_make(const grz_triangles8 *to, const grz_leaf_placement *from);

#endif
