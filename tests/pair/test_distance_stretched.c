/* SPDX-License-Identifier: MIT */
/*
 * Meshes stretched along one axis so much that squares of floats overflow: trees must stand aside for each of the axes,
 * and the distance is that of asking every pair.
 */
#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/shapes.h"
#include "graze/tree.h"
#include "support/generators.h"
#include "support/unit.h"

static graze_tree *tree_of(const graze_mesh *mesh)
{
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

static graze_distance measure(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_distance d;
    assert_int_equal(graze_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    assert_true(d.found && d.lower <= d.distance && d.distance <= d.upper);
    return d;
}

static void distances_are_those_of_every_pair_however_one_axis_is_stretched(void **state)
{
    (void)state;
    test_random random = test_random_start("stretched distances", 64);
    graze_mesh *long_one, *small_one;
    assert_int_equal(graze_make_sphere(NULL, 1, 12, 8, &long_one), GRAZE_STATUS_OK);
    assert_int_equal(graze_make_sphere(NULL, 1, 10, 6, &small_one), GRAZE_STATUS_OK);
    graze_tree *long_tree = tree_of(long_one), *small_tree = tree_of(small_one);
    int apart = 0, total = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        for (int power = 20; power < 120; power += power < 44 ? 2 : 19)
        {
            for (int times = 0; times < 4; times++)
            {
                graze_pose stretched = graze_pose_identity(), other = random_rotation(&random);
                stretched.m[5 * axis] = ldexp(1 + random_unit(&random), power);
                for (int k = 0; k < 3; k++)
                    other.m[4 * k + 3] = random_real(&random, -2, 2);
                other.m[4 * ((axis + 1) % 3) + 3] = 2.5;
                graze_placed_mesh a = {long_one, long_tree, stretched}, b = {small_one, small_tree, other};
                graze_placed_mesh plain_a = {long_one, NULL, stretched}, plain_b = {small_one, NULL, other};
                graze_distance with_trees = measure(&a, &b), without = measure(&plain_a, &plain_b);
                assert_true(with_trees.lower <= without.upper && without.lower <= with_trees.upper);
                assert_true((with_trees.distance == 0) == (without.distance == 0));
                apart += with_trees.distance > 0;
                total++;
            }
        }
    }
    printf("%d of %d are apart\n", apart, total);
    assert_true(apart > total / 3);
    graze_tree_destroy(long_tree);
    graze_tree_destroy(small_tree);
    graze_mesh_destroy(long_one);
    graze_mesh_destroy(small_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_every_pair_however_one_axis_is_stretched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
