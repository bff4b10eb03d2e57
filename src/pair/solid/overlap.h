/* SPDX-License-Identifier: MIT */
/*
 * Whether two bodies overlap, at their poses or after a translation of one of them.
 *
 * Two bodies overlap when their interiors share a point. An open surface has no interior; it overlaps every surface it
 * crosses and every body it lies in.
 */
#ifndef GRZ_PAIR_SOLID_OVERLAP_H
#define GRZ_PAIR_SOLID_OVERLAP_H

#include "base/array.h"
#include "graze/cache.h"
#include "pair/solid/body.h"

typedef GRZ_ARRAY(graze_hit) grz_hits;

/* Properties of two bodies that local_overlap.c computes once; a translation does not change them. */
typedef struct grz_local_overlap_facts
{
    bool ready;
    bool solid;                    /* both are closed and oriented; the fields below are valid only then */
    int8_t *interior_sides[2];     /* per shell: grz_body_interior_side, the same for all its triangles, or not computed
                                      yet */
    bool embedded_known, embedded; /* embedded: neither surface meets itself, both poses are invertible */
} grz_local_overlap_facts;

/* Two bodies in a fixed order; see grz_arguments_swapped. */
typedef struct grz_body_pair
{
    const graze_context *context;
    grz_monitor *monitor; /* of the call; may be NULL. Results are invalid once it has stopped the call. */
    grz_placed_body sides[2];
    grz_local_overlap_facts local_overlap;
    graze_pair_cache cache; /* of grz_disjoint_after: last witness or last lower bound of the distance */
} grz_body_pair;

void grz_body_pair_release(grz_body_pair *body_pair);

/* Both bodies, one of which may be translated from its pose in the body pair. */
typedef struct grz_placed_pair
{
    grz_body_pair *body_pair;
    graze_placed_mesh placed[2];
    bool moved[2];
    interval shifts[2][3];     /* the translations */
    grz_placed_aabb *boxes[2]; /* triangle AABBs of a translated side without a tree, made when needed */
} grz_placed_pair;

/* The view of one side for point location. Fails with OUT_OF_MEMORY and with the monitor's status. */
graze_status grz_placed_pair_body(grz_placed_pair *placement, int side, grz_body_view *out_body);

/* All hits of two placed meshes in order; replaces the contents of *hits. */
graze_status grz_hits_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             grz_monitor *monitor, grz_hits *hits);

/* Whether two bodies overlap, given all hits. Exact or UNKNOWN. */
graze_status grz_overlap(grz_body_pair *body_pair, const grz_hits *hits, graze_verdict *out_overlap);

/* Whether the bodies surely do not overlap after a translation of side `mover`, which is added to its pose in doubles:
   they share no point, or touch without overlap. */
graze_status grz_disjoint_after(grz_body_pair *body_pair, int mover, const double translation[3], bool *out_apart);

/* ---- touching_plane.c: separating planes of bodies that touch ---- */

/* Whether the plane of one of the touching triangles, or of a sample of them, separates the bodies. False is no proof,
   also when the monitor has stopped the call. */
bool grz_is_separated_by_plane(const grz_placed_pair *placement, const grz_hits *hits);

/* ---- local_overlap.c: bodies that touch and do not cross ---- */

/* Computes local_overlap unless it is ready. Fails with OUT_OF_MEMORY. */
graze_status grz_local_overlap_prepare(grz_body_pair *body_pair);
void grz_local_overlap_release(grz_body_pair *body_pair);

/* Whether both bodies are closed and oriented, neither surface meets itself, and both poses are invertible. */
graze_status grz_body_pair_is_embedded(grz_body_pair *body_pair, bool *out_embedded);

/* grz_body_interior_side, computed once per shell; for embedded bodies. */
int grz_shell_interior_side(const grz_body_pair *body_pair, int side, uint32_t triangle);

/* Whether the bodies overlap near one contact. Exact when neither surface meets itself. */
graze_verdict grz_local_overlap_at(const grz_placed_pair *placement, const graze_hit *hit);

/* Whether they overlap near one of a sample of the contacts; asked only of bodies already known not to meet themselves.
   False is no proof. Fails with OUT_OF_MEMORY and as the monitor says. */
graze_status grz_some_contact_overlaps(grz_placed_pair *placement, const grz_hits *hits, bool *out_overlaps);

/* Whether touching bodies overlap, from all contacts and the parts of the surfaces between them. Exact or UNKNOWN. */
graze_status grz_touching_bodies_overlap(grz_placed_pair *placement, const grz_hits *hits, graze_verdict *out_overlap);

#endif
