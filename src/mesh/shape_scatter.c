/* SPDX-License-Identifier: MIT */
/*
 * Many bodies scattered over a grid, at most one in a cell and strictly inside it, so that no two share a point:
 * stalagmites on a square and tetrahedra in a cube, after the experiments of Klosowski et al. (QuickCD). Cells are
 * drawn in one pass over the grid: each with the probability bodies left / cells left.
 */
#include <math.h>

#include "base/random.h"
#include "graze/generate.h"
#include "mesh/shape_builder.h"

/* The least n with n^dimension >= count. */
static uint32_t cells_along_side(uint64_t count, int dimension)
{
    uint64_t n = 1;
    while ((dimension == 2 ? n * n : n * n * n) < count)
        n++;
    return (uint32_t)n;
}

/* Whether the next cell is taken, when `bodies` are to go into `cells`. */
static bool take_cell(grz_random *random, uint64_t cells, uint64_t bodies)
{
    return grz_random_below(random, cells) < bodies;
}

/* A stalagmite in a cell of the unit square: a cone, slightly bent, whose radius varies by three waves, one along the
   axis and two that wind around it. Every ring is horizontal and star-shaped around its centre, so nothing crosses. */
#define WOBBLE_COUNT 3
typedef struct stalagmite
{
    grz_tube tube;
    double centre[2], lean[2]; /* of the base in the cell; of the tip, relative to that */
    double radius, height;
    uint32_t number[WOBBLE_COUNT];
    double amplitude[WOBBLE_COUNT], phase[WOBBLE_COUNT], twist[WOBBLE_COUNT];
    double origin[2], scale; /* the cell's position and width */
} stalagmite;

static const double largest_wobble = 0.3, largest_lean = 0.06;

static stalagmite draw_stalagmite(grz_random *random)
{
    stalagmite s = {.radius = grz_random_between(random, 0.15, 0.32)};
    s.height = s.radius * grz_random_between(random, 3, 11);
    double room = 0.495 - largest_lean - s.radius * (1 + largest_wobble); /* 0.019 at least */
    for (int i = 0; i < 2; i++)
    {
        s.centre[i] = grz_random_between(random, 0.5 - room, 0.5 + room);
        s.lean[i] = grz_random_between(random, -largest_lean, largest_lean);
    }
    for (uint32_t w = 0; w < WOBBLE_COUNT; w++)
    {
        s.number[w] = w == 0 ? 0 : 1 + w + (uint32_t)grz_random_below(random, 3);
        s.amplitude[w] = grz_random_between(random, 0.05, largest_wobble / WOBBLE_COUNT);
        s.phase[w] = grz_random_between(random, 0, 2 * GRZ_PI);
        s.twist[w] = grz_random_between(random, -15, 15);
    }
    return s;
}

static v3 stalagmite_point(const void *user, uint32_t ring, uint32_t segment)
{
    const stalagmite *s = user;
    double up = ring == 0 ? 0 : (double)(ring - 1) / s->tube.ring_count, down = 1 - up;
    double radius = ring == 0 || ring > s->tube.ring_count ? 0 : s->radius * down * (0.4 + 0.6 * down);
    double cosine, sine, wobble = 1;
    grz_circle(segment, s->tube.segment_count, &cosine, &sine);
    double angle = 2 * GRZ_PI * segment / s->tube.segment_count;
    for (int w = 0; w < WOBBLE_COUNT; w++)
        wobble += s->amplitude[w] * sin(s->number[w] * angle + s->phase[w] + s->twist[w] * up);
    double x = s->centre[0] + s->lean[0] * up * up + radius * wobble * cosine;
    double y = s->centre[1] + s->lean[1] * up * up + radius * wobble * sine;
    return v3_make(s->origin[0] + s->scale * x, s->origin[1] + s->scale * y, s->scale * s->height * up);
}

/* How many rings body `index` of `count` gets so that all of them together have `rings`. */
static uint32_t share_of_rings(uint64_t rings, uint64_t index, uint64_t count)
{
    return (uint32_t)(rings / count + (index < rings % count));
}

static void add_stalagmites(grz_shape *shape, double size, uint32_t count, uint32_t segments, uint64_t rings,
                            uint64_t seed)
{
    grz_random random = grz_random_make(seed);
    uint32_t side = cells_along_side(count, 2), made = 0;
    uint64_t cells = (uint64_t)side * side;
    double width = 2 * size / side;
    for (uint64_t cell = 0; made < count; cell++)
    {
        if (!take_cell(&random, cells - cell, count - made))
            continue;
        stalagmite s = draw_stalagmite(&random);
        s.origin[0] = -size + width * (double)(cell % side);
        s.origin[1] = -size + width * (double)(cell / side);
        s.scale = width;
        s.tube.ring_count = share_of_rings(rings, made, count);
        s.tube.segment_count = segments;
        grz_shape_tube(shape, s.tube, stalagmite_point, &s);
        made++;
    }
}

graze_status graze_mesh_create_stalagmites(const graze_context *context, double size, uint32_t count,
                                           size_t triangle_count, uint64_t seed, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(size) || count == 0 || triangle_count == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    /* The rings of a body with the average number of triangles; the remainder gives some bodies one more ring. */
    grz_tube average = grz_tube_fit((double)triangle_count / count, 2, (grz_tube){1, 3});
    uint64_t rings = (uint64_t)((double)triangle_count / (2.0 * average.segment_count) + 0.5);
    if (rings < count)
        rings = count;
    uint64_t quads = grz_count_times(rings, average.segment_count);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, quads + 2 * (uint64_t)count, 2 * quads);
    if (status != GRAZE_STATUS_OK)
        return status;
    add_stalagmites(&shape, size, count, average.segment_count, rings, seed);
    return grz_shape_finish(&shape, NULL, out_mesh);
}

/* Six times the volume. */
static double determinant(const v3 p[4])
{
    return v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0])));
}

/* Four points strictly inside the unit cube, so far from coplanar that rounding cannot invert the tetrahedron. Most
   draws are good enough; after 64 bad ones (practically never) it is a fixed tetrahedron. */
static void draw_tetrahedron(grz_random *random, v3 p[4])
{
    for (int attempt = 0; attempt < 64; attempt++)
    {
        for (int i = 0; i < 4; i++)
        {
            double x = grz_random_between(random, 0.03, 0.97), y = grz_random_between(random, 0.03, 0.97);
            p[i] = v3_make(x, y, grz_random_between(random, 0.03, 0.97));
        }
        double volume = determinant(p);
        if (fabs(volume) < 0.02)
            continue;
        if (volume < 0)
        {
            v3 swap = p[2];
            p[2] = p[3];
            p[3] = swap;
        }
        return;
    }
    for (int i = 0; i < 4; i++)
        p[i] = v3_make(i == 1 ? 0.75 : 0.25, i == 2 ? 0.75 : 0.25, i == 3 ? 0.75 : 0.25);
}

static void add_tetrahedra(grz_shape *shape, double size, uint64_t count, uint64_t seed)
{
    grz_random random = grz_random_make(seed);
    uint32_t side = cells_along_side(count, 3);
    uint64_t cells = (uint64_t)side * side * side, made = 0;
    double width = 2 * size / side;
    for (uint64_t cell = 0; made < count; cell++)
    {
        if (!take_cell(&random, cells - cell, count - made))
            continue;
        v3 p[4];
        draw_tetrahedron(&random, p);
        v3 at = v3_make((double)(cell % side), (double)(cell / side % side), (double)(cell / side / side));
        uint32_t first = (uint32_t)shape->vertex_count;
        for (int i = 0; i < 4; i++)
            grz_shape_vertex(shape, v3_sub(v3_scale(width, v3_add(at, p[i])), v3_make(size, size, size)));
        grz_shape_triangle(shape, first, first + 2, first + 1);
        grz_shape_triangle(shape, first, first + 1, first + 3);
        grz_shape_triangle(shape, first, first + 3, first + 2);
        grz_shape_triangle(shape, first + 1, first + 2, first + 3);
        made++;
    }
}

graze_status graze_mesh_create_tetrahedra(const graze_context *context, double size, size_t count, uint64_t seed,
                                          graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(size) || count == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint64_t corners = grz_count_times(4, count);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, corners, corners);
    if (status != GRAZE_STATUS_OK)
        return status;
    add_tetrahedra(&shape, size, count, seed);
    return grz_shape_finish(&shape, NULL, out_mesh);
}
