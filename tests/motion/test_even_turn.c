/* SPDX-License-Identifier: MIT */
/* Screws, slerps and twists: the turns that enclose their pieces stay within the deviation, which is no wild guess;
 * poses at a time; screws between two poses. The reference is the formula with sines, in long doubles. */
#include "graze/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 3000
};

/* Of sums in long doubles: far below the bounds of doubles. */
#define REFERENCE_ERROR 1e-16

static void unit(const double in[4], long double out[4])
{
    long double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (long double)in[i] * in[i];
    for (int i = 0; i < 4; i++)
        out[i] = in[i] / sqrtl(sum);
}

/* R(q) v with a unit quaternion: v + 2 w u x v + 2 u x (u x v). */
static void rotate(const long double q[4], const long double v[3], long double out[3])
{
    long double c[3], d[3];
    for (int k = 0; k < 3; k++)
        c[k] = q[(k + 1) % 3 + 1] * v[(k + 2) % 3] - q[(k + 2) % 3 + 1] * v[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        d[k] = q[(k + 1) % 3 + 1] * c[(k + 2) % 3] - q[(k + 2) % 3 + 1] * c[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * q[0] * c[k] + 2 * d[k];
}

static void place(const graze_motion *motion, long double t, const double p[3], long double out[3])
{
    long double a[4], b[4], q[4], v[3], chord = 0, fa = 1 - t, fb = t, length = 0;
    unit(motion->quaternion[0], a);
    unit(motion->quaternion[1], b);
    for (int i = 0; i < 4; i++)
        chord += (a[i] - b[i]) * (a[i] - b[i]);
    long double angle = 2 * asinl(fminl(sqrtl(chord) / 2, 1));
    if (motion->kind != GRAZE_MOTION_TURN && angle > 1e-12L)
    {
        fa = sinl((1 - t) * angle);
        fb = sinl(t * angle);
    }
    for (int i = 0; i < 4; i++)
    {
        q[i] = motion->kind == GRAZE_MOTION_TURN ? fa * motion->quaternion[0][i] + fb * motion->quaternion[1][i]
                                                 : fa * a[i] + fb * b[i];
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrtl(length);
    for (int k = 0; k < 3; k++)
        v[k] = (long double)p[k] - motion->centre[k];
    rotate(q, v, out);
    for (int k = 0; k < 3; k++)
        out[k] += motion->path[0][k] + t * motion->path[1][k];
}

static double distance(const long double a[3], const long double b[3])
{
    long double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return (double)sqrtl(sum);
}

/* Even turns by any angle up to half a turn, also exactly that, and by none. */
static graze_motion draw(test_random *random)
{
    static const graze_motion_kind kinds[3] = {GRAZE_MOTION_SCREW, GRAZE_MOTION_SLERP, GRAZE_MOTION_TWIST};
    graze_motion motion = {.kind = kinds[random_below(random, 3)]};
    double inner = 0, scale = random_once_in(random, 2) ? 1 : 1e-3;
    for (int i = 0; i < 4; i++)
    {
        motion.quaternion[0][i] = random_real(random, -1, 1);
        motion.quaternion[1][i] = motion.quaternion[0][i] + scale * random_real(random, -2, 2);
        inner += motion.quaternion[0][i] * motion.quaternion[1][i];
    }
    if (random_once_in(random, 8))
        memcpy(motion.quaternion[1], motion.quaternion[0], sizeof motion.quaternion[0]);
    else if (inner < 0 || random_once_in(random, 8)) /* a quarter of the great circle */
    {
        static const int order[4] = {1, 0, 3, 2};
        for (int i = 0; i < 4; i++)
            motion.quaternion[1][i] = (i % 2 != 0 ? 1 : -1) * motion.quaternion[0][order[i]];
    }
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = random_once_in(random, 2) ? 0 : random_real(random, -1, 1);
        motion.path[0][k] = random_real(random, -9, 9);
        motion.path[1][k] = random_real(random, -9, 9);
    }
    return motion;
}

static void turns_of_pieces_stay_within_the_deviation(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1941);
    int close = 0, uneven = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        graze_motion motion = draw(&random), turn;
        int k = random_between(&random, 1, random_once_in(&random, 2) ? 4 : 24);
        uint32_t n = (uint32_t)random_below(&random, 1 << k);
        double reach = random_real(&random, 0.1, 10), deviation, most = 0;
        assert_int_equal(graze_motion_enclose(&motion, n, k, reach, &turn, &deviation), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_check(&turn), GRAZE_STATUS_OK);
        for (int i = 0; i <= 12; i++) /* the largest difference is at (1 - 1/sqrt 3)/2, for points across the axis */
            for (int axis = 0; axis < 3; axis++)
            {
                double s = i == 12 ? 0.2113248654051871 : i / 11.0, p[3];
                memcpy(p, motion.centre, sizeof p);
                p[axis] += reach;
                long double even[3], turned[3];
                place(&motion, (n + (long double)s) * ldexpl(1, -k), p, even);
                place(&turn, s, p, turned);
                /* p itself is rounded */
                most = fmax(most, distance(even, turned) - 1e-15);
            }
        assert_true(most <= deviation + REFERENCE_ERROR);
        uneven += most > 1e-8;
        close += most > 1e-8 && most > 0.55 * deviation;
    }
    printf("  %d uneven pieces, %d of them use most of the deviation\n", uneven, close);
    assert_true(uneven > TEST_ROUNDS(ROUNDS) / 8 && close > uneven / 4);
}

static void poses_of_even_turns_are_within_their_bound(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1942);
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS) / 2; round++)
    {
        graze_motion motion = draw(&random);
        double t = random_once_in(&random, 4) ? random_below(&random, 2) : random_unit(&random), bound;
        graze_pose pose;
        saved_environment saved;
        environment_enter(&saved, random_below(&random, ENVIRONMENTS));
        graze_status status = graze_motion_pose(&motion, t, &pose, &bound);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_true(bound < 1e-11);
        long double origin[3], image[3];
        place(&motion, t, points[0], origin);
        for (int j = 0; j < 4; j++)
        {
            place(&motion, t, points[(j + 1) % 4], image);
            for (int k = 0; k < 3; k++)
                assert_true(fabsl(pose.m[4 * k + j] - (j < 3 ? image[k] - origin[k] : image[k])) <= bound + 1e-16);
        }
    }
}

static void screws_move_along_their_axis_from_pose_to_pose(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1943);
    for (int round = 0; round < TEST_ROUNDS(ROUNDS) / 2; round++)
    {
        graze_pose ends[2];
        for (int side = 0; side < 2; side++)
        {
            double q[4] = {0.1, 0, 0, 0}, move[3];
            for (int i = 0; i < 3; i++)
            {
                q[1 + i] = random_real(&random, -1, 1);
                move[i] = random_real(&random, -5, 5);
            }
            assert_int_equal(graze_pose_from_quaternion(q, move, &ends[side]), GRAZE_STATUS_OK);
        }
        graze_motion screw, slerp, turn;
        double error, deviation;
        assert_int_equal(graze_motion_between(&ends[0], &ends[1], GRAZE_MOTION_SCREW, &screw, &error), GRAZE_STATUS_OK);
        assert_true(error < 1e-10);
        /* The axis does not turn: both orientations have it alike, and the centre moves along it. */
        assert_int_equal(graze_motion_enclose(&screw, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_OK);
        const double *p = screw.quaternion[0], *q = screw.quaternion[1], *x = screw.path[1];
        double v[3], across = 0, length = 0;
        for (int k = 0; k < 3; k++)
        {
            int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
            v[k] = p[0] * q[k + 1] - q[0] * p[k + 1] - (q[i] * p[j] - q[j] * p[i]);
            length += v[k] * v[k];
        }
        for (int k = 0; k < 3; k++)
            across = fmax(across, fabs(v[(k + 1) % 3] * x[(k + 2) % 3] - v[(k + 2) % 3] * x[(k + 1) % 3]));
        assert_true(length < 1e-4 || across < 1e-8);
        assert_int_equal(graze_motion_between(&ends[0], &ends[1], GRAZE_MOTION_SLERP, &slerp, &error), GRAZE_STATUS_OK);
        assert_true(error < 1e-13 && fabs(slerp.centre[0]) + fabs(slerp.centre[1]) + fabs(slerp.centre[2]) <= 0);
        assert_int_equal(graze_motion_check(&slerp), GRAZE_STATUS_UNSUPPORTED);
    }
}

static void what_is_no_piece_is_refused(void **state)
{
    (void)state;
    graze_motion motion = {.kind = GRAZE_MOTION_SLERP, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}}}, turn = motion;
    double deviation = 7;
    assert_int_equal(graze_motion_enclose(&motion, 2, 1, 1, &turn, &deviation), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_enclose(&motion, 0, 0, 1, &turn, &deviation), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_enclose(&motion, 0, 25, 1, &turn, &deviation), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, -1, &turn, &deviation), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, INFINITY, &turn, &deviation), GRAZE_STATUS_NOT_FINITE);
    motion.kind = GRAZE_MOTION_TURN;
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_UNSUPPORTED);
    motion.kind = GRAZE_MOTION_SPLINE; /* of no spline */
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_BAD_ARGUMENT);
    assert_true(deviation > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_of_pieces_stay_within_the_deviation),
        cmocka_unit_test(poses_of_even_turns_are_within_their_bound),
        cmocka_unit_test(screws_move_along_their_axis_from_pose_to_pose),
        cmocka_unit_test(what_is_no_piece_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
