/* SPDX-License-Identifier: MIT */
/*
 * The current frame of a space-time traversal by the kernels of static queries: one transform between both trees, at
 * the middle of the frame, with node bounds widened by how far they move against the other tree until its ends. Slabs
 * and boxes are widened along their own directions, so that nodes that slide past each other stay parted.
 */
#ifndef GRZ_MOTION_SPACE_TIME_TREES_H
#define GRZ_MOTION_SPACE_TIME_TREES_H

#include "motion/space_time.h"
#include "pair/relative_pose.h"
#include "pair/transformed_nodes.h"

enum
{
    GRZ_MOVING_LEAVES = 64 /* cached leaves of each tree; a power of two */
};

/* How a tree's points move in the other tree's coordinates from the middle of a frame to its ends: at most by
   |matrix x + offset| + rest on each axis. `most` bounds that for all x in [-1, 1]^3. */
typedef struct grz_sweep
{
    float matrix[3][3], offset[3], rest, most;
    float still; /* the part of `rest` that is a margin, as an estimate: it does not shrink with the frame */
} grz_sweep;

/* The widened node bounds and leaves of one tree. */
typedef struct grz_moving_tree
{
    grz_tree_transform exact; /* to the other tree */
    grz_float_transform transform;
    grz_sweep sweep;
    uint32_t node_keys[GRZ_TRANSFORMED_NODES], leaf_keys[GRZ_MOVING_LEAVES];
    grz_transformed8 nodes[GRZ_TRANSFORMED_NODES];
    float moves[GRZ_TRANSFORMED_NODES][GRZ_LANES]; /* by how much boxes were widened, on any axis */
    grz_corners8 leaves[GRZ_MOVING_LEAVES];
    float velocity[GRZ_MOVING_LEAVES][3], error[GRZ_MOVING_LEAVES]; /* of the leaves, as in grz_pair_motions, but for
                                                                       their offset */
} grz_moving_tree;

typedef struct grz_moving_trees
{
    grz_pair_queue queue;
    grz_pair_motions motions; /* of its leaves */
    grz_moving_tree a, b;
    void *memory;
    const grz_kernels *kernels;
    grz_leaf_transform rotation;       /* of B's leaves to A */
    uint64_t queued[GRZ_QUEUE_LEAVES]; /* refs of the leaves of the queue's pairs */
    float b_scale;                     /* the length in A's tree coordinates of a length 1 in B's */
} grz_moving_trees;

/* NULL when out of memory. */
grz_moving_trees *grz_moving_trees_create(const graze_context *context);
void grz_moving_trees_destroy(const graze_context *context, grz_moving_trees *trees);

/* Prepares for the current frame. False where there is no transform between the trees, or the frame is too long for
   it. */
bool grz_moving_trees_begin(grz_moving_trees *trees, grz_space_time *search);

/* Examines all open pairs of the frame; as grz_space_time_boxes. */
graze_status grz_space_time_trees(grz_space_time *search, grz_moving_trees *trees);

/* Node bounds and leaves widened, for the tests. */
const grz_transformed8 *grz_moving_node(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                        uint32_t node, const grz_float_transform *back);

#endif
