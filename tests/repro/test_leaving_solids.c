/* SPDX-License-Identifier: MIT */
/*
 * A solid that lies in another one at the start collides from then on. Where it left the other one afterwards, the
 * first impact was told to be that of the surfaces on the way out.
 */
#include "graze/generate.h"
#include "graze/shape_motion.h"
#include "support/unit.h"

static graze_motion from_to(double start, double end, graze_motion_kind kind)
{
    graze_pose first = graze_pose_translation(start, 0, 0), last = graze_pose_translation(end, 0, 0);
    graze_motion motion;
    assert_int_equal(graze_motion_between(&first, &last, kind, &motion, NULL), GRAZE_STATUS_OK);
    return motion;
}

static void what_leaves_a_solid_collides_from_the_start(void **state)
{
    (void)state;
    const double large[3] = {10, 10, 10}, small[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    const double starts[] = {0, 4.49, 5, -20, 7};
    const graze_motion_kind kinds[] = {GRAZE_MOTION_BLEND, GRAZE_MOTION_TURN, GRAZE_MOTION_SLERP};
    graze_shape *outer, *inner[2];
    assert_int_equal(graze_shape_create_box(NULL, large, &outer), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, small, &inner[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_point(NULL, origin, &inner[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 60; i++)
    {
        if (i / 20 == 2 && i / 5 % 2 == 1)
            continue; /* a point that only passes through a surface is unknown on enclosed motions */
        graze_motion_kind kind = kinds[i / 20];
        graze_motion stand = from_to(0, 0, GRAZE_MOTION_BLEND), leave = from_to(starts[i % 5], 20, kind);
        const graze_moving_shape a = {outer, stand}, b = {inner[i / 5 % 2], leave};
        graze_shape_impact impact;
        bool swapped = i / 10 % 2 == 1;
        assert_int_equal(graze_shape_pair_impact(NULL, swapped ? &b : &a, swapped ? &a : &b, NULL, &impact),
                         GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, i % 5 == 4 ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
        assert_int_equal(impact.at_start, i % 5 < 3);
        assert_true(i % 5 >= 3 || (impact.lower == 0 && impact.upper == 0));
        assert_true(i % 5 != 3 || impact.lower > 0.3);
    }
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(inner[i]);
    graze_shape_destroy(outer);
}

/* A budget that ends before it is known whether one is inside says nothing of what comes before surfaces meet. */
static void an_early_end_does_not_pass_over_the_inside(void **state)
{
    (void)state;
    const double large[3] = {10, 10, 10}, small[3] = {1, 1, 1};
    graze_shape *outer, *inner;
    int unknown = 0;
    assert_int_equal(graze_shape_create_box(NULL, large, &outer), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, small, &inner), GRAZE_STATUS_OK);
    const graze_moving_shape a = {outer, from_to(0, 0, GRAZE_MOTION_BLEND)},
                             b = {inner, from_to(1, 20, GRAZE_MOTION_TURN)};
    for (uint64_t tests = 1; tests < 1000; tests++)
    {
        graze_shape_impact impact;
        graze_impact_options options = graze_impact_options_default();
        options.budget.box_tests = tests;
        assert_int_equal(graze_shape_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(impact.verdict != GRAZE_IMPACT_NONE && impact.lower == 0);
        unknown += impact.verdict == GRAZE_IMPACT_UNKNOWN;
    }
    assert_true(unknown > 0 && unknown < 999);
    graze_shape_destroy(inner);
    graze_shape_destroy(outer);
}

/* Of enclosed motions of meshes, too: what is known of the surfaces alone said that nothing meets before they may. */
static void what_is_unknown_of_solids_is_so_from_the_start(void **state)
{
    (void)state;
    graze_mesh *outer, *inner;
    int unknown = 0, at_start = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 10, 10, 10, 8, &outer), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 20, 10, &inner), GRAZE_STATUS_OK);
    const graze_pose start = graze_pose_translation(1, 0, 0);
    const graze_pose end = {{0.6, -0.8, 0, 20, 0.8, 0.6, 0, 1, 0, 0, 1, 0}};
    graze_moving_mesh a = {.mesh = outer, .motion = from_to(0, 0, GRAZE_MOTION_BLEND)}, b = {.mesh = inner};
    assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_SCREW, &b.motion, NULL), GRAZE_STATUS_OK);
    for (uint64_t tests = 1; tests < 40000; tests += tests / 4 + 1)
    {
        graze_impact impact;
        graze_impact_options options = graze_impact_options_default();
        options.solids = true;
        options.budget.box_tests = tests;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(impact.verdict != GRAZE_IMPACT_NONE && impact.lower == 0);
        unknown += impact.verdict == GRAZE_IMPACT_UNKNOWN;
        at_start += impact.at_start;
    }
    assert_true(unknown > 0 && at_start > 0);
    graze_mesh_destroy(inner);
    graze_mesh_destroy(outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaves_a_solid_collides_from_the_start),
        cmocka_unit_test(an_early_end_does_not_pass_over_the_inside),
        cmocka_unit_test(what_is_unknown_of_solids_is_so_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
