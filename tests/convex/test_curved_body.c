/* SPDX-License-Identifier: MIT */
/*
 * Support functions, boxes and half-spaces of curved bodies against long double, at every scale and in every
 * environment.
 */
#include "convex/curved.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/curved_bodies.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SEED = 1809
};

static void random_placed(test_random *random, test_body *body)
{
    double to[3];
    test_body_make(random, (test_body_kind)random_below(random, TEST_BODY_KINDS), body);
    for (int k = 0; k < 3; k++)
        to[k] = random_real(random, -3, 3);
    test_body_move(body, to);
}

static void extents_and_support_points_enclose_the_reference(void **state)
{
    (void)state;
    test_random random = test_random_start("extents", SEED);
    for (int round = 0; round < TEST_ROUNDS(5000); round++)
    {
        test_body a;
        long double w[3], back[3];
        double direction[3], lower, upper, point[3], support[2];
        random_placed(&random, &a);
        reference_direction(&random, w);
        int exponent = random_between(&random, -300, 300);
        for (int k = 0; k < 3; k++)
        {
            direction[k] = ldexp((double)w[k], exponent);
            w[k] = direction[k];
            back[k] = -w[k];
        }
        long double true_upper = reference_support(&a.body, w, NULL),
                    true_lower = -reference_support(&a.body, back, NULL);
        long double tolerance = ldexpl(5e-13L, exponent), noise = ldexpl(1e-17L, exponent);
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        grz_curved_extent(&a.body, direction, &lower, &upper);
        grz_curved_support(&a.body, direction, point, &support[0], &support[1]);
        environment_leave(&saved);
        assert_true(upper >= true_upper - noise && upper <= true_upper + tolerance);
        assert_true(lower <= true_lower + noise && lower >= true_lower - tolerance);
        assert_true(support[0] <= true_upper + noise && support[1] == upper);
        long double value = 0;
        for (int k = 0; k < 3; k++)
            value += point[k] * w[k];
        assert_true(fabsl(value - true_upper) <= tolerance);
        assert_true(reference_outside(&random, &a.body, point) <= 1e-13);
    }
}

static void boxes_contain_the_body_and_are_tight(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes", SEED);
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        test_body a;
        double lower[3], upper[3];
        random_placed(&random, &a);
        grz_curved_bounds(&a.body, lower, upper);
        for (int k = 0; k < 3; k++)
        {
            long double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
            long double high = reference_support(&a.body, up, NULL), low = -reference_support(&a.body, down, NULL);
            assert_true(upper[k] >= high - 1e-17L && upper[k] <= high + 5e-13L);
            assert_true(lower[k] <= low + 1e-17L && lower[k] >= low - 5e-13L);
        }
    }
}

static void boxes_reach_to_the_ends_of_the_range(void **state)
{
    (void)state;
    double lower[3], upper[3];
    grz_convex_body ball = {.kind = GRZ_CONVEX_ELLIPSOID, .numbers = {DBL_MAX, DBL_MAX, 0x1p-1074}};
    ball.pose = graze_pose_identity();
    ball.pose.m[3] = DBL_MAX;
    grz_curved_bounds(&ball, lower, upper);
    assert_true(upper[0] == INFINITY && lower[0] <= 0 && upper[1] >= DBL_MAX && lower[1] <= -DBL_MAX);
    assert_true(upper[2] >= 0x1p-1074 && lower[2] <= -0x1p-1074);
    for (int k = 0; k < 3; k++)
        ball.numbers[k] = 0x1p-1074;
    ball.pose.m[3] = 0;
    grz_curved_bounds(&ball, lower, upper);
    for (int k = 0; k < 3; k++)
        assert_true(upper[k] >= 0x1p-1074 && upper[k] <= 0x1p-1070 && lower[k] <= -0x1p-1074);
}

/* The half-space in the world: by the normal turned with the pose (exact for permutations of axes), in long double. */
static void half_spaces_are_decided_outside_of_the_width(void **state)
{
    (void)state;
    test_random random = test_random_start("half-spaces", SEED);
    size_t counts[3] = {0, 0, 0};
    for (int round = 0; round < TEST_ROUNDS(8000); round++)
    {
        test_body a, frame;
        long double n[3], turned[3] = {0, 0, 0}, back[3], shift = 0;
        double normal[3], lower, upper;
        random_placed(&random, &a);
        random_placed(&random, &frame);
        reference_direction(&random, n);
        for (int k = 0; k < 3; k++)
            normal[k] = (double)n[k];
        const double *m = frame.body.pose.m;
        long double length = 0;
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                turned[i] += m[4 * i + k] * (long double)normal[k];
            length += turned[i] * turned[i];
        }
        for (int i = 0; i < 3; i++)
        {
            back[i] = -turned[i] / sqrtl(length);
            shift += turned[i] * m[4 * i + 3];
        }
        long double least = -reference_support(&a.body, back, NULL);
        double gap = pow(10, random_real(&random, -18, 0)) * (random_once_in(&random, 2) ? 1 : -1);
        double offset = (double)(least - shift - gap);
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        graze_verdict verdict =
            grz_curved_against_half_space(&a.body, normal, offset, &frame.body.pose, &lower, &upper);
        environment_leave(&saved);
        counts[verdict]++;
        assert_true(lower <= gap + 1e-14 && upper >= gap - 1e-14 && upper - lower <= 1e-12);
        if (fabs(gap) > 1e-12)
            assert_int_equal(verdict, gap > 0 ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
    }
    for (int k = 0; k < 3; k++)
        assert_true(counts[k] > 500 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* x + y / 2 <= 3 after a shear, from which the plane x = 1 comes; numbers without roundings. */
static void half_spaces_may_be_sheared_and_far(void **state)
{
    (void)state;
    grz_convex_body cylinder = {.kind = GRZ_CONVEX_CYLINDER, .numbers = {2, 1, 0}, .pose = graze_pose_identity()};
    graze_pose pose = {{2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0}}; /* x' = 2 x + y: 2 x + y <= 8 becomes x' <= 8 */
    const double normal[3] = {2, 1, 0}, down[3] = {-2, -1, 0};
    double lower, upper;
    assert_int_equal(grz_curved_against_half_space(&cylinder, normal, 8, &pose, &lower, &upper), GRAZE_VERDICT_YES);
    assert_true(lower <= -9 && upper >= -9 && upper - lower < 1e-13);
    assert_int_equal(grz_curved_against_half_space(&cylinder, down, -8, &pose, &lower, &upper), GRAZE_VERDICT_NO);
    assert_true(lower <= 7 && upper >= 7 && upper - lower < 1e-13);
    assert_int_equal(grz_curved_against_half_space(&cylinder, normal, DBL_MAX, &pose, &lower, &upper),
                     GRAZE_VERDICT_YES);
    assert_int_equal(grz_curved_against_half_space(&cylinder, normal, -DBL_MAX, &pose, &lower, &upper),
                     GRAZE_VERDICT_NO);
    const double tiny[3] = {0x1p-1074, 0, 0};
    assert_int_equal(grz_curved_against_half_space(&cylinder, tiny, DBL_MAX, &pose, &lower, NULL), GRAZE_VERDICT_YES);
    assert_int_equal(grz_curved_against_half_space(&cylinder, tiny, -DBL_MAX, &pose, NULL, &upper), GRAZE_VERDICT_NO);
    graze_pose flat = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}};
    assert_int_equal(grz_curved_against_half_space(&cylinder, normal, 8, &flat, NULL, NULL), GRAZE_VERDICT_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_and_support_points_enclose_the_reference),
        cmocka_unit_test(boxes_contain_the_body_and_are_tight),
        cmocka_unit_test(boxes_reach_to_the_ends_of_the_range),
        cmocka_unit_test(half_spaces_are_decided_outside_of_the_width),
        cmocka_unit_test(half_spaces_may_be_sheared_and_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
