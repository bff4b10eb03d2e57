/* SPDX-License-Identifier: MIT */
/*
 * The sweep over AABBs with a monitor: boxes are then sorted in runs, which are merged. The order is that of a plain
 * sort, the pairs are those of testing all of them, and a lack of memory is reported.
 */
#include "pair/aabb.h"

#include "base/memory.h"

#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

/* Runs have 4096 boxes each: one and less, two, three, four, and something more than each. */
static const size_t counts[] = {1, 4095, 4096, 4097, 8192, 8193, 10000, 12288, 12289, 13000, 16384, 20481};

enum
{
    MOST = 20481,
    TRIANGLES = 9000
};

static bool go_on(void *user, double share)
{
    (void)share;
    return user == NULL;
}

static void boxes_sorted_in_runs_are_in_order(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 91);
    static grz_placed_aabb boxes[MOST];
    static bool seen[MOST];
    for (size_t n = 0; n < 3 * sizeof counts / sizeof *counts; n++)
    {
        size_t count = counts[n / 3];
        int axis = (int)(n % 3);
        for (size_t i = 0; i < count; i++)
        {
            boxes[i].triangle = (uint32_t)i;
            seen[i] = false;
            for (int k = 0; k < 3; k++) /* on two axes many begin together, on one the order is reversed */
                boxes[i].axes[k] = interval_point(k == 2 ? (double)(count - i) : random_below(&random, 500));
        }
        const graze_budget budget = {.progress = go_on};
        grz_monitor monitor = grz_monitor_make(&budget);
        assert_true(grz_placed_aabbs_sort(NULL, boxes, count, axis, &monitor));
        for (size_t i = 0; i < count; i++)
        {
            assert_true(boxes[i].triangle < count && !seen[boxes[i].triangle]);
            seen[boxes[i].triangle] = true;
            double before = i > 0 ? boxes[i - 1].axes[axis].lower : -1, here = boxes[i].axes[axis].lower;
            assert_true(before < here || (before == here && boxes[i - 1].triangle < boxes[i].triangle));
        }
    }
}

static void a_sort_may_be_stopped(void **state)
{
    (void)state;
    static grz_placed_aabb boxes[MOST];
    bool stop = true;
    for (size_t i = 0; i < MOST; i++)
        boxes[i] = (grz_placed_aabb){{{0, 0}, {0, 0}, {0, 0}}, (uint32_t)i};
    const graze_budget budget = {.progress = go_on, .progress_user = &stop};
    grz_monitor monitor = grz_monitor_make(&budget);
    assert_false(grz_placed_aabbs_sort(NULL, boxes, MOST, 0, &monitor));
    assert_int_equal(monitor.status, GRAZE_STATUS_CANCELLED);
}

static bool count_pair(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    (void)triangle_a;
    (void)triangle_b;
    ++*(size_t *)user;
    return true;
}

static size_t count_overlaps(const graze_mesh *a, const graze_mesh *b)
{
    size_t count = 0;
    grz_placed_aabb *of_a = grz_placed_aabbs_create(NULL, a, NULL), *of_b = grz_placed_aabbs_create(NULL, b, NULL);
    assert_true(of_a != NULL && of_b != NULL);
    for (size_t i = 0; i < graze_mesh_triangle_count(a); i++)
        for (size_t j = 0; j < graze_mesh_triangle_count(b); j++)
            count += grz_placed_aabb_overlap(&of_a[i], &of_b[j]);
    grz_release(NULL, of_a);
    grz_release(NULL, of_b);
    return count;
}

/* Two meshes of which the first, or the second, needs memory to be sorted. */
static void a_sweep_finds_all_or_tells_that_memory_is_short(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 92);
    graze_mesh *meshes[2] = {body_soup(&random, 200, 3000, TRIANGLES), body_soup(&random, 200, 12, 8)};
    size_t expected = count_overlaps(meshes[0], meshes[1]);
    assert_true(expected > 100);
    for (int first = 0; first < 2; first++)
    {
        size_t failures = 0;
        for (bool started = false; !started; failures += !started)
        {
            failing_allocator allocator = {.allowed = failures};
            graze_context context = failing_allocator_context(&allocator);
            const graze_budget budget = {.progress = go_on};
            grz_monitor monitor = grz_monitor_make(&budget);
            grz_aabb_sweep sweep;
            size_t found = 0;
            started = grz_aabb_sweep_start(&sweep, &context, meshes[first], NULL, meshes[1 - first], NULL, &monitor);
            if (started)
            {
                assert_true(grz_aabb_sweep_advance(&sweep, UINT64_MAX, count_pair, &found));
                assert_true(grz_aabb_sweep_is_done(&sweep));
                assert_int_equal(found, expected);
                grz_aabb_sweep_end(&sweep, &context);
            }
            assert_int_equal(allocator.live, 0);
        }
        assert_int_equal(failures, 5); /* two for the boxes of each, and one to merge runs */
    }
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_sorted_in_runs_are_in_order),
        cmocka_unit_test(a_sort_may_be_stopped),
        cmocka_unit_test(a_sweep_finds_all_or_tells_that_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
