/* SPDX-License-Identifier: MIT */
/*
 * W3: two bumpy bodies of 100,000 triangles each, all pairs: just touching, overlapping a little and deeply, and two
 * copies of one body that almost coincide, or do.
 */
#include <math.h>

#include "workload.h"

enum
{
    FREQUENCY = 71 /* 100,820 triangles */
};

static bool make_body(uint32_t frequency, uint64_t seed, graze_mesh **out_mesh)
{
    return graze_mesh_create_bumpy_shell(NULL, 1, 0.3, frequency, seed, out_mesh) == GRAZE_STATUS_OK;
}

/* Moves B at one pose away from the origin along a direction, by `distance`. */
static void move_away(lab_case *c, size_t pose, const double direction[3], double distance)
{
    for (int k = 0; k < 3; k++)
        c->poses_b[pose].m[4 * k + 3] = distance * direction[k];
}

/* The smallest distance along a direction, to 2^-40, at which the bodies do not collide, minus that much: there they
 * touch. */
static bool find_touch(lab_case *c, size_t pose, const graze_tree *trees[2], const double direction[3],
                       double *out_distance)
{
    double meets = 0, apart = 4;
    while (apart - meets > 0x1p-40)
    {
        double middle = 0.5 * (meets + apart);
        bool found;
        move_away(c, pose, direction, middle);
        graze_placed_mesh a = {c->a, trees[0], c->poses_a[pose]}, b = {c->b, trees[1], c->poses_b[pose]};
        if (graze_pair_any(NULL, &a, &b, NULL, &found, NULL) != GRAZE_STATUS_OK)
            return false;
        if (found)
            meets = middle;
        else
            apart = middle;
    }
    *out_distance = meets;
    return true;
}

/* Both with random rotations; B is at the distance where they touch, minus the workload's value. */
static bool make_pressed(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(71);
    graze_tree *trees[2] = {NULL, NULL};
    bool ready = make_body(FREQUENCY, 72, &out_case->a) && make_body(FREQUENCY, 73, &out_case->b) &&
                 lab_case_poses(out_case, quick ? 4 : 16) &&
                 graze_tree_create(NULL, out_case->a, NULL, NULL, &trees[0]) == GRAZE_STATUS_OK &&
                 graze_tree_create(NULL, out_case->b, NULL, NULL, &trees[1]) == GRAZE_STATUS_OK;
    for (size_t i = 0; ready && i < out_case->count; i++)
    {
        double direction[3], touch = 0;
        const graze_tree *both[2] = {trees[0], trees[1]};
        lab_random_direction(&random, direction);
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        out_case->poses_b[i] = lab_random_pose(&random, origin);
        ready = find_touch(out_case, i, both, direction, &touch);
        move_away(out_case, i, direction, touch - workload->value);
    }
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    return ready;
}

/* One body twice: with `value` 1, triangulated differently the second time and moved by a millionth, so that they cross
 * everywhere; with 0, identical. */
static bool make_coincident(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0}, little = 1e-6;
    bool same = workload->value == 0;
    grz_random random = grz_random_make(74);
    if (!make_body(FREQUENCY, 75, &out_case->a) || !make_body(same ? FREQUENCY : FREQUENCY - 1, 75, &out_case->b) ||
        !lab_case_poses(out_case, quick ? 2 : 6))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        double axis[3];
        graze_pose nudge = graze_pose_identity();
        lab_random_direction(&random, axis);
        graze_pose_from_axis_angle(axis, little, NULL, &nudge);
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        out_case->poses_b[i] = out_case->poses_a[i];
        if (!same)
            graze_pose_compose(&out_case->poses_a[i], &nudge, &out_case->poses_b[i], NULL);
    }
    return true;
}

#define MESH(which, text, maker, number, only_full)                                                                    \
    {                                                                                                                  \
        .name = "mesh/" which, .what = text, .questions = LAB_ALL, .make = maker, .value = number, .one_frame = true,  \
        .not_quick = only_full                                                                                         \
    }

const lab_workload lab_meshes[] = {
    MESH("touching", "two bodies of 100,000 triangles that just touch", make_pressed, 0, false),
    MESH("slight", "two bodies of 100,000 triangles pressed into one another by 0.5 %", make_pressed, 0.005, false),
    MESH("deep", "two bodies of 100,000 triangles deep in one another", make_pressed, 1.95, false),
    MESH("coincident", "one surface cut into 100,000 triangles in two ways", make_coincident, 1, false),
    MESH("same", "two copies of one body in the very same place", make_coincident, 0, true),
    {0}};
