/* SPDX-License-Identifier: MIT */
/*
 * Whether two bodies reach into one another, where they stand or after one of them has moved.
 *
 * Two bodies overlap when their insides share a point. A surface that bounds no body has no inside; it overlaps what it
 * passes through, and a body it lies in.
 */
#ifndef GRZ_PAIR_SOLID_OVERLAP_H
#define GRZ_PAIR_SOLID_OVERLAP_H

#include "base/array.h"
#include "graze/cache.h"
#include "pair/solid/body.h"

typedef GRZ_ARRAY(graze_hit) grz_hits;

/* What local_overlap.c finds out about two bodies once; translations do not change it. */
typedef struct grz_local_overlap_facts
{
    bool ready;
    bool solid;                /* both are closed and oriented; the rest is there only then */
    uint32_t *shells[2];       /* sets of triangles that hang together by edges */
    int8_t *interior_sides[2]; /* of every shell: grz_body_interior_side, the same for all its triangles, or not asked
                                  yet */
    bool embedded_known, embedded; /* neither surface meets itself */
} grz_local_overlap_facts;

/* Two bodies in a fixed order; see grz_arguments_swapped. */
typedef struct grz_body_pair
{
    const graze_context *context;
    grz_monitor *monitor; /* of the call; may be NULL. What is found after it has stopped it means nothing. */
    grz_placed_body sides[2];
    grz_local_overlap_facts local_overlap;
    graze_pair_cache cache; /* of grz_disjoint_after: where they met the last time, or how far apart they were */
} grz_body_pair;

void grz_body_pair_release(grz_body_pair *body_pair);

/* Both sides, one of which may have moved. */
typedef struct grz_placed_pair
{
    grz_body_pair *body_pair;
    graze_placed_mesh placed[2];
    bool moved[2];
    interval shifts[2][3];     /* by how much */
    grz_placed_aabb *boxes[2]; /* of a side that has moved, made when needed */
} grz_placed_pair;

/* A side as a body to locate points in. Fails with OUT_OF_MEMORY. */
graze_status grz_placed_pair_body(grz_placed_pair *placement, int side, grz_body_view *out_body);

/* All hits of two placed meshes in order; *hits is replaced. */
graze_status grz_hits_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             grz_monitor *monitor, grz_hits *hits);

/* Whether they overlap, given all hits. Exact or unknown. */
graze_status grz_overlap(grz_body_pair *body_pair, const grz_hits *hits, graze_verdict *out_overlap);

/* Whether they are surely apart after one side has moved by a translation, which is added to its pose in doubles: they
   share no point, or touch and do not overlap. */
graze_status grz_disjoint_after(grz_body_pair *body_pair, int mover, const double translation[3], bool *out_apart);

/* ---- local_overlap.c: bodies that touch and do not cross ---- */

/* Finds the facts, unless they are there. Fails with OUT_OF_MEMORY. */
graze_status grz_local_overlap_prepare(grz_body_pair *body_pair);
void grz_local_overlap_release(grz_body_pair *body_pair);

/* Whether bodies overlap around one contact, which is exact when neither surface meets itself. */
graze_verdict grz_local_overlap_at(const grz_placed_pair *placement, const graze_hit *hit);

/* Whether they overlap, by all contacts and the parts in between. Exact or unknown. */
graze_status grz_touching_bodies_overlap(grz_placed_pair *placement, const grz_hits *hits, graze_verdict *out_overlap);

#endif
