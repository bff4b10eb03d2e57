/* SPDX-License-Identifier: MIT */
/*
 * A budget was spent twice where a query has two stages: sorting the AABBs of meshes without trees and searching, or
 * counting hits and gathering them (graze_pair_tolerance_gather at tolerance 0 with much room). The first is seen with
 * a progress function that uses up more than half of the time in each stage, the second with box tests.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "support/unit.h"

typedef struct sleeper
{
    uint64_t calls, late; /* so far, and at which one to sleep again; 0: never sleep */
} sleeper;

static bool sleep_twice(void *user, double share)
{
    sleeper *s = user;
    const struct timespec time = {0, 250000000};
    s->calls++;
    if (s->late > 0 && (s->calls == 1 || s->calls == s->late))
        nanosleep(&time, NULL);
    return share <= 1;
}

static void sorting_and_searching_share_their_seconds(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 80, 60, &mesh), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_translation(1.5, 0.25, 0)};
    sleeper s = {0, 0};
    graze_pair_options options = graze_pair_options_default();
    options.budget = (graze_budget){.progress = sleep_twice, .progress_user = &s};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
    print_message("%llu calls\n", (unsigned long long)s.calls);
    assert_true(s.calls > 8);
    s = (sleeper){0, s.calls - 3};
    options.budget.seconds = 0.45;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_UNFINISHED);
    graze_mesh_destroy(mesh);
}

static void a_query_stopped_while_it_sorts_reports_its_cost(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 160, 120, &mesh), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_translation(0.5, 0.25, 0)};
    graze_stats stats = {77, 77, 77, 77};
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    options.budget.seconds = 1e-9;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(stats.triangle_tests, 0);
    graze_mesh_destroy(mesh);
}

static void counting_and_gathering_share_their_box_tests(void **state)
{
    (void)state;
    enum
    {
        ROOM = 70000
    };
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_sphere(NULL, 1, 48, 36, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, tree, graze_pose_identity()}, b = {mesh, tree, graze_pose_translation(0.5, 0.25, 0)};
    graze_stats count_cost, both;
    graze_pair_options count_options = graze_pair_options_default();
    count_options.stats = &count_cost;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &count_options, &counts), GRAZE_STATUS_OK);

    graze_proximity *found = malloc(ROOM * sizeof *found);
    graze_tolerance_options options = graze_tolerance_options_default();
    uint64_t pairs = 0;
    options.stats = &both;
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0, &options, found, ROOM, &pairs), GRAZE_STATUS_OK);
    assert_int_equal(pairs, counts.pairs);
    assert_true(pairs > 0 && both.box_tests > count_cost.box_tests);
    options.budget.box_tests = count_cost.box_tests + 1000;
    assert_true(options.budget.box_tests < both.box_tests);
    pairs = 77;
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0, &options, found, ROOM, &pairs),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(pairs, 77);
    options.budget.box_tests = 2 * both.box_tests;
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0, &options, found, ROOM, &pairs), GRAZE_STATUS_OK);
    assert_int_equal(pairs, counts.pairs);
    free(found);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_and_searching_share_their_seconds),
        cmocka_unit_test(a_query_stopped_while_it_sorts_reports_its_cost),
        cmocka_unit_test(counting_and_gathering_share_their_box_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
