/* SPDX-License-Identifier: MIT */
/*
 * W5: distance of two bodies of 100,000 triangles, without a cache; and collision tests of bodies that move coherently
 * without colliding.
 */
#include <math.h>

#include "workload.h"

enum
{
    FREQUENCY = 71 /* 100,820 triangles */
};

/* Two different bumpy bodies with random rotations, their centres 2 + `value` apart. */
static bool make_apart(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(81);
    if (graze_mesh_create_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 82, &out_case->a) != GRAZE_STATUS_OK ||
        graze_mesh_create_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 83, &out_case->b) != GRAZE_STATUS_OK ||
        !lab_case_poses(out_case, quick ? 40 : 200))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        double position[3];
        lab_random_direction(&random, position);
        for (int k = 0; k < 3; k++)
            position[k] *= 2 + workload->value;
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        out_case->poses_b[i] = lab_random_pose(&random, position);
    }
    return true;
}

/* A bumpy shell in one that is larger by `value`, both rotated together, the inner one moved by a tenth of that. */
static bool make_shells(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(84);
    if (graze_mesh_create_bumpy_shell(NULL, 1, 0.1, FREQUENCY, 85, &out_case->a) != GRAZE_STATUS_OK ||
        graze_mesh_create_bumpy_shell(NULL, 1 - workload->value, 0.1, FREQUENCY, 85, &out_case->b) != GRAZE_STATUS_OK ||
        !lab_case_poses(out_case, quick ? 2 : 6))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        double axis[3], offset[3];
        lab_random_direction(&random, axis);
        lab_random_direction(&random, offset);
        for (int k = 0; k < 3; k++)
            offset[k] *= 0.1 * workload->value;
        graze_pose nudge = graze_pose_identity();
        graze_pose_from_axis_angle(axis, 0.1 * workload->value, offset, &nudge);
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        graze_pose_compose(&out_case->poses_a[i], &nudge, &out_case->poses_b[i], NULL);
    }
    return true;
}

/* The distance of the bodies of a case at one pose. */
static double gap_at(const lab_case *c, size_t pose, graze_tree *const trees[2])
{
    graze_placed_mesh a = {c->a, trees[0], c->poses_a[pose]}, b = {c->b, trees[1], c->poses_b[pose]};
    graze_distance found = {.distance = 0};
    graze_pair_distance(NULL, &a, &b, NULL, &found);
    return found.distance;
}

/* Places B on a diagonal, where the AABBs overlap, at a gap of `gap`, approaching from outside. */
static void put_near(lab_case *c, graze_tree *const trees[2], double gap)
{
    double distance = 4, left = 4;
    while (left > 1e-4) /* by less than the gap each time, so that they never collide */
    {
        for (int k = 0; k < 3; k++)
            c->poses_b[0].m[4 * k + 3] = distance * sqrt(1.0 / 3);
        left = gap_at(c, 0, trees) - gap;
        distance -= left > 1e-4 ? left : 0;
    }
}

/*
 * Two bodies with a gap of `value` of their size and overlapping AABBs. B moves as in a hand at haptic rates: in steps
 * of a ten-thousandth of the size, a third of the gap back and forth on every axis, and rotating a little. All that is
 * less than the gap, so that they never collide.
 */
static bool make_coherent(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0}, size = 2, gap = workload->value * size, axis[3] = {0.6, 0, 0.8};
    grz_random random = grz_random_make(86);
    graze_tree *trees[2] = {NULL, NULL};
    bool ready = graze_mesh_create_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 82, &out_case->a) == GRAZE_STATUS_OK &&
                 graze_mesh_create_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 83, &out_case->b) == GRAZE_STATUS_OK &&
                 lab_case_poses(out_case, quick ? 2000 : 20000) &&
                 graze_tree_create(NULL, out_case->a, NULL, NULL, &trees[0]) == GRAZE_STATUS_OK &&
                 graze_tree_create(NULL, out_case->b, NULL, NULL, &trees[1]) == GRAZE_STATUS_OK;
    if (ready)
    {
        out_case->poses_a[0] = lab_random_pose(&random, origin);
        out_case->poses_b[0] = lab_random_pose(&random, origin);
        put_near(out_case, trees, gap);
    }
    for (size_t i = out_case->count; ready && i-- > 0;)
    {
        double time = 1e-4 * size * (double)i / gap; /* a step is gap / 3 times this, on the fastest axis */
        double shift[3] = {gap / 3 * sin(3 * time), gap / 3 * sin(2.3 * time), gap / 3 * sin(1.7 * time)}, shifted[3];
        graze_pose turn = graze_pose_identity();
        graze_pose_from_axis_angle(axis, 0.1 * gap * sin(time), NULL, &turn);
        for (int k = 0; k < 3; k++)
        {
            shifted[k] = out_case->poses_b[0].m[4 * k + 3] + shift[k];
            turn.m[4 * k + 3] = 0;
        }
        graze_pose start = out_case->poses_b[0];
        start.m[3] = start.m[7] = start.m[11] = 0;
        out_case->poses_a[i] = out_case->poses_a[0];
        graze_pose_compose(&turn, &start, &out_case->poses_b[i], NULL);
        for (int k = 0; k < 3; k++)
            out_case->poses_b[i].m[4 * k + 3] = shifted[k];
    }
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    return ready;
}

const lab_workload lab_distances[] = {
    {.name = "distance/apart",
     .what = "two bodies of 100,000 triangles about their size apart",
     .questions = LAB_DISTANCE,
     .make = make_apart,
     .value = 1},
    {.name = "distance/near",
     .what = "two bodies of 100,000 triangles, nearer",
     .questions = LAB_DISTANCE,
     .make = make_apart,
     .value = 0.5},
    {.name = "distance/shells",
     .what = "two bumpy shells of 100,000 triangles, 0.1 % apart",
     .questions = LAB_DISTANCE,
     .make = make_shells,
     .value = 0.001},
    {.name = "coherent/separated",
     .what = "two bodies of 100,000 triangles, 3 % apart, moved by hand, with a cache",
     .questions = LAB_CACHED,
     .make = make_coherent,
     .value = 0.03},
    {0}};
