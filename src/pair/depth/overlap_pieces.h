/* SPDX-License-Identifier: MIT */
/* The connected pieces of the space that two bodies have in common. */
#ifndef GRZ_PAIR_DEPTH_OVERLAP_PIECES_H
#define GRZ_PAIR_DEPTH_OVERLAP_PIECES_H

#include "pair/depth/deepest_common_point.h"
#include "pair/region/region.h"

/* Whether two bodies that overlap may have several pieces: their contact has several components or none, or one of
   them has several shells. */
bool grz_may_have_pieces(const grz_body_pair *pair, const graze_region *region);

/* Gives the region of two closed bodies that overlap its pieces, with their depths. Fails with OUT_OF_MEMORY and with
   the monitor's status; the region has none then. */
graze_status grz_find_overlap_pieces(grz_body_pair *pair, const grz_hits *hits, const grz_hit_pieces *found,
                                     const grz_deepest_common_point *deepest, graze_region *region);

#endif
