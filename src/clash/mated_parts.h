/* SPDX-License-Identifier: MIT */
/* Mated parts: parts whose faces lie on one another, but for the rounding of their coordinates. */
#ifndef GRZ_CLASH_MATED_PARTS_H
#define GRZ_CLASH_MATED_PARTS_H

#include "clash/overlap_width.h"

/* Depths and gaps of two parts that are below this are lost when coordinates are rounded to doubles: 2^-46 of the
 * largest coordinate, 64 u of it. The error of a point in the search for the deepest point is 96 u of it
 * (grz_simplex_error), so that no such depth is ever certified there. It decides what is searched for, no verdict. */
double grz_clash_unresolved_by_doubles(const grz_clash_part *a, const grz_clash_part *b);

/* Bounds depth and way out of two closed parts whose surfaces meet, where they are at most `resolution`, that of both
 * parts, or below what doubles resolve; elsewhere nothing is found. `first` is one of their hits. Fails as
 * graze_pair_overlap does. */
graze_status grz_clash_find_mate(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                 const graze_hit *first, double resolution, grz_clash_overlap_width *out);

/* An upper bound of the volume that two parts share, of this overlap width. */
double grz_clash_thin_volume(const grz_clash_part *a, const grz_clash_part *b, double width);

#endif
