/* SPDX-License-Identifier: MIT */
/*
 * Rays against curved bodies, with first points that are known: where a ray crosses the plane that touches the body in
 * one of its points, and no earlier.
 */
#include "convex/curved.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/curved_bodies.h"
#include "support/environment.h"
#include "support/lattice.h"
#include "support/unit.h"

enum
{
    SEED = 1810
};

/* A body, a point of it, and the plane that touches it there. */
typedef struct contact
{
    test_body body;
    long double normal[3], point[3];
    double size;
} contact;

static void contact_make(test_random *random, contact *c)
{
    double to[3];
    test_body_make(random, (test_body_kind)random_below(random, TEST_CURVED_KINDS), &c->body);
    for (int k = 0; k < 3; k++)
        to[k] = random_real(random, -2, 2);
    test_body_move(&c->body, to);
    reference_direction(random, c->normal);
    reference_support(&c->body.body, c->normal, c->point);
}

static double size_with(const contact *c, const double origin[3])
{
    double zero[1][3] = {{0, 0, 0}};
    grz_convex_body point = {.kind = GRZ_CONVEX_POLYTOPE, .vertices = (const double(*)[3])zero, .vertex_count = 1};
    point.pose = graze_pose_identity();
    for (int k = 0; k < 3; k++)
        point.pose.m[4 * k + 3] = origin[k];
    return reference_size(&c->body.body, &point);
}

static void first_points_are_enclosed(void **state)
{
    (void)state;
    test_random random = test_random_start("first points of rays", SEED);
    size_t hits = 0, short_of = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        contact c;
        long double into[3];
        double origin[3], direction[3], t = random_real(&random, 0.01, 10);
        contact_make(&random, &c);
        reference_direction(&random, into);
        long double slope = 0;
        for (int k = 0; k < 3; k++)
            slope += into[k] * c.normal[k];
        if (slope > -0.05L)
            continue;
        double length = pow(2, random_between(&random, -200, 200));
        for (int k = 0; k < 3; k++)
        {
            direction[k] = (double)into[k] * length;
            origin[k] = (double)(c.point[k] - (long double)direction[k] * (t / length));
        }
        double size = size_with(&c, origin), error = 1e-15 * size / (double)-slope;
        grz_curved_hit hit;
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        grz_curved_ray(&c.body.body, origin, direction, INFINITY, &hit);
        environment_leave(&saved);
        assert_true(hit.lower <= hit.upper);
        assert_true(hit.hit != GRAZE_VERDICT_NO || c.body.body.kind != GRZ_CONVEX_ELLIPSOID);
        if (hit.hit == GRAZE_VERDICT_YES)
        {
            assert_true(hit.lower * length <= t + error || c.body.body.kind != GRZ_CONVEX_ELLIPSOID);
            assert_true(hit.upper * length >= t - error);
            hits++;
        }
        if (c.body.body.kind != GRZ_CONVEX_ELLIPSOID)
            continue; /* others have edges and tips, which a rounded ray misses or meets later */
        assert_int_equal(hit.hit, GRAZE_VERDICT_YES);
        assert_true((hit.upper - hit.lower) * length <= 1e-11 * size / (double)-slope);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(hit.normal[k] - (double)c.normal[k]) < 1e-5);
        grz_curved_ray(&c.body.body, origin, direction, hit.lower * (1 - 1e-10), &hit);
        assert_int_equal(hit.hit, GRAZE_VERDICT_NO);
        short_of++;
    }
    assert_true(hits > 500 / (SUPPORT_SANITIZED ? 4 : 1) && short_of > 150 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* Along a plane that touches the body, a little beside it. */
static void rays_beside_the_body_miss_it(void **state)
{
    (void)state;
    test_random random = test_random_start("grazing rays", SEED);
    size_t missed = 0, met = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        contact c;
        long double other[3], along[3];
        double origin[3], direction[3];
        contact_make(&random, &c);
        reference_direction(&random, other);
        for (int k = 0; k < 3; k++)
            along[k] = c.normal[(k + 1) % 3] * other[(k + 2) % 3] - c.normal[(k + 2) % 3] * other[(k + 1) % 3];
        double gap = pow(10, random_real(&random, -14, -1)) * (random_once_in(&random, 2) ? 1 : -1);
        for (int k = 0; k < 3; k++)
        {
            direction[k] = (double)along[k];
            origin[k] = (double)(c.point[k] + gap * c.normal[k] - 3 * along[k]);
        }
        grz_curved_hit hit;
        double size = size_with(&c, origin);
        grz_curved_ray(&c.body.body, origin, direction, 6, &hit);
        if (gap > 3e-12 * size)
            assert_int_equal(hit.hit, GRAZE_VERDICT_NO);
        if (gap < -3e-12 * size && c.body.body.kind == GRZ_CONVEX_ELLIPSOID && gap > -0.05)
            assert_int_equal(hit.hit, GRAZE_VERDICT_YES);
        missed += hit.hit == GRAZE_VERDICT_NO;
        met += hit.hit == GRAZE_VERDICT_YES;
    }
    assert_true(missed > 500 / (SUPPORT_SANITIZED ? 4 : 1) && met > 150 / (SUPPORT_SANITIZED ? 4 : 1));
}

static void check_hit(const grz_convex_body *body, const double origin[3], const double direction[3], double limit,
                      double t)
{
    grz_curved_hit hit;
    grz_curved_ray(body, origin, direction, limit, &hit);
    assert_int_equal(hit.hit, t < INFINITY ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
    if (t < INFINITY)
        assert_true(hit.lower <= t && t <= hit.upper && hit.upper - hit.lower <= 1e-12 * (1 + t));
    if (t == 0) /* from inside: at once, across no surface */
        assert_true(hit.upper == 0 && hit.normal[0] == 0 && hit.normal[1] == 0 && hit.normal[2] == 0);
}

static void known_rays_hit_where_they_should(void **state)
{
    (void)state;
    grz_convex_body cylinder = {.kind = GRZ_CONVEX_CYLINDER, .numbers = {2, 1, 0}, .pose = graze_pose_identity()};
    grz_convex_body cone = cylinder, disk = cylinder;
    cone.kind = GRZ_CONVEX_CONE;
    disk.numbers[0] = 0;
    const double beside[3] = {-4, 0, 0}, above[3] = {0.25, 0, 5}, inside[3] = {0.25, 0, -0.5}, wide[3] = {2, 0, 5};
    const double x[3] = {1, 0, 0}, down[3] = {0, 0, -2}, up[3] = {0, 0, 1}, zero[3] = {0, 0, 0};
    check_hit(&cylinder, beside, x, INFINITY, 3);
    check_hit(&cylinder, beside, x, 3.5, 3);
    check_hit(&cylinder, beside, x, 2.5, INFINITY);
    check_hit(&cylinder, above, down, INFINITY, 2);
    check_hit(&cylinder, above, up, INFINITY, INFINITY);
    check_hit(&cylinder, wide, down, INFINITY, INFINITY);
    check_hit(&cylinder, inside, up, INFINITY, 0);
    check_hit(&cylinder, inside, zero, INFINITY, 0);
    check_hit(&cylinder, above, zero, INFINITY, INFINITY);
    check_hit(&cone, beside, x, INFINITY, 3.5);
    check_hit(&cone, above, down, INFINITY, 2.25);
    check_hit(&disk, above, down, INFINITY, 2.5);
    check_hit(&disk, above, down, 2.25, INFINITY);
}

/* Parameters below the least normal number are enclosed, too: a long way off 1 between directions of 2^1023. */
static void denormal_parameters_are_enclosed(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++)
    {
        double radius = ldexp(1 + i / 64.0, -42), distance = ldexp(1 + i / 300.0, -36);
        const double origin[3] = {-distance, 0, 0}, direction[3] = {0x1p1023, 0, 0};
        grz_convex_body body = {.kind = GRZ_CONVEX_CYLINDER, .numbers = {radius, radius, 0}};
        grz_curved_hit hit;
        body.pose = graze_pose_identity();
        grz_curved_ray(&body, origin, direction, INFINITY, &hit);
        long double t = ((long double)distance - radius) / 0x1p1023L;
        assert_int_equal(hit.hit, GRAZE_VERDICT_YES);
        assert_true(hit.lower <= t && t <= hit.upper && hit.upper - hit.lower <= 0x1p-1070);
    }
}

static void any_ray_is_answered(void **state)
{
    (void)state;
    test_random random = test_random_start("any rays", SEED);
    size_t decided = 0;
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        test_body a;
        double origin[3], direction[3], limit = fabs(random_bits_double(&random));
        test_body_make(&random, (test_body_kind)random_below(&random, TEST_CURVED_KINDS), &a);
        for (int k = 0; k < 3; k++)
        {
            a.body.numbers[k] = random_once_in(&random, 3) ? 1 : fabs(random_bits_double(&random));
            a.body.pose.m[4 * k + 3] = random_once_in(&random, 2) ? 0 : random_bits_double(&random);
            origin[k] = random_once_in(&random, 2) ? 0 : random_bits_double(&random);
            direction[k] = random_once_in(&random, 3) ? 0 : random_bits_double(&random);
        }
        grz_curved_hit hit;
        grz_curved_ray(&a.body, origin, direction, limit, &hit);
        assert_true(hit.lower >= 0 && hit.lower <= hit.upper && hit.upper <= limit);
        decided += hit.hit != GRAZE_VERDICT_UNKNOWN;
    }
    assert_true(decided > (size_t)TEST_ROUNDS(2000) / 4);
}

/* Straight at a ball or cylinder, whose first point is the difference of two doubles: it is never passed. */
static void first_points_are_never_passed(void **state)
{
    (void)state;
    test_random random = test_random_start("first points of straight rays", SEED);
    mpq_t t, x;
    mpq_inits(t, x, NULL);
    size_t hits = 0;
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        int axis = round % 2;
        double centre = random_real(&random, 3, 4) * (1 << random_below(&random, 12)),
               radius = random_real(&random, 0.1, 2);
        double origin[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
        grz_convex_body body = {
            .kind = GRZ_CONVEX_CYLINDER, .numbers = {0.5, radius, 0}, .pose = graze_pose_identity()};
        if (round % 3 == 0)
        {
            body.kind = GRZ_CONVEX_ELLIPSOID;
            for (int k = 0; k < 3; k++)
                body.numbers[k] = radius;
        }
        body.pose.m[4 * axis + 3] = centre;
        direction[axis] = ldexp(1, random_between(&random, -3, 3));
        grz_curved_hit hit;
        grz_curved_ray(&body, origin, direction, INFINITY, &hit);
        assert_int_equal(hit.hit, GRAZE_VERDICT_YES);
        rational_set_double(t, centre);
        rational_set_double(x, radius);
        mpq_sub(t, t, x);
        rational_set_double(x, direction[axis]);
        mpq_div(t, t, x);
        rational_set_double(x, hit.lower);
        assert_true(mpq_cmp(x, t) <= 0);
        rational_set_double(x, hit.upper);
        assert_true(mpq_cmp(x, t) >= 0);
        hits++;
    }
    mpq_clears(t, x, NULL);
    assert_true(hits > 100);
}

/* At balls from anywhere: by the sign of (o + t d - c)^2 - r^2, in rational numbers, no point before `lower` is in the
   ball and that at `upper` is. */
static void balls_are_not_entered_before_the_first_point(void **state)
{
    (void)state;
    test_random random = test_random_start("first points of balls", SEED);
    mpq_t t, x, y, sum;
    mpq_inits(t, x, y, sum, NULL);
    size_t hits = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        double origin[3], direction[3], radius = random_real(&random, 0.1, 1);
        grz_convex_body ball = {
            .kind = GRZ_CONVEX_ELLIPSOID, .numbers = {radius, radius, radius}, .pose = graze_pose_identity()};
        for (int k = 0; k < 3; k++)
        {
            ball.pose.m[4 * k + 3] = random_real(&random, -1, 1);
            origin[k] = random_real(&random, -9, 9);
            direction[k] = ball.pose.m[4 * k + 3] + 0.6 * radius * random_real(&random, -1, 1) - origin[k];
        }
        grz_curved_hit hit;
        grz_curved_ray(&ball, origin, direction, INFINITY, &hit);
        for (int end = 0; end < 2 && hit.hit == GRAZE_VERDICT_YES && hit.lower > 0; end++)
        {
            rational_set_double(t, end == 0 ? hit.lower : hit.upper);
            rational_set_double(sum, radius);
            mpq_mul(sum, sum, sum);
            mpq_neg(sum, sum);
            for (int k = 0; k < 3; k++)
            {
                rational_set_double(x, direction[k]);
                mpq_mul(x, x, t);
                rational_set_double(y, origin[k]);
                mpq_add(x, x, y);
                rational_set_double(y, ball.pose.m[4 * k + 3]);
                mpq_sub(x, x, y);
                mpq_mul(x, x, x);
                mpq_add(sum, sum, x);
            }
            assert_true(end == 0 ? mpq_sgn(sum) >= 0 : mpq_sgn(sum) <= 0);
            hits++;
        }
    }
    mpq_clears(t, x, y, sum, NULL);
    assert_true(hits > (size_t)TEST_ROUNDS(1000));
}

/* Rays without a direction are points; a ray from just outside of a body does not begin within it. */
static void rays_that_begin_beside_the_body_are_outside(void **state)
{
    (void)state;
    grz_convex_body ball = {.kind = GRZ_CONVEX_ELLIPSOID, .numbers = {1, 1, 1}, .pose = graze_pose_identity()};
    const double zero[3] = {0, 0, 0}, inward[3] = {-1, 0, 0};
    for (int exponent = -70; exponent < 2; exponent++)
        for (int limit = 0; limit < 2; limit++)
        {
            const double beside[3] = {1, ldexp(1, exponent), 0}, below[3] = {1 - ldexp(1, exponent) / 2, 0, 0};
            grz_curved_hit hit;
            grz_curved_ray(&ball, beside, zero, limit == 0 ? INFINITY : 1, &hit);
            assert_true(hit.hit != GRAZE_VERDICT_YES && hit.lower >= 0 && hit.upper >= hit.lower);
            if (exponent > -18)
                assert_int_equal(hit.hit, GRAZE_VERDICT_NO);
            grz_curved_ray(&ball, beside, inward, limit == 0 ? INFINITY : 1, &hit);
            if (hit.hit == GRAZE_VERDICT_YES) /* at about the square of it, halved */
                assert_true(hit.upper >= ldexp(1, 2 * exponent - 2));
            if (exponent > -30 && exponent < -1)
            {
                grz_curved_ray(&ball, below, zero, limit == 0 ? INFINITY : 1, &hit);
                assert_true(hit.hit == GRAZE_VERDICT_YES && hit.lower == 0 && hit.upper == 0);
            }
        }
}

/* Points within rounding of the side of a cylinder, or of a ball: what is said of them is right, by x^2 + y^2 + z^2 -
   r^2 in rational numbers. */
static void points_within_rounding_of_a_surface_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    test_random random = test_random_start("points within rounding of a surface", SEED);
    const double zero[3] = {0, 0, 0}, limits[3] = {INFINITY, 0, 1};
    mpq_t x, sum;
    mpq_inits(x, sum, NULL);
    int counts[3] = {0, 0, 0};
    for (int round = 0; round < TEST_ROUNDS(6000); round++)
    {
        grz_convex_body body = {.kind = GRZ_CONVEX_CYLINDER, .numbers = {2, 0.5, 0}, .pose = graze_pose_identity()};
        double at[3] = {random_real(&random, -1, 1), random_real(&random, -1, 1), random_real(&random, -1, 1)};
        bool ball = round % 2 != 0;
        if (ball)
        {
            body.kind = GRZ_CONVEX_ELLIPSOID;
            body.numbers[0] = body.numbers[2] = 0.5;
        }
        double length = sqrt(at[0] * at[0] + at[1] * at[1] + (ball ? at[2] * at[2] : 0));
        mpq_set_si(sum, -1, 4);
        for (int k = 0; k < (ball ? 3 : 2); k++)
        {
            at[k] = at[k] / length * (0.5 + ldexp(random_between(&random, -4, 4), -54 + random_below(&random, 16)));
            rational_set_double(x, at[k]);
            mpq_mul(x, x, x);
            mpq_add(sum, sum, x);
        }
        grz_curved_hit hit;
        grz_curved_ray(&body, at, zero, limits[round % 3], &hit);
        assert_true(mpq_sgn(sum) <= 0 || hit.hit != GRAZE_VERDICT_YES);
        assert_true(mpq_sgn(sum) > 0 || hit.hit != GRAZE_VERDICT_NO);
        counts[hit.hit]++;
    }
    printf("%d unknown, %d outside, %d inside\n", counts[GRAZE_VERDICT_UNKNOWN], counts[GRAZE_VERDICT_NO],
           counts[GRAZE_VERDICT_YES]);
    assert_true(counts[GRAZE_VERDICT_NO] > TEST_ROUNDS(300) && counts[GRAZE_VERDICT_YES] > TEST_ROUNDS(300));
    mpq_clears(x, sum, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_points_are_enclosed),
        cmocka_unit_test(rays_beside_the_body_miss_it),
        cmocka_unit_test(known_rays_hit_where_they_should),
        cmocka_unit_test(denormal_parameters_are_enclosed),
        cmocka_unit_test(any_ray_is_answered),
        cmocka_unit_test(first_points_are_never_passed),
        cmocka_unit_test(balls_are_not_entered_before_the_first_point),
        cmocka_unit_test(rays_that_begin_beside_the_body_are_outside),
        cmocka_unit_test(points_within_rounding_of_a_surface_are_where_they_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
