/* SPDX-License-Identifier: MIT */
/*
 * The common part of a rectangle and a parallelogram, by its corners: Liang and Barsky, "An analysis and algorithm for
 * polygon clipping", 1983. See box_clip.c. Estimated. Points of their plane are pairs (s, t).
 */
#ifndef GRZ_CONVEX_BOX_CLIP_H
#define GRZ_CONVEX_BOX_CLIP_H

#include <stdint.h>

#include "simd/f64x2.h"

enum
{
    GRZ_CLIP_MOST = 8,        /* corners of the common part */
    GRZ_CLIP_CANDIDATES = 20, /* that rounding may make of them */
    GRZ_CLIP_SIDES = 4,
    GRZ_CLIP_INSIDE = 8,
    GRZ_CLIP_FEATURES = 9
};

/* Its centre, and half its edges. Corners: centre - u - v, + u - v, + u + v, - u + v; edge i starts at corner i. */
typedef struct grz_parallelogram
{
    f64x2 centre, u, v;
} grz_parallelogram;

/* A corner of the common part, and of either the feature on which it lies: corner i by i, side or edge i by
   GRZ_CLIP_SIDES + i, the inside by GRZ_CLIP_INSIDE. */
typedef struct grz_clip_corner
{
    f64x2 at;
    uint32_t of_parallelogram, of_rectangle;
} grz_clip_corner;

/* Writes the corners in turn; returns their number, which is above GRZ_CLIP_MOST only where rounding is at fault. The
   rectangle is that of all |s|, |t| of at most `half`. Its sides and corners are numbered around it: below, right,
   above, left; corner i is the start of side i. */
unsigned grz_box_clip(f64x2 half, const grz_parallelogram *g, grz_clip_corner corners[GRZ_CLIP_CANDIDATES]);

#endif
