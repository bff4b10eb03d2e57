/* SPDX-License-Identifier: MIT */
/*
 * Half-spaces against balls, curved bodies and each other, in rationals: numbers of every size, in every floating-point
 * environment, and planes that touch exactly.
 */
#include "shape/plane.h"

#include <math.h>
#include <stdio.h>

#include "support/environment.h"
#include "support/oracle_shapes.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 2400
};

static double number(test_random *random, int how)
{
    switch (how)
    {
    case 0:
        return random_between(random, -4, 4);
    case 1:
        return random_between(random, -3, 3) * 0.1;
    case 2:
        return ldexp(random_between(random, -9, 9), random_between(random, -1060, 1000));
    default:
        return random_bits_double(random);
    }
}

/* Any pose that has an inverse; on the grid for those that touch. */
static graze_pose draw_pose(test_random *random, int how)
{
    graze_pose pose = random_rigid_pose(random);
    if (how == 0)
        return graze_pose_translation(number(random, 0), number(random, 0), number(random, 0));
    if (how == 1)
        return pose;
    do
        for (int k = 0; k < 12; k++)
            pose.m[k] = number(random, how);
    while (graze_pose_handedness(&pose) == 0);
    return pose;
}

static graze_shape *draw_plane(test_random *random, int how)
{
    static const double whole[][3] = {{0, 0, 1}, {3, 4, 0}, {-1, 0, 0}, {2, -2, 1}}; /* whole lengths */
    graze_shape *shape;
    double normal[3];
    if (how == 0)
    {
        assert_int_equal(graze_shape_create_half_space(NULL, whole[random_below(random, 4)],
                                                       random_between(random, -12, 12), &shape),
                         GRAZE_STATUS_OK);
        return shape;
    }
    do
        for (int k = 0; k < 3; k++)
            normal[k] = number(random, how);
    while (graze_shape_create_half_space(NULL, normal, number(random, how), &shape) != GRAZE_STATUS_OK);
    return shape;
}

/* The half-space of the same normal whose plane, placed, lies this deep below the origin of a placed shape. */
static void touch(const graze_placed *shape, graze_placed *plane, double depth)
{
    double n[4], offset = -depth;
    graze_shape *moved;
    graze_shape_numbers(plane->shape, n, 4);
    for (int k = 0; k < 3; k++)
        offset += n[k] * (shape->pose.m[4 * k + 3] - plane->pose.m[4 * k + 3]);
    assert_int_equal(graze_shape_create_half_space(NULL, n, offset, &moved), GRAZE_STATUS_OK);
    graze_shape_destroy((graze_shape *)plane->shape);
    plane->shape = moved;
}

/* How far a curved body reaches along a normal, for those of whole length, in doubles. */
static double reach_of(const graze_shape *shape, const double n[3])
{
    double numbers[3], across = hypot(n[0], n[1]);
    graze_shape_numbers(shape, numbers, 3);
    if (graze_shape_get_kind(shape) == GRAZE_SHAPE_ELLIPSOID)
        return hypot(hypot(numbers[0] * n[0], numbers[1] * n[1]), numbers[2] * n[2]);
    double end = numbers[0] / 2 * n[2];
    if (graze_shape_get_kind(shape) == GRAZE_SHAPE_CYLINDER)
        return fabs(end) + numbers[1] * across;
    return fmax(-end, end + numbers[1] * across);
}

static void balls_meet_half_spaces_as_in_rationals(void **state)
{
    (void)state;
    static const double radii[] = {0, 1, 0.5, 3, 0x1p-60, 0x1.0000000000001p0, 1e300};
    test_random random = test_random_start("balls and half-spaces", 31);
    int touching = 0, meeting = 0;
    grz_shape_query query = {.context = NULL};
    graze_verdict verdict;
    static grz_half_space h; /* large */
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        int how = round % 4;
        double centre[3];
        graze_shape *sphere, *plane = draw_plane(&random, how);
        for (int k = 0; k < 3; k++)
            centre[k] = number(&random, how);
        double radius = radii[random_below(&random, 7)], tolerance = radii[random_below(&random, 7)];
        assert_int_equal(graze_shape_create_sphere(NULL, centre, radius, &sphere), GRAZE_STATUS_OK);
        graze_placed ball = {sphere, draw_pose(&random, how)}, placed = {plane, draw_pose(&random, how)};
        if (how == 0 && random_once_in(&random, 2))
        {
            double n[3], depth = 0, length = 0;
            graze_shape_numbers(plane, n, 3);
            for (int k = 0; k < 3; k++)
            {
                depth -= n[k] * centre[k];
                length += n[k] * n[k];
            }
            touch(&ball, &placed, depth + (radius + tolerance) * sqrt(length));
        }
        int order = oracle_compare_height(&ball, &placed, tolerance);
        const double terms[2] = {radius, tolerance};
        for (int strict = 0; strict < 2; strict++)
        {
            saved_environment saved;
            environment_enter(&saved, round % 2 == 0 ? 0 : 2 * (round % ROUNDING_MODES));
            assert_true(grz_half_space_place(&placed, &h));
            bool meet = grz_half_space_meets_ball(&h, centre, &ball.pose, terms, 2, strict != 0);
            environment_leave(&saved);
            assert_true(meet == (strict != 0 ? order < 0 : order <= 0));
            assert_int_equal(
                grz_core_plane_decide(&query, &ball, &placed, (grz_reach){tolerance, strict != 0}, &verdict, NULL),
                GRAZE_STATUS_OK);
            assert_int_equal(verdict, meet ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
        }
        touching += order == 0;
        meeting += order < 0;
        graze_shape_destroy(sphere);
        graze_shape_destroy((graze_shape *)placed.shape);
    }
    printf("%d meet, %d touch\n", meeting, touching);
    assert_true(meeting > TEST_ROUNDS(ROUNDS) / 8 && touching > TEST_ROUNDS(ROUNDS) / 60);
}

static void half_spaces_meet_each_other_as_in_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("two half-spaces", 32);
    int touching = 0, apart = 0;
    grz_shape_query query = {.context = NULL};
    graze_verdict verdict;
    static grz_half_space x, y; /* large */
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        int how = round % 4;
        graze_shape *plane = draw_plane(&random, how),
                    *other = random_once_in(&random, 2) ? plane : draw_plane(&random, how);
        graze_placed a = {plane, draw_pose(&random, how)}, b = {other, a.pose};
        if (random_once_in(&random, 2)) /* mirrored at a point: they face each other */
            for (int k = 0; k < 12; k++)
                b.pose.m[k] = k % 4 == 3 ? number(&random, how) : -b.pose.m[k];
        double tolerance = random_once_in(&random, 2) ? 0 : fabs(number(&random, how));
        if (how == 0)
            tolerance = random_between(&random, 0, 3);
        if (how == 0 && other == plane && b.pose.m[0] < 0)
        {
            double n[4], length; /* the planes are -2 offset / |n| apart at the same place */
            graze_shape_numbers(plane, n, 4);
            length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int k = 0; k < 3; k++)
                b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3];
            tolerance = n[3] < 0 ? -2 * n[3] / length : tolerance;
        }
        int order = oracle_compare_half_spaces(&a, &b, tolerance);
        assert_true(grz_half_space_place(&a, &x) && grz_half_space_place(&b, &y));
        assert_true(grz_half_spaces_meet(&x, &y, tolerance, false) == (order <= 0));
        assert_true(grz_half_spaces_meet(&y, &x, tolerance, false) == (order <= 0));
        assert_true(grz_half_spaces_meet(&x, &y, tolerance, true) == (order < 0));
        assert_int_equal(grz_plane_plane_decide(&query, &a, &b, (grz_reach){tolerance, true}, &verdict, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(verdict, order < 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
        touching += order == 0;
        apart += order > 0;
        if (other != plane)
            graze_shape_destroy(other);
        graze_shape_destroy(plane);
    }
    printf("%d apart, %d touch\n", apart, touching);
    assert_true(apart > TEST_ROUNDS(ROUNDS) / 16 && touching > TEST_ROUNDS(ROUNDS) / 100);
}

static void curved_bodies_touch_half_spaces_exactly(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE, GRAZE_SHAPE_ELLIPSOID};
    test_random random = test_random_start("curved bodies and half-spaces", 33);
    int touching = 0, meeting = 0;
    static grz_half_space h; /* large */
    for (int round = 0; round < TEST_ROUNDS(ROUNDS) / 2; round++)
    {
        random_shape x;
        random_shape_make(&random, kinds[round % 3], &x);
        graze_shape *plane = draw_plane(&random, 0);
        graze_placed curved = {x.shape, draw_pose(&random, round % 2)}, placed = {plane, draw_pose(&random, round % 2)};
        if (round % 2 == 0)
        {
            double n[3];
            graze_shape_numbers(plane, n, 3);
            touch(&curved, &placed, reach_of(x.shape, n));
        }
        int order = oracle_compare_height(&curved, &placed, 0);
        assert_true(grz_half_space_place(&placed, &h));
        assert_true(grz_half_space_meets_curved(&h, &curved, false) == (order <= 0));
        assert_true(grz_half_space_meets_curved(&h, &curved, true) == (order < 0));
        double d[3];
        grz_plane_direction(&h, d);
        assert_true(fabs(hypot(hypot(d[0], d[1]), d[2]) - 1) < 1e-12);
        touching += order == 0;
        meeting += order < 0;
        graze_shape_destroy((graze_shape *)placed.shape);
        random_shape_clear(&x);
    }
    printf("%d meet, %d touch\n", meeting, touching);
    assert_true(meeting > TEST_ROUNDS(ROUNDS) / 8 && touching > TEST_ROUNDS(ROUNDS) / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_meet_half_spaces_as_in_rationals),
        cmocka_unit_test(half_spaces_meet_each_other_as_in_rationals),
        cmocka_unit_test(curved_bodies_touch_half_spaces_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
