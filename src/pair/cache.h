/* SPDX-License-Identifier: MIT */
/* The inner side of a cache between frames; see graze/cache.h. */
#ifndef GRZ_PAIR_CACHE_H
#define GRZ_PAIR_CACHE_H

#include "graze/cache.h"

/* Whether the cache knows the answer. If so *out_found is set, and *out_hit (may be NULL) when something is found.
   Arguments need not have been checked: bad ones are never known. */
bool grz_cache_knows(graze_pair_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b, bool *out_found,
                     graze_hit *out_hit);

/* Tells the cache the answer of a query that was asked after it did not know. `hit` is read when found. */
void grz_cache_learn(graze_pair_cache *cache, const graze_context *context, const graze_placed_mesh *a,
                     const graze_placed_mesh *b, bool found, const graze_hit *hit);

#endif
