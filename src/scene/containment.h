/* SPDX-License-Identifier: MIT */
/*
 * Bodies in a scene: whether something lies in one without touching its surface. The body of each mesh (graze_body) is
 * made once and kept.
 */
#ifndef GRZ_SCENE_CONTAINMENT_H
#define GRZ_SCENE_CONTAINMENT_H

#include "base/array.h"
#include "base/hash_map.h"
#include "graze/broad_phase.h"
#include "graze/depth.h"

typedef struct grz_solid_cache
{
    GRZ_ARRAY(graze_body *) bodies;
    grz_hash_map places; /* by address of the mesh */
} grz_solid_cache;

/* Makes the body of a mesh, unless it is there. Fails with OUT_OF_MEMORY. */
graze_status grz_solid_cache_add(const graze_context *context, grz_solid_cache *solids, const graze_mesh *mesh);

/* Whether a component of `inner` lies in the body that `outer` bounds, where their surfaces share no point. Both meshes
   are known. `outer_box` is a box around the outer one. Any number of threads at once. Guarantee: exact; what is not
   closed holds nothing. */
graze_status grz_solid_contains(const graze_context *context, const grz_solid_cache *solids,
                                const graze_placed_mesh *outer, const graze_box *outer_box,
                                const graze_placed_mesh *inner, bool *out_holds);

void grz_solid_cache_release(const graze_context *context, grz_solid_cache *solids);

#endif
