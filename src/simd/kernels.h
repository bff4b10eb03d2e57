/* SPDX-License-Identifier: MIT */
/*
 * The hot operations of two-tree queries, each written once (kernels_template.h) and compiled for every instruction
 * set; grz_kernels_for picks at run time. All variants give the same bits.
 */
#ifndef GRZ_SIMD_KERNELS_H
#define GRZ_SIMD_KERNELS_H

#include <stdint.h>

#include "graze/context.h"

enum
{
    GRZ_LANES = 8
};

/* An affine map x -> matrix x + offset between the tree coordinates of two trees, in floats, with what kernels need to
   stay certain. */
typedef struct grz_float_map
{
    float matrix[3][3];
    float offset[3];
    float margin[3];   /* computed images of boxes in [-1, 1]^3 are widened by this on each axis */
    float slab_margin; /* and computed heights along a mapped unit normal by this */
} grz_float_map;

/* Eight boxes with slabs, as in a tree's node. */
typedef struct grz_boxes8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
    float normal[3][GRZ_LANES];
    float slab_lower[GRZ_LANES], slab_upper[GRZ_LANES];
} grz_boxes8;

/* The same boxes and slabs as another frame sees them, and their centres in their own. Kept from one use to the next.
 */
typedef struct grz_mapped8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];     /* around their images, widened by the map's margin */
    float centre[3][GRZ_LANES], half[3][GRZ_LANES];     /* in their own frame */
    float direction[3][GRZ_LANES];                      /* heights along the normals are direction . y there, ... */
    float slab_lower[GRZ_LANES], slab_upper[GRZ_LANES]; /* ... and lie in these intervals, widened as well */
} grz_mapped8;

/* Eight triangles on a grid of their own, as in a tree's leaf: corner = centre + unit * q. */
typedef struct grz_triangles8
{
    int16_t corners[3][3][GRZ_LANES]; /* [corner][axis][place] */
    float centre[3];
    float unit;
} grz_triangles8;

/* The map that takes the second leaf's grid vectors into the frame of the first leaf's centre. */
typedef struct grz_leaf_map
{
    float matrix[3][3];
    float offset[3];
    float error_a;    /* what a coordinate of a corner of A may be off by in that frame */
    float error_b[3]; /* the same for B, by axis */
} grz_leaf_map;

typedef struct grz_kernels
{
    const char *name;

    /* What another frame sees of eight boxes. The maps lead there and back. */
    void (*map)(const grz_boxes8 *boxes, const grz_float_map *there, const grz_float_map *back, grz_mapped8 *out);

    /* For each row in row_mask: bit l of out[row] tells whether its box and slab may meet those of lane l. Both sides
       come with what the other's frame sees of them. */
    void (*boxes)(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row_mask, const grz_boxes8 *lanes,
                  const grz_mapped8 *mapped_lanes, uint8_t out[GRZ_LANES]);

    /* For each of the first row_count triangles of A: bit l of out[row] tells whether it may meet triangle l of B. */
    void (*triangles)(const grz_triangles8 *a, unsigned row_count, const grz_triangles8 *b, unsigned lane_mask,
                      const grz_leaf_map *map, uint8_t out[GRZ_LANES]);
} grz_kernels;

/* The kernels for a choice, or for the best below it that this machine and this build have. */
const grz_kernels *grz_kernels_for(graze_instructions choice);

#endif
