/* SPDX-License-Identifier: MIT */
/* See small_shape.h. */
#include "shape/small_shape.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void grz_small_shape_make(grz_shape_query *q, const double *const points[3], const graze_pose *pose,
                          grz_small_shape *out)
{
    memset(&out->shape, 0, sizeof out->shape);
    memset(&out->mesh, 0, sizeof out->mesh);
    for (uint32_t i = 0; i < 3; i++)
    {
        memcpy(out->vertices + 3 * (size_t)i, points[i], 3 * sizeof(double));
        out->corners[i] = i;
    }
    out->mesh.context = grz_context_copy(q->context);
    out->mesh.vertices = out->vertices;
    out->mesh.vertex_count = 3;
    out->mesh.triangles = out->corners;
    out->mesh.triangle_count = out->mesh.face_count = 1;
    grz_mesh_derive(&out->mesh, NULL); /* without memory it is not scaled, which costs time only */
    out->shape.context = out->mesh.context;
    out->shape.kind = GRAZE_SHAPE_TRIANGLE;
    out->shape.form = GRZ_FORM_CORE;
    out->shape.mesh = &out->mesh;
    out->shape.leaf_count = 1;
    grz_derived_data_init(&out->shape.derived, &out->shape.context, &out->mesh);
    out->placed = (graze_placed){&out->shape, *pose};
}

void grz_small_shape_ray(grz_shape_query *q, const double origin[3], const double direction[3], double limit,
                         grz_small_shape *out)
{
    const double start[3] = {0, 0, 0}, end[3] = {limit, 0, 0};
    const double *const points[3] = {start, end, end};
    graze_pose pose = {{0}};
    int longest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        pose.m[4 * axis] = direction[axis];
        pose.m[4 * axis + 3] = origin[axis];
        longest = fabs(direction[axis]) > fabs(direction[longest]) ? axis : longest;
    }
    for (int column = 1; column < 3; column++) /* these only make the matrix easy to invert */
        pose.m[4 * ((longest + column) % 3) + column] = fabs(direction[longest]);
    grz_small_shape_make(q, points, &pose, out);
}

void grz_small_shape_release(grz_small_shape *small)
{
    grz_derived_data_release(&small->shape.derived);
    grz_release(&small->mesh.context, small->mesh.scaled_memory);
}
