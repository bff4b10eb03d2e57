/* SPDX-License-Identifier: MIT */
/* Parts of surfaces that lie near another one throughout. */
#ifndef GRZ_MOTION_NEAR_PARTS_H
#define GRZ_MOTION_NEAR_PARTS_H

#include "base/budget_monitor.h"
#include "graze/pair.h"

/* Whether a connected component of one surface has no triangle farther than the tolerance, which is finite, from the
   other surface. Exact. Fails with OUT_OF_MEMORY, TOO_LARGE and as the monitor says, which may be NULL. */
graze_status grz_find_near_part(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                double tolerance, grz_monitor *monitor, bool *out_found);

#endif
