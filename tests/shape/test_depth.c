/* SPDX-License-Identifier: MIT */
/*
 * Depths of all pairs of kinds: no depth without collision; the way out separates, and no shorter translation does;
 * swapped arguments; numbers that are known.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 6
};

typedef struct counters
{
    int pairs, deep, ways, kept;
} counters;

static graze_shape_depth measure(const graze_placed *a, const graze_placed *b)
{
    graze_shape_depth depth;
    graze_shape_depth_options options = graze_shape_depth_options_default();
    options.max_queries = 60;
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, &options, &depth), GRAZE_STATUS_OK);
    return depth;
}

static graze_verdict collide(const graze_placed *a, const graze_placed *b)
{
    graze_verdict verdict;
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

static graze_placed move(const graze_placed *b, const double way[3], double factor)
{
    graze_placed moved = *b;
    for (int k = 0; k < 3; k++)
        moved.pose.m[4 * k + 3] += factor * way[k];
    return moved;
}

/* The way out, a little longer, leaves no overlap deeper than rounding. */
static void check_way(const graze_placed *a, const graze_placed *b, const graze_shape_depth *depth, counters *c)
{
    double length = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, depth->translation[k]);
    assert_true(length <= depth->upper * (1 + 1e-9) + 1e-9);
    graze_placed moved = move(b, depth->translation, 1 + 1e-9);
    graze_shape_depth rest = measure(a, &moved);
    if (rest.overlap != GRAZE_VERDICT_NO && rest.lower > 1e-7 * (1 + depth->upper))
        fail_msg("kinds %d, %d: %g left of [%g, %g]", (int)graze_shape_get_kind(a->shape),
                 (int)graze_shape_get_kind(b->shape), rest.lower, depth->lower, depth->upper);
    c->ways++;
}

/* Shorter translations leave them together. */
static void check_lower(test_random *random, const graze_placed *a, const graze_placed *b, double lower, counters *c)
{
    for (int i = 0; i < 4 && lower > 1e-6 && lower < 1e6; i++)
    {
        double way[3], length = 0;
        for (int k = 0; k < 3; k++)
        {
            way[k] = random_real(random, -1, 1);
            length = hypot(length, way[k]);
        }
        graze_placed moved = move(b, way, 0.999 * lower / (length + 1e-3));
        if (collide(a, &moved) == GRAZE_VERDICT_NO)
            fail_msg("kinds %d, %d: apart after less than %g", (int)graze_shape_get_kind(a->shape),
                     (int)graze_shape_get_kind(b->shape), lower);
        c->kept++;
    }
}

static bool same_swapped(const graze_shape_depth *x, const graze_shape_depth *y)
{
    bool same = x->overlap == y->overlap && x->lower == y->lower && x->upper == y->upper && x->part_a == y->part_b &&
                x->part_b == y->part_a && x->depth_lower == y->depth_lower && x->depth_upper == y->depth_upper;
    for (int k = 0; k < 3; k++)
        same = same && x->translation[k] == -y->translation[k];
    return same;
}

static void test_pair(test_random *random, graze_shape_kind kind_a, graze_shape_kind kind_b, counters *c)
{
    random_shape x, y;
    random_shape_make(random, kind_a, &x);
    random_shape_make(random, kind_b, &y);
    graze_placed a = {x.shape, random_rigid_pose(random)}, b = {y.shape, random_rigid_pose(random)};
    for (int k = 3; k < 12; k += 4)
        b.pose.m[k] = a.pose.m[k] + random_between(random, -2, 2);
    graze_verdict verdict = collide(&a, &b);
    graze_shape_depth depth = measure(&a, &b), other = measure(&b, &a);
    c->pairs++;
    if (verdict == GRAZE_VERDICT_NO)
        assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
    assert_true(depth.lower >= 0 && depth.lower <= depth.upper && depth.depth_lower <= depth.depth_upper);
    if (depth.overlap == GRAZE_VERDICT_NO)
        assert_true(depth.upper == 0 && depth.depth_upper == 0);
    if (!same_swapped(&depth, &other))
        fail_msg("kinds %d, %d: swapped", (int)kind_a, (int)kind_b);
    if (depth.overlap == GRAZE_VERDICT_YES)
    {
        c->deep++;
        check_lower(random, &a, &b, depth.lower, c);
        if (depth.upper < INFINITY)
            check_way(&a, &b, &depth, c);
    }
    random_shape_clear(&x);
    random_shape_clear(&y);
}

static void ways_out_separate_all_kinds(void **state)
{
    (void)state;
    test_random random = test_random_start("depths of shapes", 19);
    counters c = {0};
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int kind_b = 0; kind_b < GRAZE_SHAPE_KIND_COUNT; kind_b++)
            for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
                test_pair(&random, (graze_shape_kind)kind_a, (graze_shape_kind)kind_b, &c);
    printf("%d pairs, %d deep, %d ways out, %d shorter ones\n", c.pairs, c.deep, c.ways, c.kept);
    assert_true(c.deep > c.pairs / 5 && c.ways > c.pairs / 6 && c.kept > c.pairs / 4);
}

static graze_shape *sphere(double radius)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, radius, &shape), GRAZE_STATUS_OK);
    return shape;
}

/* Centres 5 apart (3-4-5), radii 4 and 3: the way out is 2 along the line of centres. */
static void depths_of_spheres_are_known(void **state)
{
    (void)state;
    graze_placed a = {sphere(4), graze_pose_identity()}, b = {sphere(3), graze_pose_translation(3, 4, 0)};
    graze_shape_depth depth = measure(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_true(depth.lower <= 2 && depth.upper >= 2 && depth.upper - depth.lower < 1e-12);
    assert_true(fabs(depth.translation[0] - 1.2) < 1e-12 && fabs(depth.translation[1] - 1.6) < 1e-12);
    assert_true(depth.depth_lower <= 2 && depth.depth_lower > 2 - 1e-12);
    graze_shape_destroy((graze_shape *)a.shape);
    graze_shape_destroy((graze_shape *)b.shape);
}

/* A box of half height 1 whose centre is 3 above a plane, and one 0.25 below it. */
static void depths_below_a_plane_are_known(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 2}, size[3] = {2, 2, 2};
    graze_shape *plane, *box;
    assert_int_equal(graze_shape_create_half_space(NULL, up, 0, &plane), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed ground = {plane, graze_pose_identity()}, above = {box, graze_pose_translation(0, 0, 1)},
                 below = {box, graze_pose_translation(0, 0, -0.25)};
    graze_shape_depth depth = measure(&above, &ground);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
    depth = measure(&below, &ground);
    assert_true(depth.lower <= 1.25 && depth.upper >= 1.25 && depth.upper - depth.lower < 1e-12);
    assert_true(depth.translation[2] < -1.24 && depth.has_point && depth.point[2] == -1.25);
    graze_placed facing = {plane, graze_pose_identity()};
    facing.pose.m[10] = -1; /* mirrored: z >= 0 */
    facing.pose.m[11] = -3;
    depth = measure(&ground, &facing);
    assert_true(depth.lower <= 3 && depth.upper >= 3 && depth.upper - depth.lower < 1e-12);
    depth = measure(&ground, &ground);
    assert_true(depth.overlap == GRAZE_VERDICT_YES && depth.lower == INFINITY);
    graze_shape_destroy(plane);
    graze_shape_destroy(box);
}

/* A triangle, a flat hull, whose mesh has two sides, and an open mesh through a solid: they overlap it as they are. */
static void flat_shapes_overlap_solids(void **state)
{
    (void)state;
    static const double corners[4][3] = {{-1, 0, -1}, {9, 0, -1}, {9, 0, 1}, {-1, 0, 1}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    graze_mesh *mesh, *sheet;
    graze_shape *solid, *flat[3];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.corners = indices;
    def.corner_count = 6;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &sheet), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 2, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, true, &solid), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_triangle(NULL, corners, &flat[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_hull(NULL, corners[0], 4, NULL, &flat[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, sheet, NULL, false, &flat[2]), GRAZE_STATUS_OK);
    for (int i = 0; i < 3; i++)
        for (int swapped = 0; swapped < 2; swapped++)
        {
            const graze_placed a = {solid, graze_pose_identity()}, b = {flat[i], graze_pose_translation(1, 0.5, 0)};
            graze_shape_depth depth = swapped == 0 ? measure(&a, &b) : measure(&b, &a);
            assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
            assert_true(depth.lower > 3 && depth.lower <= 3.5 && depth.upper >= 3.5 && depth.upper < 4.001);
        }
    for (int i = 0; i < 3; i++)
        graze_shape_destroy(flat[i]);
    graze_shape_destroy(solid);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(sheet);
}

/* Ways along an axis have no other component, nor the sign of one. */
static void ways_along_an_axis_have_plain_zeros(void **state)
{
    (void)state;
    const double radii[3] = {1, 1, 1};
    graze_shape *bodies[2];
    int zeros = 0;
    assert_int_equal(graze_shape_create_cylinder(NULL, 2, 1, &bodies[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, radii, &bodies[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 12; i++)
    {
        const graze_placed a = {bodies[i % 2], graze_pose_identity()};
        graze_placed b = {bodies[i / 2 % 2], graze_pose_identity()};
        b.pose.m[4 * (i / 4) + 3] = 1.5;
        const graze_shape_depth depth = measure(&a, &b), other = measure(&b, &a);
        for (int k = 0; k < 3; k++)
        {
            assert_false(depth.translation[k] == 0 && signbit(depth.translation[k]));
            assert_false(other.translation[k] == 0 && signbit(other.translation[k]));
            zeros += depth.translation[k] == 0;
        }
    }
    assert_true(zeros > 0);
    int ones = 0;
    for (int k = -64; k < 64; k++) /* ways of 1, and a little more or less */
    {
        const graze_placed a = {bodies[0], graze_pose_identity()};
        for (int side = -1; side < 2; side += 2)
        {
            const graze_placed b = {bodies[k % 2 == 0 ? 0 : 1], graze_pose_translation(0, 0, side * (1 + k * 0x1p-53))};
            const graze_shape_depth depth = measure(&a, &b);
            assert_true(side * depth.translation[2] > 0.9);
            ones += side * depth.translation[2] == 1;
        }
    }
    assert_true(ones > 0);
    graze_shape_destroy(bodies[0]);
    graze_shape_destroy(bodies[1]);
}

/* A ball whose centre is outside of a solid reaches into it: under any budget a way out that is told is one. */
static void ways_out_are_ways_out_under_any_budget(void **state)
{
    (void)state;
    const double centre[3] = {0, 0, 0};
    graze_mesh *mesh;
    graze_shape *solid, *ball;
    int ended = 0, told = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, true, &solid), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &ball), GRAZE_STATUS_OK);
    const graze_placed a = {solid, graze_pose_identity()}, b = {ball, graze_pose_translation(1.1, 0.3, 0.2)};
    for (uint64_t most = 1; most < 200; most++)
    {
        counters c = {0, 0, 0, 0};
        graze_shape_depth depth;
        graze_shape_depth_options options = graze_shape_depth_options_default();
        options.budget.box_tests = most;
        graze_status status = graze_shape_pair_depth(NULL, &a, &b, &options, &depth);
        ended += status == GRAZE_STATUS_UNFINISHED;
        if (status == GRAZE_STATUS_UNFINISHED)
            continue;
        assert_int_equal(status, GRAZE_STATUS_OK);
        if (depth.upper < INFINITY)
            check_way(&a, &b, &depth, &c);
        told += depth.upper < INFINITY;
    }
    printf("%d ended, %d told\n", ended, told);
    assert_true(ended > 0 && told > 0);
    graze_shape_destroy(solid);
    graze_shape_destroy(ball);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_out_separate_all_kinds),         cmocka_unit_test(depths_of_spheres_are_known),
        cmocka_unit_test(depths_below_a_plane_are_known),      cmocka_unit_test(flat_shapes_overlap_solids),
        cmocka_unit_test(ways_along_an_axis_have_plain_zeros), cmocka_unit_test(ways_out_are_ways_out_under_any_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
