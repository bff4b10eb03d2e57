/* SPDX-License-Identifier: MIT */
/* The inner side of a cache between frames; see graze/cache.h. */
#ifndef GRZ_PAIR_HIT_CACHE_H
#define GRZ_PAIR_HIT_CACHE_H

#include "graze/cache.h"
#include "pair/hit/bvh_traversal.h"

/* Whether the cache knows the answer. If so *out_found is set, and *out_hit (may be NULL) when something is found.
   Arguments need not have been checked: bad ones are never known. */
bool grz_cache_knows(graze_pair_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b, bool *out_found,
                     graze_hit *out_hit);

/* Where to look first, if the two met the last time. */
bool grz_cache_hint(const graze_pair_cache *cache, grz_traversal_hint *out_hint);

/* Tells the cache the answer of a query that was asked after it did not know: a hit and where it is, or NULL. */
void grz_cache_learn(graze_pair_cache *cache, const graze_context *context, const graze_placed_mesh *a,
                     const graze_placed_mesh *b, const graze_hit *hit, const grz_traversal_hint *place);

#endif
