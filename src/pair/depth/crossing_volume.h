/* SPDX-License-Identifier: MIT */
/* The common volume of two bodies from the points where edges cross triangles; no triangle is split. */
#ifndef GRZ_PAIR_DEPTH_CROSSING_VOLUME_H
#define GRZ_PAIR_DEPTH_CROSSING_VOLUME_H

#include "pair/solid/overlap.h"

typedef struct grz_crossing_volume
{
    bool found; /* else the surfaces meet in a degenerate way, or triangles are not located */
    double value, error;
} grz_crossing_volume;

/* Two closed bodies, neither of which meets itself, and all their hits. `locations` and `sides` per body and triangle:
   grz_triangle_location, and where the body is, 1 behind the triangle or -1 in front; that of triangles outside does
   not matter. `reach` bounds all coordinates. Fails with OUT_OF_MEMORY. */
graze_status grz_find_crossing_volume(const grz_body_pair *body_pair, const grz_hits *hits, uint8_t *const locations[2],
                                      int8_t *const sides[2], double reach, grz_crossing_volume *out_volume);

#endif
