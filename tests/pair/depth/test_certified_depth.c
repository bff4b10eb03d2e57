/* SPDX-License-Identifier: MIT */
/*
 * Both bounds of a depth are checked independently: the deep point in rationals, the separating translation by applying
 * it, both against sampled points; under poses of every kind and at the ends of the range of doubles. Swapping the
 * arguments swaps the answer, and neither threads nor instruction sets change it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/tasks.h"
#include "support/bodies.h"
#include "support/oracle.h"
#include "support/oracle_distance.h"
#include "support/penetration.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

/* The point that gives the lower bound lies in the other body, and its distance to the surface is at least the bound;
   both in rationals. */
static void check_deep_point(oracle *judge, test_random *random, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             const graze_depth *depth)
{
    const graze_placed_mesh *other = depth->inside_b ? b : a;
    const oracle_mesh mesh = {graze_mesh_vertices(other->mesh), graze_mesh_triangles(other->mesh),
                              graze_mesh_triangle_count(other->mesh), &other->pose};
    assert_int_equal(oracle_point_in_body(judge, &mesh, true, depth->point, random), GRAZE_LOCATION_INSIDE);
    const graze_placed_triangle point = {{depth->point, depth->point, depth->point}, NULL};
    mpq_t distance_sq;
    mpq_init(distance_sq);
    for (size_t t = 0; t < mesh.triangle_count; t++)
    {
        graze_placed_triangle triangle = {.pose = &other->pose};
        for (size_t k = 0; k < 3; k++)
            triangle.corners[k] = mesh.vertices + 3 * (size_t)mesh.triangles[3 * t + k];
        oracle_distance_sq(judge, &point, &triangle, distance_sq);
        assert_true(oracle_compare_distance(depth->lower, distance_sq) <= 0);
    }
    mpq_clear(distance_sq);
}

/* The point belongs to A or B: it lies in that body or on its surface, up to rounding. */
static void check_whose_point(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth)
{
    const graze_placed_mesh *own = depth->inside_b ? a : b;
    uint32_t triangle = depth->inside_b ? depth->triangle_a : depth->triangle_b;
    graze_location location;
    double p[3][3];
    if (triangle == UINT32_MAX)
    {
        assert_int_equal(graze_point_in_mesh(NULL, own, depth->point, NULL, &location), GRAZE_STATUS_OK);
        assert_int_equal(location, GRAZE_LOCATION_INSIDE);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        graze_pose_apply(&own->pose,
                         graze_mesh_vertices(own->mesh) +
                             3 * (size_t)graze_mesh_triangles(own->mesh)[3 * (size_t)triangle + k],
                         p[k]);
    const graze_placed_triangle at = {{depth->point, depth->point, depth->point}, NULL};
    const graze_placed_triangle on = {{p[0], p[1], p[2]}, NULL};
    oracle *judge = oracle_create();
    mpq_t distance_sq;
    mpq_init(distance_sq);
    oracle_distance_sq(judge, &at, &on, distance_sq);
    double size = 1;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fabs(p[k][0]), fmax(fabs(p[k][1]), fabs(p[k][2]))));
    assert_true(oracle_compare_distance(size * 1e-13, distance_sq) >= 0);
    mpq_clear(distance_sq);
    oracle_destroy(judge);
}

static void assert_swapped(const graze_depth *x, const graze_depth *y)
{
    assert_int_equal(x->overlap, y->overlap);
    assert_true(x->lower == y->lower && x->upper == y->upper && x->queries == y->queries && x->reached == y->reached);
    for (int k = 0; k < 3; k++)
        assert_true(x->translation[k] == -y->translation[k]);
    if (x->lower > 0)
    {
        assert_int_equal(x->inside_b, !y->inside_b);
        assert_memory_equal(x->point, y->point, sizeof x->point);
        assert_memory_equal(x->nearest, y->nearest, sizeof x->nearest);
        assert_int_equal(x->triangle_a, y->triangle_b);
        assert_int_equal(x->triangle_b, y->triangle_a);
    }
}

static void both_ends_of_the_interval_are_certain(void **state)
{
    (void)state;
    const uint64_t seed = 72;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    test_random rays = {seed};
    placed_shapes *shapes = placed_shapes_create();
    oracle *judge = oracle_create();
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context threaded = graze_context_default();
    threaded.tasks = graze_pool_tasks(pool);
    size_t deep = 0, reached = 0, within = 0, judged = 0;
    for (int round = 0; round < 80; round++)
    {
        /* the last of the shapes is not closed */
        size_t i = grz_random_below(&random, PLACED_SHAPES - 1), j = grz_random_below(&random, PLACED_SHAPES - 1);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.7)};
        graze_depth depth = depth_of(&a, &b), swapped = depth_of(&b, &a), other;
        assert_swapped(&depth, &swapped);
        threaded.instructions = round % 2 == 0 ? GRAZE_INSTRUCTIONS_SCALAR : GRAZE_INSTRUCTIONS_SSE2;
        assert_int_equal(graze_pair_depth(&threaded, &a, &b, NULL, &other), GRAZE_STATUS_OK);
        assert_same_depths(&depth, &other);
        assert_true(depth.lower <= depth.upper);
        if (depth.overlap == GRAZE_VERDICT_NO)
            continue;
        assert_int_equal(depth.reached, depth.upper <= 1.01 * depth.lower);
        check_separating_translation(&a, &b, &depth);
        if (depth.lower > 0 && judged < 25)
        {
            check_deep_point(judge, &rays, &a, &b, &depth);
            check_whose_point(&a, &b, &depth);
            judged++;
        }
        deep += depth.lower > 0;
        reached += depth.reached;
        within += depth.triangle_a == UINT32_MAX || depth.triangle_b == UINT32_MAX;
    }
    printf("%zu deep, %zu reached, %zu within\n", deep, reached, within);
    assert_true(deep > 30 && reached > 5 && judged > 20);
    oracle_destroy(judge);
    graze_pool_destroy(pool);
    placed_shapes_destroy(shapes);
}

static void poses_of_every_kind_give_a_right_interval(void **state)
{
    (void)state;
    const uint64_t seed = 74;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    graze_depth_options options = graze_depth_options_default();
    options.max_queries = 100;
    size_t overlaps = 0, unknown = 0;
    for (unsigned round = 0; round < 12 * POSE_KINDS; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], graze_pose_identity()};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], graze_pose_identity()};
        placed_poses(&random, round % POSE_KINDS, &a.pose, &b.pose);
        graze_depth depth;
        assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &depth), GRAZE_STATUS_OK);
        assert_true(0 <= depth.lower && depth.lower <= depth.upper);
        overlaps += depth.overlap == GRAZE_VERDICT_YES;
        unknown += depth.overlap == GRAZE_VERDICT_UNKNOWN;
        if (depth.overlap != GRAZE_VERDICT_NO && depth.upper < INFINITY)
            check_separating_translation(&a, &b, &depth);
    }
    printf("%zu overlap, %zu unknown\n", overlaps, unknown);
    assert_true(overlaps > 20);
    placed_shapes_destroy(shapes);
}

static void the_ends_of_the_range_are_survived(void **state)
{
    (void)state;
    const double scales[6] = {1e300, 8e307, 1e-300, 1e-310, 1e200, 1e-200};
    for (int i = 0; i < 6; i++)
    {
        double s = scales[i];
        graze_mesh *first = body_box((double[3]){-s, -s, -s}, (double[3]){s, s, s});
        graze_mesh *second = body_box((double[3]){0, -s, -s}, (double[3]){2 * s, s, s});
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        graze_depth depth = depth_of(&a, &b);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(0 <= depth.lower && depth.lower <= s && depth.upper >= s);
        if (depth.upper < INFINITY)
            check_separating_translation(&a, &b, &depth);
        b.pose = graze_pose_translation(s, 0, 0); /* now they share a face */
        depth = depth_of(&a, &b);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
}

static void no_surface_point_is_deeper_than_the_upper_bound(void **state)
{
    (void)state;
    const uint64_t seed = 73;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    size_t compared = 0, close = 0;
    for (int round = 0; round < 20; round++)
    {
        size_t i = grz_random_below(&random, 2), j = 3 + grz_random_below(&random, 3);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][0], placed_pose(&random, 0.7)};
        graze_depth depth = depth_of(&a, &b);
        double deepest = 0;
        for (size_t v = 0; v < graze_mesh_vertex_count(a.mesh); v++)
        {
            double point[3];
            graze_location location;
            graze_distance distance;
            graze_pose_apply(&a.pose, graze_mesh_vertices(a.mesh) + 3 * v, point);
            assert_int_equal(graze_point_in_mesh(NULL, &b, point, NULL, &location), GRAZE_STATUS_OK);
            if (location != GRAZE_LOCATION_INSIDE)
                continue;
            const uint32_t corners[3] = {0, 0, 0};
            graze_mesh *probe = body_of_triangles(&point, 1, corners, 1);
            graze_placed_mesh placed = {probe, NULL, graze_pose_identity()};
            assert_int_equal(graze_pair_distance(NULL, &placed, &b, NULL, &distance), GRAZE_STATUS_OK);
            deepest = fmax(deepest, distance.lower);
            graze_mesh_destroy(probe);
        }
        assert_true(deepest <= depth.upper);
        assert_true(deepest <= depth.lower * 1.02 + 1e-12 || !depth.reached); /* found, or something as deep */
        compared += deepest > 0;
        close += deepest > 0 && depth.lower >= 0.99 * deepest;
    }
    printf("%zu compared, %zu as deep\n", compared, close);
    assert_true(compared > 8 && close + 2 >= compared);
    placed_shapes_destroy(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_of_the_interval_are_certain),
        cmocka_unit_test(poses_of_every_kind_give_a_right_interval),
        cmocka_unit_test(the_ends_of_the_range_are_survived),
        cmocka_unit_test(no_surface_point_is_deeper_than_the_upper_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
