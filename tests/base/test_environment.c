/* SPDX-License-Identifier: MIT */
/* The default floating-point environment is told from all others by what sums give. */
#include "base/environment.h"

#include <stdio.h>

#include "support/environment.h"
#include "support/unit.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

static void check_default(bool (*is_default_now)(void))
{
    const unsigned callers = _mm_getcsr();
    int others = 0;
    for (unsigned bits = 0; bits < 16; bits++)
    {
        /* the rounding mode, results flushed to zero, operands taken for zero */
        _mm_setcsr((callers & ~0xe040u) | (bits & 3u) << 13 | (bits & 4u) << 13 | (bits & 8u) << 3);
        bool is_default = is_default_now();
        _mm_setcsr(callers);
        if (is_default != (bits == 0))
            fail_msg("%x is%s taken for the default environment", bits, is_default ? "" : " not");
        others += is_default ? 0 : 1;
    }
    assert_int_equal(others, 15);
}

static void only_the_default_environment_is_the_default(void **state)
{
    (void)state;
    check_default(grz_environment_is_default);
}

static void sums_tell_the_default_environment_from_all_others(void **state)
{
    (void)state;
    check_default(grz_environment_sums_as_default);
}
#else
static void only_the_default_environment_is_the_default(void **state)
{
    (void)state;
    assert_false(grz_environment_is_default());
}

static void sums_tell_the_default_environment_from_all_others(void **state)
{
    (void)state;
    assert_false(grz_environment_sums_as_default());
}
#endif

static void work_in_the_default_environment_leaves_the_callers_as_it_was(void **state)
{
    (void)state;
    volatile double one = 1, little = 0x1p-60;
    for (int number = 2; number < ENVIRONMENTS; number++) /* other rounding modes */
    {
        grz_environment environment;
        saved_environment saved;
        environment_enter(&saved, number);
        volatile double more = one + little, less = one - little;
        grz_environment_enter_default(&environment);
        volatile double inside_more = one + little, inside_less = one - little;
        grz_environment_leave_default(&environment);
        volatile double after_more = one + little, after_less = one - little;
        environment_leave(&saved);
        assert_true(more != 1 || less != 1);
        assert_true(inside_more == 1 && inside_less == 1);
        assert_true(after_more == more && after_less == less);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_default_environment_is_the_default),
        cmocka_unit_test(sums_tell_the_default_environment_from_all_others),
        cmocka_unit_test(work_in_the_default_environment_leaves_the_callers_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
