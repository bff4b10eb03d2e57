/* SPDX-License-Identifier: MIT */
/*
 * The hot operations of distance queries: certified lower bounds on the distance of boxes and of leaves' triangles, in
 * floats, and the closest points of triangles, in doubles. Written once (distance_template.h), compiled for every
 * instruction set like the kernels of kernels.h; all variants give the same bits, since nothing here is fused.
 */
#ifndef GRZ_SIMD_DISTANCE_H
#define GRZ_SIMD_DISTANCE_H

#include "simd/kernels.h"

/* The triangles of a leaf seen from its centre, perhaps turned, with what tests need of them. Kept from one use to the
   next. */
typedef struct grz_facets8
{
    float corners[3][3][GRZ_LANES]; /* [corner][axis] */
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
    float lowest[3], highest[3];                  /* of all */
    float normal[3][GRZ_LANES], level[GRZ_LANES]; /* n, the product of two edges, and n . corner */
    float normal_sum[GRZ_LANES];                  /* |n|_1 */
    float size[GRZ_LANES];                        /* largest coordinate of an edge */
    float reach[GRZ_LANES];                       /* largest coordinate of a corner */
} grz_facets8;

/* Squares of lower bounds, [row][lane]; only those whose bit is set in the mask of their row are filled in. */
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

/* Boxes in a frame that both trees' coordinates were mapped to; absent ones are infinitely far from all. */
typedef struct grz_aligned8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
} grz_aligned8;

typedef struct grz_distance_kernels
{
    const char *name;

    /* What another frame sees of eight boxes, as the kernels of kernels.h have it but for what those fuse. The maps
       lead there and back. */
    void (*transform)(const grz_boxes8 *boxes, const grz_float_transform *there, const grz_float_transform *back,
                      grz_transformed8 *out);

    /* A leaf's triangles, turned by the matrix unless that is NULL. */
    void (*facets)(const grz_triangles8 *leaf, const float (*matrix)[3], grz_facets8 *out);

    /* For each row in row_mask: which lanes may be closer than sqrt(bound), and the squares of lower bounds on how
       close. Squares of
       distances in the rows' frame count row_factor times, those in the lanes' frame lane_factor times. */
    void (*boxes)(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row_mask, float row_factor,
                  const grz_boxes8 *lanes, const grz_transformed8 *transformed_lanes, float lane_factor,
                  const grz_float_transform *to_rows, float bound, grz_bounds8x8 *out);

    /* The same for the triangles of two leaves; squares of distances in A's frame count `factor` times. */
    void (*leaves)(const grz_facets8 *a, unsigned row_count, const grz_facets8 *b, unsigned lane_mask,
                   const grz_leaf_translation *shift, float factor, float bound, grz_bounds8x8 *out);

    /* What a frame sees of eight boxes, axis by axis, slabs being used along the third; and of all together, in the
       first place of `around`. */
    void (*align_boxes)(const grz_boxes8 *boxes, const grz_float_transform *transform, grz_aligned8 *out,
                        grz_aligned8 *around);

    /* The same of a leaf's triangles and of all together, where the map's matrix turns them and the leaf's centre comes
       to lie at `centre`. */
    void (*align_leaf)(const grz_triangles8 *leaf, const grz_float_transform *transform, const float centre[3],
                       const float margin[3], grz_aligned8 *out, float lowest[3], float highest[3]);

    /* For each row in row_mask: which lanes may be closer than sqrt(bound), and squares of lower bounds on how close;
       squares count `factor` times. */
    void (*aligned)(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lanes, float factor, float bound,
                    grz_bounds8x8 *out);

    /* Squares of distances between the boxes' centres: a guess, no bound. */
    void (*centres)(const grz_aligned8 *rows, unsigned row_mask, const grz_aligned8 *lanes, grz_bounds8x8 *out);

    /* Closest points of eight pairs of triangles whose coordinates are off by at most `error`, and below 2^300 in
       magnitude. */
    void (*triangles)(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out);

    /* The same, bit for bit, where A's three corners are one point; the first is looked at. */
    void (*points)(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out);
} grz_distance_kernels;

const grz_distance_kernels *grz_distance_kernels_for(graze_instructions choice);

#endif
