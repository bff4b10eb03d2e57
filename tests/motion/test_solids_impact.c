/* SPDX-License-Identifier: MIT */
/* First impacts of solids that may be within one another at the start, where poses are rounded. */
#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/unit.h"

/* A box beside another, or within it, at a place that is rounded: by a gap that rounding closes, one that is larger,
   and none. */
static void solids_within_rounding_at_the_start_are_unknown(void **state)
{
    (void)state;
    graze_mesh *box = NULL, *large = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 3, 3, 3, 1, &large), GRAZE_STATUS_OK);
    graze_moving_mesh a = {box, NULL, NULL, {0}}, b = {box, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    graze_impact_options options = graze_impact_options_default();
    options.solids = true;
    for (int i = 0; i < 5; i++)
    {
        static const double gaps[5] = {0x1p-54, 0x1p-20, 0, 1, 1};
        graze_impact impact;
        /* x = 1 + gap, and away: the pose of the start has 1 + gap, rounded */
        b.motion = (graze_motion){.kind = GRAZE_MOTION_TURN,
                                  .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                  .centre = {-gaps[i], 0, 0},
                                  .path = {{1, 0, 0}, {0.125, 0, 0}}};
        a.mesh = i > 2 ? large : box;
        if (i == 4)
            b.motion.path[0][0] = -1; /* in the middle of the large one */
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        if (i == 0)
            assert_true(impact.verdict == GRAZE_IMPACT_UNKNOWN && impact.lower == 0);
        else if (i == 1)
            assert_int_equal(impact.verdict, GRAZE_IMPACT_NONE);
        else if (i == 2)
            assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.at_start && !impact.inside);
        else
            assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.at_start && impact.inside == (i == 4));
    }
    graze_mesh_destroy(box);
    graze_mesh_destroy(large);
}

/* A box that is smaller than what rounds its place, in a large one: within that of its wall, so that it is beside it
   where its pose is rounded, and in the middle. */
static void a_solid_smaller_than_rounding_at_the_start_is_unknown_at_a_wall_alone(void **state)
{
    (void)state;
    graze_mesh *tiny = NULL, *large = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 0x1p-58, 0x1p-58, 0x1p-58, 1, &tiny), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1.5, 1.5, 1.5, 1, &large), GRAZE_STATUS_OK);
    graze_moving_mesh a = {large, NULL, NULL, {0}}, b = {tiny, NULL, NULL, {0}};
    const graze_pose beside = graze_pose_translation(0.25 + 0x3p-54, 0, 0); /* its wall is at 1 + 3 * 2^-54 */
    assert_int_equal(graze_motion_still(&beside, &a.motion), GRAZE_STATUS_OK);
    graze_impact_options options = graze_impact_options_default();
    options.solids = true;
    for (int i = 0; i < 2; i++)
    {
        graze_impact impact;
        /* x = 1 + 5 * 2^-55, which is rounded to 1 + 2^-52; or about 1/4 */
        b.motion = (graze_motion){.kind = GRAZE_MOTION_TURN,
                                  .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                  .centre = {i == 0 ? -0x5p-55 : -0x1p-56, 0, 0},
                                  .path = {{i == 0 ? 1 : 0.25, 0, 0}, {-0x1p-60, 0, 0}}};
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        if (i == 0)
            assert_true(impact.verdict == GRAZE_IMPACT_UNKNOWN && impact.lower == 0);
        else
            assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.at_start && impact.inside);
    }
    graze_mesh_destroy(tiny);
    graze_mesh_destroy(large);
}

/* A box beside another one by less than its place is known, where it is rounded too: however that is, it is not in it.
 */
static void solids_that_rest_on_one_another_within_rounding_are_known(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_moving_mesh a = {box, NULL, NULL, {0}}, b = {box, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    graze_impact_options options = graze_impact_options_default();
    options.solids = true;
    for (int i = 0; i < 2; i++)
    {
        graze_impact impact;
        /* x = 1 + 3 * 2^-54, which is rounded to 1 + 2^-52; away, or into it */
        b.motion = (graze_motion){.kind = GRAZE_MOTION_TURN,
                                  .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                  .centre = {-0x3p-54, 0, 0},
                                  .path = {{1, 0, 0}, {i == 0 ? 0.125 : -0.125, 0, 0}}};
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, i == 0 ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
        assert_true(i == 0 || (impact.lower > 0 && !impact.inside));
    }
    graze_mesh_destroy(box);
}

/* Boxes side by side, within rounding or a little over one another, that move into each other: whatever is not known of
   the start, they have met by the time that surfaces have. */
static void solids_within_rounding_have_met_when_surfaces_have(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_moving_mesh a = {box, NULL, NULL, {0}}, b = {box, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        static const double gaps[3] = {0, 0x1p-52, -0x1p-40};
        graze_impact surfaces, impact;
        if (i < 3)
        {
            const double q[4] = {1, 0, 0, 0.2}, shift[3] = {0.6, 0.3, 0.25};
            const graze_pose from = graze_pose_translation(1 + gaps[i], 0.25, 0.25);
            graze_pose to;
            assert_int_equal(graze_pose_from_quaternion(q, shift, &to), GRAZE_STATUS_OK);
            assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_SCREW, &b.motion, NULL), GRAZE_STATUS_OK);
        }
        else
            b.motion = (graze_motion){.kind = GRAZE_MOTION_TURN,
                                      .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                      .centre = {-0x1p-54, 0, 0},
                                      .path = {{1, 0, 0}, {-0.125, 0, 0}}};
        graze_impact_options options = graze_impact_options_default();
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &surfaces), GRAZE_STATUS_OK);
        options.solids = true;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(surfaces.verdict == GRAZE_IMPACT_AT && surfaces.upper > 0 && surfaces.upper < 1e-9);
        assert_int_equal(impact.verdict, i < 3 ? GRAZE_IMPACT_AT : GRAZE_IMPACT_UNKNOWN);
        assert_true(impact.lower == 0 && impact.upper == surfaces.upper && !impact.inside);
    }
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_within_rounding_at_the_start_are_unknown),
        cmocka_unit_test(a_solid_smaller_than_rounding_at_the_start_is_unknown_at_a_wall_alone),
        cmocka_unit_test(solids_that_rest_on_one_another_within_rounding_are_known),
        cmocka_unit_test(solids_within_rounding_have_met_when_surfaces_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
