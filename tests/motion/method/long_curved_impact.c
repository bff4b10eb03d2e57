/* SPDX-License-Identifier: MIT */
/* First impacts of curved surfaces, those that take many boxes: test_curved_impact.c has the others. */
#include <math.h>

#include "graze/motion_method.h"
#include "support/moving_surfaces.h"
#include "support/random.h"
#include "support/unit.h"

static void known_times_are_found(void **state)
{
    (void)state;
    graze_moving_surface ball = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0),
                         other = moving_surface_make(GRAZE_CURVED_SPHERE, 0.5, 0, 0);
    moving_surface_shift(&other, 4, 0.9, 0.3, -6, 0, 0); /* beside the middle */
    moving_surface_expect(&ball, &other, (4 - sqrt(1.5 * 1.5 - 0.9)) / 6);
    graze_moving_surface ring = moving_surface_make(GRAZE_CURVED_TORUS, 2, 0.5, 0);
    moving_surface_shift(&other, 2, 0, 3, 0, 0, -4); /* onto the tube */
    moving_surface_expect(&ring, &other, (3 - 1) / 4.0);
    moving_surface_shift(&other, 1.25, 0, 3, 0, 0, -4); /* onto its inner flank: the tube's centre is 0.75 away */
    moving_surface_expect(&ring, &other, (3 - sqrt(1 - 0.75 * 0.75)) / 4);
    moving_surface_shift(&other, 0, 0, 3, 0, 0, -6); /* through the hole */
    assert_int_equal(moving_surface_ask(&ring, &other).verdict, GRAZE_IMPACT_NONE);
}

/* Spheres about points that turn: their distance, sampled and halved, gives the time. */
static void point_of(const graze_motion *motion, double t, double out[3])
{
    graze_pose pose;
    assert_int_equal(graze_motion_pose(motion, t, &pose, NULL), GRAZE_STATUS_OK);
    for (int i = 0; i < 3; i++)
        out[i] = pose.m[4 * i + 3];
}

static double gap_at(const graze_moving_surface pair[2], double t)
{
    double p[3], q[3], square = 0;
    point_of(&pair[0].motion, t, p);
    point_of(&pair[1].motion, t, q);
    for (int i = 0; i < 3; i++)
        square += (p[i] - q[i]) * (p[i] - q[i]);
    return sqrt(square) - pair[0].surface.sizes[0] - pair[1].surface.sizes[0];
}

static double first_time(const graze_moving_surface pair[2])
{
    enum
    {
        SAMPLES = 4096
    };
    for (int n = 1; n <= SAMPLES; n++)
    {
        double low = (n - 1.0) / SAMPLES, high = (double)n / SAMPLES;
        if (gap_at(pair, high) > 0)
            continue;
        for (int i = 0; i < 50; i++)
        {
            double middle = (low + high) / 2;
            if (gap_at(pair, middle) > 0)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return INFINITY;
}

static void turning_spheres_meet_when_their_centres_are_near(void **state)
{
    (void)state;
    test_random random = test_random_start("test_curved_impact, turns", 3);
    unsigned met = 0, apart = 0, proved = 0;
    for (unsigned round = 0; round < 5; round++)
    {
        graze_moving_surface pair[2] = {moving_surface_make(GRAZE_CURVED_SPHERE, 0.7, 0, 0),
                                        moving_surface_make(GRAZE_CURVED_SPHERE, 0.6, 0, 0)};
        for (int side = 0; side < 2; side++)
        {
            graze_motion *motion = &pair[side].motion;
            motion->kind = round % 2 == 0 ? GRAZE_MOTION_TURN : GRAZE_MOTION_BALLISTIC_TURN;
            for (int i = 0; i < 4; i++)
            {
                motion->quaternion[0][i] = random_real(&random, -1, 1);
                motion->quaternion[1][i] = motion->quaternion[0][i] + random_real(&random, -0.4, 0.4);
            }
            for (int i = 0; i < 3; i++)
            {
                motion->centre[i] = random_real(&random, -0.5, 0.5);
                motion->path[0][i] = random_real(&random, -0.4, 0.4) + (i == 0 ? 4 * side - 2 : 0);
                motion->path[1][i] = random_real(&random, -0.4, 0.4) - (i == 0 ? 5 * side - 2.5 : 0);
                motion->path[2][i] = random_real(&random, -1, 1);
            }
        }
        if (graze_motion_check(&pair[0].motion) != GRAZE_STATUS_OK ||
            graze_motion_check(&pair[1].motion) != GRAZE_STATUS_OK || gap_at(pair, 0) < 0.01)
            continue;
        double time = first_time(pair);
        graze_motion_method_answer answer = moving_surface_ask(&pair[0], &pair[1]);
        print_message("%g: %d [%g, %g], %llu boxes\n", time, (int)answer.verdict, answer.lower, answer.upper,
                      (unsigned long long)answer.counters.steps);
        met += time <= 1;
        apart += time > 1;
        proved += answer.verdict != GRAZE_IMPACT_UNKNOWN;
        if (answer.verdict == GRAZE_IMPACT_NONE)
            assert_true(time > 1);
        if (answer.verdict == GRAZE_IMPACT_AT)
            assert_true(answer.lower <= time + 1e-9 && answer.upper >= time - 1e-9);
        if (answer.verdict == GRAZE_IMPACT_UNKNOWN)
            assert_true(answer.lower <= time + 1e-9);
    }
    print_message("%u met, %u did not; %u proved\n", met, apart, proved);
    assert_true(met >= 3 && apart >= 1 && proved + 1 >= met + apart);
}

/* The unit sphere under a matrix of half axes is the ellipsoid. */
static void stretched_spheres_are_ellipsoids(void **state)
{
    (void)state;
    graze_moving_surface egg = moving_surface_make(GRAZE_CURVED_ELLIPSOID, 0.5, 1, 1.5),
                         ball = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0);
    graze_moving_surface other = moving_surface_make(GRAZE_CURVED_ELLIPSOID, 1, 0.75, 0.5);
    moving_surface_shift(&other, 3, 0.5, 0.25, -3, 0, 0);
    for (int i = 0; i < 3; i++)
        ball.motion.start.m[5 * i] = egg.surface.sizes[i];
    graze_motion_method_answer a = moving_surface_ask(&egg, &other), b = moving_surface_ask(&ball, &other),
                               c = moving_surface_ask(&other, &egg);
    assert_int_equal(a.verdict, GRAZE_IMPACT_AT);
    assert_int_equal(b.verdict, GRAZE_IMPACT_AT);
    assert_int_equal(c.verdict, GRAZE_IMPACT_AT);
    assert_true(a.lower <= b.upper && b.lower <= a.upper && a.lower <= c.upper && c.lower <= a.upper);
    assert_true(a.upper - a.lower < 0x1p-20);
}

/* z = x^2 + y^2 over a square: of the products of degree 2, those of x^2 + y^2. */
static const double bowl[9][3] = {{-1, -1, 2}, {-1, 0, 0}, {-1, 1, 2}, {0, -1, 0}, {0, 0, -2},
                                  {0, 1, 0},   {1, -1, 2}, {1, 0, 0},  {1, 1, 2}};

static void a_ball_falls_into_a_bowl(void **state)
{
    (void)state;
    graze_moving_surface deep = moving_surface_make(GRAZE_CURVED_BEZIER, 0, 0, 0),
                         small = moving_surface_make(GRAZE_CURVED_SPHERE, 0.1, 0, 0);
    deep.surface.points = bowl;
    deep.surface.degree_u = deep.surface.degree_v = 2;
    moving_surface_shift(&small, 0, 0, 2, 0, 0, -2);
    moving_surface_expect(&deep, &small, (2 - 0.1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_times_are_found),
        cmocka_unit_test(turning_spheres_meet_when_their_centres_are_near),
        cmocka_unit_test(a_ball_falls_into_a_bowl),
        cmocka_unit_test(stretched_spheres_are_ellipsoids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
