/* SPDX-License-Identifier: MIT */
/* The thread pool does every task exactly once, also from within tasks and for many callers at once. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tasks.h"
#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    TASKS = 500,
    CALLERS = 4,
    INNER = 7
};

typedef struct tally
{
    atomic_int counts[TASKS];
} tally;

static void count_one(void *argument, size_t index)
{
    tally *t = argument;
    atomic_fetch_add(&t->counts[index], 1);
}

static void expect_all(tally *t, size_t count, int times)
{
    for (size_t i = 0; i < TASKS; i++)
        assert_int_equal(atomic_load(&t->counts[i]), i < count ? times : 0);
}

static graze_context context_with(graze_pool *pool)
{
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    return context;
}

static void every_task_is_done_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 5; threads++)
    {
        graze_pool *pool = NULL;
        assert_int_equal(graze_pool_create(NULL, threads, &pool), GRAZE_STATUS_OK);
        graze_context context = context_with(pool);
        assert_int_equal(grz_concurrency(&context), threads);
        static const size_t counts[] = {0, 1, 2, 3, TASKS};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        {
            tally t = {{0}};
            grz_parallel_for(&context, counts[i], count_one, &t);
            expect_all(&t, counts[i], 1);
        }
        graze_pool_destroy(pool);
    }
}

static void without_hooks_tasks_run_in_order(void **state)
{
    (void)state;
    tally t = {{0}};
    graze_context context = graze_context_default();
    assert_int_equal(grz_concurrency(NULL), 1);
    assert_int_equal(grz_concurrency(&context), 1);
    grz_parallel_for(NULL, TASKS, count_one, &t);
    grz_parallel_for(&context, TASKS, count_one, &t);
    expect_all(&t, TASKS, 2);
}

typedef struct nest
{
    const graze_context *context;
    tally *inner;
} nest;

static void count_inner(void *argument, size_t index)
{
    const nest *n = argument;
    atomic_fetch_add(&n->inner->counts[index], 1);
}

static void run_inner(void *argument, size_t index)
{
    const nest *n = argument;
    (void)index;
    grz_parallel_for(n->context, INNER, count_inner, argument);
}

static void run_middle(void *argument, size_t index)
{
    const nest *n = argument;
    (void)index;
    grz_parallel_for(n->context, INNER, run_inner, argument);
}

static void tasks_may_run_tasks(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context context = context_with(pool);
    tally t = {{0}};
    nest n = {&context, &t};
    grz_parallel_for(&context, 20, run_middle, &n);
    expect_all(&t, INNER, 20 * INNER);
    graze_pool_destroy(pool);
}

static void *call(void *user)
{
    const nest *n = user;
    for (int i = 0; i < 50; i++)
        grz_parallel_for(n->context, INNER, run_inner, user);
    return NULL;
}

static void many_threads_may_call_at_once(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context context = context_with(pool);
    tally t = {{0}};
    nest n = {&context, &t};
    pthread_t callers[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call, &n), 0);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_join(callers[i], NULL), 0);
    expect_all(&t, INNER, CALLERS * 50 * INNER);
    graze_pool_destroy(pool);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 1025, &pool), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pool_create(NULL, 2, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    failing_allocator allocator = {.allowed = 0};
    graze_context context = failing_allocator_context(&allocator);
    assert_int_equal(graze_pool_create(&context, 2, &pool), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_null(pool);
    allocator.allowed = 100;
    assert_int_equal(graze_pool_create(&context, 2, &pool), GRAZE_STATUS_OK);
    graze_pool_destroy(pool);
    assert_int_equal(allocator.live, 0);
    graze_pool_destroy(NULL);
}

static void zero_threads_means_all_processors(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 0, &pool), GRAZE_STATUS_OK);
    assert_true(graze_pool_tasks(pool).concurrency >= 1);
    graze_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),  cmocka_unit_test(without_hooks_tasks_run_in_order),
        cmocka_unit_test(tasks_may_run_tasks),      cmocka_unit_test(many_threads_may_call_at_once),
        cmocka_unit_test(bad_requests_are_refused), cmocka_unit_test(zero_threads_means_all_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
