/* SPDX-License-Identifier: MIT */
/*
 * W1: close parallel surfaces: nested spheres after Klosowski et al., Tables 6-7.
 *
 * A sphere of radius 1 and a scaled copy of radius 1 - gap never intersect while their facets are aligned. So that
 * poses do not repeat, the inner one is rotated by the symmetries of the icosahedron its facets come from, and both
 * together at random.
 */
#include <math.h>

#include "workload.h"

/* A random one of the 60 rotations that map an icosahedron to itself: a product of fifth turns about two neighbouring
 * corners. */
static graze_pose random_symmetry(grz_random *random)
{
    const double golden = 1.61803398874989484820, fifth = 1.25663706143591729539;
    const double axes[2][3] = {{1, golden, 0}, {0, 1, golden}};
    graze_pose symmetry = graze_pose_identity();
    for (int i = 0; i < 12; i++)
    {
        graze_pose turn = symmetry;
        graze_pose_from_axis_angle(axes[i % 2], fifth * (double)grz_random_below(random, 5), NULL, &turn);
        graze_pose_compose(&turn, &symmetry, &symmetry, NULL);
    }
    return symmetry;
}

static graze_pose random_turn(grz_random *random)
{
    const double centre[3] = {0, 0, 0};
    return lab_random_pose(random, centre);
}

static bool make_spheres(const lab_workload *workload, bool quick, lab_case *out_case)
{
    grz_random random = grz_random_make(61);
    uint32_t frequency = (uint32_t)lround(sqrt(workload->size / 20));
    if (graze_mesh_create_geodesic_sphere(NULL, 1, frequency, &out_case->a) != GRAZE_STATUS_OK ||
        graze_mesh_create_geodesic_sphere(NULL, 1 - workload->value, frequency, &out_case->b) != GRAZE_STATUS_OK ||
        !lab_case_poses(out_case, quick ? 6 : 24))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        graze_pose symmetry = random_symmetry(&random);
        out_case->poses_a[i] = random_turn(&random);
        graze_pose_compose(&out_case->poses_a[i], &symmetry, &out_case->poses_b[i], NULL);
    }
    return true;
}

#define SPHERES(facets, gap, only_full)                                                                                \
    {                                                                                                                  \
        .name = "spheres/" #facets "/" #gap, .what = "nested spheres of " #facets " facets, " #gap " apart",           \
        .questions = LAB_ANY, .make = make_spheres, .size = facets, .value = gap, .one_frame = true,                   \
        .not_quick = only_full                                                                                         \
    }
const lab_workload lab_spheres[] = {SPHERES(2000, 0.55, true),
                                    SPHERES(2000, 0.1, true),
                                    SPHERES(2000, 0.055, true),
                                    SPHERES(2000, 0.01, true),
                                    SPHERES(2000, 0.0055, true),
                                    SPHERES(2000, 0.001, true),
                                    SPHERES(2000, 0.00055, true),
                                    SPHERES(2000, 0.0001, true),
                                    SPHERES(20000, 0.55, false),
                                    SPHERES(20000, 0.1, true),
                                    SPHERES(20000, 0.055, false),
                                    SPHERES(20000, 0.01, true),
                                    SPHERES(20000, 0.0055, false),
                                    SPHERES(20000, 0.001, true),
                                    SPHERES(20000, 0.00055, false),
                                    SPHERES(20000, 0.0001, false),
                                    {0}};
