/* SPDX-License-Identifier: MIT */
/* Small meshes composed by tests; see meshes.h. */
#include "support/meshes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"

uint32_t mesh_add_vertex(test_mesh *mesh, double x, double y, double z)
{
    double *vertex = mesh->vertices[mesh->vertex_count];
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
    return (uint32_t)mesh->vertex_count++;
}

void mesh_add_triangle(test_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *triangle = mesh->triangles[mesh->triangle_count++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

void mesh_add_box(test_mesh *mesh, const double lower[3], const double upper[3], bool inward)
{
    /* Corner number i has bit k set where coordinate k is the upper one. */
    static const uint32_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (int i = 0; i < 8; i++)
        mesh_add_vertex(mesh, (i & 1) != 0 ? upper[0] : lower[0], (i & 2) != 0 ? upper[1] : lower[1],
                        (i & 4) != 0 ? upper[2] : lower[2]);
    for (int side = 0; side < 6; side++)
    {
        uint32_t a = first + sides[side][0], b = first + sides[side][1];
        uint32_t c = first + sides[side][2], d = first + sides[side][3];
        mesh_add_triangle(mesh, a, inward ? c : b, inward ? b : c);
        mesh_add_triangle(mesh, a, inward ? d : c, inward ? c : d);
    }
}

void mesh_add_cube(test_mesh *mesh, double x, double y, double z, double side)
{
    const double lower[3] = {x, y, z}, upper[3] = {x + side, y + side, z + side};
    mesh_add_box(mesh, lower, upper, false);
}

void mesh_add_bipyramid(test_mesh *mesh, double x, double y, double z, double size)
{
    static const double rim[6][2] = {{4, 0}, {2, 3}, {-2, 3}, {-4, 0}, {-2, -3}, {2, -3}};
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (int i = 0; i < 6; i++)
        mesh_add_vertex(mesh, x + size * rim[i][0], y + size * rim[i][1], z);
    uint32_t top = mesh_add_vertex(mesh, x, y, z + 3 * size), bottom = mesh_add_vertex(mesh, x, y, z - 3 * size);
    for (uint32_t i = 0; i < 6; i++)
    {
        mesh_add_triangle(mesh, first + i, first + (i + 1) % 6, top);
        mesh_add_triangle(mesh, first + (i + 1) % 6, first + i, bottom);
    }
}

void mesh_add_soup(test_mesh *mesh, test_random *random, int vertex_count, int triangle_count, int grid)
{
    int first = (int)mesh->vertex_count;
    for (int i = 0; i < vertex_count; i++)
        mesh_add_vertex(mesh, random_below(random, grid), random_below(random, grid), random_below(random, grid));
    for (int i = 0; i < triangle_count; i++)
        mesh_add_triangle(mesh, (uint32_t)(first + random_below(random, vertex_count)),
                          (uint32_t)(first + random_below(random, vertex_count)),
                          (uint32_t)(first + random_below(random, vertex_count)));
}

void mesh_add_sheet(test_mesh *mesh, int axis, double level, int squares)
{
    uint32_t first = (uint32_t)mesh->vertex_count, width = (uint32_t)squares + 1;
    for (uint32_t i = 0; i < width * width; i++)
    {
        double point[3];
        point[axis] = level;
        point[(axis + 1) % 3] = i % width;
        point[(axis + 2) % 3] = i / width;
        mesh_add_vertex(mesh, point[0], point[1], point[2]);
    }
    for (uint32_t row = 0; row + 1 < width; row++)
        for (uint32_t column = 0; column + 1 < width; column++)
        {
            uint32_t a = first + row * width + column;
            mesh_add_triangle(mesh, a, a + 1, a + width + 1);
            mesh_add_triangle(mesh, a, a + width + 1, a + width);
        }
}

void mesh_scale(test_mesh *mesh, double factor)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            mesh->vertices[i][c] *= factor;
}

void mesh_disorient(test_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i += 2)
    {
        uint32_t kept = mesh->triangles[i][0];
        mesh->triangles[i][0] = mesh->triangles[i][1];
        mesh->triangles[i][1] = kept;
    }
}

graze_mesh *mesh_create(const test_mesh *mesh)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = mesh->vertices;
    def.vertex_count = mesh->vertex_count;
    def.corners = mesh->triangles[0];
    def.corner_count = 3 * mesh->triangle_count;
    graze_error error;
    graze_mesh *made = NULL;
    if (graze_mesh_create(NULL, &def, &error, &made) != GRAZE_STATUS_OK)
    {
        fprintf(stderr, "a test's mesh was refused: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    return made;
}

graze_mesh *mesh_create_scaled(const test_mesh *mesh, int power)
{
    test_mesh scaled = *mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 3; axis++)
            scaled.vertices[i][axis] = grz_scale(mesh->vertices[i][axis], power);
    return mesh_create(&scaled);
}

oracle_mesh mesh_for_oracle(const test_mesh *mesh, const graze_pose *pose)
{
    oracle_mesh view = {mesh->vertices[0], mesh->triangles[0], mesh->triangle_count, pose};
    return view;
}
