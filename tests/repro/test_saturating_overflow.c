/* SPDX-License-Identifier: MIT */
/*
 * With rounding toward zero an overflow gives the largest finite double, not infinity. Products, inverses and intervals
 * took that number for a result.
 */
#include <fenv.h>
#include <math.h>

#include "graze/pose.h"
#include "math/interval.h"
#include "support/unit.h"

static void square_and_move(double x, double y, interval *square, interval *moved)
{
    *square = interval_mul(interval_point(x), interval_point(x));
    *moved = interval_sub(*square, interval_point(y));
}

/* Called through a volatile pointer, so that the compiler moves nothing out of its rounding mode. */
static void (*volatile square_and_move_here)(double x, double y, interval *square, interval *moved) = square_and_move;

static void overflow_is_noticed_when_rounding_toward_zero(void **state)
{
    (void)state;
    graze_pose big = {{1e200, 0, 0, 0, 0, 1e200, 0, 0, 0, 0, 1e200, 0}}, tiny = {{0}}, result;
    for (int i = 0; i < 3; i++)
        tiny.m[5 * i] = 0x1p-1074;
    double bound;
    fesetround(FE_TOWARDZERO);
    graze_status product = graze_pose_compose(&big, &big, &result, &bound);
    graze_status inverse = graze_pose_invert(&tiny, &result, &bound);
    interval square, moved;
    square_and_move_here(1e200, 1e308, &square, &moved);
    fesetround(FE_TONEAREST);
    assert_int_equal(product, GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(inverse, GRAZE_STATUS_SINGULAR);
    assert_true(isinf(square.upper) && isinf(moved.upper));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_is_noticed_when_rounding_toward_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
