/* SPDX-License-Identifier: MIT */
/*
 * The hot operations of distance queries: certified lower bounds on the distance of boxes and of leaves' triangles, in
 * floats, and the closest points of triangles, in doubles. Written once (distance_template.h), compiled for every
 * instruction set like the kernels of kernels.h; all variants give the same bits, since none uses fused multiply-add.
 */
#ifndef GRZ_SIMD_DISTANCE_H
#define GRZ_SIMD_DISTANCE_H

#include "simd/kernels.h"

/* The triangles of a leaf relative to its centre, rotated or not, with the data of the lower-bound tests. Cached
   between uses. */
typedef struct grz_facets8
{
    float corners[3][3][GRZ_LANES]; /* [corner][axis] */
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
    float lowest[3], highest[3];                  /* of all triangles */
    float normal[3][GRZ_LANES], level[GRZ_LANES]; /* n, the product of two edges, and n . corner */
    float normal_sum[GRZ_LANES];                  /* |n|_1 */
    float size[GRZ_LANES];                        /* largest coordinate of an edge */
    float extent[GRZ_LANES];                      /* largest coordinate of a corner */
} grz_facets8;

/* Squared lower bounds, [row][lane]; only those whose bit is set in the mask of their row are filled in. */
typedef struct grz_bounds8x8
{
    float square[GRZ_LANES][GRZ_LANES];
    uint8_t masks[GRZ_LANES];
} grz_bounds8x8;

/* Eight pairs of triangles: [corner][axis][pair]. */
typedef struct grz_triangle_pairs8
{
    double a[3][3][GRZ_LANES], b[3][3][GRZ_LANES];
} grz_triangle_pairs8;

typedef struct grz_closest8
{
    double distance[GRZ_LANES]; /* of the two points below, rounded */
    double lower[GRZ_LANES];    /* certified lower bound on the distance of the real triangles; 0 when there is none */
    double point_a[3][GRZ_LANES], point_b[3][GRZ_LANES];
} grz_closest8;

/* Boxes transformed into a common frame of both trees; absent ones are infinitely far from all. */
typedef struct grz_aligned8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
} grz_aligned8;

/* An oriented box in the frame of a tree, and all that is no farther from it than `radius`: a point y of the tree is
   turn y + offset in the box's own axes, where the box reaches to `half` on both sides of 0. */
typedef struct grz_tree_frame_box
{
    float turn[3][3], offset[3], half[3];
    float centre[3], lower[3], upper[3];  /* in the tree's frame: its centre, and the box around it */
    float margin;                         /* of gaps; see oriented_box_template.h */
    float radius;                         /* 0: the box alone */
    float axis[3], turned_axis[3], reach; /* a direction no longer than 1 in the tree's frame and in the box's axes, and
                                             how far the box reaches along it in the tree's; zeros, and far: none */
} grz_tree_frame_box;

/* Bounds of a leaf's triangles in the axes of an oriented box, and from below along the direction that it has. */
typedef struct grz_leaf_bounds8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES], height[GRZ_LANES];
} grz_leaf_bounds8;

typedef struct grz_distance_kernels
{
    const char *name;

    /* Transforms eight boxes into the other frame, as the kernel of kernels.h does, but never fused. The transforms
       lead there and back. */
    void (*transform)(const grz_boxes8 *boxes, const grz_float_transform *there, const grz_float_transform *back,
                      grz_transformed8 *out);

    /* A leaf's triangles, rotated by the matrix unless that is NULL. */
    void (*facets)(const grz_triangles8 *leaf, const float (*matrix)[3], grz_facets8 *out);

    /* For each row in row_mask: which lanes may be closer than sqrt(bound), and squared lower bounds on their distance.
       Squared distances in the rows' frame are multiplied by row_factor, those in the lanes' frame by lane_factor. */
    void (*boxes)(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row_mask, float row_factor,
                  const grz_boxes8 *lanes, const grz_transformed8 *transformed_lanes, float lane_factor,
                  const grz_float_transform *to_rows, float bound, grz_bounds8x8 *out);

    /* The same for the triangles of two leaves; squared distances in A's frame are multiplied by `factor`. */
    void (*leaves)(const grz_facets8 *a, unsigned row_count, const grz_facets8 *b, unsigned lane_mask,
                   const grz_leaf_translation *shift, float factor, float bound, grz_bounds8x8 *out);

    /* AABBs of eight boxes in a frame, whose third axis uses the slabs; and of all together, in the first lane of
       `around`. */
    void (*align_boxes)(const grz_boxes8 *boxes, const grz_float_transform *transform, grz_aligned8 *out,
                        grz_aligned8 *around);

    /* The same of a leaf's triangles and of all together, where the transform's matrix rotates them and the leaf's
       centre moves to `centre`. */
    void (*align_leaf)(const grz_triangles8 *leaf, const grz_float_transform *transform, const float centre[3],
                       const float margin[3], grz_aligned8 *out, float lowest[3], float highest[3]);

    /* For each row in row_mask: which lanes may be closer than sqrt(bound), and squared lower bounds on their distance,
       multiplied by `factor`. */
    void (*aligned)(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lanes, float factor, float bound,
                    grz_bounds8x8 *out);

    /* Squared distances between the boxes' centres: an estimate, not a bound. */
    void (*centres)(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lanes, grz_bounds8x8 *out);

    /* Closest points of eight pairs of triangles whose coordinates have an error of at most `error`, and are below
       2^300 in magnitude. */
    void (*triangles)(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out);

    /* The same, bit for bit, where A's three corners are one point; only the first is read. */
    void (*points)(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out);

    /* The same for one point and eight triangles, but for the points on the side of the point: they are not written. */
    void (*point)(const double point[3], const double corners[3][3][GRZ_LANES], double error, grz_closest8 *out);

    /* Squared distances of a point to eight boxes or to their slabs, whichever is larger, all in one frame and rounded:
       see point_boxes_kernel. Gives the lanes where they are below the limit. */
    unsigned (*point_boxes)(const float point[3], const grz_boxes8 *boxes, float limit, float out_squares[GRZ_LANES]);

    /* Lower bounds on the distance of an oriented box to eight boxes, where they are above 0, up to a relative error
       below 2^-19; absent boxes are infinitely far away. Gives the lanes where they are not; *least becomes the least
       of the bounds of the others and of itself. */
    unsigned (*box_nodes)(const grz_tree_frame_box *box, const grz_boxes8 *boxes, float out_gaps[GRZ_LANES],
                          float *least);

    /* The same for the triangles of a leaf; lanes after the last repeat the first. Where bounds are wanted they are
       written, and gaps are as large as may be; else those of triangles that are apart may be smaller. */
    unsigned (*box_leaf)(const grz_tree_frame_box *box, const grz_triangles8 *leaf, float out_gaps[GRZ_LANES],
                         float *least, grz_leaf_bounds8 *bounds);
} grz_distance_kernels;

const grz_distance_kernels *grz_distance_kernels_for(graze_instructions choice);

#endif
