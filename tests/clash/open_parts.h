/* SPDX-License-Identifier: MIT */
/* Parts with and without all their triangles, ready for tests. Include after cmocka. */
#ifndef TESTS_CLASH_OPEN_PARTS_H
#define TESTS_CLASH_OPEN_PARTS_H

#include <string.h>

#include "clash/report.h"
#include "graze/depth.h"

#include "clash_meshes.h"

/* A mesh without `count` of its triangles from `first` on. */
static inline graze_mesh *without_triangles(const graze_mesh *mesh, size_t first, size_t count)
{
    uint32_t corners[3 * 64];
    size_t kept = 0, triangles = graze_mesh_triangle_count(mesh);
    assert_true(triangles <= 64);
    for (size_t i = 0; i < triangles; i++)
        if (i < first || i >= first + count)
            memcpy(corners + 3 * kept++, graze_mesh_triangles(mesh) + 3 * i, 3 * sizeof *corners);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(mesh);
    def.vertex_count = graze_mesh_vertex_count(mesh);
    def.corners = corners;
    def.corner_count = 3 * kept;
    graze_mesh *open = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
    return open;
}

/* Triangles 8 and 9 of a box are its face at the lower x, 10 and 11 that at the upper x. */
static inline graze_mesh *box_without_lower_x(double x0, double y0, double z0, double x1, double y1, double z1)
{
    graze_mesh *box = box_between(x0, y0, z0, x1, y1, z1), *open = without_triangles(box, 8, 2);
    graze_mesh_destroy(box);
    return open;
}

/* A part without a tree; takes the mesh. */
static inline grz_clash_part ready_part(graze_mesh *mesh)
{
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
    grz_clash_part part = {.name = "part",
                           .placed = {.mesh = mesh, .pose = graze_pose_identity()},
                           .triangle_count = graze_mesh_triangle_count(mesh),
                           .closed = graze_body_is_closed(body),
                           .body = body};
    graze_box box = graze_mesh_bounds(mesh);
    memcpy(part.lower, box.lower, sizeof part.lower);
    memcpy(part.upper, box.upper, sizeof part.upper);
    return part;
}

static inline void release_part(grz_clash_part *part)
{
    graze_body_destroy((graze_body *)part->body);
    graze_mesh_destroy((graze_mesh *)part->placed.mesh);
}

#endif
