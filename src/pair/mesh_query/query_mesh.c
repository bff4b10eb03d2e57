/* SPDX-License-Identifier: MIT */
/* Query meshes; see query_mesh.h. */
#include "pair/mesh_query/query_mesh.h"

#include <math.h>

static graze_status make(const graze_context *context, const double *vertices, size_t vertex_count,
                         const uint32_t *corners, size_t corner_count, const graze_pose *pose,
                         grz_query_mesh *out_probe)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = corner_count;
    grz_query_mesh probe;
    graze_status status = graze_mesh_create(context, &def, NULL, &probe.mesh);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = graze_tree_create(context, probe.mesh, NULL, NULL, &probe.tree);
    if (status != GRAZE_STATUS_OK)
    {
        graze_mesh_destroy(probe.mesh);
        return status;
    }
    probe.placed = (graze_placed_mesh){probe.mesh, probe.tree, *pose};
    *out_probe = probe;
    return GRAZE_STATUS_OK;
}

graze_status grz_query_mesh_point(const graze_context *context, const double point[3], grz_query_mesh *out_probe)
{
    static const uint32_t corners[3] = {0, 0, 0};
    graze_pose pose = graze_pose_identity();
    return make(context, point, 1, corners, 3, &pose, out_probe);
}

graze_status grz_query_mesh_box(const graze_context *context, const graze_box *box, grz_query_mesh *out_probe)
{
    /* Vertex i has the upper end on axis k where bit k of i is set; triangles face outward. */
    static const uint32_t corners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double vertices[24];
    for (int i = 0; i < 8; i++)
        for (int axis = 0; axis < 3; axis++)
            vertices[3 * i + axis] = (i >> axis & 1) != 0 ? box->upper[axis] : box->lower[axis];
    graze_pose pose = graze_pose_identity();
    return make(context, vertices, 8, corners, 36, &pose, out_probe);
}

/* The other two columns multiply zeros; they only make the matrix easy to invert: unit axes other than that of the
   longest coordinate of the direction, scaled to it. */
graze_status grz_query_mesh_ray(const graze_context *context, const double origin[3], const double direction[3],
                                double limit, grz_query_mesh *out_probe)
{
    static const uint32_t corners[3] = {0, 1, 1};
    double vertices[6] = {0, 0, 0, limit, 0, 0};
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (fabs(direction[axis]) > fabs(direction[longest]))
            longest = axis;
    graze_pose pose = {{0}};
    for (int axis = 0; axis < 3; axis++)
    {
        pose.m[4 * axis] = direction[axis];
        pose.m[4 * axis + 3] = origin[axis];
    }
    for (int column = 1; column < 3; column++)
        pose.m[4 * ((longest + column) % 3) + column] = fabs(direction[longest]);
    return make(context, vertices, 2, corners, 3, &pose, out_probe);
}

void grz_query_mesh_release(grz_query_mesh *probe)
{
    graze_tree_destroy(probe->tree);
    graze_mesh_destroy(probe->mesh);
}
