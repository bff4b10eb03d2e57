/* SPDX-License-Identifier: MIT */
/* The frame that a query works in: far translations are in its error bound, axis by axis; and `any` ends with a hit. */
#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "support/bodies.h"
#include "support/generators.h"
#include "support/unit.h"

static const uint32_t one_triangle[3] = {0, 1, 2};

/* A triangle of B, turned and moved far along one axis, has a corner where A's triangle has one, but for the rounding
   of the placed corner. So they meet or miss by that rounding, and the filter must not trust its own. */
static void contacts_far_along_any_axis_are_those_of_queries_without_trees(void **state)
{
    (void)state;
    test_random random = test_random_start("contacts_far_along_any_axis_are_those_of_queries_without_trees", 1);
    size_t met = 0, missed = 0;
    for (int round = 0; round < 6000; round++)
    {
        double of_a[3][3], of_b[3][3];
        graze_pose pose = random_rotation(&random);
        int axis = round % 3;
        for (int k = 0; k < 3; k++)
            pose.m[4 * k + 3] = k == axis ? 0x1p20 : 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                of_b[i][k] = random_real(&random, -1, 1);
        graze_pose_apply(&pose, of_b[0], of_a[0]);
        for (int i = 1; i < 3; i++)
            for (int k = 0; k < 3; k++)
                of_a[i][k] = of_a[0][k] + random_real(&random, -1, 1);
        graze_mesh *mesh_a = body_of_triangles(of_a, 3, one_triangle, 1);
        graze_mesh *mesh_b = body_of_triangles(of_b, 3, one_triangle, 1);
        graze_tree *tree_a, *tree_b;
        assert_int_equal(graze_tree_create(NULL, mesh_a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, mesh_b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
        graze_placed_mesh a = {mesh_a, tree_a, graze_pose_identity()}, b = {mesh_b, tree_b, pose};
        graze_pair_counts given, expected;
        assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &given), GRAZE_STATUS_OK);
        a.tree = b.tree = NULL;
        assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &expected), GRAZE_STATUS_OK);
        assert_true(given.pairs == expected.pairs && given.crossing == expected.crossing);
        met += given.pairs > 0;
        missed += given.pairs == 0;
        graze_tree_destroy(tree_a);
        graze_tree_destroy(tree_b);
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    printf("%zu met, %zu missed\n", met, missed);
    assert_true(met > 500 && missed > 500);
}

static void a_query_for_any_hit_ends_with_the_first(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 20, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int with_trees = 0; with_trees < 2; with_trees++)
    {
        graze_placed_mesh a = {mesh, with_trees != 0 ? tree : NULL, graze_pose_identity()}, b = a;
        b.pose = graze_pose_translation(0.5, 0.25, 0.125);
        graze_stats all, first;
        graze_pair_counts counts;
        bool found;
        graze_pair_options options = graze_pair_options_default();
        graze_any_options any = graze_any_options_default();
        options.stats = &all;
        any.stats = &first;
        assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_any(NULL, &a, &b, &any, &found, NULL), GRAZE_STATUS_OK);
        assert_true(found && counts.pairs > 100);
        printf("%llu of %llu pairs tested\n", (unsigned long long)first.triangle_tests,
               (unsigned long long)all.triangle_tests);
        assert_true(4 * first.triangle_tests < all.triangle_tests);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_far_along_any_axis_are_those_of_queries_without_trees),
        cmocka_unit_test(a_query_for_any_hit_ends_with_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
