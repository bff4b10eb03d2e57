/* SPDX-License-Identifier: MIT */
/*
 * A point of the world in the coordinates of a placed tree, as floats: distances to the boxes and slabs of its nodes,
 * as stored, without transforming boxes into the world, where they would be larger. They are computed by `point_boxes`
 * of simd/distance.h.
 */
#ifndef GRZ_PAIR_DEPTH_TREE_POINT_H
#define GRZ_PAIR_DEPTH_TREE_POINT_H

#include "pair/solid/body.h"

/* How a placed tree measures: valid for all points. */
typedef struct grz_tree_frame
{
    const grz_world_tree *world;
    double unit;       /* lower bound of the length in the world of a length 1 in tree coordinates; 0: unusable */
    double inverse[9]; /* of the tree's axes in the world; approximate */
    double size;       /* sum of the magnitudes of a corner's terms, on the axis where it is largest */
} grz_tree_frame;

grz_tree_frame grz_tree_frame_make(const grz_placed_body *body);

typedef struct grz_tree_point
{
    float at[3];
    double unit;     /* of the frame */
    double residual; /* bound of the distance in the world between the point and what `at` stands for */
} grz_tree_point;

/* False where floats do not reach. */
bool grz_tree_point_make(const grz_tree_frame *frame, const double point[3], grz_tree_point *out);

/* The squared distance in tree coordinates from which on boxes and slabs surely are farther than `distance` from the
 * point. */
float grz_tree_point_limit(const grz_tree_point *point, double distance);

#endif
