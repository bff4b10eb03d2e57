/* SPDX-License-Identifier: MIT */
/* Verdicts of pairs where AABBs share a face: one unit in the last place decides between clear, touching and crossing.
 */
#include <math.h>

#include "support/unit.h"

#include "clash_meshes.h"

/* The verdict on a unit cube and a box whose lower bound along an axis is `start`, or, mirrored, whose upper one is
 * 1 - start. */
static graze_clash_verdict verdict_at(int axis, bool mirrored, double start, bool allow_touch)
{
    double lower[3] = {0.25, 0.25, 0.25}, upper[3] = {0.75, 0.75, 0.75};
    lower[axis] = mirrored ? -2 : start;
    upper[axis] = mirrored ? 1 - start : 2;
    graze_mesh *meshes[2] = {box_between(0, 0, 0, 1, 1, 1),
                             box_between(lower[0], lower[1], lower[2], upper[0], upper[1], upper[2])};
    graze_clash_part parts[2] = {part_of("a", meshes[0]), part_of("b", meshes[1])};
    graze_clash_options options = graze_clash_options_default();
    options.tolerances.has_allow_touch = options.tolerances.allow_touch = allow_touch;
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
    graze_clash_verdict verdict = report->finding_count > 0 ? report->findings[0].verdict : GRAZE_CLASH_CLEAR;
    assert_true(report->complete);
    graze_clash_report_destroy(report);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
    return verdict;
}

static void boxes_that_share_a_face_touch_and_an_ulp_more_crosses(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int mirrored = 0; mirrored < 2; mirrored++)
        {
            assert_int_equal(verdict_at(axis, mirrored, 1 + 0x1p-52, false), GRAZE_CLASH_CLEAR);
            assert_int_equal(verdict_at(axis, mirrored, 1, false), GRAZE_CLASH_TOUCHES);
            assert_int_equal(verdict_at(axis, mirrored, 1, true), GRAZE_CLASH_CLEAR);
            assert_int_equal(verdict_at(axis, mirrored, 1 - 0x1p-53, false), GRAZE_CLASH_CROSSES);
            assert_int_equal(verdict_at(axis, mirrored, 1 - 0x1p-53, true), GRAZE_CLASH_CROSSES);
        }
}

/* The verdict on a box up to `width` that is moved by `shift`, and one that begins where the rounded sum says it ends.
 */
static graze_clash_verdict verdict_of_shifted(double width, double shift, bool turned)
{
    graze_mesh *meshes[2] = {turned ? box_between(0, -width, 0, 1, 0, 1) : box_between(0, 0, 0, width, 1, 1),
                             box_between(shift + width, 0.25, 0.25, 4, 0.75, 0.75)};
    graze_clash_part parts[2] = {part_of("a", meshes[0]), part_of("b", meshes[1])};
    if (turned) /* x and y become -y and x */
        parts[0].pose = (graze_pose){{0, -1, 0, shift, 1, 0, 0, 0, 0, 0, 1, 0}};
    else
        parts[0].pose = graze_pose_translation(shift, 0, 0);
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, NULL, &report), GRAZE_STATUS_OK);
    graze_clash_verdict verdict = report->finding_count > 0 ? report->findings[0].verdict : GRAZE_CLASH_CLEAR;
    graze_clash_report_destroy(report);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
    return verdict;
}

/* 0.7 + 0.1 is rounded down, so that what begins there crosses; 0.2 + 0.1 is rounded up. */
static void rounded_translations_are_not_taken_for_exact_bounds(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++)
    {
        assert_int_equal(verdict_of_shifted(0.5, 0.25, turned), GRAZE_CLASH_TOUCHES);
        assert_int_equal(verdict_of_shifted(0.7, 0.1, turned), GRAZE_CLASH_CROSSES);
        assert_int_equal(verdict_of_shifted(0.2, 0.1, turned), GRAZE_CLASH_CLEAR);
    }
}

/* Both lie in the plane that their AABBs share; the triangles of one go through the edges of the other. */
static void flat_parts_in_one_plane_are_not_separated_by_it(void **state)
{
    (void)state;
    graze_mesh *meshes[2] = {box_between(0, 0, 1, 2, 2, 1), box_between(1, 1, 1, 3, 3, 1)};
    graze_clash_part parts[2] = {part_of("a", meshes[0]), part_of("b", meshes[1])};
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->counts.pairs_tested + report->counts.pairs_undecided, 1);
    assert_int_equal(report->finding_count, 1);
    assert_int_not_equal(report->findings[0].verdict, GRAZE_CLASH_CLEAR);
    graze_clash_report_destroy(report);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_share_a_face_touch_and_an_ulp_more_crosses),
        cmocka_unit_test(rounded_translations_are_not_taken_for_exact_bounds),
        cmocka_unit_test(flat_parts_in_one_plane_are_not_separated_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
