/* SPDX-License-Identifier: MIT */
/*
 * Whether the depth in a body may have a local maximum among the common points: pairs of surface pieces that a ball
 * inside the body could touch on opposite sides. Where a body is thicker than the overlap is deep there is none.
 */
#ifndef GRZ_PAIR_DEPTH_CRITICAL_PAIRS_H
#define GRZ_PAIR_DEPTH_CRITICAL_PAIRS_H

#include "pair/depth/deepest_search.h"

/* Whether no common point is a local maximum of the depth in a side, which is closed and oriented and has a tree, with
   a depth above `least` and at most `most`. False also when out of memory, and where it is too costly to tell. */
bool grz_has_no_critical_pair(grz_deepest_search *s, int side, const grz_common_box *box, double least, double most);

#endif
