/* SPDX-License-Identifier: MIT */
/* Containment in solids of a scene without contact of surfaces. */
#ifndef GRZ_SCENE_CONTAINMENT_H
#define GRZ_SCENE_CONTAINMENT_H

#include "graze/box.h"
#include "graze/pair.h"
#include "pair/derived_data.h"

/* A placed mesh, the data derived from it and its AABB in the world. */
typedef struct grz_placed_data
{
    const graze_placed_mesh *placed;
    grz_derived_data *derived;
    const graze_box *box;
} grz_placed_data;

/* Whether a component of `inner` lies inside the solid bounded by `outer`, if their surfaces share no point. The bodies
   of both are made when needed; a mesh that the scene was not told to have changed gets one for this call. Thread-safe.
   Guarantee: exact; a mesh that is not closed contains nothing. Fails with OUT_OF_MEMORY and TOO_LARGE. */
graze_status grz_solid_contains(const graze_context *context, const grz_placed_data *outer,
                                const grz_placed_data *inner, bool *out_contains);

#endif
