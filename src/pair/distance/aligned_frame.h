/* SPDX-License-Identifier: MIT */
/*
 * Two placed trees in a frame made for the query: its third axis is the direction between the nearest points known so
 * far. What is near these points lies flat in it, so that plain boxes bound distances well there; and both trees'
 * boxes, once placed, are compared for little. Elsewhere the bounds are right and may be poor.
 */
#ifndef GRZ_PAIR_DISTANCE_ALIGNED_FRAME_H
#define GRZ_PAIR_DISTANCE_ALIGNED_FRAME_H

#include "pair/distance/proximity.h"

enum
{
    GRZ_ALIGNED_NODES = 32, /* that are kept, of each tree; powers of two */
    GRZ_ALIGNED_LEAVES = 64
};

/* A node: the boxes of its children, and one around them, which may be smaller than that which its parent has of it. */
typedef struct grz_aligned_node
{
    grz_aligned8 boxes;
    grz_aligned8 around; /* its first place only */
    unsigned tight;      /* children that are leaves whose boxes were found from their triangles */
} grz_aligned_node;

/* One tree as the frame sees it. */
typedef struct grz_aligned_tree
{
    const graze_tree *tree;
    double matrix[3][3], offset[3]; /* from its coordinates */
    double error[3];                /* what images are off by at most, by axis, when doubles compute them */
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

/* Makes a frame for the points of a bound. Lengths in it are those in the world over the frame's unit. False when
   there are no points, or numbers are out of range. */
bool grz_aligned_frame_make(grz_aligned_frame *aligned, const grz_distance_frame *frame, const graze_pose *pose_a,
                            const graze_pose *pose_b, const grz_distance_bound *bound);

/* Whether the points of the bound now lie in a direction so different that a new frame is better. */
bool grz_aligned_frame_is_stale(const grz_aligned_frame *aligned, const grz_distance_bound *bound);

/* A node. Valid until the next such call for the same tree. */
grz_aligned_node *grz_aligned_node_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node);

/* Finds better boxes for the node's children in `places` that are leaves. */
void grz_aligned_tighten(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node, unsigned places);

/* The boxes of a leaf's triangles. Valid until the next such call for the same tree. */
const grz_aligned8 *grz_aligned_leaf_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t leaf);

#endif
