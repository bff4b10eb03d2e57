/* SPDX-License-Identifier: MIT */
/*
 * Half-spaces at the edges of their range: normals in any direction, denormal ones and those whose world direction is
 * none; gaps and depths beyond the largest double or below the smallest; vertices that differ by their last bit.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "graze/mesh.h"
#include "graze/shape_query.h"
#include "support/unit.h"

static graze_placed half_space(const double normal[3], double offset, graze_shape **out_shape)
{
    assert_int_equal(graze_shape_create_half_space(NULL, normal, offset, out_shape), GRAZE_STATUS_OK);
    return (graze_placed){*out_shape, graze_pose_identity()};
}

static graze_shape_distance distance_of(const graze_placed *a, const graze_placed *b)
{
    graze_shape_distance d;
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    return d;
}

static graze_shape_depth depth_of(const graze_placed *a, const graze_placed *b)
{
    graze_shape_depth depth;
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, NULL, &depth), GRAZE_STATUS_OK);
    return depth;
}

/* (2, 3, 6) has length 7; also where squares of it would underflow, and turned to every axis. */
static void points_of_planes_lie_on_their_normal(void **state)
{
    (void)state;
    static const double scales[4] = {1, 0x1p-600, 0x1p-1060, 0x1p600};
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < 4; i++)
        {
            double n[3], m[3];
            graze_shape *shapes[2];
            for (int k = 0; k < 3; k++)
            {
                n[k] = scales[i] * (k == turn ? 2 : k == (turn + 1) % 3 ? 3 : 6);
                m[k] = -n[k];
            }
            graze_placed low = half_space(n, 7 * scales[i], &shapes[0]);
            graze_placed high = half_space(m, -21 * scales[i], &shapes[1]);
            graze_shape_distance d = distance_of(&low, &high);
            assert_true(d.found && d.lower <= 2 && d.upper >= 2);
            for (int k = 0; k < 3; k++)
            {
                assert_true(fabs(d.point_a[k] - n[k] / scales[i] / 7) < 1e-3);
                assert_true(fabs(d.point_b[k] - 3 * n[k] / scales[i] / 7) < 3e-3);
            }
            assert_true(d.part_a == 0 && d.part_b == 0 && d.triangle_a == GRAZE_NO_TRIANGLE &&
                        d.triangle_b == GRAZE_NO_TRIANGLE && d.face_a == GRAZE_NO_TRIANGLE);
            graze_shape_destroy(shapes[0]);
            graze_shape_destroy(shapes[1]);
        }
}

static const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1};

/* Gaps and depths of more than the largest double: there is a distance without a limit, but no way out. */
static void gaps_may_exceed_the_range(void **state)
{
    (void)state;
    graze_shape *shapes[4], *ball;
    const double centre[3] = {0, 0, -DBL_MAX};
    graze_placed low = half_space(up, -DBL_MAX, &shapes[0]), high = half_space(down, -DBL_MAX, &shapes[1]);
    graze_shape_distance d = distance_of(&low, &high);
    assert_true(d.found && d.lower > 0 && d.lower < INFINITY && d.upper == INFINITY && d.distance > DBL_MAX / 2);
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.limit = DBL_MAX;
    assert_int_equal(graze_shape_pair_distance(NULL, &low, &high, &options, &d), GRAZE_STATUS_OK);
    assert_false(d.found);
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 1, &ball), GRAZE_STATUS_OK);
    graze_placed wide = half_space(up, DBL_MAX, &shapes[2]), other = half_space(down, DBL_MAX, &shapes[3]);
    graze_placed body = {ball, graze_pose_identity()};
    for (int i = 0; i < 2; i++)
    {
        graze_shape_depth depth = depth_of(i == 0 ? &body : &other, &wide);
        assert_true(depth.overlap == GRAZE_VERDICT_YES && depth.upper == INFINITY && depth.lower <= DBL_MAX);
        for (int k = 0; k < 3; k++)
            assert_true(depth.translation[k] == 0);
    }
    for (int i = 0; i < 4; i++)
        graze_shape_destroy(shapes[i]);
    graze_shape_destroy(ball);
}

/* A point 2^-1074 below a plane, on it and above it; alone and in a compound. */
static void least_depths_are_bounded(void **state)
{
    (void)state;
    graze_shape *plane, *shape, *joined, *ball;
    const double origin[3] = {0, 0, 0};
    graze_placed floor = half_space(up, 0, &plane);
    assert_int_equal(graze_shape_create_point(NULL, origin, &shape), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0, &ball), GRAZE_STATUS_OK);
    for (int i = -1; i <= 1; i++)
        for (int compound = 0; compound < 2; compound++)
        {
            const graze_placed parts[2] = {{shape, graze_pose_translation(0, 0, 5)}, {shape, graze_pose_identity()}};
            assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &joined), GRAZE_STATUS_OK);
            graze_placed body = {compound == 1 ? joined : shape, graze_pose_translation(3, 0, i * 0x1p-1074)};
            graze_shape_depth depth = depth_of(&body, &floor);
            graze_shape_distance d = distance_of(&body, &floor);
            assert_int_equal(depth.overlap, i < 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
            assert_true((d.distance > 0) == (i > 0) && d.lower >= 0 && !signbit(d.lower) && d.upper < 1e-300);
            assert_true(depth.lower == 0 && depth.depth_lower == 0 && (depth.upper > 0) == (i < 0));
            assert_true(compound == 1 || depth.upper < 1e-300);
            assert_int_equal(depth.has_point, i < 0);
            assert_true(i >= 0 || depth.point[0] == 3);
            for (int k = 0; k < 3; k++)
                assert_true(depth.translation[k] != 0 || !signbit(depth.translation[k]));
            graze_shape_destroy(joined);
        }
    graze_shape_destroy(plane);
    graze_shape_destroy(shape);
    graze_shape_destroy(ball);
}

/* A direction that overflows in the world is not known: no translation goes along it. */
static void directions_beyond_the_range_are_none(void **state)
{
    (void)state;
    static const double slanted[3] = {1, 1, 1}, size[3] = {2, 2, 2};
    graze_shape *plane, *box, *ball;
    graze_placed wide = half_space(slanted, 0, &plane);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    graze_placed body = {box, graze_pose_identity()}, round = {ball, graze_pose_identity()};
    static const double scales[6] = {0x1p-1000, 0x1p-600, 0x1p500, 0x1.fffffffffffffp511, 0x1p600, 0x1p700};
    for (int i = 0; i < 6; i++)
    {
        for (int k = 0; k < 3; k++)
            wide.pose.m[5 * k] = scales[i];
        graze_shape_depth depth = depth_of(&body, &wide);
        double length = 0, along = 0;
        for (int k = 0; k < 3; k++)
        {
            length = hypot(length, depth.translation[k]);
            along -= depth.translation[k] / sqrt(3);
        }
        assert_true(depth.overlap == GRAZE_VERDICT_YES && depth.lower <= sqrt(3) + 1e-9 &&
                    depth.upper >= sqrt(3) - 1e-9);
        assert_true(isfinite(length) && fabs(fabs(along) - length) < 1e-9);
        assert_true(i == 2 ? fabs(length - sqrt(3)) < 1e-9 : length == 0);
        graze_verdict verdict;
        graze_shape_hit hit;
        assert_int_equal(graze_shape_pair_any(NULL, &round, &wide, NULL, &verdict, &hit), GRAZE_STATUS_OK);
        assert_true(verdict == GRAZE_VERDICT_YES && hit.has_point);
        assert_true(hypot(hypot(hit.point[0], hit.point[1]), hit.point[2]) < 1 + 1e-9);
    }
    graze_shape_destroy(plane);
    graze_shape_destroy(box);
    graze_shape_destroy(ball);
}

/* Where only some products of the pose leave the range, the depth is known, and so must its way be. */
static void ways_out_are_finite_where_depths_are(void **state)
{
    (void)state;
    static const double normal[3] = {2, 0, -1.0 / 3}, size[3] = {0x1p-300, 0x1p-300, 0x1p-300};
    graze_shape *plane, *box;
    graze_placed wide = half_space(normal, 5, &plane);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed body = {box, graze_pose_identity()};
    wide.pose = body.pose = (graze_pose){
        {0x1.5p991, 0x1.5p988, 0, -4, -0x1p-1004, 0x1p-1030, 0x1p-1057, -4, 0x1.5p987, -0x1p-1005, 0x1p-884, 2}};
    body.pose.m[0] = nextafter(body.pose.m[0], 0);
    graze_shape_depth depth = depth_of(&body, &wide);
    assert_true(depth.overlap == GRAZE_VERDICT_YES && depth.upper < INFINITY);
    double length = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, depth.translation[k]);
    assert_true(length >= depth.lower * (1 - 1e-9) && length <= depth.upper * (1 + 1e-9));
    graze_shape_destroy(plane);
    graze_shape_destroy(box);
}

enum
{
    TRIANGLES = 9
};

/* Triangles in steps of one unit in the last place under a slanted plane: the lowest one is named, wherever it is. */
static void the_lowest_of_almost_equal_vertices_is_named(void **state)
{
    (void)state;
    static const double slanted[3] = {-0.3, -0.7, 1.1};
    double vertices[3 * TRIANGLES][3], at[3] = {1.3, 2.1, 0.7};
    uint32_t corners[3 * TRIANGLES];
    graze_shape *plane, *shape;
    graze_mesh *mesh;
    graze_placed floor = half_space(slanted, -50, &plane);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        corners[i] = i;
    for (int lowest = 0; lowest < TRIANGLES; lowest++)
    {
        for (int i = 0; i < TRIANGLES; i++)
            for (int c = 0; c < 3; c++)
            {
                double *v = vertices[3 * i + c];
                memcpy(v, at, sizeof at);
                v[2] = c == 0 ? at[2] : at[2] + c;
                for (int step = 0; c == 0 && step < (i + TRIANGLES - lowest) % TRIANGLES; step++)
                    v[2] = nextafter(v[2], 9);
            }
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 3 * TRIANGLES;
        def.corners = corners;
        def.corner_count = 3 * TRIANGLES;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &shape), GRAZE_STATUS_OK);
        graze_placed body = {shape, graze_pose_identity()};
        body.pose.m[3] = 1e-3;
        graze_shape_distance d = distance_of(&body, &floor);
        assert_true(d.found && d.distance > 0);
        assert_int_equal(d.triangle_a, lowest);
        graze_shape_destroy(shape);
        graze_mesh_destroy(mesh);
    }
    graze_shape_destroy(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_planes_lie_on_their_normal),
        cmocka_unit_test(gaps_may_exceed_the_range),
        cmocka_unit_test(least_depths_are_bounded),
        cmocka_unit_test(directions_beyond_the_range_are_none),
        cmocka_unit_test(ways_out_are_finite_where_depths_are),
        cmocka_unit_test(the_lowest_of_almost_equal_vertices_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
