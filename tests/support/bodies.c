/* SPDX-License-Identifier: MIT */
/* Small meshes; see bodies.h. */
#include "support/bodies.h"

#include <math.h>
#include <stdlib.h>

static graze_mesh *make(const graze_mesh_def *def)
{
    graze_mesh *mesh = NULL;
    if (graze_mesh_create(NULL, def, NULL, &mesh) != GRAZE_STATUS_OK)
        abort();
    return mesh;
}

graze_mesh *body_of_triangles(double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                              size_t triangle_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    return make(&def);
}

graze_mesh *body_of_polygons(double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                             const uint32_t *loop_sizes, size_t face_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.loop_sizes = loop_sizes;
    def.loop_count = face_count;
    for (size_t f = 0; f < face_count; f++)
        def.corner_count += loop_sizes[f];
    return make(&def);
}

const uint32_t body_box_corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
const uint32_t body_box_sizes[6] = {4, 4, 4, 4, 4, 4};

void body_box_vertices(double (*out_vertices)[3], const double lower[3], const double upper[3])
{
    for (int v = 0; v < 8; v++)
        for (int i = 0; i < 3; i++)
            out_vertices[v][i] = v >> i & 1 ? upper[i] : lower[i];
}

graze_mesh *body_box(const double lower[3], const double upper[3])
{
    double vertices[8][3];
    body_box_vertices(vertices, lower, upper);
    return body_of_polygons(vertices, 8, body_box_corners, body_box_sizes, 6);
}

graze_mesh *body_tube(double inner, double outer, double bottom, double top, uint32_t segments, double turn)
{
    enum
    {
        MOST_SEGMENTS = 64
    };
    double vertices[4 * MOST_SEGMENTS][3];
    uint32_t corners[16 * MOST_SEGMENTS], sizes[4 * MOST_SEGMENTS];
    size_t corner_count = 0, face_count = 0;
    for (uint32_t i = 0; i < segments; i++)
    {
        double angle = 2 * 3.14159265358979323846 * (i + turn) / segments;
        for (uint32_t k = 0; k < 4; k++)
        {
            double radius = k < 2 ? inner : outer;
            vertices[4 * i + k][0] = radius * cos(angle);
            vertices[4 * i + k][1] = radius * sin(angle);
            vertices[4 * i + k][2] = k % 2 == 0 ? bottom : top;
        }
        uint32_t j = (i + 1) % segments;
        const uint32_t faces[4][4] = {{4 * i + 2, 4 * j + 2, 4 * j + 3, 4 * i + 3},
                                      {4 * i + 1, 4 * i + 3, 4 * j + 3, 4 * j + 1},
                                      {4 * i, 4 * j, 4 * j + 2, 4 * i + 2},
                                      {4 * i, 4 * i + 1, 4 * j + 1, 4 * j}};
        for (int face = 0; face < (inner > 0 ? 4 : 3); face++)
        {
            for (int k = 0; k < 4; k++)
                corners[corner_count++] = faces[face][k];
            sizes[face_count++] = 4;
        }
    }
    return body_of_polygons(vertices, 4 * (size_t)segments, corners, sizes, face_count);
}

graze_mesh *body_inside_out(const graze_mesh *mesh)
{
    size_t count = graze_mesh_triangle_count(mesh);
    uint32_t *corners = malloc(3 * count * sizeof *corners);
    if (corners == NULL)
        abort();
    for (size_t i = 0; i < 3 * count; i++)
        corners[i] = graze_mesh_triangles(mesh)[i / 3 * 3 + (3 - i % 3) % 3];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(mesh);
    def.vertex_count = graze_mesh_vertex_count(mesh);
    def.corners = corners;
    def.corner_count = 3 * count;
    graze_mesh *turned = make(&def);
    free(corners);
    return turned;
}

graze_mesh *body_soup(test_random *random, int size, size_t vertex_count, size_t triangle_count)
{
    double(*vertices)[3] = malloc(vertex_count * sizeof *vertices);
    uint32_t *corners = malloc(3 * triangle_count * sizeof *corners);
    if (vertices == NULL || corners == NULL)
        abort();
    for (size_t v = 0; v < vertex_count; v++)
        for (int i = 0; i < 3; i++)
        {
            int x = random_below(random, size);
            vertices[v][i] = x == 0 && random_once_in(random, 2) ? -0.0 : x;
        }
    for (size_t c = 0; c < 3 * triangle_count; c++)
        corners[c] = (uint32_t)random_below(random, (int)vertex_count);
    graze_mesh *mesh = body_of_triangles(vertices, vertex_count, corners, triangle_count);
    free(vertices);
    free(corners);
    return mesh;
}
