/* SPDX-License-Identifier: MIT */
/*
 * Two sheets a small gap apart, with noise: the pair that was measured first among those of one distance depended on
 * which pairs had been visited, so that distances were not the same in all bits with trees and without. A review found
 * it.
 */
#include <math.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/tree.h"
#include "support/meshes.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

/* n x n vertices over a square of this side; the height, and noise of each vertex. */
static graze_mesh *make_sheet(grz_random *random, uint32_t n, double side, double shift, double height, double noise)
{
    test_mesh sheet = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            mesh_add_vertex(&sheet, (i + shift) * side / n, (k + shift / 2) * side / n,
                            height + noise * grz_random_between(random, -1, 1));
    for (uint32_t i = 0; i + 1 < n; i++)
        for (uint32_t k = 0; k + 1 < n; k++)
        {
            uint32_t corner = i * n + k;
            mesh_add_triangle(&sheet, corner, corner + 1, corner + n);
            mesh_add_triangle(&sheet, corner + n, corner + 1, corner + n + 1);
        }
    return mesh_create(&sheet);
}

static void distances_of_parallel_sheets_depend_on_no_tree(void **state)
{
    (void)state;
    grz_random random = grz_random_make(31);
    for (unsigned round = 0; round < TEST_ROUNDS(400u); round++)
    {
        uint32_t n = 3 + (uint32_t)grz_random_below(&random, 7);
        double gap = ldexp(grz_random_between(&random, 1, 2), -12 - (int)grz_random_below(&random, 28));
        double noise = ldexp(gap, -(int)grz_random_below(&random, 40));
        double side = 1 + 50 * (double)grz_random_below(&random, 3);
        graze_mesh *meshes[2] = {make_sheet(&random, n, side, 0, 0, round % 4 == 0 ? noise : 0),
                                 make_sheet(&random, n, side, 0.37, gap, noise)};
        graze_tree *trees[2];
        graze_pose pose = round % 2 == 0 ? graze_pose_identity() : placed_pose(&random, 9);
        graze_distance first = {0};
        for (int side_of = 0; side_of < 2; side_of++)
            assert_int_equal(graze_tree_create(NULL, meshes[side_of], NULL, NULL, &trees[side_of]), GRAZE_STATUS_OK);
        for (int with = 0; with < 4; with++)
        {
            const graze_placed_mesh placed[2] = {{meshes[0], (with & 1) != 0 ? trees[0] : NULL, pose},
                                                 {meshes[1], (with & 2) != 0 ? trees[1] : NULL, pose}};
            graze_distance found;
            memset(&found, 0, sizeof found);
            assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &found), GRAZE_STATUS_OK);
            if (with == 0)
                first = found;
            assert_true(found.distance == first.distance && found.lower == first.lower && found.upper == first.upper);
            if (found.distance > 0)
                assert_true(found.triangle_a == first.triangle_a && found.triangle_b == first.triangle_b);
        }
        for (int side_of = 0; side_of < 2; side_of++)
        {
            graze_tree_destroy(trees[side_of]);
            graze_mesh_destroy(meshes[side_of]);
        }
    }
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user >= 0;
}

/* Each call of the progress function may be the one that cancels. */
static void distances_of_sheets_can_be_cancelled_at_any_call(void **state)
{
    (void)state;
    grz_random random = grz_random_make(32);
    graze_mesh *meshes[2] = {make_sheet(&random, 11, 1, 0, 0, 0), make_sheet(&random, 11, 1, 0.37, 1e-6, 1e-9)};
    graze_pose pose = placed_pose(&random, 1);
    const graze_placed_mesh a = {meshes[0], NULL, pose}, b = {meshes[1], NULL, pose};
    graze_status status = GRAZE_STATUS_CANCELLED;
    int calls = 0;
    for (; status == GRAZE_STATUS_CANCELLED; calls++)
    {
        int left = calls;
        graze_distance_options options = graze_distance_options_default();
        options.budget.progress = stop;
        options.budget.progress_user = &left;
        graze_distance found;
        status = graze_pair_distance(NULL, &a, &b, &options, &found);
    }
    assert_int_equal(status, GRAZE_STATUS_OK);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_of_parallel_sheets_depend_on_no_tree),
                                       cmocka_unit_test(distances_of_sheets_can_be_cancelled_at_any_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
