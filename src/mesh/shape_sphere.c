/* SPDX-License-Identifier: MIT */
/*
 * Geodesic spheres, plain and bumpy. Every face of an icosahedron is cut into frequency^2 triangles by a lattice, and
 * the lattice's points are projected onto the sphere. Vertices are numbered: the 12 corners, then the points inside
 * each of the 30 edges, then those inside each of the 20 faces, so that neighbouring faces share theirs. The surface is
 * star-shaped around the origin whatever the radius in each direction, so it never crosses itself.
 */
#include <math.h>

#include "base/random.h"
#include "graze/generate.h"
#include "mesh/shape_builder.h"

#define GOLDEN_RATIO 1.61803398874989484820

static const double corner_points[12][3] = {{-1, GOLDEN_RATIO, 0},  {1, GOLDEN_RATIO, 0},   {-1, -GOLDEN_RATIO, 0},
                                            {1, -GOLDEN_RATIO, 0},  {0, -1, GOLDEN_RATIO},  {0, 1, GOLDEN_RATIO},
                                            {0, -1, -GOLDEN_RATIO}, {0, 1, -GOLDEN_RATIO},  {GOLDEN_RATIO, 0, -1},
                                            {GOLDEN_RATIO, 0, 1},   {-GOLDEN_RATIO, 0, -1}, {-GOLDEN_RATIO, 0, 1}};

static const uint8_t icosahedron_faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                                 {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                                 {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                                 {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/* A smooth function on the sphere, between -1 and 1: a sum of plane waves whose amplitudes add up to less than 1. */
#define WAVE_COUNT 12
typedef struct bumps
{
    double height;            /* relative to the radius; 0: none */
    v3 direction[WAVE_COUNT]; /* times the number of waves in 2 pi */
    double amplitude[WAVE_COUNT];
    double phase[WAVE_COUNT];
} bumps;

typedef struct geodesic
{
    grz_shape shape;
    uint32_t frequency;
    double radius;
    const bumps *bumps;
    int8_t edge_numbers[12][12]; /* by their corners, the lower one first; -1: not yet visited */
} geodesic;

static double bump_at(const bumps *b, v3 direction)
{
    double sum = 0;
    for (int w = 0; w < WAVE_COUNT; w++)
        sum += b->amplitude[w] * sin(b->phase[w] + v3_dot(b->direction[w], direction));
    return sum;
}

/* Adds the point (a * A + b * B + c * C) / frequency, projected onto the surface. A, B and C are corners. */
static void add_point(geodesic *g, int A, uint32_t a, int B, uint32_t b, int C, uint32_t c)
{
    v3 flat = v3_add(v3_add(v3_scale(a, v3_load(corner_points[A])), v3_scale(b, v3_load(corner_points[B]))),
                     v3_scale(c, v3_load(corner_points[C])));
    v3 direction = v3_scale(1 / v3_length(flat), flat);
    double radius = g->radius;
    if (g->bumps->height > 0)
        radius *= 1 + g->bumps->height * bump_at(g->bumps, direction);
    grz_shape_vertex(&g->shape, v3_scale(radius, direction));
}

static void add_corners_and_edges(geodesic *g)
{
    uint32_t n = g->frequency;
    for (int corner = 0; corner < 12; corner++)
        add_point(g, corner, 1, corner, 0, corner, 0);
    int8_t edge_count = 0;
    for (int face = 0; face < 20; face++)
        for (int side = 0; side < 3; side++)
        {
            int from = icosahedron_faces[face][side], to = icosahedron_faces[face][(side + 1) % 3];
            if (from > to)
                continue; /* the neighbouring face has this edge in the other direction */
            g->edge_numbers[from][to] = edge_count++;
            for (uint32_t i = 1; i < n; i++)
                add_point(g, from, n - i, to, i, to, 0);
        }
}

static uint32_t edge_vertex(const geodesic *g, int from, int to, uint32_t i)
{
    if (from > to)
        return edge_vertex(g, to, from, g->frequency - i);
    return 12 + (uint32_t)g->edge_numbers[from][to] * (g->frequency - 1) + i - 1;
}

/* The number of the point b steps from the face's first corner to its second and c steps to its third. */
static uint32_t number_of(const geodesic *g, uint32_t face, uint32_t b, uint32_t c)
{
    uint32_t n = g->frequency, a = n - b - c;
    const uint8_t *corners = icosahedron_faces[face];
    if (a == n)
        return corners[0];
    if (b == n)
        return corners[1];
    if (c == n)
        return corners[2];
    if (c == 0)
        return edge_vertex(g, corners[0], corners[1], b);
    if (a == 0)
        return edge_vertex(g, corners[1], corners[2], c);
    if (b == 0)
        return edge_vertex(g, corners[2], corners[0], a);
    /* Row c, from 1 on, has n - 1 - c inner points. */
    uint32_t rows_below = c - 1;
    uint32_t before = (uint32_t)((uint64_t)rows_below * (2 * (uint64_t)n - 2 - c) / 2);
    uint32_t per_face = (uint32_t)((uint64_t)(n - 1) * (n - 2) / 2);
    return 12 + 30 * (n - 1) + face * per_face + before + b - 1;
}

static void add_faces(geodesic *g)
{
    uint32_t n = g->frequency;
    for (uint32_t face = 0; face < 20; face++)
    {
        const uint8_t *corners = icosahedron_faces[face];
        for (uint32_t c = 1; c < n; c++)
            for (uint32_t b = 1; b + c < n; b++)
                add_point(g, corners[0], n - b - c, corners[1], b, corners[2], c);
    }
    for (uint32_t face = 0; face < 20; face++)
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t b = 0; b + c < n; b++)
            {
                uint32_t right = number_of(g, face, b + 1, c), up = number_of(g, face, b, c + 1);
                grz_shape_triangle(&g->shape, number_of(g, face, b, c), right, up);
                if (b + c + 1 < n)
                    grz_shape_triangle(&g->shape, right, number_of(g, face, b + 1, c + 1), up);
            }
}

static graze_status make(const graze_context *context, double radius, uint32_t frequency, const bumps *b,
                         graze_mesh **out_mesh)
{
    geodesic g = {.frequency = frequency, .radius = radius, .bumps = b};
    uint64_t square = grz_count_times(frequency, frequency);
    graze_status status = grz_shape_begin(&g.shape, context, 10 * square + 2, 20 * square);
    if (status != GRAZE_STATUS_OK)
        return status;
    add_corners_and_edges(&g);
    add_faces(&g);
    return grz_shape_finish(&g.shape, NULL, out_mesh);
}

graze_status graze_mesh_create_geodesic_sphere(const graze_context *context, double radius, uint32_t frequency,
                                               graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(radius) || frequency < 1)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bumps none = {.height = 0};
    return make(context, radius, frequency, &none, out_mesh);
}

/* Waves between two and seven lengths around the sphere, the short ones flatter. */
static bumps draw_bumps(double height, uint64_t seed)
{
    bumps b = {.height = height};
    grz_random random = grz_random_make(seed);
    double sum = 0;
    for (int w = 0; w < WAVE_COUNT; w++)
    {
        v3 d;
        do
        {
            double x = grz_random_between(&random, -1, 1), y = grz_random_between(&random, -1, 1);
            d = v3_make(x, y, grz_random_between(&random, -1, 1));
        } while (v3_length(d) > 1 || v3_length(d) < 0.1);
        double number = grz_random_between(&random, 2, 7);
        b.direction[w] = v3_scale(number / v3_length(d), d);
        b.amplitude[w] = 1 / number;
        b.phase[w] = grz_random_between(&random, 0, 2 * GRZ_PI);
        sum += b.amplitude[w];
    }
    for (int w = 0; w < WAVE_COUNT; w++)
        b.amplitude[w] *= 0.999 / sum; /* leaves room for rounding below the bound */
    return b;
}

graze_status graze_mesh_create_bumpy_shell(const graze_context *context, double radius, double bump, uint32_t frequency,
                                           uint64_t seed, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(radius) || !(bump >= 0 && bump < 1) || frequency < 1)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bumps b = draw_bumps(bump, seed);
    return make(context, radius, frequency, &b, out_mesh);
}
