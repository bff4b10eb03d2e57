/* SPDX-License-Identifier: MIT */
/* Bodies with polygons as faces; see bodies.h. */
#include "literature/bodies.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_BANDS = 64,
    MOST_SEGMENTS = 2048
};

/* A number of few bits, so that products of two are exact. */
static double few_bits(double x)
{
    return nearbyint(x * 0x1p20) * 0x1p-20;
}

/* A mesh that is being made of polygons. */
typedef struct polygon_builder
{
    double *vertices;
    uint32_t *corners, *loops, *face_loops;
    size_t vertex_count, corner_count, loop_count, face_count;
    bool failed;
} polygon_builder;

static polygon_builder begin(size_t vertices, size_t corners, size_t loops)
{
    polygon_builder b = {.vertices = malloc((3 * vertices + 1) * sizeof *b.vertices),
                         .corners = malloc((corners + 1) * sizeof *b.corners),
                         .loops = malloc((loops + 1) * sizeof *b.loops),
                         .face_loops = malloc((loops + 1) * sizeof *b.face_loops)};
    b.failed = b.vertices == NULL || b.corners == NULL || b.loops == NULL || b.face_loops == NULL;
    return b;
}

static void add_loop(polygon_builder *b, const uint32_t *corners, uint32_t count, bool first)
{
    for (uint32_t i = 0; i < count; i++)
        b->corners[b->corner_count++] = corners[i];
    b->loops[b->loop_count++] = count;
    if (first)
        b->face_loops[b->face_count++] = 0;
    b->face_loops[b->face_count - 1]++;
}

static bool finish(polygon_builder *b, graze_mesh **out_mesh)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = b->vertices;
    def.vertex_count = b->vertex_count;
    def.corners = b->corners;
    def.corner_count = b->corner_count;
    def.loop_sizes = b->loops;
    def.loop_count = b->loop_count;
    def.face_loop_counts = b->face_loops;
    def.face_count = b->face_count;
    bool done = !b->failed && graze_mesh_create(NULL, &def, NULL, out_mesh) == GRAZE_STATUS_OK;
    free(b->vertices);
    free(b->corners);
    free(b->loops);
    free(b->face_loops);
    return done;
}

/* The outline of a surface of revolution, from below to above on its outer side; the first and last points may lie on
   the axis, or be closed by polygons, or the outline is a ring. */
typedef struct outline
{
    double radius[MOST_BANDS + 1], height[MOST_BANDS + 1];
    uint32_t points;
    bool ring;
} outline;

/* One point of a circle of the surface; on the axis there is just one. */
static uint32_t circle_point(const uint32_t *starts, const outline *o, uint32_t point, uint32_t segment, uint32_t count)
{
    return starts[point] + (o->radius[point] > 0 ? segment % count : 0);
}

static bool revolve(const outline *o, uint32_t segments, graze_mesh **out_mesh)
{
    polygon_builder b =
        begin((size_t)o->points * segments, 4 * (size_t)(o->points + 1) * segments, (size_t)(o->points + 1) * segments);
    uint32_t starts[MOST_BANDS + 1], bands = o->ring ? o->points : o->points - 1, circle[MOST_SEGMENTS];
    for (uint32_t p = 0; !b.failed && p < o->points; p++)
    {
        starts[p] = (uint32_t)b.vertex_count;
        for (uint32_t s = 0; s < (o->radius[p] > 0 ? segments : 1); s++)
        {
            double angle = 2 * acos(-1) * s / segments, *v = b.vertices + 3 * b.vertex_count++;
            v[0] = few_bits(o->radius[p]) * few_bits(cos(angle));
            v[1] = few_bits(o->radius[p]) * few_bits(sin(angle));
            v[2] = few_bits(o->height[p]);
        }
    }
    for (uint32_t p = 0; !b.failed && p < bands; p++)
        for (uint32_t s = 0; s < segments; s++)
        {
            uint32_t next = (p + 1) % o->points, loop[4], count = 0;
            loop[count++] = circle_point(starts, o, p, s, segments);
            if (o->radius[p] > 0)
                loop[count++] = circle_point(starts, o, p, s + 1, segments);
            loop[count++] = circle_point(starts, o, next, s + 1, segments);
            if (o->radius[next] > 0)
                loop[count++] = circle_point(starts, o, next, s, segments);
            add_loop(&b, loop, count, true);
        }
    for (uint32_t end = 0; !b.failed && !o->ring && end < 2; end++)
    {
        uint32_t point = end == 0 ? 0 : o->points - 1;
        for (uint32_t s = 0; s < segments; s++)
            circle[s] = starts[point] + (end == 0 ? segments - 1 - s : s);
        if (o->radius[point] > 0)
            add_loop(&b, circle, segments, true);
    }
    return finish(&b, out_mesh);
}

/* The x of about that many faces (x + 1)(x + 2). */
static uint32_t size_of(uint32_t faces)
{
    double x = nearbyint(sqrt(faces + 0.25) - 1.5);
    return x < 2 ? 2 : x > MOST_BANDS - 2 ? MOST_BANDS - 2 : (uint32_t)x;
}

static bool make_revolution(lit_shape shape, uint32_t faces, graze_mesh **out_mesh)
{
    outline o = {.points = 2};
    uint32_t x = size_of(faces), segments = x + 2;
    const double pi = acos(-1);
    if (shape == LIT_CONE)
    {
        segments = faces - 1 < MOST_SEGMENTS ? faces - 1 : MOST_SEGMENTS;
        o.radius[0] = 1;
        o.height[0] = -1;
        o.height[1] = 1;
    }
    else if (shape == LIT_SPHERE)
    {
        o.points = x + 2;
        for (uint32_t p = 0; p < o.points; p++)
        {
            bool pole = p == 0 || p + 1 == o.points;
            o.radius[p] = pole ? 0 : sin(pi * p / (o.points - 1));
            o.height[p] = -cos(pi * p / (o.points - 1));
        }
    }
    else if (shape == LIT_TORUS)
    {
        o.ring = true;
        o.points = x + 1;
        for (uint32_t p = 0; p < o.points; p++)
        {
            o.radius[p] = 0.7 + 0.3 * cos(2 * pi * p / o.points);
            o.height[p] = 0.3 * sin(2 * pi * p / o.points);
        }
    }
    else
    {
        segments = (uint32_t)nearbyint(sqrt(faces - 2.0));
        segments = segments < 3 ? 3 : segments > MOST_BANDS ? MOST_BANDS : segments;
        o.points = segments + 1;
        for (uint32_t p = 0; p < o.points; p++)
        {
            o.height[p] = 2.0 * p / segments - 1;
            o.radius[p] = sqrt(0.16 + 0.84 * o.height[p] * o.height[p]);
        }
    }
    return revolve(&o, segments, out_mesh);
}

/* The faces of a flake's triangles, in their order (mesh/shape_tetraflake.c): six around a smaller triangle, on which
   three flakes follow. */
static size_t add_flake(polygon_builder *b, const uint32_t (*triangles)[3], uint32_t depth)
{
    if (depth == 0)
    {
        add_loop(b, triangles[0], 3, true);
        return 1;
    }
    const uint32_t outer[3] = {triangles[1][0], triangles[0][0], triangles[0][1]};
    const uint32_t hole[3] = {triangles[4][2], triangles[2][2], triangles[0][2]};
    add_loop(b, outer, 3, true);
    add_loop(b, hole, 3, false);
    size_t used = 6;
    for (int child = 0; child < 3; child++)
        used += add_flake(b, triangles + used, depth - 1);
    return used;
}

static bool make_flake(uint32_t faces, graze_mesh **out_mesh)
{
    uint32_t depth = 0;
    for (uint32_t count = 4; 2 * count < faces; count = 3 * count + 4)
        depth++;
    graze_mesh *flake = NULL;
    if (graze_mesh_create_tetraflake(NULL, 2, depth, &flake) != GRAZE_STATUS_OK)
        return false;
    size_t triangles = graze_mesh_triangle_count(flake);
    polygon_builder b = begin(graze_mesh_vertex_count(flake), 3 * triangles, triangles);
    for (size_t i = 0; !b.failed && i < 3 * graze_mesh_vertex_count(flake); i++)
        b.vertices[i] = graze_mesh_vertices(flake)[i];
    b.vertex_count = graze_mesh_vertex_count(flake);
    const uint32_t(*corners)[3] = (const uint32_t(*)[3])graze_mesh_triangles(flake);
    for (size_t used = 0; !b.failed && used < triangles;)
        used += add_flake(&b, corners + used, depth);
    graze_mesh_destroy(flake);
    return finish(&b, out_mesh);
}

bool lit_make_body(lit_shape shape, uint32_t faces, graze_mesh **out_mesh)
{
    return shape == LIT_FLAKE ? make_flake(faces, out_mesh) : make_revolution(shape, faces, out_mesh);
}

const char *lit_shape_name(lit_shape shape)
{
    static const char *const names[] = {"spheres", "cones", "tori", "hyperboloids", "flakes"};
    return names[shape];
}

static bool make_box(const double lower[3], const double upper[3], graze_mesh **out_mesh)
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    polygon_builder b = begin(8, 24, 6);
    for (int i = 0; !b.failed && i < 8; i++)
        for (int k = 0; k < 3; k++)
            b.vertices[3 * i + k] = (i >> k & 1) != 0 ? upper[k] : lower[k];
    b.vertex_count = 8;
    for (int f = 0; !b.failed && f < 6; f++)
        add_loop(&b, faces[f], 4, true);
    return finish(&b, out_mesh);
}

bool lit_make_walls(double half, double thickness, graze_mesh *walls[6])
{
    bool done = true;
    for (int i = 0; done && i < 6; i++)
    {
        double lower[3] = {-half, -half, -half}, upper[3] = {half, half, half};
        if (i % 2 == 0)
        {
            upper[i / 2] = -half;
            lower[i / 2] = -half - thickness;
        }
        else
        {
            lower[i / 2] = half;
            upper[i / 2] = half + thickness;
        }
        done = make_box(lower, upper, &walls[i]);
    }
    return done;
}

bool lit_make_ten(double edge, graze_mesh *meshes[16])
{
    static const struct
    {
        lit_shape shape;
        uint32_t faces;
    } bodies[10] = {{LIT_SPHERE, 132}, {LIT_SPHERE, 240}, {LIT_SPHERE, 306}, {LIT_TORUS, 182},  {LIT_TORUS, 342},
                    {LIT_TORUS, 420},  {LIT_FLAKE, 160},  {LIT_FLAKE, 484},  {LIT_FLAKE, 1456}, {LIT_HYPERBOLOID, 363}};
    bool done = true;
    for (int i = 0; i < 16; i++)
        meshes[i] = NULL;
    for (int i = 0; done && i < 10; i++)
        done = lit_make_body(bodies[i].shape, bodies[i].faces, &meshes[i]);
    return done && lit_make_walls(edge + 1, 1, meshes + 10);
}

void lit_destroy(graze_mesh **meshes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        graze_mesh_destroy(meshes[i]);
}
