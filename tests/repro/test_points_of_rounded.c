/* SPDX-License-Identifier: MIT */
/*
 * First impacts of meshes with balls and capsules: the point was midway between the mesh and the middle of the ball,
 * half a radius away from either surface.
 */
#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_motion.h"
#include "support/unit.h"

enum
{
    ROUND = 3
};

static graze_mesh *mesh;
static graze_shape *box, *rounded[ROUND];
static const double radii[ROUND] = {1, 3, 0.5};

static int begin(void **state)
{
    (void)state;
    const double ends[2][3] = {{-0.25, 0, 0}, {0.25, 0, 0}};
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, true, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, radii[0], &rounded[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, radii[1], &rounded[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, radii[2], &rounded[2]), GRAZE_STATUS_OK);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (int i = 0; i < ROUND; i++)
        graze_shape_destroy(rounded[i]);
    graze_shape_destroy(box);
    graze_mesh_destroy(mesh);
    return 0;
}

/* A rounded shape falls on the box from a height; the same with both exchanged. */
static graze_shape_impact falls(int which, double height, double margin, bool swapped)
{
    graze_pose start = graze_pose_translation(0.25, 0.5, height), end = graze_pose_translation(0.25, 0.5, -9);
    graze_moving_shape a = {.shape = box}, b = {.shape = rounded[which]};
    graze_impact_options options = graze_impact_options_default();
    graze_shape_impact impact;
    graze_pose still = graze_pose_identity();
    options.margin = margin;
    assert_int_equal(graze_motion_still(&still, &a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &b.motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_impact(NULL, swapped ? &b : &a, swapped ? &a : &b, &options, &impact),
                     GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
    assert_true(impact.hit.has_point);
    return impact;
}

static void a_point_is_midway_between_the_surfaces(void **state)
{
    (void)state;
    for (int round = 0; round < 4 * ROUND; round++)
    {
        double margin = round / ROUND % 2 == 0 ? 0 : 0.5;
        graze_shape_impact impact = falls(round % ROUND, 5, margin, round >= 2 * ROUND);
        assert_true(impact.upper > 0);
        assert_true(fabs(impact.hit.point[2] - (1 + 0.5 * margin)) < 1e-6);
        assert_true(fabs(impact.hit.point[1] - 0.5) < 1e-6);
        assert_true(fabs(impact.hit.point[0] - 0.25) < 0.2500001);
    }
}

/* Where they overlap at the start, it is on the surface of the box and in the ball. */
static void a_point_at_the_start_is_common(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++)
    {
        int which = round % 2;
        double height = 1 + 0.75 * radii[which], squares = 0, most = 0;
        const double centre[3] = {0.25, 0.5, height};
        graze_shape_impact impact = falls(which, height, 0, round >= 2);
        assert_true(impact.at_start);
        for (int k = 0; k < 3; k++)
        {
            squares += (impact.hit.point[k] - centre[k]) * (impact.hit.point[k] - centre[k]);
            most = fmax(most, fabs(impact.hit.point[k]));
        }
        assert_true(sqrt(squares) < radii[which] + 1e-9);
        assert_true(fabs(most - 1) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_midway_between_the_surfaces),
        cmocka_unit_test(a_point_at_the_start_is_common),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
