/* SPDX-License-Identifier: MIT */
/*
 * Query meshes: a point, a ray or a box as a mesh. A pose is taken at face value, so the point origin + t direction is
 * exactly a vertex (t, 0, 0) placed by a matrix whose first column is the direction: so exact mesh queries answer for
 * rays as well, without rounding.
 */
#ifndef GRZ_PAIR_MESH_QUERY_QUERY_MESH_H
#define GRZ_PAIR_MESH_QUERY_QUERY_MESH_H

#include "graze/box.h"
#include "graze/pair.h"

typedef struct grz_query_mesh
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_placed_mesh placed;
} grz_query_mesh;

graze_status grz_query_mesh_point(const graze_context *context, const double point[3], grz_query_mesh *out_probe);
graze_status grz_query_mesh_box(const graze_context *context, const graze_box *box, grz_query_mesh *out_probe);

/* The points origin + t direction, 0 <= t <= limit; limit is finite. */
graze_status grz_query_mesh_ray(const graze_context *context, const double origin[3], const double direction[3],
                                double limit, grz_query_mesh *out_probe);

void grz_query_mesh_release(grz_query_mesh *probe);

#endif
