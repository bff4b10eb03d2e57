/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of first impacts that came too late. Enclosed motions list up to 32 pairs of a piece, and the least of
 * their times was taken although pairs that were not listed may meet sooner. And turns with quaternions of denormal
 * length, whose mixtures round more, were taken apart as if they did not. A review found both.
 */
#include <math.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/unit.h"

/* A slerp between equal rotations is the turn between them. */
static void slerps_of_dense_boxes_meet_no_later_than_turns(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint32_t segments = 8; segments <= 12; segments += 4)
        for (int k = 0; k < 14; k += 3)
        {
            graze_mesh *meshes[2];
            assert_int_equal(graze_mesh_create_box(NULL, 2, 2, .5, segments, &meshes[0]), GRAZE_STATUS_OK);
            assert_int_equal(graze_mesh_create_box(NULL, 2.5, 2.5, .5, segments + 3, &meshes[1]), GRAZE_STATUS_OK);
            graze_moving_mesh a = {.mesh = meshes[0]}, b = {.mesh = meshes[1]};
            graze_pose from = graze_pose_translation(.1, .2, 2), to = graze_pose_translation(.1, .2, -1);
            const graze_pose still = graze_pose_identity();
            double tilt = ldexp(1, -18 - k);
            from.m[8] = to.m[8] = tilt;
            from.m[2] = to.m[2] = -tilt;
            assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_SLERP, &a.motion, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_motion_still(&still, &b.motion), GRAZE_STATUS_OK);
            graze_impact enclosed, exact;
            assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &enclosed), GRAZE_STATUS_OK);
            a.motion.kind = GRAZE_MOTION_TURN;
            assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &exact), GRAZE_STATUS_OK);
            assert_int_equal(exact.verdict, GRAZE_IMPACT_AT);
            assert_true(enclosed.verdict != GRAZE_IMPACT_NONE && enclosed.lower <= exact.upper);
            tried += enclosed.verdict == GRAZE_IMPACT_AT;
            graze_mesh_destroy(meshes[0]);
            graze_mesh_destroy(meshes[1]);
        }
    assert_true(tried > 0);
}

static void the_length_of_quaternions_does_not_matter(void **state)
{
    (void)state;
    graze_mesh *rod, *ball;
    assert_int_equal(graze_mesh_create_box(NULL, 10, .2, .2, 1, &rod), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, .2, .2, .2, 1, &ball), GRAZE_STATUS_OK);
    const graze_pose at = graze_pose_translation(3, -3, 0);
    static const double lengths[] = {1, 0x1p-1000, 0x1p-1070};
    for (int margin = 0; margin < 2; margin++)
    {
        graze_impact impacts[3];
        for (int i = 0; i < 3; i++)
        {
            graze_moving_mesh a = {.mesh = rod}, b = {.mesh = ball};
            a.motion.kind = GRAZE_MOTION_TURN;
            a.motion.quaternion[0][0] = a.motion.quaternion[1][3] = lengths[i];
            assert_int_equal(graze_motion_still(&at, &b.motion), GRAZE_STATUS_OK);
            graze_impact_options options = graze_impact_options_default();
            options.margin = margin == 0 ? 0 : 1e-6;
            assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impacts[i]), GRAZE_STATUS_OK);
            assert_int_equal(impacts[i].verdict, GRAZE_IMPACT_AT);
            assert_true(impacts[i].lower <= impacts[0].upper && impacts[0].lower <= impacts[i].upper);
        }
    }
    graze_mesh_destroy(rod);
    graze_mesh_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slerps_of_dense_boxes_meet_no_later_than_turns),
                                       cmocka_unit_test(the_length_of_quaternions_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
