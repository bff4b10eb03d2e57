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
#include "graze/cache.h"
#include "pair/body.h"

typedef GRZ_ARRAY(graze_hit) grz_hits;

/* What touch.c finds out about two bodies once; translations do not change it. */
typedef struct grz_touch_facts
{
    bool ready;
    bool solid;             /* both are closed and oriented; the rest is there only then */
    uint32_t *shells[2];    /* sets of triangles that hang together by edges */
    int8_t *inner_sides[2]; /* of every shell: grz_body_inner_side, the same for all its triangles, or not asked yet */
    bool embedded_known, embedded; /* neither surface meets itself */
} grz_touch_facts;

/* Two bodies in a fixed order; see grz_arguments_swapped. */
typedef struct grz_pairing
{
    const graze_context *context;
    grz_watch *watch; /* of the call; may be NULL. What is found after it has stopped it means nothing. */
    grz_side sides[2];
    grz_touch_facts touch;
    graze_pair_cache cache; /* of grz_apart_after: where they met the last time, or how far apart they were */
} grz_pairing;

void grz_pairing_release(grz_pairing *pairing);

/* Both sides, one of which may have moved. */
typedef struct grz_placement
{
    grz_pairing *pairing;
    graze_placed_mesh placed[2];
    bool moved[2];
    interval shifts[2][3]; /* by how much */
    grz_box *boxes[2];     /* of a side that has moved, made when needed */
} grz_placement;

/* A side as a body to locate points in. Fails with OUT_OF_MEMORY. */
graze_status grz_placement_body(grz_placement *placement, int side, grz_body *out_body);

/* All hits of two placed meshes in order; *hits is replaced. */
graze_status grz_hits_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             grz_watch *watch, grz_hits *hits);

/* Whether they overlap, given all hits. Exact or unknown. */
graze_status grz_overlap(grz_pairing *pairing, const grz_hits *hits, graze_verdict *out_overlap);

/* Whether they are surely apart after one side has moved by a translation, which is added to its pose in doubles: they
   share no point, or touch and do not overlap. */
graze_status grz_apart_after(grz_pairing *pairing, int mover, const double translation[3], bool *out_apart);

/* ---- touch.c: bodies that touch and do not cross ---- */

/* Finds the facts, unless they are there. Fails with OUT_OF_MEMORY. */
graze_status grz_touch_prepare(grz_pairing *pairing);
void grz_touch_release(grz_pairing *pairing);

/* Whether bodies overlap around one contact, which is exact when neither surface meets itself. */
graze_verdict grz_touch_at(const grz_placement *placement, const graze_hit *hit);

/* Whether they overlap, by all contacts and the parts in between. Exact or unknown. */
graze_status grz_touch_overlap(grz_placement *placement, const grz_hits *hits, graze_verdict *out_overlap);

#endif
