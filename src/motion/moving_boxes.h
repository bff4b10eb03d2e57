/* SPDX-License-Identifier: MIT */
/*
 * Boxes around moving nodes and triangles in the world over a span of time, in doubles: for any kernel motion, soft
 * meshes included. Space-time traversals use them where the transform between two trees (space_time_trees.h) does not
 * exist, and tests compare the two.
 */
#ifndef GRZ_MOTION_MOVING_BOXES_H
#define GRZ_MOTION_MOVING_BOXES_H

#include "motion/motion_span.h"
#include "tree/tree.h"

/* What moves, over a span of time: at time t every point is within `half` of centre + (t - middle) speed, where speed
   is within `spread` of `speed`, on each axis. */
typedef struct grz_moving_box
{
    double centre[3], half[3];
    double speed[3], spread[3];
} grz_moving_box;

/* Boxes of nodes in the end mesh, by node and lane. */
typedef struct grz_end_box
{
    double lower[3], upper[3];
} grz_end_box;

/* One moving mesh during a span. `end_boxes` is NULL for rigid ones; soft ones run on lines from where `start` places
   them to where `end` does. */
typedef struct grz_moving_side
{
    const graze_mesh *mesh, *end_mesh;
    const graze_tree *tree;
    const grz_end_box *end_boxes; /* GRZ_TREE_WIDTH for each node; the last one is that of the whole */
    graze_pose start, end;
    grz_motion_span span;
    bool known; /* whether the span is: otherwise boxes are unbounded */
} grz_moving_side;

/* The boxes of the end mesh; NULL when out of memory. */
grz_end_box *grz_end_boxes_make(const graze_context *context, const graze_tree *tree, const graze_mesh *end_mesh);

/* The child of a node in a lane (or the whole, for GRZ_ABOVE_ROOT), and a triangle. */
void grz_moving_box_of_child(const grz_moving_side *side, uint32_t node, unsigned lane, grz_moving_box *out);
void grz_moving_box_of_triangle(const grz_moving_side *side, uint32_t triangle, grz_moving_box *out);

/* How far a point of a rigid mesh may be, on each axis and in length, from where the doubles of a span put it: the rest
   and all errors. */
double grz_moving_rest(const grz_motion_span *span, const graze_mesh *mesh);

/* A bound of the acceleration of all points of a rigid mesh over a span that is not a point of time. */
double grz_moving_acceleration(const grz_motion_span *span, const graze_mesh *mesh);

/* Whether two boxes are more than `margin` apart on one axis at all times of the span. */
bool grz_moving_boxes_part(const grz_moving_box *a, const grz_moving_box *b, double half, double margin);

/* How far the two may move against each other from the middle of the span to its ends, on any axis, and the larger
   one's half size. Estimates. */
double grz_moving_boxes_motion(const grz_moving_box *a, const grz_moving_box *b, double half);
double grz_moving_box_size(const grz_moving_box *box);

#endif
