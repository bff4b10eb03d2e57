/* SPDX-License-Identifier: MIT */
/* The contact region of meshes whose hits are known; see graze/region.h. */
#ifndef GRZ_PAIR_REGION_REGION_H
#define GRZ_PAIR_REGION_REGION_H

#include "base/budget_monitor.h"
#include "graze/region.h"

/* graze_region_create, given all hits of the two meshes in any order. The monitor may be NULL. */
graze_status grz_region_create_from_hits(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, const graze_hit *hits, size_t hit_count,
                                         grz_monitor *monitor, graze_region **out_region);

#endif
