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
    GRZ_MOVING_LEAVES = 64, /* cached leaves of each tree; a power of two */
    GRZ_MOVING_FACETS = 16  /* and leaves whose triangles are boxes, too */
};

/* The triangles of a leaf as boxes with slabs, and their edges in the other tree's frame, widened like nodes. */
typedef struct grz_moving_facets
{
    grz_boxes8 boxes;
    grz_transformed8 transformed;
    grz_edges8 edges;
    bool has_edges;
} grz_moving_facets;

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
                                                                       their offset; */
    float place_error[GRZ_MOVING_LEAVES], most[GRZ_MOVING_LEAVES];  /* the part of it without motion, and how far they
                                                                       move on any axis */
    uint32_t facet_keys[GRZ_MOVING_FACETS];
    grz_moving_facets facets[GRZ_MOVING_FACETS];
} grz_moving_tree;

/* How what touches a leaf of A moves, by its place there: local_velocity.c. */
typedef struct grz_local_sweep
{
    float matrix[3][3], offset[3];
    float turn, rest;
    bool made;
} grz_local_sweep;

typedef struct grz_moving_trees
{
    grz_pair_queue queue;
    grz_pair_motions motions; /* of its leaves */
    grz_moving_tree a, b;
    void *memory;
    const grz_kernels *kernels;
    grz_leaf_transform rotation; /* of B's leaves to A */
    grz_local_sweep local;
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

/* Widened node bounds: those of a node, and the same of A and B. */
const grz_transformed8 *grz_moving_node(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                        uint32_t node, const grz_float_transform *back);
const grz_transformed8 *grz_moving_node_a(const grz_space_time *s, grz_moving_trees *t, uint32_t node);
const grz_transformed8 *grz_moving_node_b(const grz_space_time *s, grz_moving_trees *t, uint32_t node);

/* Leaves by index, for the kernels: A's do not move, the error bound of B's corners is grown by their motion. */
const grz_corners8 *grz_moving_leaf_a(const grz_space_time *s, grz_moving_trees *t, uint32_t index);
const grz_corners8 *grz_moving_leaf_b(const grz_space_time *s, grz_moving_trees *t, uint32_t index);

/* The velocity and error, as in grz_pair_motions but for the offset of the leaves, of what B's leaf in that slot can
   touch of A's leaf: the better of those for all of B's leaf and for the place of A's. */
void grz_local_velocity(const grz_space_time *s, grz_moving_trees *t, uint32_t leaf_a, uint32_t slot_b,
                        float velocity[3], float *out_error);

/* The triangles of a leaf as boxes, widened, and their edges. */
grz_moving_facets *grz_moving_facets_of(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                        uint32_t leaf, const grz_float_transform *back);
const grz_edges8 *grz_moving_edges_of(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                      uint32_t leaf, grz_moving_facets *facets);

#endif
