/* SPDX-License-Identifier: MIT */
/*
 * Two convex shapes with radii, or with a margin, that move by screws and slerps: they were refused as if they were
 * curved, whereas one of them beside a mesh was answered.
 */
#include <math.h>
#include <string.h>

#include "graze/enclosed_motion.h"
#include "graze/shape_motion.h"
#include "support/unit.h"

static graze_shape_impact falls(const graze_shape *a, const graze_shape *b, graze_motion_kind kind, double margin)
{
    const double axis[3] = {0, 0, 1}, from[3] = {0.25, 0, 5}, to[3] = {0.25, 0, -5};
    graze_pose still = graze_pose_identity(), start, end;
    graze_moving_shape sides[2] = {{.shape = a}, {.shape = b}};
    graze_impact_options options = graze_impact_options_default();
    graze_shape_impact impact;
    options.margin = margin;
    assert_int_equal(graze_pose_from_axis_angle(axis, 0, from, &start), GRAZE_STATUS_OK);
    assert_int_equal(graze_pose_from_axis_angle(axis, 1, to, &end), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_still(&still, &sides[0].motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&start, &end, kind, &sides[1].motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_impact(NULL, &sides[0], &sides[1], &options, &impact), GRAZE_STATUS_OK);
    return impact;
}

/* What falls evenly from a height of 5 to -5 meets at that height. */
static void assert_meets_at(const graze_shape_impact *impact, double height)
{
    double t = (5 - height) / 10;
    assert_int_equal(impact->verdict, GRAZE_IMPACT_AT);
    assert_true(impact->lower <= t + 1e-12 && t - 1e-12 <= impact->upper);
    assert_true(impact->upper - impact->lower < 1e-6);
}

static void rounded_shapes_are_answered(void **state)
{
    (void)state;
    const graze_motion_kind kinds[2] = {GRAZE_MOTION_SLERP, GRAZE_MOTION_SCREW};
    const double size[3] = {2, 2, 2}, ends[2][3] = {{0, 0, -1}, {0, 0, 1}};
    graze_shape *box, *ball, *capsule;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 0.5, &capsule), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_shape_impact impact = falls(box, ball, kinds[i], 0);
        assert_meets_at(&impact, 2);
        impact = falls(box, capsule, kinds[i], 0.25);
        assert_meets_at(&impact, 2.75);
    }
    graze_shape_impact boxes = falls(box, box, GRAZE_MOTION_SLERP, 0.25);
    assert_meets_at(&boxes, 2.25);
    graze_shape_impact balls = falls(ball, ball, GRAZE_MOTION_SLERP, 0);
    assert_meets_at(&balls, sqrt(4 - 0.0625));
    graze_shape_destroy(box);
    graze_shape_destroy(ball);
    graze_shape_destroy(capsule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_shapes_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
