/* SPDX-License-Identifier: MIT */
/* Splines: poses, bounds of their derivatives and the turns that enclose their pieces, against their formula in long
 * doubles; splines through poses run on smoothly. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/curve_motion.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/rotations.h"
#include "support/unit.h"

enum
{
    ROUNDS = 2000,
    TIMES = 24
};

/* Quaternions all in a cone around a random one, so that no inner product is negative. */
static graze_motion_spline draw(test_random *random)
{
    graze_motion_spline s;
    double axis[4], size = random_once_in(random, 3) ? 0.05 : 0.6;
    for (int k = 0; k < 4; k++)
        axis[k] = random_real(random, -1, 1);
    for (int i = 0; i < 4; i++)
    {
        double scale = random_once_in(random, 4) ? random_real(random, 0.5, 2) : 1;
        for (int k = 0; k < 4; k++)
            s.quaternion[i][k] = scale * (axis[k] + size * random_real(random, -1, 1));
        for (int k = 0; k < 3; k++)
            s.path[i][k] = random_real(random, -3, 3);
    }
    return s;
}

static void unrestricted(test_random *random, graze_motion_spline *s)
{
    do
        *s = draw(random);
    while (grz_spline_check(s) != GRAZE_STATUS_OK);
}

/* Value and derivatives of a cubic by its Bezier points. */
static void cubic(const double b[4], long double t, long double out[3])
{
    long double s = 1 - t, d[3] = {(long double)b[1] - b[0], (long double)b[2] - b[1], (long double)b[3] - b[2]};
    out[0] = s * s * s * b[0] + 3 * s * s * t * b[1] + 3 * s * t * t * b[2] + t * t * t * b[3];
    out[1] = 3 * (s * s * d[0] + 2 * s * t * d[1] + t * t * d[2]);
    out[2] = 6 * (s * (d[1] - d[0]) + t * (d[2] - d[1]));
}

static void quaternion_at(const graze_motion_spline *s, long double t, long double q[4])
{
    for (int k = 0; k < 4; k++)
    {
        long double jet[3];
        cubic((const double[4]){s->quaternion[0][k], s->quaternion[1][k], s->quaternion[2][k], s->quaternion[3][k]}, t,
              jet);
        q[k] = jet[0];
    }
}

static void place(const graze_motion *m, long double t, const double p[3], long double out[3])
{
    long double q[4];
    quaternion_at(m->spline, t, q);
    rotate_about(q, p, m->centre, out);
    for (int k = 0; k < 3; k++)
    {
        long double jet[3];
        const double(*b)[3] = m->spline->path;
        cubic((const double[4]){b[0][k], b[1][k], b[2][k], b[3][k]}, t, jet);
        out[k] += jet[0];
    }
}

static void pieces_stay_within_their_deviation(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1951);
    int close = 0, counted = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        graze_motion_spline spline;
        unrestricted(&random, &spline);
        graze_motion motion = {.kind = GRAZE_MOTION_SPLINE, .spline = &spline}, turn;
        int k = random_between(&random, 1, random_once_in(&random, 2) ? 6 : 24);
        uint32_t n = (uint32_t)random_below(&random, 1 << k);
        double reach = random_real(&random, 0.1, 10), deviation, most = 0;
        for (int i = 0; i < 3; i++)
            motion.centre[i] = random_once_in(&random, 2) ? 0 : random_real(&random, -1, 1);
        assert_int_equal(graze_motion_enclose(&motion, n, k, reach, &turn, &deviation), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_check(&turn), GRAZE_STATUS_OK);
        for (int i = 0; i <= TIMES; i++)
            for (int axis = 0; axis < 3; axis++)
            {
                double s = (double)i / TIMES, p[3];
                memcpy(p, motion.centre, sizeof p);
                p[axis] += reach;
                long double real[3], turned[3];
                place(&motion, (n + (long double)s) * ldexpl(1, -k), p, real);
                place_turn(&turn, s, p, turned);
                most = fmax(most, distance_of_points(real, turned) - 2e-15); /* p is rounded */
            }
        assert_true(most <= deviation);
        counted += most > 1e-9;
        close += most > 1e-9 && most > 0.2 * deviation;
    }
    printf("  %d bent pieces, %d of them use a fifth of the deviation\n", counted, close);
    assert_true(counted > TEST_ROUNDS(ROUNDS) / 3 && close > counted / 4);
}

static void rates_bound_the_derivatives(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1952);
    int tight = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        graze_motion_spline spline;
        unrestricted(&random, &spline);
        int k = random_between(&random, 0, 8);
        double t0 = ldexp((double)random_below(&random, 1 << k), -k), t1 = t0 + ldexp(1, -k);
        grz_curve_rates rates;
        assert_true(grz_spline_rates(&spline, t0, t1, &rates));
        double most[3] = {0, 0, 0};
        for (int i = 0; i <= TIMES; i++)
        {
            long double t = t0 + (t1 - t0) * (long double)i / TIMES, q[4][3], x[3], speed[3], bend[3], w = 0,
                        change = 0;
            double bound[3] = {0, 0, 0};
            for (int j = 0; j < 4; j++)
            {
                double(*b)[4] = spline.quaternion;
                cubic((const double[4]){b[0][j], b[1][j], b[2][j], b[3][j]}, t, q[j]);
                w += q[j][0] * q[j][0];
                change += 2 * q[j][0] * q[j][1];
            }
            for (int j = 0; j < 3; j++)
            {
                int u = (j + 1) % 3 + 1, v = (j + 2) % 3 + 1;
                double(*b)[3] = spline.path;
                cubic((const double[4]){b[0][j], b[1][j], b[2][j], b[3][j]}, t, x);
                for (int order = 1; order < 3; order++) /* the vector part of q' conj q, and of q'' conj q */
                    (order == 1 ? speed : bend)[j] = q[j + 1][order] * q[0][0] - q[0][order] * q[j + 1][0] -
                                                     (q[u][order] * q[v][0] - q[v][order] * q[u][0]);
                long double omega = 2 * speed[j] / w, alpha = 2 * bend[j] / w - 2 * speed[j] * change / (w * w);
                bound[0] += (double)(x[2] * x[2]);
                bound[1] += (double)(omega * omega);
                bound[2] += (double)(alpha * alpha);
            }
            for (int j = 0; j < 3; j++)
                most[j] = fmax(most[j], sqrt(bound[j]) * (1 - 1e-15));
        }
        assert_true(most[0] <= rates.acceleration && most[1] <= rates.angular_speed);
        assert_true(most[2] <= rates.angular_acceleration);
        tight += most[0] > 0.99 * rates.acceleration && most[2] > 0.2 * rates.angular_acceleration;
    }
    printf("  %d of %d tight\n", tight, TEST_ROUNDS(ROUNDS));
    assert_true(tight > TEST_ROUNDS(ROUNDS) / 4);
}

static void poses_are_within_their_bound_everywhere(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1953);
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        graze_motion_spline spline;
        unrestricted(&random, &spline);
        double scale = random_once_in(&random, 3) ? 0x1p-900 : 1; /* lengths do not matter */
        for (int i = 0; i < 16; i++)
            spline.quaternion[i / 4][i % 4] *= scale;
        graze_motion motion = {.kind = GRAZE_MOTION_SPLINE, .spline = &spline, .centre = {0.5, -1, 2}};
        double t = random_once_in(&random, 4) ? random_below(&random, 2) : random_unit(&random), bound;
        graze_pose pose;
        saved_environment saved;
        environment_enter(&saved, random_below(&random, ENVIRONMENTS));
        graze_status status = graze_motion_pose(&motion, t, &pose, &bound);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_true(bound < 1e-12);
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

static void splines_through_poses_run_on_smoothly(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1954);
    for (int round = 0; round < TEST_ROUNDS(ROUNDS) / 4; round++)
    {
        graze_pose poses[5];
        double error;
        for (int i = 0; i < 5; i++)
        {
            double q[4] = {1, 0, 0, 0}, move[3];
            for (int k = 0; k < 3; k++)
            {
                q[1 + k] = 0.3 * i + random_real(&random, -0.2, 0.2);
                move[k] = random_real(&random, -5, 5);
            }
            if (random_once_in(&random, 2)) /* the same rotation */
                for (int k = 0; k < 4; k++)
                    q[k] = -q[k];
            assert_int_equal(graze_pose_from_quaternion(q, move, &poses[i]), GRAZE_STATUS_OK);
        }
        graze_motion_spline splines[2];
        for (int i = 0; i < 2; i++)
        {
            const graze_pose *after = i == 1 && round % 2 == 0 ? NULL : &poses[i + 3];
            assert_int_equal(graze_motion_spline_through(i == 0 && round % 3 == 0 ? NULL : &poses[i], &poses[i + 1],
                                                         &poses[i + 2], after, &splines[i], &error),
                             GRAZE_STATUS_OK);
            assert_true(error < 1e-13);
        }
        double ends[2][7][2], sign = 1; /* value and derivative where the first goes over into the second */
        for (int k = 0; k < 7; k++)
            for (int side = 0; side < 2; side++)
            {
                const graze_motion_spline *s = &splines[side];
                double b[4];
                long double jet[3];
                for (int i = 0; i < 4; i++)
                    b[i] = k < 4 ? s->quaternion[i][k] : s->path[i][k - 4];
                cubic(b, 1 - side, jet);
                ends[side][k][0] = (double)jet[0];
                ends[side][k][1] = (double)jet[1];
            }
        for (int k = 0, widest = 0; k < 7; k++)
        {
            for (int i = 0; i < 4; i++)
                widest = fabs(ends[0][i][0]) > fabs(ends[0][widest][0]) ? i : widest;
            sign = k < 4 ? ends[0][widest][0] * ends[1][widest][0] : 1;
            sign = sign < 0 ? -1 : 1;
            assert_true(fabs(ends[0][k][0] - sign * ends[1][k][0]) <= 0);
            assert_true(fabs(ends[0][k][1] - sign * ends[1][k][1]) < 1e-14);
        }
    }
}

static void what_is_no_spline_is_refused(void **state)
{
    (void)state;
    graze_motion_spline spline = {.quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}};
    graze_motion motion = {.kind = GRAZE_MOTION_SPLINE, .spline = &spline}, turn;
    graze_pose pose, half = {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0}}, id = graze_pose_identity(), mirror = id;
    double deviation = 7;
    assert_int_equal(graze_motion_check(&motion), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_OK);
    assert_true(deviation < 1e-13);
    spline.quaternion[3][0] = -1;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    spline.quaternion[3][0] = 0;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    spline.quaternion[3][0] = NAN;
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_NOT_FINITE);
    spline.quaternion[3][0] = 1;
    spline.path[2][1] = INFINITY;
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_NOT_FINITE);
    for (int i = 0; i < 4; i++) /* finite, but its second differences are not */
        spline.path[i][1] = i % 2 == 0 ? 1e308 : -1e308;
    assert_int_equal(graze_motion_enclose(&motion, 0, 1, 1, &turn, &deviation), GRAZE_STATUS_NOT_FINITE);
    motion.spline = NULL;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_motion_spline_through(&half, &id, &id, &half, &spline, NULL), GRAZE_STATUS_OK);
    mirror.m[0] = -1;
    assert_int_equal(graze_motion_spline_through(&id, &mirror, &id, NULL, &spline, NULL), GRAZE_STATUS_NOT_RIGID);
    half.m[3] = NAN;
    assert_int_equal(graze_motion_spline_through(NULL, &id, &id, &half, &spline, NULL), GRAZE_STATUS_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_stay_within_their_deviation),
        cmocka_unit_test(rates_bound_the_derivatives),
        cmocka_unit_test(poses_are_within_their_bound_everywhere),
        cmocka_unit_test(splines_through_poses_run_on_smoothly),
        cmocka_unit_test(what_is_no_spline_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
