/* SPDX-License-Identifier: MIT */
/*
 * Memory of cases, and meshes composed of others.
 */
#include "case.h"

#include <math.h>
#include <stdlib.h>

bool lab_case_poses(lab_case *c, size_t count)
{
    c->poses_a = malloc(count * sizeof *c->poses_a);
    c->poses_b = malloc(count * sizeof *c->poses_b);
    if (c->poses_a == NULL || c->poses_b == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        c->poses_a[i] = c->poses_b[i] = graze_pose_identity();
    c->count = count;
    return true;
}

void lab_case_clear(lab_case *c)
{
    graze_mesh_destroy(c->a);
    graze_mesh_destroy(c->b);
    free(c->poses_a);
    free(c->poses_b);
    *c = (lab_case){0};
}

lab_soup lab_soup_of(const graze_mesh *mesh)
{
    return (lab_soup){graze_mesh_vertices(mesh), graze_mesh_vertex_count(mesh), graze_mesh_triangles(mesh),
                      graze_mesh_triangle_count(mesh)};
}

bool lab_pairs_push(lab_pairs *pairs, uint32_t a, uint32_t b)
{
    if (pairs->count == pairs->capacity)
    {
        size_t capacity = pairs->capacity == 0 ? 256 : 2 * pairs->capacity;
        lab_pair *data = realloc(pairs->data, capacity * sizeof *data);
        if (data == NULL)
            return false;
        pairs->data = data;
        pairs->capacity = capacity;
    }
    pairs->data[pairs->count++] = (lab_pair){a, b};
    return true;
}

/* Grows the array for `more` elements; on failure returns it unchanged and sets `failed`. */
static void *grow(lab_builder *builder, void *data, size_t count, size_t more, size_t *capacity, size_t size)
{
    if (builder->failed || count + more <= *capacity)
        return data;
    size_t wanted = 2 * *capacity > count + more ? 2 * *capacity : count + more;
    void *grown = realloc(data, wanted * size);
    if (grown == NULL)
    {
        builder->failed = true;
        return data;
    }
    *capacity = wanted;
    return grown;
}

uint32_t lab_builder_vertex(lab_builder *builder, double x, double y, double z)
{
    builder->vertices = grow(builder, builder->vertices, builder->vertex_count, 1, &builder->vertex_capacity,
                             3 * sizeof *builder->vertices);
    if (builder->failed)
        return 0;
    double *v = builder->vertices + 3 * builder->vertex_count;
    v[0] = x;
    v[1] = y;
    v[2] = z;
    return (uint32_t)builder->vertex_count++;
}

void lab_builder_triangle(lab_builder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    builder->triangles = grow(builder, builder->triangles, builder->triangle_count, 1, &builder->triangle_capacity,
                              3 * sizeof *builder->triangles);
    if (builder->failed)
        return;
    uint32_t *corners = builder->triangles + 3 * builder->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

void lab_builder_add(lab_builder *builder, graze_status status, graze_mesh *mesh, double scale, const graze_pose *pose)
{
    if (status != GRAZE_STATUS_OK)
    {
        builder->failed = true;
        return;
    }
    lab_soup soup = lab_soup_of(mesh);
    uint32_t first = (uint32_t)builder->vertex_count;
    for (size_t i = 0; i < soup.vertex_count; i++)
    {
        double scaled[3], placed[3];
        for (int k = 0; k < 3; k++)
            scaled[k] = scale * soup.vertices[3 * i + (size_t)k];
        graze_pose_apply(pose, scaled, placed);
        lab_builder_vertex(builder, placed[0], placed[1], placed[2]);
    }
    for (size_t i = 0; i < soup.triangle_count; i++)
    {
        const uint32_t *corners = soup.triangles + 3 * i;
        lab_builder_triangle(builder, first + corners[0], first + corners[1], first + corners[2]);
    }
    graze_mesh_destroy(mesh);
}

graze_mesh *lab_builder_finish(lab_builder *builder)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = builder->vertices;
    def.vertex_count = builder->vertex_count;
    def.corners = builder->triangles;
    def.corner_count = 3 * builder->triangle_count;
    graze_mesh *mesh = NULL;
    if (builder->failed || graze_mesh_create(NULL, &def, NULL, &mesh) != GRAZE_STATUS_OK)
        mesh = NULL;
    free(builder->vertices);
    free(builder->triangles);
    *builder = (lab_builder){0};
    return mesh;
}

void lab_random_direction(grz_random *random, double out[3])
{
    double length_sq;
    do
    {
        length_sq = 0;
        for (int k = 0; k < 3; k++)
        {
            out[k] = grz_random_between(random, -1, 1);
            length_sq += out[k] * out[k];
        }
    } while (length_sq > 1 || length_sq < 0.01);
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(length_sq);
}

graze_pose lab_random_pose(grz_random *random, const double position[3])
{
    double q[4], length_sq;
    do
    {
        length_sq = 0;
        for (int k = 0; k < 4; k++)
        {
            q[k] = grz_random_between(random, -1, 1);
            length_sq += q[k] * q[k];
        }
    } while (length_sq > 1 || length_sq < 0.01);
    graze_pose pose = graze_pose_identity();
    graze_pose_from_quaternion(q, position, &pose);
    return pose;
}
