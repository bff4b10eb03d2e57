/* SPDX-License-Identifier: MIT */
/*
 * World AABBs and bounding spheres of shapes hold them, by rational arithmetic: cores with radii, also where one of
 * core and radius is far smaller than the other; and the boxes of curved shapes and compounds lie in their spheres.
 */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

/* The sign of x - y - z. */
static int sign_of_rest(double x, double y, double z)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_d(a, x);
    mpq_set_d(b, y);
    mpq_sub(a, a, b);
    mpq_set_d(b, z);
    mpq_sub(a, a, b);
    int sign = mpq_sgn(a);
    mpq_clears(a, b, NULL);
    return sign;
}

/* Whether a ball around a point, placed at point + shift, with a radius, lies in a sphere. */
static bool holds_ball(const grz_world_sphere *sphere, const double point[3], const double shift[3], double radius)
{
    mpq_t square, room, x;
    bool holds = isinf(sphere->radius) != 0;
    if (holds)
        return true;
    mpq_inits(square, room, x, NULL);
    for (int k = 0; k < 3; k++)
    {
        mpq_set_d(x, point[k]);
        mpq_set_d(room, shift[k]);
        mpq_add(x, x, room);
        mpq_set_d(room, sphere->centre[k]);
        mpq_sub(x, x, room);
        mpq_mul(x, x, x);
        mpq_add(square, square, x);
    }
    mpq_set_d(room, sphere->radius);
    mpq_set_d(x, radius);
    mpq_sub(room, room, x);
    holds = mpq_sgn(room) >= 0;
    mpq_mul(room, room, room);
    holds = holds && mpq_cmp(square, room) <= 0;
    mpq_clears(square, room, x, NULL);
    return holds;
}

static double any_size(test_random *random)
{
    return ldexp(random_real(random, 0.5, 1), random_between(random, -40, 40));
}

static void boxes_and_spheres_hold_cores_with_radii(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_and_spheres_hold_cores_with_radii", 41);
    int tight = 0;
    for (int round = 0; round < 20000; round++)
    {
        double ends[2][3], radius = any_size(&random), shift[3], size = any_size(&random), far = any_size(&random);
        graze_shape *capsule;
        graze_pose pose = graze_pose_identity();
        for (int k = 0; k < 3; k++)
        {
            ends[0][k] = random_real(&random, -size, size);
            ends[1][k] = random_once_in(&random, 2) ? -ends[0][k] : random_real(&random, -size, size);
            pose.m[4 * k + 3] = shift[k] = random_once_in(&random, 3) ? 0 : random_real(&random, -far, far);
        }
        assert_int_equal(graze_shape_create_capsule(NULL, (const double(*)[3])ends, radius, &capsule), GRAZE_STATUS_OK);
        saved_environment saved;
        graze_box box;
        grz_world_sphere ball;
        environment_enter(&saved, round % ENVIRONMENTS);
        grz_world_bounds_of_shape(capsule, &pose, &box, &ball);
        environment_leave(&saved);
        for (int end = 0; end < 2; end++)
        {
            assert_true(holds_ball(&ball, ends[end], shift, radius));
            for (int k = 0; k < 3; k++)
            {
                double whole = ends[end][k] + shift[k]; /* checked where it is exact */
                if (sign_of_rest(whole, ends[end][k], shift[k]) != 0)
                    continue;
                assert_true(sign_of_rest(whole, box.lower[k], radius) >= 0);
                assert_true(sign_of_rest(box.upper[k], whole, radius) >= 0);
                tight += whole - box.lower[k] < radius * (1 + 1e-9);
            }
        }
        graze_shape_destroy(capsule);
    }
    printf("%d ends near\n", tight);
    assert_true(tight > 5000);
}

static void spheres_of_other_shapes_hold_their_boxes(void **state)
{
    (void)state;
    test_random random = test_random_start("spheres_of_other_shapes_hold_their_boxes", 43);
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE, GRAZE_SHAPE_ELLIPSOID,
                                             GRAZE_SHAPE_COMPOUND, GRAZE_SHAPE_HALF_SPACE};
    int finite = 0;
    for (int round = 0; round < 1500; round++)
    {
        random_shape made;
        random_shape_make_scaled(&random, kinds[round % 5], ldexp(1, random_between(&random, -60, 60)), &made);
        graze_pose pose = random_rigid_pose(&random);
        graze_placed placed = {made.shape, pose};
        graze_box box, known;
        grz_world_sphere ball;
        saved_environment saved;
        assert_int_equal(graze_placed_bounds(&placed, &known), GRAZE_STATUS_OK);
        environment_enter(&saved, round % ENVIRONMENTS);
        grz_world_bounds_of_shape(made.shape, &pose, &box, &ball);
        environment_leave(&saved);
        finite += isfinite(ball.radius) != 0;
        for (int corner = 0; corner < 8; corner++)
        {
            static const double none[3];
            double point[3];
            for (int k = 0; k < 3; k++)
            {
                point[k] = (corner >> k & 1) != 0 ? box.upper[k] : box.lower[k];
                assert_true(box.lower[k] <= fmax(known.lower[k], -DBL_MAX) &&
                            box.upper[k] >= fmin(known.upper[k], DBL_MAX));
            }
            assert_true(holds_ball(&ball, point, none, 0));
        }
        random_shape_clear(&made);
    }
    assert_true(finite > 900);
}

/* The exact placed coordinate of a point along an axis, less `x`. */
static int sign_beyond(const graze_pose *pose, int axis, const double y[3], double x)
{
    mpq_t sum, term, factor;
    mpq_inits(sum, term, factor, NULL);
    mpq_set_d(sum, -x);
    for (int k = 0; k < 4; k++)
    {
        mpq_set_d(term, pose->m[4 * axis + k]);
        mpq_set_d(factor, k < 3 ? y[k] : 1);
        mpq_mul(term, term, factor);
        mpq_add(sum, sum, term);
    }
    int sign = mpq_sgn(sum);
    mpq_clears(sum, term, factor, NULL);
    return sign;
}

/* Corners of boxes, points of rims (3, 4, 5) and ends of capsules, placed exactly, lie in the bounds of quick bodies.
 */
static void bounds_of_quick_bodies_hold_their_points(void **state)
{
    (void)state;
    test_random random = test_random_start("bounds_of_quick_bodies_hold_their_points", 47);
    int close = 0;
    for (int round = 0; round < 4000; round++)
    {
        double unit = random_real(&random, 0.5, 1), far = random_once_in(&random, 2) ? 0 : 100, q[4], t[3], y[3];
        const double ends[2][3] = {{-3 * unit, -4 * unit, -unit}, {3 * unit, 4 * unit, unit}};
        const double size[3] = {6 * unit, 8 * unit, 2 * unit};
        graze_pose pose;
        graze_shape *shape;
        for (int k = 0; k < 4; k++)
            q[k] = random_real(&random, -1, 1);
        for (int k = 0; k < 3; k++)
        {
            t[k] = random_real(&random, -far, far);
            y[k] = size[k] / 2;
        }
        assert_int_equal(graze_pose_from_quaternion(q, t, &pose), GRAZE_STATUS_OK);
        graze_status status = round % 3 == 0   ? graze_shape_create_box(NULL, size, &shape)
                              : round % 3 == 1 ? graze_shape_create_cylinder(NULL, 2 * unit, 5 * unit, &shape)
                                               : graze_shape_create_capsule(NULL, ends, 0, &shape);
        assert_int_equal(status, GRAZE_STATUS_OK);
        grz_quick_body body = grz_quick_body_of(shape);
        graze_box box;
        grz_world_sphere ball;
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        assert_true(grz_quick_body_place(&body, &pose, GRZ_DEFECT_UNKNOWN));
        grz_quick_body_bounds(&body, &pose, &box, ball.centre, &ball.radius, &ball.error);
        environment_leave(&saved);
        double square = 0;
        for (int k = 0; k < 3; k++)
        {
            /* 5 * unit is rounded, and so may be a little less than the rim's point needs: not by more than an ulp. */
            double slack = round % 3 == 1 ? 0x1p-50 : 0;
            assert_true(sign_beyond(&pose, k, y, box.upper[k] + slack) <= 0 &&
                        sign_beyond(&pose, k, y, box.lower[k] - slack) >= 0);
            close += sign_beyond(&pose, k, y, box.upper[k] - 1e-12) > 0;
            double x = pose.m[4 * k] * y[0] + pose.m[4 * k + 1] * y[1] + pose.m[4 * k + 2] * y[2];
            square += (x + pose.m[4 * k + 3] - ball.centre[k]) * (x + pose.m[4 * k + 3] - ball.centre[k]);
        }
        assert_true(sqrt(square) <= ball.radius * (1 + 1e-12));
        graze_shape_destroy(shape);
    }
    printf("%d close\n", close);
    assert_true(close > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_spheres_hold_cores_with_radii),
        cmocka_unit_test(spheres_of_other_shapes_hold_their_boxes),
        cmocka_unit_test(bounds_of_quick_bodies_hold_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
