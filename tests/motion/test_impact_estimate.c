/* SPDX-License-Identifier: MIT */
/* Points and normals of first impacts of boxes that fall on one another with a corner, a face or an edge: as known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/unit.h"

static graze_mesh *cubes[3]; /* the same, with corners of triangles in another order */

static int begin(void **state)
{
    (void)state;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &cubes[0]), GRAZE_STATUS_OK);
    size_t count = graze_mesh_triangle_count(cubes[0]);
    assert_int_equal(count, 12);
    for (size_t turn = 1; turn < 3; turn++)
    {
        uint32_t corners[36];
        graze_mesh_def def = graze_mesh_def_default();
        for (size_t i = 0; i < 36; i++)
            corners[i] = graze_mesh_triangles(cubes[0])[i / 3 * 3 + (i + turn) % 3];
        def.vertices = graze_mesh_vertices(cubes[0]);
        def.vertex_count = graze_mesh_vertex_count(cubes[0]);
        def.corners = corners;
        def.corner_count = 36;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &cubes[turn]), GRAZE_STATUS_OK);
    }
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        graze_mesh_destroy(cubes[i]);
    return 0;
}

static graze_pose turned(const double axis[3], double angle, const double at[3])
{
    graze_pose pose;
    assert_int_equal(graze_pose_from_axis_angle(axis, angle, at, &pose), GRAZE_STATUS_OK);
    return pose;
}

/* B falls along -z by `way` in its pose; and the same with both exchanged. */
static void expect(const graze_pose *of_a, const graze_pose *of_b, double way, const double point[3],
                   const double normal[3])
{
    graze_moving_mesh a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.motion.kind = GRAZE_MOTION_STILL;
    a.motion.start = *of_a;
    b.motion.kind = GRAZE_MOTION_BLEND;
    b.motion.start = b.motion.end = *of_b;
    b.motion.end.m[11] -= way;
    for (int round = 0; round < 18; round++)
    {
        int swapped = round % 2;
        graze_impact impact;
        a.mesh = cubes[round / 2 % 3];
        b.mesh = cubes[round / 6];
        assert_int_equal(graze_pair_impact(NULL, swapped ? &b : &a, swapped ? &a : &b, NULL, &impact), GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        for (int k = 0; k < 3; k++)
        {
            assert_true(fabs(impact.point[k] - point[k]) < 1e-9);
            assert_true(fabs(impact.normal[k] - (swapped ? -normal[k] : normal[k])) < 1e-9);
        }
    }
}

static void a_corner_falls_on_a_face(void **state)
{
    (void)state;
    const double height = sqrt(3);
    const double across[3] = {1 / sqrt(2), -1 / sqrt(2), 0}, at[3] = {0.25, -0.5, 4}, low[3] = {0.25, -0.5, -4};
    const graze_pose below = graze_pose_identity();
    const double where[3] = {0.25, -0.5, 1}, under[3] = {0.25, -0.5, -1}, up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    /* the diagonal of the cube along z: its lowest corner is below its middle */
    const graze_pose falling = turned(across, -acos(1 / height), at);
    expect(&below, &falling, 6, where, up);
    const graze_pose rising = turned(across, -acos(1 / height), low);
    expect(&below, &rising, -6, under, down);
}

static void an_edge_falls_on_an_edge(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, quarter = atan(1), origin[3] = {0, 0, 0}, at[3] = {0.25, 0.125, 5};
    const graze_pose along_x = turned(x, quarter, origin), along_y = turned(y, quarter, at);
    const graze_pose other = turned(x, quarter, at), still = turned(y, quarter, origin);
    const double up[3] = {0, 0, 1}, first[3] = {0.25, 0, sqrt(2)}, second[3] = {0, 0.125, sqrt(2)};
    expect(&along_x, &along_y, 6, first, up);
    expect(&still, &other, 6, second, up);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_falls_on_a_face),
        cmocka_unit_test(an_edge_falls_on_an_edge),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
