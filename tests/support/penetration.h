/* SPDX-License-Identifier: MIT */
/* Penetration depth queries with checks. */
#ifndef SUPPORT_PENETRATION_H
#define SUPPORT_PENETRATION_H

#include "graze/depth.h"

/* With default options; fails the test if the query fails. */
graze_depth depth_of(const graze_placed_mesh *a, const graze_placed_mesh *b);

/* All fields are equal. */
void assert_same_depths(const graze_depth *x, const graze_depth *y);

/* After the separating translation nothing crosses, the bodies do not overlap, and its length is within the stated
 * bounds. */
void check_separating_translation(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth);

#endif
