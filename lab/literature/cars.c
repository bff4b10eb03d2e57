/* SPDX-License-Identifier: MIT */
/*
 * 002, Table 2: a car of 905 triangles flies straight up to one of 878, turns once where they coincide, and flies on;
 * by the number of triangles that a patch of CD may have. The cars are lost: ours have body, cabin, mirrors and four
 * wheels, and exactly as many triangles. The times of poses that collide, and of those that do not, are told apart.
 */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "literature/literature.h"
#include "timing.h"
#include "workload.h"

enum
{
    STRAIGHT = 1000,
    TURN = 360,
    POSES = 2 * STRAIGHT + TURN,
    MOST_LIMIT = 10
};

static void add_part(lab_builder *builder, graze_status status, graze_mesh *part, double x, double y, double z)
{
    graze_pose pose = graze_pose_translation(x, y, z);
    lab_builder_add(builder, status, part, 1, &pose);
}

/* A wheel with its axle along y: two fans and a band. 4 * segments triangles. */
static void add_wheel(lab_builder *b, double x, double y, double z, uint32_t segments)
{
    uint32_t middles[2], rims[2][64];
    for (int side = 0; side < 2; side++)
    {
        double across = y + (side == 0 ? -0.1 : 0.1);
        middles[side] = lab_builder_vertex(b, x, across, z);
        for (uint32_t s = 0; s < segments; s++)
        {
            double angle = 2 * acos(-1) * s / segments;
            rims[side][s] = lab_builder_vertex(b, x + 0.35 * cos(angle), across, z + 0.35 * sin(angle));
        }
    }
    for (uint32_t s = 0; s < segments; s++)
    {
        uint32_t next = (s + 1) % segments;
        lab_builder_triangle(b, middles[0], rims[0][s], rims[0][next]);
        lab_builder_triangle(b, middles[1], rims[1][next], rims[1][s]);
        lab_builder_triangle(b, rims[0][s], rims[1][s], rims[1][next]);
        lab_builder_triangle(b, rims[0][s], rims[1][next], rims[0][next]);
    }
}

/* Its body and cabin are boxes of 12 * cuts^2 triangles, the mirrors boxes of 12; the last ones close the count: a flag
   of single triangles at the aerial. */
static graze_mesh *make_car(size_t triangles, uint32_t segments)
{
    lab_builder b = {.failed = false};
    graze_mesh *part = NULL;
    for (int wheel = 0; wheel < 4; wheel++)
        add_wheel(&b, wheel % 2 == 0 ? -1.3 : 1.3, wheel < 2 ? -0.85 : 0.85, 0, segments);
    graze_status status = graze_mesh_create_box(NULL, 4.2, 1.5, 0.6, 4, &part);
    add_part(&b, status, part, 0, 0, 0.45);
    status = graze_mesh_create_box(NULL, 2.0, 1.3, 0.5, 4, &part);
    add_part(&b, status, part, -0.2, 0, 1.01);
    for (int side = 0; side < 2; side++)
    {
        status = graze_mesh_create_box(NULL, 0.1, 0.2, 0.15, 1, &part);
        add_part(&b, status, part, 0.6, side == 0 ? -0.9 : 0.9, 0.85);
    }
    for (uint32_t strip = 0; !b.failed && b.triangle_count < triangles; strip++)
    {
        double x = -1.8 - 0.01 * strip, z = 0.8 + 0.02 * strip;
        uint32_t corners[3] = {lab_builder_vertex(&b, x, 0, z), lab_builder_vertex(&b, x - 0.02, 0.05, z),
                               lab_builder_vertex(&b, x - 0.01, 0, z + 0.02)};
        lab_builder_triangle(&b, corners[0], corners[1], corners[2]);
    }
    b.failed = b.failed || b.triangle_count != triangles;
    return lab_builder_finish(&b);
}

/* The flying car along the length of the other, and a turn about the upright axis. */
static bool pose_at(int i, graze_pose *out)
{
    static const double upright[3] = {0, 0, 1};
    bool turns = i >= STRAIGHT && i < STRAIGHT + TURN;
    double along = i < STRAIGHT ? (double)(i - STRAIGHT) : turns ? 0 : (double)(i - STRAIGHT - TURN);
    const double place[3] = {7.0 * along / STRAIGHT, 0.01, 0.02};
    double angle = turns ? 2 * acos(-1) * (i - STRAIGHT) / TURN : 0;
    return graze_pose_from_axis_angle(upright, angle, place, out) == GRAZE_STATUS_OK;
}

typedef struct car_times
{
    double colliding, free, all; /* ns a pose */
    double primitives, volumes, collisions;
} car_times;

static bool fly(const graze_mesh *const cars[2], uint32_t limit, int stride, int passes, car_times *out)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    graze_method_body *bodies[2] = {NULL, NULL};
    double *least = malloc(POSES * sizeof *least), sums[2] = {0, 0}, counts[2] = {0, 0};
    bool done = least != NULL;
    parameters.leaf_size = limit;
    *out = (car_times){.all = 0};
    for (int side = 0; done && side < 2; side++)
        done = graze_method_body_create(NULL, "cd", cars[side], &parameters, &bodies[side]) == GRAZE_STATUS_OK;
    for (int pass = 0; done && pass < passes; pass++)
        for (int i = 0; done && i < POSES; i += stride)
        {
            graze_placed_method_body a = {bodies[0], graze_pose_identity()}, b = {bodies[1], {{0}}};
            graze_method_counters counters;
            graze_method_options options = graze_method_options_default();
            options.counters = &counters;
            graze_method_answer answer;
            done = pose_at(i, &b.pose);
            double from = lab_cpu_now();
            done = done && graze_method_any(NULL, &a, &b, &options, &answer) == GRAZE_STATUS_OK;
            double ns = lab_cpu_now() - from;
            least[i] = pass == 0 ? ns : fmin(least[i], ns);
            if (!done || pass + 1 < passes)
                continue;
            int collides = answer.collide == GRAZE_VERDICT_YES;
            sums[collides] += least[i];
            counts[collides]++;
            out->primitives += (double)counters.primitives;
            out->volumes += (double)counters.volumes;
        }
    double poses = counts[0] + counts[1];
    if (done && counts[0] > 0 && counts[1] > 0)
        *out = (car_times){sums[1] / counts[1],     sums[0] / counts[0],  (sums[0] + sums[1]) / poses,
                           out->primitives / poses, out->volumes / poses, 100 * counts[1] / poses};
    graze_method_body_destroy(bodies[0]);
    graze_method_body_destroy(bodies[1]);
    free(least);
    return done && out->all > 0;
}

bool lit_cars(lit_run *run)
{
    static const char *const id = "002/table-2";
    graze_mesh *made[2] = {make_car(905, 28), make_car(878, 26)};
    const graze_mesh *const cars[2] = {made[0], made[1]};
    bool done = made[0] != NULL && made[1] != NULL;
    for (uint32_t limit = 1; done && limit <= MOST_LIMIT; limit++)
    {
        car_times times;
        done = fly(cars, limit, run->quick ? 4 : 1, run->quick ? 2 : 5, &times);
        if (!done)
            break;
        lit_measure(run, id, times.colliding * 1e-6, "limit %u, colliding poses", (unsigned)limit);
        lit_measure(run, id, times.free * 1e-6, "limit %u, free poses", (unsigned)limit);
        lit_measure(run, id, times.all * 1e-6, "limit %u, all poses", (unsigned)limit);
        lit_add(run, id, "not printed", times.primitives, "limit %u, triangle tests a pose", (unsigned)limit);
        lit_add(run, id, "not printed", times.volumes, "limit %u, dop tests a pose", (unsigned)limit);
        if (limit == 1)
            lit_measure(run, id, times.collisions, "poses that collide, %%");
    }
    graze_mesh_destroy(made[0]);
    graze_mesh_destroy(made[1]);
    return done;
}
