/* SPDX-License-Identifier: MIT */
/* Boxes as parts of an assembly in memory. Include after cmocka. */
#ifndef TESTS_CLASH_CLASH_MESHES_H
#define TESTS_CLASH_CLASH_MESHES_H

#include "graze/clash.h"
#include "graze/mesh.h"

/* A closed box between two corners. */
static inline graze_mesh *box_between(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double vertices[24] = {x0, y0, z0, x1, y0, z0, x0, y1, z0, x1, y1, z0,
                                 x0, y0, z1, x1, y0, z1, x0, y1, z1, x1, y1, z1};
    static const uint32_t corners[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 36;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static inline graze_clash_part part_of(const char *name, const graze_mesh *mesh)
{
    return (graze_clash_part){.name = name, .file = "memory", .mesh = mesh, .pose = graze_pose_identity()};
}

#endif
