/* SPDX-License-Identifier: MIT */
/* A hull with few vertices around another one. */
#ifndef GRZ_CONVEX_OUTER_HULL_H
#define GRZ_CONVEX_OUTER_HULL_H

#include "convex/hull.h"

/* Makes a hull of at most `most_vertices` (at least 4) that contains the given one; exactly: all its points lie in the
   half-spaces of all faces. Fails with OUT_OF_MEMORY, NOT_FINITE where the numbers are so large that there may be none,
   and as the monitor (may be NULL) says. A hull with few enough vertices is copied. */
graze_status grz_outer_hull_create(const graze_context *context, const grz_hull *hull, size_t most_vertices,
                                   grz_monitor *monitor, grz_hull **out_hull);

/* Whether a hull contains all these points. Exact. */
graze_status grz_hull_contains(const graze_context *context, const grz_hull *hull, const double (*points)[3],
                               size_t count, grz_monitor *monitor, bool *out_contains);

#endif
