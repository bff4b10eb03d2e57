/* SPDX-License-Identifier: MIT */
/*
 * Two placed trees in a frame made for the query: its third axis is the direction between the closest points found so
 * far. Surfaces near these points are nearly flat across that axis, so AABBs in this frame give tight lower bounds of
 * distances there; and boxes of both trees, once transformed, are compared at little cost. Elsewhere the bounds are
 * valid but may be loose.
 */
#ifndef GRZ_PAIR_DISTANCE_ALIGNED_FRAME_H
#define GRZ_PAIR_DISTANCE_ALIGNED_FRAME_H

#include "pair/distance/proximity.h"

enum
{
    GRZ_ALIGNED_NODES = 32, /* cached nodes and leaves of each tree; powers of two */
    GRZ_ALIGNED_LEAVES = 64
};

/* A transformed node: the boxes of its children, and one around them, which may be smaller than the node's box in its
   parent. */
typedef struct grz_aligned_node
{
    grz_aligned8 boxes;
    grz_aligned8 around; /* in its first lane only */
    unsigned tight;      /* mask of the children that are leaves whose boxes were computed from their triangles */
} grz_aligned_node;

/* One tree in the frame. */
typedef struct grz_aligned_tree
{
    const graze_tree *tree;
    double matrix[3][3], offset[3]; /* from tree coordinates */
    double error[3];                /* error bound of coordinates computed in doubles, by axis */
    double row_sum[3];              /* sums of magnitudes in the matrix */
    grz_float_transform map;
    uint32_t node_keys[GRZ_ALIGNED_NODES], leaf_keys[GRZ_ALIGNED_LEAVES];
    grz_aligned_node nodes[GRZ_ALIGNED_NODES];
    grz_aligned8 leaves[GRZ_ALIGNED_LEAVES]; /* boxes of the triangles */
} grz_aligned_tree;

typedef struct grz_aligned_frame
{
    const grz_distance_kernels *kernels;
    double normal[3]; /* the third axis */
    grz_aligned_tree a, b;
} grz_aligned_frame;

/* Makes a frame for the points of a bound. Lengths in it are world lengths divided by the frame's unit. False without
   points, or when numbers are out of range. */
bool grz_aligned_frame_make(grz_aligned_frame *aligned, const grz_distance_frame *frame, const graze_pose *pose_a,
                            const graze_pose *pose_b, const grz_distance_bound *bound);

/* Whether the direction between the bound's points has changed so much that a new frame is better. */
bool grz_aligned_frame_is_stale(const grz_aligned_frame *aligned, const grz_distance_bound *bound);

/* The transformed node. Valid until the next such call for the same tree. */
grz_aligned_node *grz_aligned_node_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node);

/* Replaces the boxes of the node's children in the mask `lane_mask` that are leaves by tighter ones. */
void grz_aligned_tighten(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node, unsigned lane_mask);

/* The boxes of a leaf's triangles. Valid until the next such call for the same tree. */
const grz_aligned8 *grz_aligned_leaf_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t leaf);

#endif
