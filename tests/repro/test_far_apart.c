/* SPDX-License-Identifier: MIT */
/*
 * Meshes very far apart for their size. The kernels' squares of products overflowed to infinity, which is below no
 * bound: two unit boxes between 4e9 and 6e10 apart had no distance, and no tolerance sufficed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/cache.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "support/random.h"
#include "support/unit.h"

static graze_pose place(test_random *random, double scale, double distance)
{
    graze_pose pose = graze_pose_identity();
    for (int row = 0; row < 3; row++)
    {
        pose.m[4 * row + row] = scale;
        pose.m[4 * row + (row + 1) % 3] = scale * random_real(random, -0.2, 0.2);
        pose.m[4 * row + 3] = distance * random_real(random, 0.5, 1);
    }
    return pose;
}

static void check(const graze_placed_mesh *a, const graze_placed_mesh *b, graze_instructions set, size_t all)
{
    graze_context context = graze_context_default();
    context.instructions = set;
    graze_placed_mesh plain_a = *a, plain_b = *b;
    plain_a.tree = plain_b.tree = NULL;
    graze_distance expected, found;
    assert_int_equal(graze_pair_distance(&context, &plain_a, &plain_b, NULL, &expected), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_distance(&context, a, b, NULL, &found), GRAZE_STATUS_OK);
    assert_true(expected.found && found.found);
    assert_true(found.lower <= expected.upper && expected.lower <= found.upper);
    uint64_t count = 0;
    assert_int_equal(graze_pair_tolerance_count(&context, a, b, 1e60, NULL, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, all);
    bool near = false;
    assert_int_equal(graze_pair_tolerance_any(&context, a, b, expected.upper, NULL, &near, NULL), GRAZE_STATUS_OK);
    assert_true(near);
}

static void meshes_of_any_size_have_a_distance_however_far_apart(void **state)
{
    (void)state;
    test_random random = test_random_start("far apart", 20260313);
    graze_mesh *box = NULL, *ball = NULL;
    graze_tree *box_tree = NULL, *ball_tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &box_tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &ball_tree), GRAZE_STATUS_OK);
    size_t all = graze_mesh_triangle_count(box) * graze_mesh_triangle_count(ball), checks = 0;
    for (int size = -22; size <= 22; size += 2)
    {
        for (int away = 4; away <= 48; away += 2, checks++)
        {
            double scale = ldexp(1, size);
            graze_placed_mesh a = {box, box_tree, place(&random, 1, 0)};
            graze_placed_mesh b = {ball, ball_tree, place(&random, scale, fmax(scale, 1) * ldexp(1, away))};
            graze_instructions set = (graze_instructions)(checks % GRAZE_INSTRUCTIONS_COUNT);
            check(&a, &b, set, all);
            check(&b, &a, set, all);
        }
    }
    printf("%zu pairs\n", checks);
    assert_true(checks > 500);
    graze_tree_destroy(box_tree);
    graze_tree_destroy(ball_tree);
    graze_mesh_destroy(box);
    graze_mesh_destroy(ball);
}

/* A gap that is overestimated would hide the collision at the end of the path. */
static void a_cache_from_far_away_does_not_hide_a_collision(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    int collisions = 0;
    for (int away = 20; away <= 44; away++)
    {
        graze_pair_cache cache = graze_pair_cache_default();
        graze_any_options options = graze_any_options_default();
        options.cache = &cache;
        graze_placed_mesh a = {box, tree, graze_pose_identity()}, b = a;
        for (int step = 0; step < 8; step++)
        {
            double x = step < 7 ? ldexp(1, away) + step : 0.5;
            b.pose = graze_pose_translation(x, x, x);
            bool found = false;
            assert_int_equal(graze_pair_any(NULL, &a, &b, &options, &found, NULL), GRAZE_STATUS_OK);
            assert_int_equal(found, step == 7);
            collisions += found;
        }
    }
    assert_int_equal(collisions, 25);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_of_any_size_have_a_distance_however_far_apart),
        cmocka_unit_test(a_cache_from_far_away_does_not_hide_a_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
