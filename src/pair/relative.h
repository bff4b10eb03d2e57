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

/* x -> matrix x + offset. For x in [-1, 1]^3 the image of the exact map differs by at most `error` on each axis from
   that of this one, before rounding. */
typedef struct grz_map
{
    double matrix[3][3];
    double offset[3];
    double error;
} grz_map;

/* The map from mesh coordinates under `from_pose` to those under `to_pose` (NULL poses move nothing), as a pose whose
   entries are off by at most *out_error. False when to_pose has no inverse, or numbers are out of range. */
bool grz_relative_pose(const graze_pose *to_pose, const graze_pose *from_pose, graze_pose *out_pose, double *out_error);

/* The same between tree coordinates. */
bool grz_relative_map(const graze_tree *to, const graze_tree *from, const graze_pose *relative, double relative_error,
                      grz_map *out_map);

/* What the box kernels need of a map. */
grz_float_map grz_map_to_float(const grz_map *map);

/* What the triangle kernels need of it for two leaves. */
grz_leaf_map grz_map_for_leaves(const grz_map *map, const grz_triangles8 *to, const grz_triangles8 *from);

#endif
