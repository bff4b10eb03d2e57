/* SPDX-License-Identifier: MIT */
/*
 * Bodies in a scene: whether something lies in one without touching its surface. What that needs to know of a mesh is
 * found out once and kept: whether it is closed and oriented, and one corner of each of its components.
 */
#ifndef GRZ_SCENE_CONTAINMENT_H
#define GRZ_SCENE_CONTAINMENT_H

#include "base/array.h"
#include "base/hash_map.h"
#include "graze/broad_phase.h"
#include "graze/pair.h"

typedef struct grz_solid_facts
{
    uint64_t stamp; /* of the mesh these are about */
    bool closed, oriented;
    uint32_t *corners;   /* a vertex of each component that has a triangle: */
    size_t corner_count; /* so many, in room for component_count */
    size_t component_count;
} grz_solid_facts;

typedef struct grz_solid_cache
{
    GRZ_ARRAY(grz_solid_facts) facts;
    grz_hash_map places; /* by address of the mesh */
} grz_solid_cache;

/* Finds out what is to be known of a mesh, unless it is known. Fails with OUT_OF_MEMORY. */
graze_status grz_solid_cache_add(const graze_context *context, grz_solid_cache *solids, const graze_mesh *mesh);

/* Whether a component of `inner` lies in the body that `outer` bounds, where their surfaces share no point. Both meshes
   are known. `outer_box` is a box around the outer one. Any number of threads at once. Guarantee: exact; what is not
   closed holds nothing. */
graze_status grz_solid_contains(const graze_context *context, const grz_solid_cache *solids,
                                const graze_placed_mesh *outer, const graze_box *outer_box,
                                const graze_placed_mesh *inner, bool *out_holds);

void grz_solid_cache_release(const graze_context *context, grz_solid_cache *solids);

#endif
