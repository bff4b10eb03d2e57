/* SPDX-License-Identifier: MIT */
/* Ways out of two shapes that overlap: translations that certainly separate them. */
#ifndef GRZ_SHAPE_DEPTH_H
#define GRZ_SHAPE_DEPTH_H

#include "shape/leaves.h"

/* Moves B by a translation, rounded. Returns an upper bound of the length of the motion. */
double grz_placed_move(const graze_placed *b, const double translation[3], graze_placed *out_moved);

/* Takes a way out along an axis, to where the boxes do not overlap, if it is shorter than the one known. */
void grz_depth_try_boxes(const graze_box *a, const graze_box *b, graze_shape_depth *depth);

/* Takes a translation if it is shorter than the way out that is known, and the exact query finds that it separates the
   interiors of two cores with radii. */
graze_status grz_depth_try_cores(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const double translation[3], graze_shape_depth *depth);

#endif
