/* SPDX-License-Identifier: MIT */
/* Clearances are true: at sampled times the meshes are as far apart, or farther; and they are not far below. */
#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/tree.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(60),
    TIMES = 60
};

static graze_motion random_motion(test_random *random, graze_motion_kind kind)
{
    graze_motion motion = {.kind = kind};
    motion.start = motion.end = graze_pose_identity();
    do
        for (int i = 0; i < 8; i++)
            motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
    while (kind != GRAZE_MOTION_BLEND && graze_motion_check(&motion) != GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
    {
        motion.path[0][k] = random_real(random, -3, 3);
        motion.path[1][k] = random_real(random, -3, 3);
        motion.path[2][k] = random_real(random, -1, 1);
        motion.start.m[4 * k + 3] = random_real(random, -3, 3);
        motion.end.m[4 * k + 3] = random_real(random, -3, 3);
    }
    return motion;
}

static double distance_at(const graze_moving_mesh *a, const graze_moving_mesh *b, double t)
{
    const graze_moving_mesh *moving[2] = {a, b};
    graze_placed_mesh placed[2];
    graze_distance distance;
    for (int side = 0; side < 2; side++)
    {
        placed[side] = (graze_placed_mesh){moving[side]->mesh, moving[side]->tree, graze_pose_identity()};
        assert_int_equal(graze_motion_pose(&moving[side]->motion, t, &placed[side].pose, NULL), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
    return distance.distance;
}

static void clearances_hold_at_all_times(void **state)
{
    (void)state;
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_BLEND, GRAZE_MOTION_TURN, GRAZE_MOTION_BALLISTIC_TURN};
    test_random random = test_random_start(__func__, 199);
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    int clear = 0, good = 0;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 14, 8, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1.2, 0.3, 0.3, 1, &meshes[1]), GRAZE_STATUS_OK);
    for (int side = 0; side < 2; side++)
        assert_int_equal(graze_tree_create(NULL, meshes[side], NULL, NULL, &trees[side]), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_moving_mesh a = {meshes[0], NULL, trees[0], random_motion(&random, kinds[random_below(&random, 3)])};
        graze_moving_mesh b = {meshes[1], NULL, trees[1], random_motion(&random, kinds[random_below(&random, 3)])};
        graze_impact_options options = graze_impact_options_default();
        graze_impact impact;
        options.clearance = true;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        double least = INFINITY;
        for (int i = 0; i <= TIMES && impact.verdict == GRAZE_IMPACT_NONE; i++)
            least = fmin(least, distance_at(&a, &b, (double)i / TIMES));
        if (impact.verdict != GRAZE_IMPACT_NONE)
        {
            assert_true(!(impact.clearance_lower > 0));
            continue;
        }
        clear++;
        good += impact.clearance_lower > 0.4 * least;
        assert_true(impact.clearance_lower >= 0 && impact.clearance_lower <= least * (1 + 1e-12));
        options.clearance = false;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(!(impact.clearance_lower > 0));
    }
    printf("%d of %d clear, %d with a good bound\n", clear, ROUNDS, good);
    assert_true(clear > ROUNDS / 4 && good > clear * 9 / 10);
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(trees[side]);
        graze_mesh_destroy(meshes[side]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clearances_hold_at_all_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
