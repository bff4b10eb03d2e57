/* SPDX-License-Identifier: MIT */
/*
 * Bodies with nested shells: a shell of the container inside the other body either bounds the container, like the wall
 * of a cavity, or lies in its interior, like a shell of the same orientation as the one around it.
 */
#include <stdio.h>

#include "graze/pair.h"
#include "support/meshes.h"
#include "support/unit.h"

/* Containment of the first in the second, without trees and with; both answers must agree. */
static graze_solid_answer ask(const test_mesh *inner, const test_mesh *outer, const graze_pose *pose)
{
    graze_placed_mesh a = {.mesh = mesh_create(inner), .pose = *pose}, b = {.mesh = mesh_create(outer), .pose = *pose};
    graze_tree *trees[2] = {NULL, NULL};
    graze_solid_answer plain, with_trees;
    assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &plain), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, a.mesh, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, b.mesh, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
    a.tree = trees[0];
    b.tree = trees[1];
    assert_int_equal(graze_pair_containment(NULL, &a, &b, NULL, &with_trees), GRAZE_STATUS_OK);
    assert_int_equal(plain.collide, with_trees.collide);
    assert_int_equal(plain.containment, with_trees.containment);
    for (int i = 0; i < 2; i++)
        graze_tree_destroy(trees[i]);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
    return plain;
}

static const graze_pose still = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
static const graze_pose mirrored = {{-1, 0, 0, 0.1, 0, 1, 0, 0.7, 0, 0, 1, 0}};
static const graze_pose folded = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}};

/* The outer body is a cube with a small one in it; the inner body is a cube of a size between the two. */
static void expect(bool inward, const graze_pose *pose, graze_containment containment)
{
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, 0, 0, 0, 9);
    mesh_add_box(&outer, (double[3]){4, 4, 4}, (double[3]){5, 5, 5}, inward);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    graze_solid_answer answer = ask(&inner, &outer, pose);
    assert_true(answer.collide);
    assert_int_equal(answer.containment, containment);
}

static void a_shell_of_the_same_orientation_bounds_no_body(void **state)
{
    (void)state;
    expect(false, &still, GRAZE_CONTAINMENT_A_IN_B);
    expect(false, &mirrored, GRAZE_CONTAINMENT_A_IN_B);
    expect(true, &still, GRAZE_CONTAINMENT_NONE);
    expect(true, &mirrored, GRAZE_CONTAINMENT_NONE);
}

static void every_inner_shell_is_tested(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, 0, 0, 0, 9);
    for (int i = 0; i < 6; i++)
        mesh_add_cube(&outer, 2.5 + 0.5 * i, 3, 3, 0.25);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    assert_int_equal(ask(&inner, &outer, &still).containment, GRAZE_CONTAINMENT_A_IN_B);
    mesh_add_box(&outer, (double[3]){4, 5, 4}, (double[3]){5, 6, 5}, true);
    assert_int_equal(ask(&inner, &outer, &still).containment, GRAZE_CONTAINMENT_NONE);
}

/* A cavity wall connected to a shell by a single vertex is another shell, though of the same component. */
static void a_cavity_that_touches_a_shell_in_a_corner_counts(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, 0, 0, 0, 9);
    mesh_add_cube(&outer, 3, 3, 3, 1);
    mesh_add_box(&outer, (double[3]){4, 4, 4}, (double[3]){5, 5, 5}, true);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    assert_int_equal(ask(&inner, &outer, &still).containment, GRAZE_CONTAINMENT_NONE);
}

/* Shells that cross may bound the body in places that a single triangle does not reveal. */
static void shells_that_cross_are_unknown(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, 0, 0, 0, 9);
    mesh_add_cube(&outer, 3, 3, 3, 1);
    mesh_add_cube(&outer, 3.5, 3.5, 3.5, 1);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    assert_int_equal(ask(&inner, &outer, &still).containment, GRAZE_CONTAINMENT_UNKNOWN);
    graze_containment flat = ask(&inner, &outer, &folded).containment;
    assert_true(flat == GRAZE_CONTAINMENT_UNKNOWN || flat == GRAZE_CONTAINMENT_NONE);
}

/* One cavity suffices: two more that cross each other, and alone would be UNKNOWN, do not matter. */
static void a_cavity_is_seen_before_others_that_cross(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, -10, -10, -10, 20);
    mesh_add_box(&outer, (double[3]){-4, -1, -1}, (double[3]){-2, 1, 1}, true);
    mesh_add_box(&outer, (double[3]){1, -0.9, 0.2}, (double[3]){2.5, -0.2, 0.9}, true);
    mesh_add_box(&outer, (double[3]){2, -1, -1}, (double[3]){4, 1, 1}, true);
    mesh_add_cube(&inner, -6, -6, -6, 12);
    assert_int_equal(ask(&inner, &outer, &still).containment, GRAZE_CONTAINMENT_NONE);
}

/* The cavity comes last: a query stopped before it must not answer that there is none. */
static void a_stopped_query_gives_no_answer(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    inner = outer = (test_mesh){0};
    mesh_add_cube(&outer, 0, 0, 0, 9);
    for (int i = 0; i < 6; i++)
        mesh_add_cube(&outer, 2.5 + 0.5 * i, 3, 3, 0.25);
    mesh_add_box(&outer, (double[3]){4, 5, 4}, (double[3]){5, 6, 5}, true);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    graze_placed_mesh a = {.mesh = mesh_create(&inner), .pose = still},
                      b = {.mesh = mesh_create(&outer), .pose = still};
    graze_pair_options options = graze_pair_options_default();
    unsigned stopped = 0;
    for (uint64_t boxes = 1;; boxes += 1 + boxes / 64)
    {
        graze_solid_answer answer = {.containment = GRAZE_CONTAINMENT_UNKNOWN};
        options.budget.box_tests = boxes;
        graze_status status = graze_pair_containment(NULL, &a, &b, &options, &answer);
        if (status == GRAZE_STATUS_OK)
        {
            assert_int_equal(answer.containment, GRAZE_CONTAINMENT_NONE);
            break;
        }
        assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
        assert_int_equal(answer.containment, GRAZE_CONTAINMENT_UNKNOWN);
        stopped++;
    }
    assert_true(stopped > 100);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shell_of_the_same_orientation_bounds_no_body),
        cmocka_unit_test(every_inner_shell_is_tested),
        cmocka_unit_test(a_cavity_that_touches_a_shell_in_a_corner_counts),
        cmocka_unit_test(shells_that_cross_are_unknown),
        cmocka_unit_test(a_cavity_is_seen_before_others_that_cross),
        cmocka_unit_test(a_stopped_query_gives_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
