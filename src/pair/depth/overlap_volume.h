/* SPDX-License-Identifier: MIT */
/* The volume that two bodies have in common. */
#ifndef GRZ_PAIR_DEPTH_OVERLAP_VOLUME_H
#define GRZ_PAIR_DEPTH_OVERLAP_VOLUME_H

#include "pair/depth/located_triangles.h"

/* The volume lies within `error` of `value`; the error is infinite where nothing could be found out. */
typedef struct grz_overlap_volume
{
    double value, error;
} grz_overlap_volume;

/* The volume of the intersection of two bodies, given all hits and located triangles; neither surface meets itself.
   Where surfaces cross in a degenerate way, pieces of them are split until the error is at most `relative_error` times
   the value, or `max_cells` were examined. Bodies that are not oriented: unknown; an open mesh has no volume. Fails
   with OUT_OF_MEMORY or CANCELLED. */
graze_status grz_find_overlap_volume(grz_body_pair *body_pair, const grz_hits *hits,
                                     const grz_located_surfaces *located, double relative_error, uint32_t max_cells,
                                     grz_overlap_volume *out_volume);

/* Narrows a volume: along a direction, of any length, the common space is no wider than the common part of the extents
   of both bodies. */
void grz_narrow_overlap_volume(const grz_body_pair *body_pair, const double direction[3], grz_overlap_volume *volume);

/* The same by splitting pieces only: what the method for usual surfaces (crossing_volume.h) is tested against. */
graze_status grz_split_overlap_volume(grz_body_pair *body_pair, const grz_hits *hits,
                                      const grz_located_surfaces *located, double relative_error, uint32_t max_cells,
                                      grz_overlap_volume *out_volume);

#endif
