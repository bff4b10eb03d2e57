/* SPDX-License-Identifier: MIT */
/* The contact region of meshes whose hits are known; see graze/region.h. */
#ifndef GRZ_PAIR_REGION_REGION_H
#define GRZ_PAIR_REGION_REGION_H

#include "graze/region.h"
#include "pair/region/intersection_pieces.h"

/* The intersections of all hits, in the order of the hits: their corners are points of the region. */
typedef struct grz_hit_pieces
{
    grz_piece *pieces;
    grz_region_point *points;
    size_t point_count;
    uint32_t *component_of; /* of every point */
} grz_hit_pieces;

/* graze_region_create, given all hits of the two meshes in any order. The monitor may be NULL. `out_pieces` may be
   NULL; it is empty on failure. */
graze_status grz_region_create_from_hits(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, const graze_hit *hits, size_t hit_count,
                                         grz_monitor *monitor, grz_hit_pieces *out_pieces, graze_region **out_region);

void grz_hit_pieces_release(const graze_context *context, grz_hit_pieces *pieces);

/* Gives a region its pieces of common space. It owns the two arrays from then on: `component_overlaps` has an entry per
   component. */
void grz_region_set_overlaps(graze_region *region, graze_overlap_piece *overlaps, size_t count,
                             uint32_t *component_overlaps);

#endif
