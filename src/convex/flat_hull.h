/* SPDX-License-Identifier: MIT */
/* The convex hull of coplanar points. See flat_hull.c. */
#ifndef GRZ_CONVEX_FLAT_HULL_H
#define GRZ_CONVEX_FLAT_HULL_H

#include "base/budget_monitor.h"
#include "graze/context.h"

/* Writes the vertices of the polygon, counter-clockwise as seen from the positive end of `axis`, along which its
   projection has an area. `out_loop` has room for all points. */
graze_status grz_flat_hull(const graze_context *context, const double (*points)[3], size_t count, int axis,
                           grz_monitor *monitor, uint32_t *out_loop, size_t *out_count);

#endif
