/* SPDX-License-Identifier: MIT */
/* Boxes around moving parts hold every corner at every time, and are not much larger than need be. */
#include "clash/swept_box.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

static graze_motion random_motion(test_random *random, graze_motion_kind kind)
{
    graze_motion motion = {.kind = kind};
    double dot = 0;
    for (int i = 0; i < 12; i++)
    {
        motion.start.m[i] = random_real(random, -2, 2);
        motion.end.m[i] = random_real(random, -2, 2);
    }
    for (int i = 0; i < 4; i++)
    {
        motion.quaternion[0][i] = random_real(random, -1, 1);
        motion.quaternion[1][i] = random_real(random, -1, 1);
        dot += motion.quaternion[0][i] * motion.quaternion[1][i];
    }
    for (int i = 0; i < 4 && dot < 0; i++)
        motion.quaternion[1][i] = -motion.quaternion[1][i];
    for (int i = 0; i < 3; i++)
    {
        motion.centre[i] = random_real(random, -1, 1);
        for (int k = 0; k < 3; k++)
            motion.path[k][i] = random_real(random, -3, 3);
    }
    return motion;
}

static void corner_at(const graze_motion *motion, double t, const graze_box *box, int corner, double out_point[3])
{
    const double point[3] = {corner & 1 ? box->upper[0] : box->lower[0], corner & 2 ? box->upper[1] : box->lower[1],
                             corner & 4 ? box->upper[2] : box->lower[2]};
    graze_pose pose;
    assert_int_equal(graze_motion_pose(motion, t, &pose, NULL), GRAZE_STATUS_OK);
    graze_pose_apply(&pose, point, out_point);
}

static void corners_stay_in_the_swept_box(void **state)
{
    (void)state;
    test_random random = test_random_start("swept boxes", 7);
    double slack = 0;
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        graze_motion motion = random_motion(&random, (graze_motion_kind)(round % 4));
        graze_box box = {{-1, -0.5, -0.25}, {0.75, 0.5, 1}};
        graze_box swept = grz_clash_sweep_box(&box, &motion);
        for (int k = 0; k <= 32; k++)
            for (int corner = 0; corner < 8; corner++)
            {
                double point[3];
                corner_at(&motion, k / 32.0, &box, corner, point);
                for (int axis = 0; axis < 3; axis++)
                    assert_true(point[axis] >= swept.lower[axis] - 1e-13 && point[axis] <= swept.upper[axis] + 1e-13);
            }
        for (int axis = 0; axis < 3; axis++)
            slack = fmax(slack, swept.upper[axis] - swept.lower[axis]);
    }
    printf("largest width %g\n", slack);
    assert_true(slack < 30);
}

/* Half a turn of a point far from the centre: it is lowest in between, where only the sagitta reaches. */
static void arcs_reach_beyond_their_ends(void **state)
{
    (void)state;
    graze_motion motion = {.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {0, 0, 1, 0}}};
    const graze_box box = {{3, 0, 0}, {3, 0, 0}};
    double point[3];
    corner_at(&motion, 0.5, &box, 0, point);
    assert_true(fabs(point[2] + 3) < 1e-12);
    graze_box swept = grz_clash_sweep_box(&box, &motion);
    assert_true(swept.lower[2] <= -3 && swept.lower[2] > -3.001 && swept.lower[0] <= -3 && swept.upper[0] >= 3);
    assert_true(swept.lower[1] <= -3 && swept.upper[1] < 3.001); /* it knows no axis */
}

/* Sums of numbers of unlike size are rounded: the box must be larger than that. */
static void rounding_is_outward(void **state)
{
    (void)state;
    graze_motion motion = {.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
    const graze_box box = {{0.1, 0.1, 0.1}, {0.7, 0.7, 0.7}};
    const double far = 1e15;
    for (int axis = 0; axis < 3; axis++)
        motion.start.m[4 * axis + 3] = far;
    graze_box swept = grz_clash_sweep_box(&box, &motion);
    for (int axis = 0; axis < 3; axis++)
        assert_true(swept.lower[axis] - far <= 0 && swept.upper[axis] - far >= 0.875);
}

static void what_is_infinite_or_overflows_is_everywhere(void **state)
{
    (void)state;
    graze_motion motion = {.kind = GRAZE_MOTION_BLEND, .start = graze_pose_identity(), .end = graze_pose_identity()};
    const graze_box plane = {{-INFINITY, 0, 0}, {INFINITY, 1, 1}}, huge = {{-DBL_MAX, 0, 0}, {DBL_MAX, 1, 1}};
    graze_box swept = grz_clash_sweep_box(&plane, &motion);
    assert_true(swept.lower[0] == -INFINITY && swept.upper[1] == INFINITY);
    motion.start.m[0] = 4;
    swept = grz_clash_sweep_box(&huge, &motion);
    assert_true(swept.lower[0] == -INFINITY && swept.upper[0] == INFINITY);
    motion.kind = GRAZE_MOTION_SCREW; /* no kernel motion */
    swept = grz_clash_sweep_box(&(graze_box){{0, 0, 0}, {1, 1, 1}}, &motion);
    assert_true(swept.lower[2] == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_stay_in_the_swept_box),
        cmocka_unit_test(arcs_reach_beyond_their_ends),
        cmocka_unit_test(rounding_is_outward),
        cmocka_unit_test(what_is_infinite_or_overflows_is_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
