/* SPDX-License-Identifier: MIT */
/* The clock goes forward only, and moves. */
#include "base/clock.h"
#include "support/unit.h"

static void the_clock_never_goes_back_and_does_not_stand_still(void **state)
{
    (void)state;
    uint64_t start = grz_clock_now(), before = start;
    for (int k = 0; k < 100000; k++)
    {
        uint64_t now = grz_clock_now();
        assert_true(now >= before);
        before = now;
    }
    assert_true(before > start);
    assert_true(before - start < UINT64_C(60000000000)); /* nanoseconds, not a finer unit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back_and_does_not_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
