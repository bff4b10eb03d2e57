/* SPDX-License-Identifier: MIT */
/* A polygon with few corners around a convex one. */
#ifndef GRZ_CONVEX_OUTER_POLYGON_H
#define GRZ_CONVEX_OUTER_POLYGON_H

#include <stdbool.h>

#include "graze/context.h"

/* Removes sides of a convex polygon in the plane (either way round) until it has at most `most_corners` (at least 3),
   the ones that add the least area first, and writes the corners that are left over the first ones. Rounded: proves
   nothing. OUT_OF_MEMORY, or BAD_ARGUMENT where no side can be removed. */
graze_status grz_outer_polygon(const graze_context *context, double (*corners)[2], size_t count, size_t most_corners,
                               size_t *out_count);

#endif
