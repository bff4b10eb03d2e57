/* SPDX-License-Identifier: MIT */
/*
 * W5: how far two bodies of 100,000 triangles are apart, cold, and whether they meet while they move coherently and
 * stay apart.
 */
#include <math.h>

#include "workload.h"

enum
{
    FREQUENCY = 71 /* 100,820 triangles */
};

/* Two different bumpy bodies turned at random, their centres 2 + `value` apart. */
static bool make_apart(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(81);
    if (graze_make_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 82, &out_case->a) != GRAZE_STATUS_OK ||
        graze_make_bumpy_shell(NULL, 1, 0.3, FREQUENCY, 83, &out_case->b) != GRAZE_STATUS_OK ||
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

/* A bumpy shell in one that is larger by `value`, both turned together, the inner one moved by a tenth of that. */
static bool make_shells(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(84);
    if (graze_make_bumpy_shell(NULL, 1, 0.1, FREQUENCY, 85, &out_case->a) != GRAZE_STATUS_OK ||
        graze_make_bumpy_shell(NULL, 1 - workload->value, 0.1, FREQUENCY, 85, &out_case->b) != GRAZE_STATUS_OK ||
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

/* B goes around A in steps of a thousandth, at a distance that comes and goes, and turns; they never meet. */
static bool make_coherent(const lab_workload *workload, bool quick, lab_case *out_case)
{
    if (!make_apart(workload, true, out_case))
        return false;
    graze_pose start = out_case->poses_a[0];
    lab_case fresh = {.a = out_case->a, .b = out_case->b};
    out_case->a = out_case->b = NULL;
    lab_case_clear(out_case);
    *out_case = fresh;
    if (!lab_case_poses(out_case, quick ? 2000 : 20000))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        const double axis[3] = {0.6, 0, 0.8};
        double angle = 0.0004 * (double)i, distance = 2 + workload->value + 0.2 * sin(0.003 * (double)i);
        double position[3] = {distance * cos(angle), distance * sin(angle), 0.3 * sin(0.7 * angle)};
        out_case->poses_a[i] = start;
        graze_pose_from_axis_angle(axis, 0.5 * angle, position, &out_case->poses_b[i]);
    }
    return true;
}

const lab_workload lab_distances[] = {{.name = "distance/apart",
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
                                       .what = "two bodies of 100,000 triangles that move and stay apart, with a cache",
                                       .questions = LAB_CACHED,
                                       .make = make_coherent,
                                       .value = 1},
                                      {0}};
