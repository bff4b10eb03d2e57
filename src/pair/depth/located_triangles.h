/* SPDX-License-Identifier: MIT */
/*
 * Where the triangles of one body lie in another body: met by its surface, inside or outside. Triangles that the other
 * surface does not meet have the location of their neighbours, so one point per connected set of them is located.
 */
#ifndef GRZ_PAIR_DEPTH_LOCATED_TRIANGLES_H
#define GRZ_PAIR_DEPTH_LOCATED_TRIANGLES_H

#include "pair/solid/overlap.h"

typedef enum grz_triangle_location
{
    GRZ_TRIANGLE_UNKNOWN = 0, /* of too many connected sets */
    GRZ_TRIANGLE_OUTSIDE,
    GRZ_TRIANGLE_INSIDE,
    GRZ_TRIANGLE_MET /* by the other surface, in a point at least */
} grz_triangle_location;

/* Locates the triangles of side `owner` in the other, which is closed, given all hits. `out_locations` has one entry
   per triangle. Exact. Fails with OUT_OF_MEMORY and with the monitor's status. */
graze_status grz_locate_triangles(const grz_body_pair *body_pair, const grz_hits *hits, int owner,
                                  uint8_t *out_locations);

/* The locations of the triangles of both bodies. */
typedef struct grz_located_surfaces
{
    uint8_t *of[2];      /* NULL where the other body is open */
    graze_status status; /* if not OK, the others are invalid */
} grz_located_surfaces;

/* Its status is that of grz_locate_triangles. Release in any case. */
grz_located_surfaces grz_locate_surfaces(const grz_body_pair *body_pair, const grz_hits *hits);
void grz_located_surfaces_release(const graze_context *context, grz_located_surfaces *located);

#endif
