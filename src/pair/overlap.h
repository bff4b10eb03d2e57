/* SPDX-License-Identifier: MIT */
/*
 * Whether two bodies reach into one another, where they stand or after one of them has moved.
 *
 * Two bodies overlap when their insides share a point. A surface that bounds no body has no inside; it overlaps what it
 * passes through, and a body it lies in.
 */
#ifndef GRZ_PAIR_OVERLAP_H
#define GRZ_PAIR_OVERLAP_H

#include "base/array.h"
#include "pair/body.h"

typedef GRZ_ARRAY(graze_hit) grz_hits;

/* Two bodies in a fixed order; see grz_arguments_swapped. */
typedef struct grz_pairing
{
    const graze_context *context;
    grz_side sides[2];
} grz_pairing;

/* All hits of two placed meshes in order; *hits is replaced. */
graze_status grz_hits_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             grz_hits *hits);

/* Whether they overlap, given all hits. Exact or unknown. */
graze_status grz_overlap(const grz_pairing *pairing, const grz_hits *hits, graze_verdict *out_overlap);

/* Whether they are surely apart after one side has moved by a translation, which is added to its pose in doubles: no
   hit and none in the other, or they touch with a plane between them. */
graze_status grz_apart_after(const grz_pairing *pairing, int mover, const double translation[3], bool *out_apart);

/* The same question for two closed oriented bodies that touch, decided by what is around each contact. */
graze_status grz_touch_overlap(const grz_pairing *pairing, const grz_hits *hits, graze_verdict *out_overlap);

#endif
