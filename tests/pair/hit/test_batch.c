/* SPDX-License-Identifier: MIT */
/* Batches give for each pose the answer of a single query, on one thread and on several; and fail as a whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/batch.h"
#include "graze/cache.h"
#include "graze/generate.h"
#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    POSES = 700
};

typedef struct strided_pose
{
    graze_pose pose;
    double unused;
} strided_pose;

typedef struct fixture
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_pool *pool;
    strided_pose poses_a[POSES];
    graze_pose poses_b[POSES];
    graze_placed_mesh placed;
    graze_pose_batch batch;
    bool found[POSES];
    graze_pair_counts counts[POSES];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &f->mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, f->mesh, NULL, NULL, &f->tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_pool_create(NULL, 3, &f->pool), GRAZE_STATUS_OK);
    grz_random random = grz_random_make(11);
    for (size_t i = 0; i < POSES; i++)
    {
        double quaternion[4], translation[3];
        for (int k = 0; k < 4; k++)
            quaternion[k] = grz_random_between(&random, -1, 1);
        for (int k = 0; k < 3; k++)
            translation[k] = grz_random_between(&random, -1.2, 1.2);
        assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &f->poses_b[i]), GRAZE_STATUS_OK);
        f->poses_a[i].pose = graze_pose_translation(grz_random_between(&random, -0.5, 0.5), 0, 0);
        f->poses_a[i].unused = NAN;
    }
    f->placed = (graze_placed_mesh){f->mesh, f->tree, graze_pose_translation(0.1, 0.2, 0.3)};
    f->batch = (graze_pose_batch){&f->poses_a[0].pose, f->poses_b, sizeof(strided_pose), 0, POSES};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    graze_pool_destroy(f->pool);
    graze_tree_destroy(f->tree);
    graze_mesh_destroy(f->mesh);
    free(f);
    return 0;
}

static graze_context context_for(const fixture *f, bool threads)
{
    graze_context context = graze_context_default();
    if (threads)
        context.tasks = graze_pool_tasks(f->pool);
    return context;
}

static void batches_say_what_queries_say(void **state)
{
    fixture *f = *state;
    for (int kind = 0; kind < 8; kind++)
    {
        graze_context context = context_for(f, kind % 2 == 1);
        graze_pose_batch batch = f->batch;
        batch.poses_a = kind / 2 == 1 ? NULL : batch.poses_a;
        batch.poses_b = kind / 2 == 2 ? NULL : batch.poses_b;
        batch.count = kind / 2 == 3 ? 2 : POSES; /* fewer than threads */
        graze_stats stats = {0}, sum = {0}, one;
        graze_pair_options options = graze_pair_options_default(), each = graze_pair_options_default();
        graze_any_options any_options = graze_any_options_default();
        options.stats = any_options.stats = &stats;
        each.stats = &one;
        assert_int_equal(graze_pair_any_batch(&context, &f->placed, &f->placed, &batch, &any_options, NULL, f->found),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_count_batch(&context, &f->placed, &f->placed, &batch, &options, NULL, f->counts),
                         0);
        size_t hits = 0;
        for (size_t i = 0; i < batch.count; i++)
        {
            graze_placed_mesh a = f->placed, b = f->placed;
            a.pose = batch.poses_a != NULL ? f->poses_a[i].pose : a.pose;
            b.pose = batch.poses_b != NULL ? f->poses_b[i] : b.pose;
            bool found = false;
            graze_pair_counts counts;
            assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_count(NULL, &a, &b, &each, &counts), GRAZE_STATUS_OK);
            assert_int_equal(f->found[i], found);
            assert_memory_equal(&f->counts[i], &counts, sizeof counts);
            sum.box_tests += one.box_tests;
            sum.leaf_pairs += one.leaf_pairs;
            sum.triangle_tests += one.triangle_tests;
            sum.exact_signs += one.exact_signs;
            hits += found;
        }
        assert_memory_equal(&sum, &stats, sizeof sum);
        assert_true(batch.count < 10 || (hits > 50 && hits <= batch.count));
    }
}

static void a_cache_changes_no_answer(void **state)
{
    fixture *f = *state;
    static graze_pose flight[POSES];
    static bool expected[POSES];
    for (size_t i = 0; i < POSES; i++)
        flight[i] = graze_pose_translation(5 * fabs((double)i / POSES - 0.5) + 0.9, 0.3, 0.1);
    graze_pose_batch batch = {.poses_b = flight, .count = POSES};
    assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, &batch, NULL, NULL, expected), GRAZE_STATUS_OK);
    assert_true(expected[POSES / 2] && !expected[0]);
    for (int threads = 0; threads < 2; threads++)
    {
        graze_context context = context_for(f, threads == 1);
        graze_pair_cache cache = graze_pair_cache_default();
        graze_any_options options = graze_any_options_default();
        options.cache = &cache;
        memset(f->found, 0, sizeof f->found);
        assert_int_equal(graze_pair_any_batch(&context, &f->placed, &f->placed, &batch, &options, NULL, f->found), 0);
        assert_memory_equal(f->found, expected, sizeof expected);
        assert_true(threads == 1 || cache.answered_by_gap + cache.answered_by_witness > POSES / 2);
    }
}

static void a_pose_that_is_not_finite_is_named(void **state)
{
    fixture *f = *state;
    graze_error error;
    double before = f->poses_b[123].m[7];
    f->poses_b[123].m[7] = INFINITY;
    f->poses_b[500].m[7] = NAN;
    memset(f->found, 1, sizeof f->found);
    for (int threads = 0; threads < 2; threads++)
    {
        graze_context context = context_for(f, threads == 1);
        assert_int_equal(graze_pair_any_batch(&context, &f->placed, &f->placed, &f->batch, NULL, &error, f->found),
                         GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(error.index, 123);
        for (size_t i = 0; i < POSES; i++)
            assert_true(f->found[i]);
    }
    f->poses_b[123].m[7] = f->poses_b[500].m[7] = before;
    assert_int_equal(graze_pair_any_batch(NULL, &f->placed, NULL, &f->batch, NULL, &error, f->found),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_any_batch(NULL, NULL, &f->placed, &f->batch, NULL, &error, f->found),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_count_batch(NULL, NULL, &f->placed, &f->batch, NULL, &error, f->counts),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, NULL, NULL, &error, f->found),
                     GRAZE_STATUS_BAD_ARGUMENT);
    graze_pair_options cut = graze_pair_options_default();
    graze_any_options cut_any = graze_any_options_default();
    cut.struct_size = cut_any.struct_size = 1;
    assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, &f->batch, &cut_any, &error, f->found),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_count_batch(NULL, &f->placed, &f->placed, &f->batch, &cut, &error, f->counts),
                     GRAZE_STATUS_BAD_ARGUMENT);
    for (size_t count = 0; count < 3; count++) /* without poses there are no answers */
    {
        graze_pose_batch few = f->batch;
        few.count = count;
        graze_status expected = count == 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
        assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, &few, NULL, &error, NULL), expected);
        assert_int_equal(graze_pair_count_batch(NULL, &f->placed, &f->placed, &few, NULL, &error, NULL), expected);
    }
    graze_pose_batch all = f->batch;
    assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, &all, NULL, &error, f->found), 0);
    for (all.count = 1; all.count < 40; all.count++) /* down to a single one */
    {
        bool found[40];
        memset(found, 2, sizeof found);
        assert_int_equal(graze_pair_any_batch(NULL, &f->placed, &f->placed, &all, NULL, &error, found), 0);
        assert_memory_equal(found, f->found, all.count * sizeof *found);
        graze_pair_counts counts[40], alone;
        memset(counts, 0xff, sizeof counts);
        graze_placed_mesh last_a = f->placed, last_b = f->placed;
        last_a.pose = f->poses_a[all.count - 1].pose;
        last_b.pose = f->poses_b[all.count - 1];
        assert_int_equal(graze_pair_count_batch(NULL, &f->placed, &f->placed, &all, NULL, &error, counts), 0);
        assert_int_equal(graze_pair_count(NULL, &last_a, &last_b, NULL, &alone), GRAZE_STATUS_OK);
        assert_int_equal(counts[all.count - 1].pairs, alone.pairs);
    }
}

typedef struct canceller
{
    unsigned calls, allowed;
    double share;
} canceller;

static bool cancel_later(void *user, double share)
{
    canceller *c = user;
    assert_true(share >= c->share && share <= 1);
    c->share = share;
    return c->calls++ < c->allowed;
}

static void batches_can_be_cancelled_and_limited(void **state)
{
    fixture *f = *state;
    unsigned cancelled = 0;
    for (int threads = 0; threads < 2; threads++)
    {
        graze_context context = context_for(f, threads == 1);
        graze_status status = GRAZE_STATUS_CANCELLED;
        for (unsigned allowed = 0; status != GRAZE_STATUS_OK; allowed += 1 + allowed / 4)
        {
            canceller c = {0, allowed, 0};
            graze_pair_options options = graze_pair_options_default();
            options.budget.progress = cancel_later;
            options.budget.progress_user = &c;
            status = graze_pair_count_batch(&context, &f->placed, &f->placed, &f->batch, &options, NULL, f->counts);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_CANCELLED);
            cancelled += status == GRAZE_STATUS_CANCELLED;
        }
        graze_stats stats = {0};
        graze_pair_options options = graze_pair_options_default();
        options.stats = &stats;
        options.budget.box_tests = 5000;
        status = graze_pair_count_batch(&context, &f->placed, &f->placed, &f->batch, &options, NULL, f->counts);
        assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
        assert_true(stats.box_tests >= 5000 && stats.box_tests < 6000);
        options.budget.box_tests = 0;
        options.budget.seconds = 1e-6;
        status = graze_pair_count_batch(&context, &f->placed, &f->placed, &f->batch, &options, NULL, f->counts);
        assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
        options.budget.seconds = 1000;
        status = graze_pair_count_batch(&context, &f->placed, &f->placed, &f->batch, &options, NULL, f->counts);
        assert_int_equal(status, GRAZE_STATUS_OK);
    }
    printf("cancelled %u times\n", cancelled);
    assert_true(cancelled > 5);
}

static void run_in_order(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        task(argument, i);
}

static void every_failing_allocation_is_survived(void **state)
{
    fixture *f = *state;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        context.tasks = (graze_tasks){run_in_order, 2, NULL};
        graze_status status = graze_pair_any_batch(&context, &f->placed, &f->placed, &f->batch, NULL, NULL, f->found);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
        {
            assert_true(allowed >= 2);
            break;
        }
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_say_what_queries_say),         cmocka_unit_test(a_cache_changes_no_answer),
        cmocka_unit_test(a_pose_that_is_not_finite_is_named),   cmocka_unit_test(batches_can_be_cancelled_and_limited),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
