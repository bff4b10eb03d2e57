/* SPDX-License-Identifier: MIT */
/*
 * A body without any size, turned by a screw, a slerp or a twist, slides closely above a sheet: every deviation is
 * large beside it, so that time was halved to 2^-22 throughout before a pair of triangles was looked at, for minutes.
 */
#include <string.h>

#include "graze/motion_query.h"
#include "support/unit.h"

static graze_mesh *triangle_mesh(double size, double z)
{
    const double vertices[9] = {-size, -size, z, size, -size, z, 0, size, z};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void a_point_that_slides_above_a_sheet_is_soon_decided(void **state)
{
    (void)state;
    for (int kind = GRAZE_MOTION_SCREW; kind <= GRAZE_MOTION_TWIST; kind++)
    {
        graze_mesh *point = triangle_mesh(0, 0x1p-30), *sheet = triangle_mesh(100, 0);
        graze_moving_mesh a = {.mesh = point}, b = {.mesh = sheet};
        graze_pose identity = graze_pose_identity();
        assert_int_equal(graze_motion_still(&identity, &b.motion), GRAZE_STATUS_OK);
        memset(&a.motion, 0, sizeof a.motion);
        a.motion.kind = (graze_motion_kind)kind;
        a.motion.quaternion[0][0] = 1;
        a.motion.quaternion[1][0] = 0.8;
        a.motion.quaternion[1][3] = 0.6;
        a.motion.centre[2] = a.motion.path[0][2] = 0x1p-30;
        a.motion.path[0][0] = -3;
        a.motion.path[1][0] = 6;
        graze_impact_options options = graze_impact_options_default();
        options.budget.box_tests = 300000;
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_NONE);
        graze_mesh_destroy(point);
        graze_mesh_destroy(sheet);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_point_that_slides_above_a_sheet_is_soon_decided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
