/* SPDX-License-Identifier: MIT */
/*
 * An interior after the "Interior" of Klosowski et al. (a section of an aircraft's cabin): a shell of panels, seats of
 * rounded bars and boxes, racks full of boxes, ducts along the ceiling and cables. Parts are close and some intersect
 * each other, as in real CAD data. The cables are added until the number of triangles is reached.
 */
#include <math.h>

#include "environments.h"

typedef struct interior
{
    lab_builder builder;
    grz_random random;
    size_t wanted;
} interior;

static void add_box(interior *in, double x, double y, double z, double sx, double sy, double sz, uint32_t segments)
{
    graze_mesh *box = NULL;
    graze_status status = graze_mesh_create_box(NULL, sx, sy, sz, segments, &box);
    graze_pose pose = graze_pose_translation(x, y, z);
    lab_builder_add(&in->builder, status, box, 1, &pose);
}

/* A cylinder between two points. */
static void add_bar(interior *in, const double from[3], const double to[3], double radius, uint32_t segments,
                    uint32_t rings)
{
    double along[3], length_sq = 0;
    for (int k = 0; k < 3; k++)
    {
        along[k] = to[k] - from[k];
        length_sq += along[k] * along[k];
    }
    double length = sqrt(length_sq), middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (from[k] + to[k]);
    /* Rotates z to `along`: half a turn about their bisector. */
    double axis[3] = {along[0] / length, along[1] / length, along[2] / length + 1};
    if (axis[2] < 1e-3)
        axis[0] = 1;
    graze_pose pose = graze_pose_identity();
    graze_pose_from_axis_angle(axis, 3.141592653589793, middle, &pose);
    graze_mesh *bar = NULL;
    graze_status status = graze_mesh_create_cylinder(NULL, radius, length, segments, rings, &bar);
    lab_builder_add(&in->builder, status, bar, 1, &pose);
}

static void add_cushion(interior *in, double x, double y, double z, double radius)
{
    graze_mesh *cushion = NULL;
    graze_status status = graze_mesh_create_torus(NULL, radius, 0.45 * radius, 28, 14, &cushion);
    double middle[3] = {x, y, z};
    graze_pose pose = lab_random_pose(&in->random, middle);
    lab_builder_add(&in->builder, status, cushion, 1, &pose);
}

static void add_seat(interior *in, double x, double y)
{
    double legs[4][2] = {{-0.15, -0.15}, {0.15, -0.15}, {-0.15, 0.15}, {0.15, 0.15}};
    for (int i = 0; i < 4; i++)
    {
        double foot[3] = {x + legs[i][0], y + legs[i][1], -1}, top[3] = {x + legs[i][0], y + legs[i][1], -0.6};
        add_bar(in, foot, top, 0.015, 16, 10);
    }
    add_box(in, x, y, -0.55, 0.42, 0.42, 0.1, 8);
    add_box(in, x - 0.19, y, -0.2, 0.06, 0.4, 0.6, 8);
    for (int side = -1; side <= 1; side += 2)
    {
        double from[3] = {x - 0.18, y + 0.22 * side, -0.35}, to[3] = {x + 0.16, y + 0.22 * side, -0.35};
        add_bar(in, from, to, 0.02, 20, 16);
    }
    add_cushion(in, x, y, -0.47, 0.12);
}

/* A rack under the ceiling along one wall, with its contents. */
static void add_rack(interior *in, double y)
{
    add_box(in, 0, y, 0.5, 3.9, 0.4, 0.02, 16);
    for (int i = 0; i < 26; i++)
    {
        double x = -1.9 + 0.15 * i, width = grz_random_between(&in->random, 0.1, 0.14);
        double depth = grz_random_between(&in->random, 0.2, 0.38), height = grz_random_between(&in->random, 0.1, 0.3);
        if (i % 3 == 0)
            add_cushion(in, x, y, 0.6, 0.5 * width);
        else
            add_box(in, x, y, 0.51 + 0.5 * height, width, depth, height, 5);
    }
}

static void add_shell(interior *in)
{
    for (int side = -1; side <= 1; side += 2)
    {
        add_box(in, 0, 0, 1.01 * side, 4, 2, 0.02, 20);
        add_box(in, 0, 1.01 * side, 0, 4, 0.02, 2, 20);
        add_box(in, 2.01 * side, 0, 0, 0.02, 2, 2, 12);
        double from[3] = {-1.95, 0.2 * side, 0.85}, to[3] = {1.95, 0.2 * side, 0.85};
        add_bar(in, from, to, 0.09, 40, 60);
    }
}

/* Cables between random points, until the number of triangles is reached. */
static void add_cables(interior *in)
{
    const uint32_t segments = 10, rings = 30;
    while (!in->builder.failed && in->builder.triangle_count + 2 * segments * (rings + 1) <= in->wanted)
    {
        const double extent[3] = {1.95, 0.95, 0.95};
        double from[3], to[3];
        for (int k = 0; k < 3; k++)
        {
            from[k] = grz_random_between(&in->random, -extent[k], extent[k]);
            to[k] = fmax(-extent[k], fmin(extent[k], from[k] + grz_random_between(&in->random, -0.4, 0.4)));
        }
        add_bar(in, from, to, grz_random_between(&in->random, 0.006, 0.015), segments, rings);
    }
}

graze_mesh *lab_make_interior(size_t triangle_count, uint64_t seed)
{
    interior in = {.random = grz_random_make(seed), .wanted = triangle_count};
    add_shell(&in);
    for (int row = 0; row < 6; row++)
    {
        for (int seat = -1; seat <= 1; seat++)
            add_seat(&in, -1.6 + 0.62 * row, 0.6 * seat);
    }
    add_rack(&in, -0.75);
    add_rack(&in, 0.75);
    add_cables(&in);
    return lab_builder_finish(&in.builder);
}
