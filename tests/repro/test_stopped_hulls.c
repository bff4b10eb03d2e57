/* SPDX-License-Identifier: MIT */
/*
 * A hull of coplanar points that was stopped before the first point of its polygon counted the points of no chain as
 * SIZE_MAX, and wrote them.
 */
#include <stdio.h>

#include "convex/hull.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

static bool stop(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

/* Stops at each piece of work in turn: a monitor that has seen some work stops that much earlier. */
static void hulls_may_stop_anywhere(void **state)
{
    (void)state;
    static const double flat[6][3] = {{0, 0, 1}, {3, 0, 1}, {3, 2, 1}, {0, 2, 1}, {1, 1, 1}, {3, 1, 1}};
    static const double solid[6][3] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {0, 2, 0}, {1, 1, 5}, {2, 1, -5}};
    size_t stopped = 0, made = 0;
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t before = 0; before < 400; before++)
        {
            failing_allocator allocator = {.allowed = SIZE_MAX};
            graze_context context = failing_allocator_context(&allocator);
            const graze_budget budget = {.progress = stop};
            grz_monitor monitor = grz_monitor_make(&budget);
            monitor.unchecked_work = GRZ_WORK_PER_CHECK - before;
            grz_hull *hull = NULL;
            graze_status status = grz_hull_create(&context, kind == 0 ? flat[0] : solid[0], 6, &monitor, &hull);
            assert_int_equal(status, monitor.status);
            stopped += status == GRAZE_STATUS_CANCELLED;
            made += status == GRAZE_STATUS_OK;
            assert_true((hull != NULL) == (status == GRAZE_STATUS_OK));
            grz_hull_destroy(hull);
            assert_int_equal(allocator.live, 0);
        }
    printf("%zu stopped, %zu made\n", stopped, made);
    assert_true(stopped > 100 && made > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_may_stop_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
