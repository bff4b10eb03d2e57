/* SPDX-License-Identifier: MIT */
/*
 * W2: the flights of Klosowski et al., Table 2, with as many triangles as theirs: flying object, environment and path.
 * All shapes are generated and seeded. Except for the hand in the interior, which has about thirty contacts per step,
 * objects reverse where they hit something, as in the paper.
 */
#include <math.h>

#include "environments.h"
#include "workload.h"

static size_t step_count(bool quick)
{
    return quick ? 250 : 2000;
}

/* A torus with varying tube radius and a wavy ring: the paper's "deformed torus". */
static graze_mesh *make_deformed_torus(void)
{
    graze_mesh *plain = NULL;
    lab_builder builder = {0};
    if (graze_mesh_create_torus(NULL, 0.75, 0.25, 100, 100, &plain) != GRAZE_STATUS_OK)
        return NULL;
    lab_soup soup = lab_soup_of(plain);
    for (size_t i = 0; i < soup.vertex_count; i++)
    {
        const double *v = soup.vertices + 3 * i;
        double angle = atan2(v[1], v[0]), swell = 1 + 0.12 * sin(3 * angle) + 0.05 * sin(8 * angle + 9 * v[2]);
        lab_builder_vertex(&builder, swell * v[0], swell * v[1], v[2] + 0.15 * sin(2 * angle + 1));
    }
    for (size_t i = 0; i < soup.triangle_count; i++)
        lab_builder_triangle(&builder, soup.triangles[3 * i], soup.triangles[3 * i + 1], soup.triangles[3 * i + 2]);
    graze_mesh_destroy(plain);
    return lab_builder_finish(&builder);
}

static bool make_torus(const lab_workload *workload, bool quick, lab_case *out_case)
{
    (void)workload;
    const lab_billiard path = {.lower = {-9, -9, 0.3},
                               .upper = {9, 9, 2.6},
                               .step = 0.04,
                               .spin = 0.02,
                               .turns_at_hits = true,
                               .seed = 11,
                               .count = step_count(quick)};
    out_case->b = make_deformed_torus();
    return out_case->b != NULL &&
           graze_mesh_create_stalagmites(NULL, 10, 100, 98114, 12, &out_case->a) == GRAZE_STATUS_OK &&
           lab_fly(out_case, &path);
}

/* The larger copy has the same pipes, scaled by a power of two so that it is exact. */
static bool make_pipes(const lab_workload *workload, bool quick, lab_case *out_case)
{
    (void)workload;
    const double scale = 4, radius = 0.015;
    const lab_billiard path = {.lower = {-0.5 * scale, -0.5 * scale, -0.5 * scale},
                               .upper = {0.5 * scale, 0.5 * scale, 0.5 * scale},
                               .step = 0.015,
                               .spin = 0.02,
                               .turns_at_hits = true,
                               .seed = 21,
                               .count = step_count(quick)};
    return graze_mesh_create_pipes(NULL, 1, radius, 12, 143690, 22, &out_case->b) == GRAZE_STATUS_OK &&
           graze_mesh_create_pipes(NULL, scale, scale * radius, 12, 143690, 22, &out_case->a) == GRAZE_STATUS_OK &&
           lab_fly(out_case, &path);
}

static bool make_plane(const lab_workload *workload, bool quick, lab_case *out_case)
{
    (void)workload;
    const lab_billiard path = {.lower = {-14, -14, -14},
                               .upper = {14, 14, 14},
                               .step = 0.03,
                               .spin = 0.02,
                               .turns_at_hits = true,
                               .seed = 31,
                               .count = step_count(quick)};
    return graze_mesh_create_aircraft(NULL, 1.2, 14646, &out_case->b) == GRAZE_STATUS_OK &&
           graze_mesh_create_tetrahedra(NULL, 15, 25000, 32, &out_case->a) == GRAZE_STATUS_OK &&
           lab_fly(out_case, &path);
}

/* The path is computed first, in an empty box; then tetrahedra are placed close to it. */
static bool make_swept(const lab_workload *workload, bool quick, lab_case *out_case)
{
    (void)workload;
    const lab_billiard path = {
        .lower = {-6, -6, -6}, .upper = {6, 6, 6}, .step = 0.04, .spin = 0.02, .seed = 41, .count = 1000};
    out_case->b = lab_make_axis_figure(1, 0.12);
    out_case->a = out_case->b != NULL ? lab_make_axis_figure(1, 0.12) : NULL;
    if (out_case->a == NULL || !lab_fly(out_case, &path))
        return false;
    graze_mesh_destroy(out_case->a);
    out_case->a = lab_make_obstacles(out_case, 10000, 42);
    out_case->count = quick ? 250 : 1000;
    return out_case->a != NULL;
}

static bool make_interior(const lab_workload *workload, bool quick, lab_case *out_case)
{
    (void)workload;
    const lab_billiard path = {.lower = {-1.9, -0.95, -0.95},
                               .upper = {1.9, 0.95, 0.95},
                               .step = 0.006,
                               .spin = 0.01,
                               .seed = 51,
                               .count = step_count(quick)};
    out_case->a = lab_make_interior(170000, 52);
    return out_case->a != NULL && graze_mesh_create_hand(NULL, 0.18, 0.4, 404, &out_case->b) == GRAZE_STATUS_OK &&
           lab_fly(out_case, &path);
}

const lab_workload lab_flights[] = {
    {.name = "flight/torus",
     .what = "a deformed torus of 20,000 triangles among stalagmites of 98,000",
     .questions = LAB_ANY | LAB_ALL,
     .make = make_torus},
    {.name = "flight/pipes",
     .what = "pipework of 144,000 triangles inside a larger copy of itself",
     .questions = LAB_ANY | LAB_ALL,
     .make = make_pipes},
    {.name = "flight/plane",
     .what = "an aircraft of 14,646 triangles among 25,000 disjoint tetrahedra",
     .questions = LAB_ANY | LAB_ALL,
     .make = make_plane},
    {.name = "flight/swept",
     .what = "three crossed bars, 36 triangles, past 10,000 tetrahedra close to their way",
     .questions = LAB_ANY | LAB_ALL,
     .make = make_swept},
    {.name = "flight/interior",
     .what = "a hand of 404 triangles through an interior of 170,000",
     .questions = LAB_ANY | LAB_ALL,
     .make = make_interior},
    {0}};
