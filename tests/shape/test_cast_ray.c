/* SPDX-License-Identifier: MIT */
/*
 * Rays against every kind of shape: whether they hit is the query of two shapes with the segment, and t lies in its
 * bounds; rays that graze, rays that start inside, rays of length 0.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/shape_query.h"
#include "shape/ray_estimate.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 200
};

typedef struct counters
{
    int rays, hits, inside, unknown;
} counters;

static graze_verdict meets_segment(const graze_placed *placed, const double origin[3], const double direction[3],
                                   double length)
{
    double ends[2][3];
    graze_shape *segment;
    graze_verdict verdict;
    for (int k = 0; k < 3; k++)
    {
        ends[0][k] = origin[k];
        ends[1][k] = origin[k] + length * direction[k];
    }
    assert_int_equal(graze_shape_create_segment(NULL, (const double(*)[3])ends, &segment), GRAZE_STATUS_OK);
    graze_placed other = {segment, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_any(NULL, &other, placed, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    graze_shape_destroy(segment);
    return verdict;
}

static double distance_of_point(const graze_placed *placed, const double point[3])
{
    graze_shape *shape;
    graze_shape_distance d;
    assert_int_equal(graze_shape_create_point(NULL, point, &shape), GRAZE_STATUS_OK);
    graze_placed other = {shape, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_distance(NULL, &other, placed, NULL, &d), GRAZE_STATUS_OK);
    graze_shape_destroy(shape);
    return d.distance;
}

static void check_hit(const graze_placed *placed, const double origin[3], const double direction[3], double limit,
                      const graze_shape_ray_hit *hit)
{
    assert_true(hit->t_lower >= 0 && hit->t_lower <= hit->t && hit->t <= hit->t_upper && hit->t <= limit);
    assert_true(hit->t_upper - hit->t_lower <= 1e-8);
    if (distance_of_point(placed, hit->point) > 1e-7)
        fail_msg("kind %d: t %g is off by %g", (int)graze_shape_get_kind(placed->shape), hit->t,
                 distance_of_point(placed, hit->point));
    if (hit->t_lower > 1e-5 && meets_segment(placed, origin, direction, hit->t_lower - 1e-5) == GRAZE_VERDICT_YES)
        fail_msg("kind %d: met before %g", (int)graze_shape_get_kind(placed->shape), hit->t);
}

static void cast(test_random *random, const graze_placed *placed, counters *c)
{
    static const double limits[] = {INFINITY, 1, 0, 3, 0.5, 64};
    double origin[3], direction[3], limit = limits[random_below(random, 6)];
    for (int k = 0; k < 3; k++)
    {
        origin[k] = random_between(random, -6, 6) / (random_once_in(random, 3) ? 4.0 : 1.0);
        direction[k] = random_between(random, -2, 2);
    }
    bool still = direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
    graze_verdict found, expected = meets_segment(placed, origin, direction, limit < INFINITY ? limit : 1024);
    graze_shape_ray_hit hit;
    assert_int_equal(graze_shape_cast_ray(NULL, placed, origin, direction, limit, NULL, &found, &hit), GRAZE_STATUS_OK);
    c->rays++;
    c->hits += found == GRAZE_VERDICT_YES;
    c->inside += found == GRAZE_VERDICT_YES && hit.t == 0;
    c->unknown += found == GRAZE_VERDICT_UNKNOWN || expected == GRAZE_VERDICT_UNKNOWN;
    if (found != expected && found != GRAZE_VERDICT_UNKNOWN && expected != GRAZE_VERDICT_UNKNOWN)
        fail_msg("kind %d: %d, not %d", (int)graze_shape_get_kind(placed->shape), (int)found, (int)expected);
    if (found == GRAZE_VERDICT_YES && !still)
        check_hit(placed, origin, direction, limit, &hit);
}

static void rays_hit_what_segments_meet(void **state)
{
    (void)state;
    test_random random = test_random_start("rays at shapes", 20);
    counters c = {0};
    for (int kind = 0; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
        for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
        {
            random_shape x;
            random_shape_make(&random, (graze_shape_kind)kind, &x);
            graze_placed placed = {x.shape, random_pose_for(&random, x.shape)};
            if (graze_placed_check(&placed) == GRAZE_STATUS_OK)
                for (int i = 0; i < 4; i++)
                    cast(&random, &placed, &c);
            random_shape_clear(&x);
        }
    printf("%d rays, %d hits, %d from inside, %d unknown\n", c.rays, c.hits, c.inside, c.unknown);
    assert_true(c.hits > c.rays / 16 && c.inside > c.rays / 60 && c.unknown < c.rays / 20);
}

/* No finite t moves this one by 1. */
static void rays_of_denormal_directions_reach_shapes(void **state)
{
    (void)state;
    static const double origin[3] = {-8, 0, 0}, direction[3] = {0x1p-1074, 0, 0};
    graze_shape *sphere;
    graze_verdict found;
    graze_shape_ray_hit hit;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &sphere), GRAZE_STATUS_OK);
    graze_placed placed = {sphere, graze_pose_identity()};
    assert_int_equal(graze_shape_cast_ray(NULL, &placed, origin, direction, INFINITY, NULL, &found, &hit),
                     GRAZE_STATUS_OK);
    assert_int_equal(found, GRAZE_VERDICT_YES);
    assert_true(hit.t == INFINITY && hit.t_lower == DBL_MAX && fabs(hit.point[0] + 1) < 1e-12);
    assert_int_equal(graze_shape_cast_ray(NULL, &placed, origin, direction, 1e300, NULL, &found, &hit),
                     GRAZE_STATUS_OK);
    assert_int_equal(found, GRAZE_VERDICT_NO);
    graze_shape_destroy(sphere);
}

/* Along every axis, and slanted: all components of a short direction count. */
static void short_directions_lead_to_the_same_point(void **state)
{
    (void)state;
    static const double aims[5][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 4, 12}, {12, 3, 4}};
    graze_shape *sphere;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &sphere), GRAZE_STATUS_OK);
    graze_placed placed = {sphere, graze_pose_identity()};
    for (int i = 0; i < 5; i++)
        for (int power = -1000; power <= 0; power += 250)
        {
            double origin[3], direction[3], length = i < 3 ? 1 : 13;
            graze_verdict found;
            graze_shape_ray_hit hit;
            for (int k = 0; k < 3; k++)
            {
                origin[k] = -2 * aims[i][k];
                direction[k] = ldexp(aims[i][k], power);
            }
            assert_int_equal(graze_shape_cast_ray(NULL, &placed, origin, direction, INFINITY, NULL, &found, &hit),
                             GRAZE_STATUS_OK);
            assert_int_equal(found, GRAZE_VERDICT_YES);
            double t = ldexp(2 - 1 / length, -power);
            assert_true(hit.t_lower <= t * (1 + 1e-12) && hit.t_upper >= t * (1 - 1e-12) &&
                        fabs(hit.t / t - 1) < 1e-12);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(hit.point[k] + aims[i][k] / length) < 1e-12);
        }
    graze_shape_destroy(sphere);
}

/* A ray at a rounded box, 3-4-5: along x it enters the rounding of an edge; and one that misses. */
static void estimates_are_close(void **state)
{
    (void)state;
    static const double size[3] = {2, 2, 2}, origin[3] = {-10, 1 + 3, 0}, along[3] = {2, 0, 0}, away[3] = {0, 1, 0};
    graze_shape *box, *rounded;
    graze_verdict found;
    graze_shape_ray_hit hit;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_rounded(NULL, box, 5, &rounded), GRAZE_STATUS_OK);
    graze_placed placed = {rounded, graze_pose_identity()};
    assert_int_equal(graze_shape_cast_ray(NULL, &placed, origin, along, INFINITY, NULL, &found, &hit), GRAZE_STATUS_OK);
    assert_int_equal(found, GRAZE_VERDICT_YES);
    assert_true(hit.t_lower <= 2.5 && hit.t_upper >= 2.5 && hit.t_upper - hit.t_lower <= 0x1p-50);
    assert_true(fabs(grz_ray_estimate(&placed, origin, along) - 2.5) < 1e-12);
    assert_true(grz_ray_estimate(&placed, origin, away) < 0);
    graze_shape_destroy(rounded);
    graze_shape_destroy(box);
}

/* A plane at a height of 1 over a ray of denormal steps: t is beyond all doubles, in every rounding mode. */
static void times_beyond_the_range_have_no_upper_bound(void **state)
{
    (void)state;
    static const double normal[3] = {1, 0, 0}, origin[3] = {0, 0, 0}, along[3] = {-0x1p-1070, 0, 0};
    graze_shape *plane;
    assert_int_equal(graze_shape_create_half_space(NULL, normal, -1, &plane), GRAZE_STATUS_OK);
    const graze_placed placed = {plane, graze_pose_identity()};
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        graze_verdict found;
        graze_shape_ray_hit hit;
        saved_environment saved;
        environment_enter(&saved, number);
        graze_status status = graze_shape_cast_ray(NULL, &placed, origin, along, INFINITY, NULL, &found, &hit);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(found, GRAZE_VERDICT_YES);
        assert_true(hit.t_lower == DBL_MAX && hit.t_upper == INFINITY);
    }
    graze_shape_destroy(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_segments_meet),
        cmocka_unit_test(estimates_are_close),
        cmocka_unit_test(rays_of_denormal_directions_reach_shapes),
        cmocka_unit_test(short_directions_lead_to_the_same_point),
        cmocka_unit_test(times_beyond_the_range_have_no_upper_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
