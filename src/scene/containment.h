/* SPDX-License-Identifier: MIT */
/*
 * Containment in solids of a scene without contact of surfaces. The graze_body of each mesh is made once and cached.
 */
#ifndef GRZ_SCENE_CONTAINMENT_H
#define GRZ_SCENE_CONTAINMENT_H

#include "base/array.h"
#include "base/hash_map.h"
#include "graze/broad_phase.h"
#include "graze/depth.h"

typedef struct grz_cached_body
{
    graze_body *body;
} grz_cached_body;

typedef struct grz_solid_cache
{
    GRZ_ARRAY(grz_cached_body) bodies;
    grz_hash_map places; /* by address of the mesh */
} grz_solid_cache;

/* Makes the body of a mesh, unless it is cached. Fails with OUT_OF_MEMORY. */
graze_status grz_solid_cache_add(const graze_context *context, grz_solid_cache *solids, const graze_mesh *mesh);

/* Whether a component of `inner` lies inside the solid bounded by `outer`, if their surfaces share no point. Both
   meshes are cached. `outer_box` is an AABB of the outer one. Thread-safe. Guarantee: exact; a mesh that is not closed
   contains nothing. */
graze_status grz_solid_contains(const graze_context *context, const grz_solid_cache *solids,
                                const graze_placed_mesh *outer, const graze_box *outer_box,
                                const graze_placed_mesh *inner, bool *out_holds);

void grz_solid_cache_release(const graze_context *context, grz_solid_cache *solids);

#endif
