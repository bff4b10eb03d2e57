/* SPDX-License-Identifier: MIT */
/* Depths, asked for and checked. */
#ifndef SUPPORT_PENETRATION_H
#define SUPPORT_PENETRATION_H

#include "graze/depth.h"

/* With the usual options; a test that gets none fails. */
graze_depth depth_of(const graze_placed_mesh *a, const graze_placed_mesh *b);

/* All that they say is the same. */
void assert_same_depths(const graze_depth *x, const graze_depth *y);

/* After a way out nothing crosses, no body reaches into the other, and the way is no longer than it says. */
void check_separating_translation(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth);

#endif
