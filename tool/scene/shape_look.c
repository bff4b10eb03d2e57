/* SPDX-License-Identifier: MIT */
/* Meshes to look at; see shape_look.h. All numbers are rounded: they decide nothing. */
#include "scene/shape_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SEGMENTS = 96,
    SEGMENTS_OF_BALLS = 64,
    SEGMENTS_OF_ROUNDED = 32 /* around each corner of a core */
};

typedef struct look
{
    double *vertices;
    uint32_t *corners;
    size_t vertex_count, vertex_capacity, corner_count, corner_capacity;
    const graze_box *around;
    graze_pose to_world;
} look;

static bool make_room(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    size_t larger = 2 * *capacity > needed ? 2 * *capacity : needed;
    void *moved = realloc(*array, larger * size);
    if (moved == NULL)
        return false;
    *array = moved;
    *capacity = larger;
    return true;
}

static graze_status add_triangles(look *l, const double *vertices, size_t vertex_count, const uint32_t *corners,
                                  size_t corner_count, const graze_pose *pose)
{
    if (!make_room((void **)&l->vertices, &l->vertex_capacity, l->vertex_count + vertex_count, 3 * sizeof(double)) ||
        !make_room((void **)&l->corners, &l->corner_capacity, l->corner_count + corner_count, sizeof(uint32_t)))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < corner_count; i++)
        l->corners[l->corner_count++] = corners[i] + (uint32_t)l->vertex_count;
    for (size_t i = 0; i < vertex_count; i++)
        graze_pose_apply(pose, vertices + 3 * i, l->vertices + 3 * l->vertex_count++);
    return GRAZE_STATUS_OK;
}

static graze_status add_mesh(look *l, const graze_mesh *mesh, const graze_pose *pose)
{
    return add_triangles(l, graze_mesh_vertices(mesh), graze_mesh_vertex_count(mesh), graze_mesh_triangles(mesh),
                         3 * graze_mesh_triangle_count(mesh), pose);
}

/* A square around the point of the plane that is nearest to the middle of all else. */
static graze_status add_plane(look *l, const graze_shape *shape, const graze_pose *pose)
{
    double n[4] = {0, 0, 1, 0}, middle[3], local[3], size = 0, length;
    graze_pose world;
    graze_shape_numbers(shape, n, 4);
    graze_status status = graze_pose_compose(&l->to_world, pose, &world, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (int k = 0; k < 3; k++)
    {
        middle[k] = 0.5 * l->around->lower[k] + 0.5 * l->around->upper[k] - world.m[4 * k + 3];
        size = hypot(size, l->around->upper[k] - l->around->lower[k]);
    }
    size = isfinite(size) && size > 0 ? 1.5 * size : 1;
    length = hypot(hypot(n[0], n[1]), n[2]);
    double height = -n[3] / length;
    for (int k = 0; k < 3; k++)
    {
        n[k] /= length;
        local[k] = world.m[k] * middle[0] + world.m[4 + k] * middle[1] + world.m[8 + k] * middle[2];
        height += n[k] * local[k];
    }
    const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double axis[3] = {0, 0, 0}, u[3], v[3];
    axis[least] = 1;
    for (int k = 0; k < 3; k++)
        u[k] = axis[(k + 1) % 3] * n[(k + 2) % 3] - axis[(k + 2) % 3] * n[(k + 1) % 3];
    length = hypot(hypot(u[0], u[1]), u[2]);
    for (int k = 0; k < 3; k++)
        u[k] *= size / length;
    for (int k = 0; k < 3; k++)
        v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
    double square[4][3];
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            square[i][k] = local[k] - height * n[k] + (i == 0 || i == 3 ? -u[k] : u[k]) + (i < 2 ? -v[k] : v[k]);
    return add_triangles(l, square[0], 4, corners, 6, pose);
}

static graze_status add_shape(look *l, const graze_placed *placed)
{
    graze_shape_kind kind = graze_shape_get_kind(placed->shape);
    graze_status status = GRAZE_STATUS_OK;
    if (kind == GRAZE_SHAPE_HALF_SPACE)
        return add_plane(l, placed->shape, &placed->pose);
    for (size_t i = 0; i < graze_shape_part_count(placed->shape) && status == GRAZE_STATUS_OK; i++)
    {
        graze_placed part = graze_shape_parts(placed->shape)[i];
        status = graze_pose_compose(&placed->pose, &graze_shape_parts(placed->shape)[i].pose, &part.pose, NULL);
        if (status == GRAZE_STATUS_OK)
            status = add_shape(l, &part);
    }
    if (kind == GRAZE_SHAPE_COMPOUND || status != GRAZE_STATUS_OK)
        return status;
    graze_tessellation_options options = graze_tessellation_options_default();
    options.segments = kind == GRAZE_SHAPE_ROUNDED                                ? SEGMENTS_OF_ROUNDED
                       : kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE ? SEGMENTS
                                                                                  : SEGMENTS_OF_BALLS;
    graze_shape *hull = NULL;
    status = graze_shape_tessellate(NULL, placed->shape, &options, &hull);
    if (status == GRAZE_STATUS_OK)
        status = add_mesh(l, graze_shape_mesh(hull), &placed->pose);
    else if (status == GRAZE_STATUS_UNSUPPORTED)
        status = add_mesh(l, graze_shape_mesh(placed->shape), &placed->pose);
    graze_shape_destroy(hull);
    return status;
}

graze_status shape_look(const graze_placed *placed, const graze_box *around, graze_mesh **out_mesh)
{
    look l = {.around = around, .to_world = placed->pose};
    const graze_placed local = {placed->shape, graze_pose_identity()};
    graze_status status = add_shape(&l, &local);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = l.vertices;
    def.vertex_count = l.vertex_count;
    def.corners = l.corners;
    def.corner_count = l.corner_count;
    if (status == GRAZE_STATUS_OK)
        status = graze_mesh_create(NULL, &def, NULL, out_mesh);
    free(l.vertices);
    free(l.corners);
    return status;
}
