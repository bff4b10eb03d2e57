/* SPDX-License-Identifier: MIT */
/*
 * Ray against one placed mesh. A ray is a segment that is placed exactly (query_mesh.h), long enough to leave the
 * mesh's box on the other side; so whether it meets a triangle is the exact answer of meshes. Where it does is
 * constructed: t from the point, whose coordinates are each rounded once.
 */
#ifndef GRZ_PAIR_MESH_QUERY_CAST_RAY_H
#define GRZ_PAIR_MESH_QUERY_CAST_RAY_H

#include "graze/mesh_query.h"

typedef struct grz_query_ray
{
    double origin[3], direction[3], limit;
    int longest; /* axis */
} grz_query_ray;

/* OK, NOT_FINITE or BAD_ARGUMENT (the limit). */
graze_status grz_query_ray_make(const double origin[3], const double direction[3], double limit,
                                grz_query_ray *out_ray);

/* The first hit on a mesh that has triangles. `box` is a box around the placed mesh. Results are written where the
   status is OK. */
graze_status grz_cast_ray(const graze_context *context, const grz_query_ray *ray, const graze_placed_mesh *mesh,
                          const graze_box *box, const graze_pair_options *options, bool *out_found,
                          graze_mesh_ray_hit *out_hit);

#endif
