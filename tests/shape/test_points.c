/* SPDX-License-Identifier: MIT */
/*
 * What queries construct: points of hits, closest points, deepest points and ways out lie where they are said to, for
 * any two kinds, compounds too, up to rounding. Points are measured as shapes of their own. Bounds that decide before
 * exact numbers do are on the right side of what is known.
 */
#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 5
};

#define NEAR 1e-8

typedef struct counters
{
    int pairs, hits, without_point, near, apart, deep, moved, kept;
} counters;

static graze_shape_distance distance_of(const graze_placed *a, const graze_placed *b)
{
    graze_shape_distance d;
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    return d;
}

/* How far a point of the world is from a placed shape. */
static double distance_to(const double point[3], const graze_placed *placed)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_point(NULL, point, &shape), GRAZE_STATUS_OK);
    graze_placed at = {shape, graze_pose_identity()};
    graze_shape_distance d = distance_of(&at, placed);
    graze_shape_destroy(shape);
    return d.found ? d.distance : INFINITY;
}

static void check_near(const double point[3], const graze_placed *placed, double reach, const char *what)
{
    double d = distance_to(point, placed);
    if (!(d <= reach + NEAR))
        fail_msg("%s: (%g, %g, %g) is %g from %s", what, point[0], point[1], point[2], d,
                 graze_shape_kind_name(graze_shape_get_kind(placed->shape)));
}

static void check_hit(const graze_placed *a, const graze_placed *b, counters *c)
{
    graze_verdict verdict;
    graze_shape_hit hit;
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    if (verdict != GRAZE_VERDICT_YES)
        return;
    c->hits++;
    c->without_point += !hit.has_point;
    if (!hit.has_point)
    {
        assert_true(hit.point[0] == 0 && hit.point[1] == 0 && hit.point[2] == 0);
        return;
    }
    check_near(hit.point, a, 0, "hit");
    check_near(hit.point, b, 0, "hit");
}

static void check_tolerance(const graze_placed *a, const graze_placed *b, double tolerance, counters *c)
{
    graze_verdict verdict;
    graze_shape_hit hit;
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, tolerance, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    if (verdict != GRAZE_VERDICT_YES || !hit.has_point)
        return;
    c->near++;
    check_near(hit.point, a, tolerance, "near");
    check_near(hit.point, b, tolerance, "near");
}

static bool is_kind(const graze_placed *placed, graze_shape_kind kind)
{
    return graze_shape_get_kind(placed->shape) == kind;
}

static void check_distance(const graze_placed *a, const graze_placed *b, counters *c)
{
    graze_shape_distance d = distance_of(a, b);
    double length = 0;
    if (!d.found)
        return;
    for (int k = 0; k < 3; k++)
        length = hypot(length, d.point_a[k] - d.point_b[k]);
    if (d.distance > 0 && is_kind(a, GRAZE_SHAPE_HALF_SPACE) && is_kind(b, GRAZE_SHAPE_HALF_SPACE))
        return; /* points of the two planes: see half_spaces_are_measured_along_their_normal */
    check_near(d.point_a, a, 0, "closest");
    check_near(d.point_b, b, 0, "closest");
    if (fabs(length - d.distance) > NEAR)
        fail_msg("closest points are %g apart, at a distance of %g", length, d.distance);
    c->apart += d.distance > 0;
}

/* ---- depths ---- */

static graze_shape_depth depth_of(const graze_placed *a, const graze_placed *b)
{
    graze_shape_depth depth;
    graze_shape_depth_options options = graze_shape_depth_options_default();
    options.max_queries = 60;
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, &options, &depth), GRAZE_STATUS_OK);
    return depth;
}

/* How deep a point is in a shape: the length of the shortest way out of it. */
static double depth_in(const double point[3], const graze_placed *placed)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_point(NULL, point, &shape), GRAZE_STATUS_OK);
    graze_placed at = {shape, graze_pose_identity()};
    graze_shape_depth depth = depth_of(&at, placed);
    graze_shape_destroy(shape);
    return depth.overlap == GRAZE_VERDICT_NO ? 0 : depth.upper;
}

static void check_depth(const graze_placed *a, const graze_placed *b, counters *c)
{
    graze_shape_depth depth = depth_of(a, b);
    if (depth.overlap == GRAZE_VERDICT_NO)
    {
        assert_true(depth.lower == 0 && depth.upper == 0 && depth.depth_lower == 0 && depth.depth_upper == 0);
        return;
    }
    if (!depth.has_point)
        return;
    check_near(depth.point, a, 0, "deepest");
    check_near(depth.point, b, 0, "deepest");
    double in_a = depth_in(depth.point, a), in_b = depth_in(depth.point, b);
    if (fmax(in_a, in_b) < depth.depth_lower - NEAR)
        fail_msg("kinds %d, %d: the deepest point is %g and %g deep, not %g", (int)graze_shape_get_kind(a->shape),
                 (int)graze_shape_get_kind(b->shape), in_a, in_b, depth.depth_lower);
    c->deep += depth.depth_lower > 0;
}

static void test_pair(test_random *random, graze_shape_kind kind_a, graze_shape_kind kind_b, counters *c)
{
    random_shape x, y;
    random_shape_make(random, kind_a, &x);
    random_shape_make(random, kind_b, &y);
    graze_placed a = {x.shape, random_rigid_pose(random)}, b = {y.shape, random_rigid_pose(random)};
    c->pairs++;
    check_hit(&a, &b, c);
    check_tolerance(&a, &b, random_once_in(random, 2) ? 1 : 0.25, c);
    check_distance(&a, &b, c);
    check_depth(&a, &b, c);
    random_shape_clear(&x);
    random_shape_clear(&y);
}

static void points_lie_where_they_are_said_to(void **state)
{
    (void)state;
    test_random random = test_random_start("points of shapes", 5);
    counters c = {0};
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int kind_b = 0; kind_b < GRAZE_SHAPE_KIND_COUNT; kind_b++)
            for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
                test_pair(&random, (graze_shape_kind)kind_a, (graze_shape_kind)kind_b, &c);
    printf("%d pairs: %d hits, %d without a point, %d near, %d apart, %d deep\n", c.pairs, c.hits, c.without_point,
           c.near, c.apart, c.deep);
    assert_true(c.hits > c.pairs / 8 && c.near > c.pairs / 8 && c.apart > c.pairs / 8 && c.deep > c.pairs / 20);
    assert_true(c.without_point <= c.pairs / 500); /* half-spaces that meet far away */
}

/* ---- half-spaces ---- */

static graze_placed half_space(const double normal[3], double offset, graze_shape **out_shape)
{
    assert_int_equal(graze_shape_create_half_space(NULL, normal, offset, out_shape), GRAZE_STATUS_OK);
    return (graze_placed){*out_shape, graze_pose_identity()};
}

static void half_spaces_are_measured_along_their_normal(void **state)
{
    (void)state;
    static const double up[3] = {0, 3, 4}, down[3] = {0, -6, -8}, aslant[3] = {1, -6, -8};
    graze_shape *shapes[5];
    graze_placed low = half_space(up, 5, &shapes[0]), high = half_space(down, -40, &shapes[1]); /* 1 and 4 along up */
    graze_placed deep = half_space(down, 5, &shapes[2]), touching = half_space(down, -10, &shapes[3]);
    graze_placed turned = half_space(aslant, -40, &shapes[4]);
    graze_shape_distance d = distance_of(&low, &high), turned_round = distance_of(&high, &low);
    assert_true(d.found && d.lower <= 3 && d.upper >= 3 && d.upper - d.lower < 1e-12);
    assert_true(fabs(d.distance - 3) < 1e-12 && turned_round.distance == d.distance);
    for (int k = 0; k < 3; k++)
    {
        assert_true(fabs(d.point_a[k] - up[k] / 5) < 1e-12);
        assert_true(fabs(d.point_b[k] - 4 * up[k] / 5) < 1e-12);
        assert_true(d.point_a[k] == turned_round.point_b[k] && d.point_b[k] == turned_round.point_a[k]);
    }
    graze_shape_distance_options options = graze_shape_distance_options_default();
    const double limits[4] = {2.9, 3, 3.1, 0};
    for (int i = 0; i < 4; i++)
    {
        options.limit = limits[i];
        assert_int_equal(graze_shape_pair_distance(NULL, &low, &high, &options, &d), GRAZE_STATUS_OK);
        assert_int_equal(d.found, limits[i] >= 3);
        assert_true(d.lower <= 3 && (d.found || d.lower >= limits[i]));
    }
    assert_true(distance_of(&low, &deep).upper == 0 && distance_of(&low, &touching).upper == 0 &&
                distance_of(&low, &turned).upper == 0);
    graze_shape_depth depth = depth_of(&low, &high);
    assert_true(depth.overlap == GRAZE_VERDICT_NO && depth_of(&low, &touching).overlap == GRAZE_VERDICT_NO);
    depth = depth_of(&low, &deep); /* 1 up, and all above -0.5: 1.5 deep */
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_true(depth.lower <= 1.5 && depth.upper >= 1.5 && depth.upper - depth.lower < 1e-12);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(depth.translation[k] - 1.5 * up[k] / 5) < 1e-12);
    depth = depth_of(&low, &turned);
    assert_true(depth.overlap == GRAZE_VERDICT_YES && depth.lower == INFINITY && depth.upper == INFINITY &&
                depth.depth_lower == INFINITY && depth.depth_upper == INFINITY);
    for (int i = 0; i < 5; i++)
        graze_shape_destroy(shapes[i]);
}

/* A box half in a half-space, a sphere at it, and numbers that are known. */
static void lowest_points_are_known(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 2}, size[3] = {1, 2, 3}, centre[3] = {1, 2, 3};
    graze_shape *plane, *box, *sphere, *cylinder;
    graze_placed floor = half_space(up, 0, &plane);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 3, 1, &cylinder), GRAZE_STATUS_OK);
    graze_placed ball = {sphere, graze_pose_identity()};
    const graze_shape *both[2] = {box, cylinder};
    graze_shape_distance d = distance_of(&ball, &floor);
    assert_true(fabs(d.distance - 2.5) < 1e-12 && fabs(d.point_a[2] - 2.5) < 1e-12 && fabs(d.point_b[2]) < 1e-12);
    assert_true(d.point_a[0] == 1 && d.point_a[1] == 2 && d.point_b[0] == 1 && d.point_b[1] == 2);
    for (int i = 0; i < 2; i++)
    {
        graze_placed body = {both[i], graze_pose_translation(0, 0, 1)};
        graze_shape_depth depth = depth_of(&body, &floor);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(depth.lower <= 0.5 && depth.upper >= 0.5 && depth.upper - depth.lower < 1e-12);
        assert_true(depth.has_point && fabs(depth.point[2] + 0.5) < 1e-9);
        assert_true(fabs(depth.translation[2] + 0.5) < 1e-9 && depth.translation[0] == 0 && depth.translation[1] == 0);
        body.pose.m[11] = 3;
        assert_int_equal(depth_of(&body, &floor).overlap, GRAZE_VERDICT_NO);
        graze_shape_distance gap = distance_of(&body, &floor);
        assert_true(gap.found && fabs(gap.distance - 1.5) < 1e-12);
    }
    graze_shape_destroy(cylinder);
    graze_shape_destroy(sphere);
    graze_shape_destroy(box);
    graze_shape_destroy(plane);
}

/* ---- bounds in front of exact decisions ---- */

static graze_verdict within(const graze_placed *a, const graze_placed *b, double tolerance, bool strict)
{
    graze_verdict verdict;
    graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
    options.strict = strict;
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, tolerance, &options, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

/* Vertices and normals are integers: heights are exact in doubles. */
static void meshes_lie_on_planes(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_shape *shape, *plane;
    assert_int_equal(graze_mesh_create_box(NULL, 8, 16, 8, 4, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &shape), GRAZE_STATUS_OK);
    test_random random = test_random_start("meshes on planes", 6);
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        double n[3], lowest = INFINITY, length = 0;
        for (int k = 0; k < 3; k++)
            n[k] = random_between(&random, -5, 5);
        n[0] = n[0] == 0 ? 1 : n[0];
        graze_placed body = {shape,
                             graze_pose_translation(random_between(&random, -9, 9), random_between(&random, -9, 9),
                                                    random_between(&random, -9, 9))};
        for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++)
        {
            const double *v = graze_mesh_vertices(mesh) + 3 * i;
            double height = 0;
            for (int k = 0; k < 3; k++)
                height += n[k] * (v[k] + body.pose.m[4 * k + 3]);
            lowest = fmin(lowest, height);
        }
        for (int k = 0; k < 3; k++)
            length = hypot(length, n[k]);
        for (int gap = -1; gap <= 1; gap++)
        {
            graze_verdict verdict;
            graze_placed floor = half_space(n, lowest - gap, &plane);
            assert_int_equal(graze_shape_pair_any(NULL, &body, &floor, NULL, &verdict, NULL), GRAZE_STATUS_OK);
            assert_int_equal(verdict, gap <= 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
            graze_shape_distance d = distance_of(&body, &floor);
            double expected = gap <= 0 ? 0 : gap / length;
            assert_true(d.found && fabs(d.distance - expected) < 1e-12 && (d.distance == 0) == (gap <= 0));
            graze_shape_depth depth = depth_of(&body, &floor);
            assert_true(gap > 0 ? depth.upper == 0 : fabs(depth.upper + gap / length) < 1e-12);
            graze_shape_destroy(plane);
        }
    }
    graze_shape_destroy(shape);
    graze_mesh_destroy(mesh);
}

/* A ball beside a box of triangles: distance 3, or the radius is all that is left. */
static void balls_at_meshes_have_distances_on_one_side_of_limits(void **state)
{
    (void)state;
    static const double radii[4] = {2, 0x1.fffffffffffffp0, 0x1.0000000000001p1, 1};
    graze_mesh *mesh;
    graze_shape *shape;
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 2, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &shape), GRAZE_STATUS_OK);
    graze_placed body = {shape, graze_pose_identity()};
    for (int i = 0; i < 4; i++)
    {
        const double touching[3] = {6, 0.5, 0.25}, apart[3] = {7 + radii[i], 0.5, 0.25};
        graze_shape *balls[2];
        assert_int_equal(graze_shape_create_sphere(NULL, touching, radii[i], &balls[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_sphere(NULL, apart, radii[i], &balls[1]), GRAZE_STATUS_OK);
        graze_placed near = {balls[0], graze_pose_identity()}, far = {balls[1], graze_pose_identity()};
        graze_shape_distance d = distance_of(&body, &near);
        assert_true(d.found && (d.distance == 0) == (radii[i] >= 2) && d.lower <= fmax(2 - radii[i], 0));
        graze_shape_distance_options options = graze_shape_distance_options_default();
        double gap = (7 + radii[i]) - 4 - radii[i], limit = gap;
        for (int step = 0; step < 20; step++)
            limit = nextafter(limit, 0);
        for (int step = -20; step <= 20; step++, limit = nextafter(limit, 9))
        {
            options.limit = limit;
            assert_int_equal(graze_shape_pair_distance(NULL, &body, &far, &options, &d), GRAZE_STATUS_OK);
            bool is_within = within(&body, &far, limit, false) == GRAZE_VERDICT_YES;
            assert_int_equal(d.found, is_within);
            assert_true(i == 1 || i == 2 || is_within == (step >= 0)); /* the others have a rounded gap */
            if (d.found)
                assert_true(d.lower <= d.distance && d.distance <= d.upper && fabs(d.distance - 3) < 1e-12);
        }
        graze_shape_destroy(balls[0]);
        graze_shape_destroy(balls[1]);
    }
    graze_shape_destroy(shape);
    graze_mesh_destroy(mesh);
}

static void tolerances_of_curved_shapes_agree_with_distances(void **state)
{
    (void)state;
    static const graze_shape_kind curved[3] = {GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE, GRAZE_SHAPE_ELLIPSOID};
    test_random random = test_random_start("tolerances of curved shapes", 8);
    int apart = 0, unknown = 0, rounds = TEST_ROUNDS(600);
    for (int round = 0; round < rounds; round++)
    {
        random_shape x, y;
        graze_shape_kind kind = (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT);
        random_shape_make(&random, curved[round % 3], &x);
        random_shape_make(&random, kind, &y);
        graze_placed a = {x.shape, random_rigid_pose(&random)}, b = {y.shape, random_rigid_pose(&random)};
        graze_shape_distance d = distance_of(&a, &b);
        if (d.found && d.lower > 1e-3)
        {
            apart++;
            for (int strict = 0; strict < 2; strict++)
            {
                assert_int_equal(within(&a, &b, d.lower * (1 - 1e-9), strict != 0), GRAZE_VERDICT_NO);
                assert_int_equal(within(&a, &b, d.upper * (1 + 1e-9), strict != 0), GRAZE_VERDICT_YES);
                graze_verdict at_lower = within(&a, &b, nextafter(d.lower, 0), strict != 0);
                graze_verdict at_upper = within(&a, &b, nextafter(d.upper, INFINITY), strict != 0);
                assert_int_not_equal(at_lower, GRAZE_VERDICT_YES);
                assert_int_not_equal(at_upper, GRAZE_VERDICT_NO);
                unknown += within(&a, &b, d.distance, strict != 0) == GRAZE_VERDICT_UNKNOWN;
            }
        }
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d of %d are apart, %d unknown at their distance\n", apart, rounds, unknown);
    assert_true(apart > rounds / 4 && unknown > apart / 2);
}

/* Boxes that their poses make points: distances decide as collisions do, which boxes around them rule out before. */
static void single_points_meet_where_they_are_equal(void **state)
{
    (void)state;
    static const double size[3] = {1, 2, 3}, places[5] = {0, 0x1p-1074, -0x1p-1074, 0x1p-1060, 1};
    graze_shape *boxes[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_shape_create_box(NULL, size, &boxes[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
        {
            graze_verdict verdict;
            graze_placed a = {boxes[0], {{0}}}, b = {boxes[1], {{0}}};
            a.pose.m[7] = places[i];
            b.pose.m[7] = places[j];
            assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
            assert_int_equal(verdict, i == j ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
            assert_true((distance_of(&a, &b).distance == 0) == (i == j));
        }
    graze_shape_destroy(boxes[0]);
    graze_shape_destroy(boxes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_where_they_are_said_to),
        cmocka_unit_test(half_spaces_are_measured_along_their_normal),
        cmocka_unit_test(lowest_points_are_known),
        cmocka_unit_test(meshes_lie_on_planes),
        cmocka_unit_test(balls_at_meshes_have_distances_on_one_side_of_limits),
        cmocka_unit_test(tolerances_of_curved_shapes_agree_with_distances),
        cmocka_unit_test(single_points_meet_where_they_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
