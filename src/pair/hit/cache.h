/* SPDX-License-Identifier: MIT */
/* The internal interface of the frame-to-frame cache; see graze/cache.h. */
#ifndef GRZ_PAIR_HIT_CACHE_H
#define GRZ_PAIR_HIT_CACHE_H

#include "graze/cache.h"
#include "pair/hit/bvh_traversal.h"

/* Whether the cache knows the answer. If so *out_found is set, and *out_hit (may be NULL) when there is a hit.
   Arguments need not have been checked: for bad ones the answer is never known. */
bool grz_cache_knows(graze_pair_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b, bool *out_found,
                     graze_hit *out_hit);

/* The leaves of the last hit, to be tested first; false when the meshes were disjoint. */
bool grz_cache_hint(const graze_pair_cache *cache, grz_traversal_hint *out_hint);

/* Updates the cache with the answer of a query that it did not know: a hit and its leaves, or NULL. */
void grz_cache_learn(graze_pair_cache *cache, const graze_context *context, const graze_placed_mesh *a,
                     const graze_placed_mesh *b, const graze_hit *hit, const grz_traversal_hint *place);

#endif
