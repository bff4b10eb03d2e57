/* SPDX-License-Identifier: MIT */
/* The internal interface of the frame-to-frame cache; see graze/cache.h. */
#ifndef GRZ_PAIR_HIT_CACHE_H
#define GRZ_PAIR_HIT_CACHE_H

#include "graze/cache.h"
#include "pair/hit/bvh_traversal.h"

/* What graze_pair_cache.state holds. All zeros: nothing is known. It may alias, since callers see other types. */
typedef struct __attribute__((may_alias)) grz_pair_cache_state
{
    const graze_mesh *mesh_a, *mesh_b;
    uint64_t identity_a[2], identity_b[2];
    graze_pose pose_a, pose_b;         /* of the last full query */
    double weights_a[4], weights_b[4]; /* by column: how far a change of one in a pose's row moves a vertex at most */
    double gap_sq;                     /* square of a lower bound on the distance at those poses; 0: unknown */
    uint32_t witness_a, witness_b;     /* triangles of the last hit, */
    uint32_t node_a, node_b;           /* and where they are in the trees; UINT32_MAX: unknown */
    bool collided;                     /* at the last query */
    bool has_poses;                    /* whether the poses are set */
    uint32_t queries_since_update;     /* since the last full query */
    uint32_t backoff_left, backoff;    /* queries to go without looking for a gap, and how many the next time */
    uint32_t witness_backoff;          /* queries until the witness is tried again, */
    uint32_t witness_misses;           /* and how often its test failed */
} grz_pair_cache_state;

_Static_assert(sizeof(grz_pair_cache_state) <= sizeof(((graze_pair_cache *)0)->state), "graze_pair_cache has no room");

static inline grz_pair_cache_state *grz_cache_state(graze_pair_cache *cache)
{
    return (grz_pair_cache_state *)cache->state;
}

/* Whether the cache knows the answer. If so *out_found is set, and *out_hit (may be NULL) when there is a hit.
   Arguments need not have been checked: for bad ones the answer is never known. */
bool grz_cache_answers(graze_pair_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b, bool *out_found,
                       graze_hit *out_hit);

/* The leaves of the last hit, to be tested first; false when the meshes were disjoint. */
bool grz_cache_hint(graze_pair_cache *cache, grz_traversal_hint *out_hint);

/* Updates the cache with the answer of a query that it did not know: a hit and its leaves, or NULL. */
void grz_cache_update(graze_pair_cache *cache, const graze_context *context, const graze_placed_mesh *a,
                      const graze_placed_mesh *b, const graze_hit *hit, const grz_traversal_hint *hint);

#endif
