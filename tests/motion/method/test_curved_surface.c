/* SPDX-License-Identifier: MIT */
/* Ranges of curved surfaces and of their derivatives hold what points within the box have. */
#include <math.h>
#include <string.h>

#include "motion/method/curved_surface.h"
#include "support/random.h"
#include "support/unit.h"

static interval random_within(test_random *random, interval range, double width)
{
    double from = random_real(random, range.lower, range.upper - width);
    return (interval){from, from + random_real(random, 0, width)};
}

static graze_moving_surface draw(test_random *random, int kind, double (*points)[3])
{
    graze_moving_surface made = {.surface = {.kind = (graze_curved_kind)(kind % 4)}};
    for (int i = 0; i < 3; i++)
        made.surface.sizes[i] = random_real(random, 0.3, 2);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = random_real(random, -1, 1);
    made.surface.points = (const double(*)[3])points;
    made.surface.degree_u = 2;
    made.surface.degree_v = 3;
    made.motion.kind = (graze_motion_kind)(kind / 4);
    for (int i = 0; i < 12; i++)
    {
        made.motion.start.m[i] = random_real(random, -1, 1);
        made.motion.end.m[i] = random_real(random, -1, 1);
    }
    for (int i = 0; i < 4; i++)
    {
        made.motion.quaternion[0][i] = random_real(random, -1, 1);
        made.motion.quaternion[1][i] = made.motion.quaternion[0][i] + random_real(random, -0.2, 0.2);
    }
    for (int i = 0; i < 3; i++)
    {
        made.motion.centre[i] = random_real(random, -1, 1);
        for (int k = 0; k < 3; k++)
            made.motion.path[k][i] = random_real(random, -1, 1);
    }
    return made;
}

/* Values lie in the range; differences of values between points are at most what the slopes allow, and those of slopes
   what the second derivatives do. Where the surface is at a time, its motion's pose says. */
static void ranges_hold_the_points_of_a_box(void **state)
{
    (void)state;
    test_random random = test_random_start("test_curved_surface", 4);
    unsigned checked = 0;
    for (unsigned round = 0; round < 1600; round++)
    {
        double points[12][3];
        graze_moving_surface moving = draw(&random, (int)(round % 16), points);
        if (grz_moving_surface_check(&moving) != GRAZE_STATUS_OK)
            continue;
        double width = round % 3 == 0 ? 1e-3 : 0.4;
        interval domain = grz_curved_domain(&moving.surface);
        interval box[3] = {random_within(&random, domain, width), random_within(&random, domain, width),
                           random_within(&random, (interval){0, 1}, width)};
        int chart = (int)(round / 16 % (unsigned)grz_curved_chart_count(&moving.surface));
        interval inner[2][3];
        grz_jet range[3], at[2][3], values[3];
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < 3; k++)
                inner[n][k] = interval_point(fmin(random_real(&random, box[k].lower, box[k].upper), box[k].upper));
        grz_curved_place(&moving, chart, box, 2, range);
        grz_curved_place(&moving, chart, box, 0, values);
        for (int n = 0; n < 2; n++)
            grz_curved_place(&moving, chart, inner[n], 2, at[n]);
        for (int i = 0; i < 3; i++)
        {
            interval by_slopes = at[0][i].value;
            for (int k = 0; k < 3; k++)
            {
                interval off = interval_sub(inner[1][k], inner[0][k]);
                by_slopes = interval_add(by_slopes, interval_mul(range[i].first[k], off));
                interval by_bends = at[0][i].first[k];
                for (int j = 0; j < 3; j++)
                    by_bends = interval_add(by_bends, interval_mul(range[i].second[grz_jet_place(k, j)],
                                                                   interval_sub(inner[1][j], inner[0][j])));
                assert_true(interval_overlap(by_bends, at[1][i].first[k]));
                assert_true(interval_overlap(range[i].first[k], at[1][i].first[k]));
            }
            assert_true(interval_overlap(by_slopes, at[1][i].value));
            assert_true(interval_overlap(range[i].value, at[1][i].value));
            assert_true(values[i].value.lower <= at[1][i].value.upper && values[i].value.upper >= at[1][i].value.lower);
            assert_true(at[1][i].value.upper - at[1][i].value.lower < 1e-9);
        }
        checked++;
    }
    assert_true(checked > 1000);
}

/* A point of the body as the surface has it, at the pose that the motion says. */
static void surfaces_are_where_their_motions_place_them(void **state)
{
    (void)state;
    test_random random = test_random_start("test_curved_surface, poses", 9);
    for (unsigned round = 0; round < 400; round++)
    {
        double points[12][3], own[3], want[3];
        graze_moving_surface moving = draw(&random, (int)(round % 16), points), still = moving;
        if (grz_moving_surface_check(&moving) != GRAZE_STATUS_OK)
            continue;
        still.motion.kind = GRAZE_MOTION_STILL;
        still.motion.start = graze_pose_identity();
        double t = random_real(&random, 0, 1);
        const interval box[3] = {interval_point(0.25), interval_point(0.5), interval_point(t)};
        graze_pose pose;
        grz_jet at[3], at_rest[3];
        grz_curved_place(&moving, 0, box, 0, at);
        grz_curved_place(&still, 0, box, 0, at_rest);
        for (int i = 0; i < 3; i++)
            own[i] = at_rest[i].value.lower;
        assert_int_equal(graze_motion_pose(&moving.motion, t, &pose, NULL), GRAZE_STATUS_OK);
        graze_pose_apply(&pose, own, want);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(at[i].value.lower - want[i]) < 1e-9);
        double a = moving.surface.sizes[0], b = moving.surface.sizes[1];
        if (moving.surface.kind == GRAZE_CURVED_TORUS)
            assert_true(fabs(pow(hypot(own[0], own[1]) - a, 2) + own[2] * own[2] - b * b) < 1e-9);
        if (moving.surface.kind == GRAZE_CURVED_SPHERE)
            assert_true(fabs(own[0] * own[0] + own[1] * own[1] + own[2] * own[2] - a * a) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_hold_the_points_of_a_box),
        cmocka_unit_test(surfaces_are_where_their_motions_place_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
