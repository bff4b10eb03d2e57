/* SPDX-License-Identifier: MIT */
/*
 * Exact overlap test of two oriented boxes (OBBs; also parallelepipeds, which may be flat, segments or points), for all
 * finite doubles.
 */
#ifndef GRZ_EXACT_ORIENTED_BOXES_H
#define GRZ_EXACT_ORIENTED_BOXES_H

#include <stdbool.h>

/* All points (ends[0] + ends[1] + x edges[0] + y edges[1] + z edges[2]) / 2 with x, y, z in [-1, 1], where edges[k] is
   tips[k] - tails[k]: so both kinds of boxes below are made without rounding. */
typedef struct grz_oriented_box
{
    double ends[2][3];
    double tips[3][3], tails[3][3];
} grz_oriented_box;

/* centre + x axes[0] + y axes[1] + z axes[2]. */
grz_oriented_box grz_oriented_box_from_axes(const double centre[3], const double axes[3][3]);

/* The axis-aligned box between two corners. */
grz_oriented_box grz_oriented_box_from_corners(const double lower[3], const double upper[3]);

/* Guarantee: exact; touching counts. `out_settled`, if not NULL, gets whether the floating-point filter decided. */
bool grz_oriented_boxes_overlap(const grz_oriented_box *a, const grz_oriented_box *b, bool *out_settled);

#endif
