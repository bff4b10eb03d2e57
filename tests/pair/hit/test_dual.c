/* SPDX-License-Identifier: MIT */
/* Two methods in parallel give the answer of one, and the same hit, whichever is faster; and pass on errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/tasks.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

static void dual_answers_are_those_of_one_way(void **state)
{
    (void)state;
    test_random random = test_random_start("dual_answers_are_those_of_one_way", 17);
    scene_meshes c;
    scene_meshes_make(&c);
    graze_pool *pool;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    size_t yes = 0, no = 0;
    for (int round = 0; round < 400; round++)
    {
        int i = random_below(&random, SCENE_MESHES), j = random_below(&random, SCENE_MESHES);
        graze_placed_mesh a = {c.meshes[i], c.trees[i], scene_random_pose(&random, 0.8)};
        graze_placed_mesh b = {c.meshes[j], random_once_in(&random, 9) ? NULL : c.trees[j],
                               scene_random_pose(&random, 0.8)};
        bool expected, found;
        graze_hit first, hit;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &expected, &first), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_any_dual(round % 2 == 0 ? &context : NULL, &a, &b, NULL, &found, &hit),
                         GRAZE_STATUS_OK);
        assert_int_equal(found, expected);
        if (found)
            assert_true(hit.triangle_a == first.triangle_a && hit.triangle_b == first.triangle_b);
        yes += found;
        no += !found;
    }
    assert_true(yes > 50 && no > 50);
    graze_placed_mesh bad = {c.meshes[0], c.trees[0], graze_pose_translation(NAN, 0, 0)};
    bool untouched = true;
    assert_int_equal(graze_pair_any_dual(&context, &bad, &bad, NULL, &untouched, NULL), GRAZE_STATUS_NOT_FINITE);
    assert_true(untouched);
    graze_placed_mesh good = {c.meshes[0], c.trees[0], graze_pose_identity()};
    assert_int_equal(graze_pair_any_dual(&context, &good, &good, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_any_dual(&context, NULL, &good, NULL, &untouched, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_any_dual(&context, &good, NULL, NULL, &untouched, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    graze_pool_destroy(pool);
    scene_meshes_release(&c);
}

/* The second method first, then the first. */
static void run_backward(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    (void)user;
    while (count > 0)
        task(argument, --count);
}

/* The search for a gap always ends before the other method begins: where there is no gap, it may not report one. */
static void a_gap_that_is_none_is_never_taken_for_one(void **state)
{
    (void)state;
    test_random random = test_random_start("a_gap_that_is_none_is_never_taken_for_one", 18);
    scene_meshes c;
    scene_meshes_make(&c);
    graze_context context = graze_context_default();
    context.tasks = (graze_tasks){.run = run_backward, .concurrency = 2};
    size_t yes = 0, no = 0;
    for (int round = 0; round < 200; round++)
    {
        int i = random_below(&random, SCENE_MESHES), j = random_below(&random, SCENE_MESHES);
        graze_placed_mesh a = {c.meshes[i], c.trees[i], scene_random_pose(&random, 0.8)};
        graze_placed_mesh b = {c.meshes[j], c.trees[j], scene_random_pose(&random, 0.8)};
        bool expected, found;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &expected, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_any_dual(&context, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
        assert_int_equal(found, expected);
        yes += found;
        no += !found;
    }
    assert_true(yes > 20 && no > 20);
    scene_meshes_release(&c);
}

/* One box test is not enough for the first method; the second proves a gap outside the caller's budget. */
static void a_gap_is_an_answer_where_the_other_way_gave_up(void **state)
{
    (void)state;
    graze_mesh *ball;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = (graze_tasks){.run = run_backward, .concurrency = 2};
    graze_any_options options = graze_any_options_default();
    options.budget.box_tests = 1;
    for (int step = 0; step < 10; step++)
    {
        graze_placed_mesh a = {ball, tree, graze_pose_identity()};
        graze_placed_mesh b = {ball, tree, graze_pose_translation(1.2 + 0.002 * step, 1.2, 1.1)};
        bool found = true;
        graze_hit hit = {.triangle_a = 77};
        assert_int_equal(graze_pair_any(&context, &a, &b, &options, &found, &hit), GRAZE_STATUS_UNFINISHED);
        assert_int_equal(graze_pair_any_dual(&context, &a, &b, &options, &found, &hit), GRAZE_STATUS_OK);
        assert_false(found);
        assert_int_equal(hit.triangle_a, 77);
        b.pose = graze_pose_translation(0.5, 0.25, 0);
        found = true;
        assert_int_equal(graze_pair_any_dual(&context, &a, &b, &options, &found, &hit), GRAZE_STATUS_UNFINISHED);
        assert_true(found && hit.triangle_a == 77);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dual_answers_are_those_of_one_way),
                                       cmocka_unit_test(a_gap_that_is_none_is_never_taken_for_one),
                                       cmocka_unit_test(a_gap_is_an_answer_where_the_other_way_gave_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
