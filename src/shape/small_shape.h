/* SPDX-License-Identifier: MIT */
/* A triangle or segment as a shape for the time of a call, without a tree. Nothing is allocated where coordinates are
   neither very large nor very small. */
#ifndef GRZ_SHAPE_SMALL_SHAPE_H
#define GRZ_SHAPE_SMALL_SHAPE_H

#include "mesh/mesh.h"
#include "shape/query.h"

typedef struct grz_small_shape
{
    graze_shape shape;
    graze_mesh mesh;
    double vertices[9];
    uint32_t corners[3];
    graze_placed placed;
} grz_small_shape;

/* A triangle of three points under a pose. Must not be moved in memory. */
void grz_small_shape_make(grz_shape_query *q, const double *const points[3], const graze_pose *pose,
                          grz_small_shape *out);

/* The points origin + t direction, 0 <= t <= limit; exactly, see pair/mesh_query/query_mesh.h. */
void grz_small_shape_ray(grz_shape_query *q, const double origin[3], const double direction[3], double limit,
                         grz_small_shape *out);
void grz_small_shape_release(grz_small_shape *small);

#endif
