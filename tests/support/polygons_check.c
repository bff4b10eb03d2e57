/* SPDX-License-Identifier: MIT */
/* Checks of triangulated polygons, in 64-bit integers; see polygons.h. */
#include <stdio.h>

#include "support/polygons.h"

static int64_t cross(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

static int64_t loop_area(const test_polygon *polygon, size_t first, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 1; i + 1 < count; i++)
        sum += cross(polygon->points[first], polygon->points[first + i], polygon->points[first + i + 1]);
    return sum;
}

int64_t polygon_area(const test_polygon *polygon)
{
    int64_t outer = loop_area(polygon, 0, polygon->loop_sizes[0]), holes = 0;
    size_t first = polygon->loop_sizes[0];
    for (size_t l = 1; l < polygon->loop_count; l++)
    {
        int64_t area = loop_area(polygon, first, polygon->loop_sizes[l]);
        holes += area < 0 ? -area : area;
        first += polygon->loop_sizes[l];
    }
    return outer < 0 ? outer + holes : outer - holes;
}

/* The edge from corner i: to the next of its loop. */
static size_t next_corner(const test_polygon *polygon, size_t i)
{
    size_t first = 0, l = 0;
    while (i >= first + polygon->loop_sizes[l])
        first += polygon->loop_sizes[l++];
    return i + 1 == first + polygon->loop_sizes[l] ? first : i + 1;
}

bool polygon_crosses_itself(const test_polygon *polygon)
{
    for (size_t i = 0; i < polygon->corner_count; i++)
    {
        const int64_t *a = polygon->points[i], *b = polygon->points[next_corner(polygon, i)];
        for (size_t j = i + 1; j < polygon->corner_count; j++)
        {
            const int64_t *c = polygon->points[j], *d = polygon->points[next_corner(polygon, j)];
            if (sign(cross(a, b, c)) * sign(cross(a, b, d)) < 0 && sign(cross(c, d, a)) * sign(cross(c, d, b)) < 0)
                return true;
        }
    }
    return false;
}

graze_mesh *polygon_mesh(const test_polygon *polygon, const graze_context *context, int p, int q, int r, int turn)
{
    static double vertices[3 * POLYGON_CORNERS];
    static uint32_t corners[POLYGON_CORNERS];
    for (size_t i = 0; i < polygon->corner_count; i++)
    {
        int64_t x = polygon->points[i][0], y = polygon->points[i][1], place[3] = {x, y, p * x + q * y + r};
        for (int k = 0; k < 3; k++)
            vertices[3 * i + (size_t)k] = (double)place[(k + turn) % 3];
        corners[i] = (uint32_t)i;
    }
    uint32_t face_loop_count = (uint32_t)polygon->loop_count;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = polygon->corner_count;
    def.corners = corners;
    def.corner_count = polygon->corner_count;
    def.loop_sizes = polygon->loop_sizes;
    def.loop_count = polygon->loop_count;
    def.face_loop_counts = &face_loop_count;
    def.face_count = 1;
    graze_mesh *mesh = NULL;
    return graze_mesh_create(context, &def, NULL, &mesh) == GRAZE_STATUS_OK ? mesh : NULL;
}

bool polygon_is_cut(const test_polygon *polygon, const graze_mesh *mesh)
{
    static bool used[POLYGON_CORNERS];
    size_t count = graze_mesh_triangle_count(mesh);
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    for (size_t i = 0; i < polygon->corner_count; i++)
        used[i] = false;
    for (size_t c = 0; c < 3 * count; c++)
    {
        if (triangles[c] >= polygon->corner_count)
            return false;
        used[triangles[c]] = true;
    }
    bool complete = count == polygon->corner_count + 2 * (polygon->loop_count - 1) - 2;
    for (size_t i = 0; i < polygon->corner_count; i++)
        complete = complete && used[i];
    return complete;
}

/* 1 inside, 0 outside, -1 on the boundary. */
static int point_in_triangle(const int64_t p[2], const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    int u = sign(cross(a, b, p)), v = sign(cross(b, c, p)), w = sign(cross(c, a, p));
    if (cross(a, b, c) == 0)
        return u == 0 && v == 0 && w == 0 ? -1 : 0;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return 0;
    return u == 0 || v == 0 || w == 0 ? -1 : 1;
}

/* Crossings of a ray to the right; the point lies on no edge. */
static bool point_in_polygon(const test_polygon *polygon, const int64_t p[2])
{
    bool inside = false;
    for (size_t i = 0; i < polygon->corner_count; i++)
    {
        size_t j = next_corner(polygon, i);
        int64_t a[2] = {polygon->points[i][0] * 8, polygon->points[i][1] * 8};
        int64_t b[2] = {polygon->points[j][0] * 8, polygon->points[j][1] * 8};
        if ((a[1] > p[1]) != (b[1] > p[1]))
            inside ^= (sign(cross(a, b, p)) > 0) == (b[1] > a[1]);
    }
    return inside;
}

/* How many triangles cover a point on the grid refined by eight; -1 if it lies on a boundary. */
static int cover_count(const test_polygon *polygon, const graze_mesh *mesh, const int64_t p[2])
{
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    int covered = 0;
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        int64_t corners[3][2];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 2; k++)
                corners[c][k] = 8 * polygon->points[triangles[3 * t + (size_t)c]][k];
        int inside = point_in_triangle(p, corners[0], corners[1], corners[2]);
        if (inside < 0)
            return -1;
        covered += inside;
    }
    return covered;
}

bool polygon_is_covered(const test_polygon *polygon, const graze_mesh *mesh, test_random *random, int samples)
{
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    int64_t area = polygon_area(polygon), sum = 0, lower[2] = {INT64_MAX, INT64_MAX}, upper[2] = {INT64_MIN, INT64_MIN};
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        int64_t one = cross(polygon->points[triangles[3 * t]], polygon->points[triangles[3 * t + 1]],
                            polygon->points[triangles[3 * t + 2]]);
        if (sign(one) == -sign(area) && one != 0)
        {
            printf("triangle %zu is turned around\n", t);
            return false;
        }
        sum += one;
    }
    if (sum != area)
    {
        printf("areas add up to %lld instead of %lld\n", (long long)sum, (long long)area);
        return false;
    }
    for (size_t i = 0; i < polygon->corner_count; i++)
        for (int k = 0; k < 2; k++)
        {
            lower[k] = polygon->points[i][k] < lower[k] ? polygon->points[i][k] : lower[k];
            upper[k] = polygon->points[i][k] > upper[k] ? polygon->points[i][k] : upper[k];
        }
    for (int s = 0; s < samples; s++)
    {
        int64_t p[2];
        for (int k = 0; k < 2; k++)
            p[k] = 8 * lower[k] + (int64_t)(random_next(random) % (uint64_t)(8 * (upper[k] - lower[k]) + 1));
        int covered = cover_count(polygon, mesh, p);
        if (covered >= 0 && covered != (point_in_polygon(polygon, p) ? 1 : 0))
        {
            printf("point %lld/8 %lld/8 is covered %d times\n", (long long)p[0], (long long)p[1], covered);
            return false;
        }
    }
    return true;
}
