/* SPDX-License-Identifier: MIT */
/*
 * Support tables (pair/support_table.h), one for each mesh of a scene that is often close to others without colliding.
 * They only save time: without one, the pair query decides.
 */
#ifndef GRZ_SCENE_SUPPORT_CACHE_H
#define GRZ_SCENE_SUPPORT_CACHE_H

#include "base/array.h"
#include "base/hash_map.h"
#include "pair/support_table.h"

/* Support table of the mesh at some address. */
typedef struct grz_support_cache_entry
{
    grz_support_table *table;
    uint32_t asked, patience; /* requests since the mesh changed, and how many cause a rebuild */
} grz_support_cache_entry;

typedef struct grz_support_cache
{
    GRZ_ARRAY(grz_support_cache_entry) tables;
    grz_hash_map places; /* by address of the mesh */
} grz_support_cache;

/* The support table of the mesh of a tree, built if there is none and there is time (then *out_made is set). NULL when
   there is none, when the mesh cannot have one, when it keeps changing, and when out of memory. Tables stay at their
   address until the release. */
const grz_support_table *grz_support_cache_get(const graze_context *context, grz_support_cache *support_cache,
                                               const graze_tree *tree, bool has_time, bool *out_made);

size_t grz_support_cache_memory(const grz_support_cache *support_cache);
void grz_support_cache_release(const graze_context *context, grz_support_cache *support_cache);

#endif
