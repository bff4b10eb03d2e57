/* SPDX-License-Identifier: MIT */
/* Motions against rationals: the pose at a time is the formula's within its bound, turns made of two poses miss them by
 * no more than they say, and what is no motion is refused. */
#include "graze/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/environment.h"
#include "support/random.h"
#include "support/rationals.h"
#include "support/unit.h"

enum
{
    ROUNDS = 2000
};

/* (1 - t) a + t b. */
static void rational_lerp(mpq_t out, double a, double b, const mpq_t t)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    rational_set_double(x, a);
    rational_set_double(y, b);
    mpq_sub(y, y, x);
    mpq_mul(y, y, t);
    mpq_add(out, x, y);
    mpq_clears(x, y, NULL);
}

/* out = 2 (a b + sign c d). */
static void twice_sum(mpq_t out, const mpq_t a, const mpq_t b, int sign, const mpq_t c, const mpq_t d)
{
    mpq_t x;
    mpq_init(x);
    mpq_mul(out, a, b);
    mpq_mul(x, c, d);
    if (sign > 0)
        mpq_add(out, out, x);
    else
        mpq_sub(out, out, x);
    mpq_add(out, out, out);
    mpq_clear(x);
}

/* The matrix of a turn at time t, by the textbook's formula. */
static void rational_turn(const graze_motion *motion, const mpq_t t, mpq_t m[12])
{
    mpq_t q[4], w, x;
    mpq_inits(w, x, NULL);
    for (int i = 0; i < 4; i++)
    {
        mpq_init(q[i]);
        rational_lerp(q[i], motion->quaternion[0][i], motion->quaternion[1][i], t);
        mpq_mul(x, q[i], q[i]);
        mpq_add(w, w, x);
    }
    twice_sum(m[0], q[0], q[0], 1, q[1], q[1]);
    twice_sum(m[1], q[1], q[2], -1, q[0], q[3]);
    twice_sum(m[2], q[1], q[3], 1, q[0], q[2]);
    twice_sum(m[4], q[1], q[2], 1, q[0], q[3]);
    twice_sum(m[5], q[0], q[0], 1, q[2], q[2]);
    twice_sum(m[6], q[2], q[3], -1, q[0], q[1]);
    twice_sum(m[8], q[1], q[3], -1, q[0], q[2]);
    twice_sum(m[9], q[2], q[3], 1, q[0], q[1]);
    twice_sum(m[10], q[0], q[0], 1, q[3], q[3]);
    for (int i = 0; i < 3; i++)
    {
        mpq_sub(m[5 * i], m[5 * i], w);
        mpq_set_ui(m[4 * i + 3], 0, 1);
        for (int k = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 2 : 1; k >= 0; k--)
        {
            mpq_mul(m[4 * i + 3], m[4 * i + 3], t);
            rational_set_double(x, motion->path[k][i]);
            mpq_add(m[4 * i + 3], m[4 * i + 3], x);
        }
        for (int j = 0; j < 3; j++)
        {
            mpq_div(m[4 * i + j], m[4 * i + j], w);
            rational_set_double(x, motion->centre[j]);
            mpq_mul(x, x, m[4 * i + j]);
            mpq_sub(m[4 * i + 3], m[4 * i + 3], x);
        }
    }
    for (int i = 0; i < 4; i++)
        mpq_clear(q[i]);
    mpq_clears(w, x, NULL);
}

static void rational_motion(const graze_motion *motion, double time, mpq_t m[12])
{
    mpq_t t;
    mpq_init(t);
    rational_set_double(t, time);
    if (motion->kind >= GRAZE_MOTION_TURN)
        rational_turn(motion, t, m);
    else
        for (int i = 0; i < 12; i++)
            rational_lerp(m[i], motion->start.m[i],
                          motion->kind == GRAZE_MOTION_BLEND ? motion->end.m[i] : motion->start.m[i], t);
    mpq_clear(t);
}

static graze_motion draw_motion(test_random *random, graze_motion_kind kind, double scale)
{
    graze_motion motion = {.kind = kind};
    for (int i = 0; i < 12; i++)
    {
        motion.start.m[i] = scale * random_real(random, -1, 1);
        motion.end.m[i] = scale * random_real(random, -1, 1);
    }
    double inner = 0;
    for (int i = 0; i < 4; i++)
    {
        motion.quaternion[0][i] = scale * random_real(random, -1, 1);
        motion.quaternion[1][i] = scale * (random_once_in(random, 3) ? 0 : random_real(random, -1, 1));
        inner += motion.quaternion[0][i] * motion.quaternion[1][i];
    }
    if (inner < 0 || random_once_in(random, 8))
        memcpy(motion.quaternion[1], motion.quaternion[0], sizeof motion.quaternion[0]);
    for (int i = 0; i < 3; i++)
    {
        motion.centre[i] = scale * random_between(random, -3, 3);
        for (int k = 0; k < 3; k++)
            motion.path[k][i] = scale * random_real(random, -1, 1);
    }
    return motion;
}

static void poses_at_a_time_are_within_their_bound_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1901);
    static const double scales[] = {1, 1e-9, 1e9, 0x1p-300, 0x1p300};
    mpq_t m[12];
    rational_matrix_init(m);
    int tight = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        double scale = scales[random_below(&random, 5)];
        graze_motion motion = draw_motion(&random, (graze_motion_kind)random_below(&random, 4), scale);
        double t = random_once_in(&random, 4) ? random_below(&random, 2) : random_unit(&random), bound = 0;
        graze_pose pose;
        saved_environment saved;
        environment_enter(&saved, random_below(&random, ENVIRONMENTS));
        graze_status status = graze_motion_pose(&motion, t, &pose, &bound);
        environment_leave(&saved);
        if (status == GRAZE_STATUS_BAD_ARGUMENT) /* two quaternions, the second of which is zero */
            continue;
        assert_int_equal(status, GRAZE_STATUS_OK);
        rational_motion(&motion, t, m);
        double largest = 1;
        for (int i = 0; i < 12; i++)
        {
            assert_true(rational_within(pose.m[i], m[i], bound));
            largest = fmax(largest, fabs(pose.m[i]));
        }
        tight += bound <= 1e-13 * fmax(largest, scale);
    }
    rational_matrix_clear(m);
    printf("  %d bounds of %d below 1e-13\n", tight, TEST_ROUNDS(ROUNDS));
    assert_true(tight > TEST_ROUNDS(ROUNDS) / 2);
}

static graze_pose draw_rotation(test_random *random, bool half_turns)
{
    static const double axes[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    double q[4] = {1, 0, 0, 0}, move[3];
    for (int i = 0; i < 4; i++)
        q[i] = half_turns ? q[i] : random_real(random, -1, 1);
    int axis = random_below(random, 4);
    for (int k = 0; k < 3; k++)
        move[k] = random_real(random, -9, 9);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(half_turns && axis < 3 ? axes[axis] : q, move, &pose), GRAZE_STATUS_OK);
    return pose;
}

static void turns_of_two_poses_miss_them_by_no_more_than_they_say(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1902);
    mpq_t m[12];
    rational_matrix_init(m);
    int missed = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        bool half = random_once_in(&random, 5), rough = random_once_in(&random, 3);
        graze_pose ends[2] = {draw_rotation(&random, half), draw_rotation(&random, half)};
        if (rough) /* written with few digits */
            for (int i = 0; i < 12; i++)
                ends[1].m[i] += random_real(&random, -1e-6, 1e-6);
        graze_motion motion;
        double error;
        assert_int_equal(graze_motion_between(&ends[0], &ends[1], GRAZE_MOTION_TURN, &motion, &error), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_OK);
        assert_true(error < (rough ? 1e-5 : 1e-13));
        double tenth = error / 64;
        for (int side = 0; side < 2; side++)
        {
            rational_motion(&motion, side, m);
            for (int i = 0; i < 12; i++)
            {
                assert_true(rational_within(ends[side].m[i], m[i], error));
                missed += !rational_within(ends[side].m[i], m[i], tenth);
            }
        }
        assert_int_equal(graze_motion_between(&ends[0], &ends[1], GRAZE_MOTION_BLEND, &motion, &error),
                         GRAZE_STATUS_OK);
        assert_true(!(error > 0));
    }
    rational_matrix_clear(m);
    assert_true(missed > TEST_ROUNDS(ROUNDS) / 2); /* the error is no wild guess */
}

static void poses_that_are_no_rotations_are_refused_for_turns(void **state)
{
    (void)state;
    graze_pose unit = graze_pose_identity(), bad = unit;
    graze_motion motion, untouched;
    memset(&motion, 7, sizeof motion);
    untouched = motion;
    double error = 7;
    bad.m[0] = 1.001;
    assert_int_equal(graze_motion_between(&unit, &bad, GRAZE_MOTION_TURN, &motion, &error), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_motion_between(&bad, &unit, GRAZE_MOTION_TURN, &motion, &error), GRAZE_STATUS_NOT_RIGID);
    bad.m[0] = -1; /* a mirror */
    assert_int_equal(graze_motion_between(&unit, &bad, GRAZE_MOTION_TURN, &motion, &error), GRAZE_STATUS_NOT_RIGID);
    bad.m[0] = NAN;
    assert_int_equal(graze_motion_between(&unit, &bad, GRAZE_MOTION_BLEND, &motion, &error), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_motion_between(&unit, &unit, GRAZE_MOTION_STILL, &motion, &error),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_between(&unit, &unit, GRAZE_MOTION_KIND_COUNT, &motion, &error),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_memory_equal(&motion, &untouched, sizeof motion);
    assert_true(error > 6);
    bad = unit;
    bad.m[0] = -1.5;
    assert_int_equal(graze_motion_between(&unit, &bad, GRAZE_MOTION_BLEND, &motion, NULL), GRAZE_STATUS_OK);
}

static void quaternions_turn_by_less_than_two_right_angles_apart(void **state)
{
    (void)state;
    graze_motion motion = {.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {0, 0, 0, 1}}};
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_OK); /* half a turn */
    motion.quaternion[1][0] = -0x1p-1074;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_BAD_ARGUMENT);
    motion.quaternion[1][0] = 0x1p-1074;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_OK);
    /* Inner products of 1 and of -1 unit in the last place of their terms. */
    motion.quaternion[0][0] = motion.quaternion[1][0] = 0x1.0000001p0;
    motion.quaternion[0][3] = -1;
    motion.quaternion[1][3] = 0x1.0000002p0;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_OK);
    motion.quaternion[1][3] = 0x1.0000002000002p0;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_BAD_ARGUMENT);
    /* -7/16 + 1/4 units, where doubles say 1/4. */
    motion =
        (graze_motion){.kind = GRAZE_MOTION_TURN,
                       .quaternion = {{0x1.0000003p0, -1, 0x1p-54, 0}, {0x1.0000003p0, 0x1.0000006000001p0, 1, 0}}};
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_BAD_ARGUMENT);
    memset(motion.quaternion[1], 0, sizeof motion.quaternion[1]);
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_BAD_ARGUMENT);
    motion.quaternion[1][2] = INFINITY;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_NOT_FINITE);
    motion.kind = (graze_motion_kind)-1;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_BAD_ARGUMENT);
    motion.kind = GRAZE_MOTION_STILL;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_OK); /* what a kind does not use is ignored */
    graze_pose pose;
    assert_int_equal(graze_motion_pose(&motion, 1.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_pose(&motion, NAN, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
}

/* Along each axis in turn: a translation whose difference is rounded by a tenth. */
static void what_a_translation_loses_is_told(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
    {
        graze_pose start = graze_pose_identity(), end = graze_pose_identity();
        graze_motion motion;
        double error = 0;
        start.m[4 * axis + 3] = 1e16;
        end.m[4 * axis + 3] = 0.1;
        assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &motion, &error), GRAZE_STATUS_OK);
        double there = motion.path[0][axis] + motion.path[1][axis];
        assert_true(fabs(there - 0.1) > 0.05 && error >= fabs(there - 0.1) && error < 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_at_a_time_are_within_their_bound_in_every_environment),
        cmocka_unit_test(turns_of_two_poses_miss_them_by_no_more_than_they_say),
        cmocka_unit_test(poses_that_are_no_rotations_are_refused_for_turns),
        cmocka_unit_test(what_a_translation_loses_is_told),
        cmocka_unit_test(quaternions_turn_by_less_than_two_right_angles_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
