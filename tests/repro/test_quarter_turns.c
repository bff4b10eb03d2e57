/* SPDX-License-Identifier: MIT */
/*
 * Bodies in poses of quarter turns that move along a line by turns: their quaternions were rounded so that the turn was
 * none of a quarter, and boxes that slide along one another crossed by some 1e-16.
 */
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/unit.h"

/* Each of the 24 rotations that permute the axes; false for those that mirror. */
static bool quarter_turn(int number, graze_pose *out)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    int order = number / 8, signs = number % 8;
    memset(out, 0, sizeof *out);
    for (int row = 0; row < 3; row++)
        out->m[4 * row + orders[order][row]] = (signs >> row & 1) != 0 ? -1 : 1;
    return graze_pose_handedness(out) > 0;
}

static void boxes_slide_without_crossing(void **state)
{
    (void)state;
    graze_mesh *box, *large;
    int rotations = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 4, 6, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 20, 20, 2, 1, &large), GRAZE_STATUS_OK);
    for (int number = 0; number < 48; number++)
    {
        graze_moving_mesh moving = {.mesh = box}, still = {.mesh = large};
        graze_impact_options options = graze_impact_options_default();
        graze_impact touching, crossing;
        graze_pose start, end, ground = graze_pose_identity();
        if (!quarter_turn(number, &start))
            continue;
        rotations++;
        double height = 0;
        for (int k = 0; k < 3; k++)
            height += (k + 1) * (start.m[8 + k] != 0 ? 1 : 0);
        start.m[3] = -13;
        start.m[11] = height + 1;
        end = start;
        end.m[3] = 13;
        assert_int_equal(graze_motion_still(&ground, &still.motion), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &moving.motion, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_impact(NULL, &moving, &still, NULL, &touching), GRAZE_STATUS_OK);
        assert_int_equal(touching.verdict, GRAZE_IMPACT_AT);
        assert_false(touching.crosses);
        options.crossing = true;
        assert_int_equal(graze_pair_impact(NULL, &moving, &still, &options, &crossing), GRAZE_STATUS_OK);
        assert_int_equal(crossing.verdict, GRAZE_IMPACT_NONE);
    }
    assert_int_equal(rotations, 24);
    graze_mesh_destroy(box);
    graze_mesh_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_slide_without_crossing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
