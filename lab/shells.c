/* SPDX-License-Identifier: MIT */
/*
 * W1, continued: a bumpy shell in another, and how the cost of a query grows with the number of triangles of the same
 * shape, from 1,000 to 1,000,000.
 *
 * Three cases:
 * "shells": always 0.1 % apart, so the answer is no, and has no size. The query must prove that the surfaces are
 * separate everywhere. While triangles are large against the gap, each needs its own proof; once they are small,
 * patches of many triangles are separated as a whole, and the number of such patches depends on the gap alone.
 * "pressed": the inner shell is pushed through the outer one, just so far that about the same number of triangle pairs
 * intersect at every size. The answer stays, the input grows a thousandfold.
 * "cut": pushed through by the same length at every size. The shells intersect along the same curve, and the answer
 * grows like the number of triangles along a curve, the square root of the input.
 */
#include <math.h>

#include "workload.h"

static bool make_two(double size, double gap, size_t pose_count, lab_case *out_case)
{
    uint32_t frequency = (uint32_t)lround(sqrt(size / 20));
    return graze_mesh_create_bumpy_shell(NULL, 1, 0.1, frequency, 63, &out_case->a) == GRAZE_STATUS_OK &&
           graze_mesh_create_bumpy_shell(NULL, 1 - gap, 0.1, frequency, 63, &out_case->b) == GRAZE_STATUS_OK &&
           lab_case_poses(out_case, pose_count);
}

/* Two bumpy shells of one seed, the inner one smaller by `value`, at poses that differ by a tenth of that. */
static bool make_shells(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(62);
    double gap = workload->value;
    if (!make_two(workload->size, gap, quick ? 3 : 12, out_case))
        return false;
    for (size_t i = 0; i < out_case->count; i++)
    {
        double axis[3], offset[3];
        lab_random_direction(&random, axis);
        lab_random_direction(&random, offset);
        for (int k = 0; k < 3; k++)
            offset[k] *= 0.1 * gap;
        graze_pose nudge = graze_pose_identity();
        graze_pose_from_axis_angle(axis, 0.1 * gap, offset, &nudge);
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        graze_pose_compose(&out_case->poses_a[i], &nudge, &out_case->poses_b[i], NULL);
    }
    return true;
}

/* Places B like A at one pose, moved by `distance` along a direction in A's frame. */
static void push(lab_case *c, size_t pose, const double direction[3], double distance)
{
    graze_pose offset =
        graze_pose_translation(distance * direction[0], distance * direction[1], distance * direction[2]);
    graze_pose_compose(&c->poses_a[pose], &offset, &c->poses_b[pose], NULL);
}

/* Pushes just so far that at least `wanted` pairs intersect, to 2^-30. */
static bool push_until(lab_case *c, size_t pose, const graze_tree *const trees[2], const double direction[3],
                       uint64_t wanted)
{
    double fewer = 0, enough = 0.3;
    while (enough - fewer > 0x1p-30)
    {
        double middle = 0.5 * (fewer + enough);
        graze_pair_counts counts;
        push(c, pose, direction, middle);
        graze_placed_mesh a = {c->a, trees[0], c->poses_a[pose]}, b = {c->b, trees[1], c->poses_b[pose]};
        if (graze_pair_count(NULL, &a, &b, NULL, &counts) != GRAZE_STATUS_OK)
            return false;
        if (counts.pairs < wanted)
            fewer = middle;
        else
            enough = middle;
    }
    push(c, pose, direction, enough);
    return true;
}

/* A shell and one smaller by a twentieth, rotated together at random, the smaller one pushed through in a random
 * direction: by `value` if that is below 1, and otherwise until that many pairs intersect. */
static bool make_pushed(const lab_workload *workload, bool quick, lab_case *out_case)
{
    const double origin[3] = {0, 0, 0};
    grz_random random = grz_random_make(64);
    graze_tree *trees[2] = {NULL, NULL};
    bool ready = make_two(workload->size, 0.05, quick ? 20 : 60, out_case) &&
                 graze_tree_create(NULL, out_case->a, NULL, NULL, &trees[0]) == GRAZE_STATUS_OK &&
                 graze_tree_create(NULL, out_case->b, NULL, NULL, &trees[1]) == GRAZE_STATUS_OK;
    for (size_t i = 0; ready && i < out_case->count; i++)
    {
        const graze_tree *const both[2] = {trees[0], trees[1]};
        double direction[3];
        lab_random_direction(&random, direction);
        out_case->poses_a[i] = lab_random_pose(&random, origin);
        if (workload->value < 1)
            push(out_case, i, direction, workload->value);
        else
            ready = push_until(out_case, i, both, direction, (uint64_t)workload->value);
    }
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    return ready;
}

#define SHELLS(triangles, only_full)                                                                                   \
    {                                                                                                                  \
        .name = "growth/shells/" #triangles, .what = "bumpy shells of about " #triangles " triangles, 0.1 % apart",    \
        .questions = LAB_ANY, .make = make_shells, .size = triangles, .value = 0.001, .one_frame = true,               \
        .not_quick = only_full                                                                                         \
    }
#define PRESSED(triangles, only_full)                                                                                  \
    {                                                                                                                  \
        .name = "growth/pressed/" #triangles,                                                                          \
        .what = "shells of about " #triangles " triangles, 32 pairs of which meet", .questions = LAB_ALL,              \
        .make = make_pushed, .size = triangles, .value = 32, .one_frame = true, .not_quick = only_full                 \
    }
#define CUT(triangles, only_full)                                                                                      \
    {                                                                                                                  \
        .name = "growth/cut/" #triangles,                                                                              \
        .what = "shells of about " #triangles " triangles that cross along one curve", .questions = LAB_ALL,           \
        .make = make_pushed, .size = triangles, .value = 0.1, .one_frame = true, .not_quick = only_full                \
    }
#define SIZES(WHICH, most_only_full)                                                                                   \
    WHICH(1000, most_only_full), WHICH(3000, true), WHICH(10000, most_only_full), WHICH(30000, true),                  \
        WHICH(100000, most_only_full), WHICH(300000, true), WHICH(1000000, true)

const lab_workload lab_shells[] = {{.name = "shells/100000",
                                    .what = "two bumpy shells of 100,000 triangles, 0.1 % apart",
                                    .questions = LAB_ANY,
                                    .make = make_shells,
                                    .size = 100000,
                                    .value = 0.001,
                                    .one_frame = true},
                                   SIZES(SHELLS, true),
                                   SIZES(PRESSED, false),
                                   SIZES(CUT, true),
                                   {0}};
