/* SPDX-License-Identifier: MIT */
/* Gaps that outlast motions are true: at sampled times the meshes are as far apart as they say, or farther. */
#include "motion/motion_gap.h"

#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/tree.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    RUNS = TEST_ROUNDS(30),
    MOTIONS = 40, /* of a run, one after the other */
    TIMES = 8
};

/* The motion goes on from where it is: `pose` is where it ends. */
static graze_motion next_motion(test_random *random, graze_pose *pose, double step)
{
    graze_motion motion;
    const graze_pose start = *pose;
    double angle = random_real(random, -step, step), c = cos(angle), s = sin(angle);
    const graze_pose turn = {{c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0}};
    switch (random_below(random, 4))
    {
    case 0:
        assert_int_equal(graze_motion_still(&start, &motion), GRAZE_STATUS_OK);
        return motion;
    case 1:
        for (int k = 0; k < 12; k++)
            pose->m[k] += random_real(random, -step, step) * (k % 4 == 3 ? 1 : 0);
        assert_int_equal(graze_motion_between(&start, pose, GRAZE_MOTION_BLEND, &motion, NULL), GRAZE_STATUS_OK);
        return motion;
    default:
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                pose->m[4 * i + j] = turn.m[4 * i] * start.m[j] + turn.m[4 * i + 1] * start.m[4 + j] +
                                     turn.m[4 * i + 2] * start.m[8 + j];
        for (int k = 0; k < 3; k++)
            pose->m[4 * k + 3] += random_real(random, -step, step);
        assert_int_equal(graze_motion_between(&start, pose, GRAZE_MOTION_TURN, &motion, NULL), GRAZE_STATUS_OK);
        return motion;
    }
}

static double distance_at(const grz_moving_meshes *meshes, double t)
{
    graze_placed_mesh a = {meshes->a.mesh, meshes->tree_a, graze_pose_identity()};
    graze_placed_mesh b = {meshes->b.mesh, meshes->tree_b, graze_pose_identity()};
    graze_distance distance;
    assert_int_equal(graze_motion_pose(&meshes->a.motion, t, &a.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_pose(&meshes->b.motion, t, &b.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &distance), GRAZE_STATUS_OK);
    return distance.distance;
}

static void bounds_hold_at_all_times(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 191);
    unsigned answered = 0, searches = 0, tight = 0;
    for (int run = 0; run < RUNS; run++)
    {
        graze_mesh *meshes[2];
        graze_tree *trees[2];
        assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.2, 16, 8, &meshes[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_create_box(NULL, 1, 0.5, 0.25, 2, &meshes[1]), GRAZE_STATUS_OK);
        for (int side = 0; side < 2; side++)
            assert_int_equal(graze_tree_create(NULL, meshes[side], NULL, NULL, &trees[side]), GRAZE_STATUS_OK);
        grz_moving_meshes moving = {.a.mesh = meshes[0], .b.mesh = meshes[1], .tree_a = trees[0], .tree_b = trees[1]};
        graze_pose poses[2] = {graze_pose_identity(), graze_pose_translation(random_real(&random, 1.5, 4), 0, 0.5)};
        double step = pow(10, random_real(&random, -3, -0.5));
        grz_motion_gap gap = {0};
        for (int i = 0; i < MOTIONS; i++)
        {
            moving.a.motion = next_motion(&random, &poses[0], step);
            moving.b.motion = next_motion(&random, &poses[1], step);
            double bound = grz_motion_gap_find(&gap, &moving, 0, NULL), least = INFINITY;
            assert_true(bound >= 0);
            answered += bound > 0;
            for (int k = 0; bound > 0 && k <= TIMES; k++)
            {
                double distance = distance_at(&moving, (double)k / TIMES);
                least = fmin(least, distance);
                assert_true(distance >= bound * (1 - 1e-12));
            }
            tight += bound > 0.8 * least && bound > 0;
        }
        searches += (unsigned)gap.searches;
        for (int side = 0; side < 2; side++)
        {
            graze_tree_destroy(trees[side]);
            graze_mesh_destroy(meshes[side]);
        }
    }
    printf("%u of %d motions answered, by %u searches; %u bounds above 0.8 of the distance\n", answered, RUNS * MOTIONS,
           searches, tight);
    assert_true(answered > RUNS * MOTIONS / 4 && searches < answered && tight > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold_at_all_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
