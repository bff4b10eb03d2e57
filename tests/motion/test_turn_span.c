/* SPDX-License-Identifier: MIT */
/* Spans of turns in doubles: within their errors of the truth, in long doubles, and of the intervals' spans; also where
 * quaternions nearly cancel, centres are far away and turns are tiny. */
#include <float.h>
#include <math.h>

#include "motion/motion_span.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(6000)
};

static graze_motion random_turn(test_random *random)
{
    graze_motion motion = {.kind = random_once_in(random, 2) ? GRAZE_MOTION_TURN : GRAZE_MOTION_BALLISTIC_TURN};
    double reach = ldexp(1, random_below(random, 40) - 20), scale = ldexp(1, random_below(random, 21) - 10);
    int kind = random_below(random, 4);
    do
        for (int i = 0; i < 4; i++)
        {
            double q = random_real(random, -1, 1), other = random_real(random, -1, 1);
            motion.quaternion[0][i] = scale * q;
            motion.quaternion[1][i] = kind == 0   ? scale * other
                                      : kind == 1 ? scale * (q + 0x1p-20 * other)
                                      : kind == 2 ? scale * q
                                                  : scale * (0x1p-9 * other - q); /* nearly opposite */
        }
    while (graze_motion_check(&motion) != GRAZE_STATUS_OK && kind != 3);
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = random_real(random, -reach, reach);
        for (int i = 0; i < 3; i++)
            motion.path[i][k] = random_real(random, -3, 3);
    }
    return motion;
}

/* Matrix and offset, rate and drift, in long doubles: some 2^-60 of their terms off. */
typedef struct truth
{
    long double matrix[3][3], offset[3], rate[3][3], drift[3];
} truth;

static truth truth_at(const graze_motion *motion, long double t)
{
    truth out;
    long double q[4], n[3], w = 0;
    const double *a = motion->quaternion[0], *b = motion->quaternion[1];
    for (int i = 0; i < 4; i++)
    {
        q[i] = (1 - t) * a[i] + t * b[i];
        w += q[i] * q[i];
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.matrix[k][k] = (q[0] * q[0] + q[k + 1] * q[k + 1] - q[i + 1] * q[i + 1] - q[j + 1] * q[j + 1]) / w;
        out.matrix[j][i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]) / w;
        out.matrix[i][j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]) / w;
        n[k] = (long double)b[k + 1] * a[0] - (long double)b[0] * a[k + 1] -
               ((long double)b[i + 1] * a[j + 1] - (long double)b[j + 1] * a[i + 1]);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        long double bend = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? motion->path[2][k] : 0;
        out.offset[k] = motion->path[0][k] + t * (motion->path[1][k] + t * bend);
        out.drift[k] = motion->path[1][k] + 2 * t * bend;
        for (int c = 0; c < 3; c++)
        {
            out.rate[k][c] = 2 / w * (n[i] * out.matrix[j][c] - n[j] * out.matrix[i][c]);
            out.offset[k] -= out.matrix[k][c] * motion->centre[c];
            out.drift[k] -= out.rate[k][c] * motion->centre[c];
        }
    }
    return out;
}

static void spans_are_within_their_errors(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 31);
    int made = 0, refused = 0;
    double nearest = 0, nearest_rate = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_motion motion = random_turn(&random);
        double length = ldexp(1, -random_below(&random, 12));
        double from = random_real(&random, 0, 1 - length);
        grz_motion_span span = {.middle = from + 0.5 * length, .half = 0.5 * length};
        if (!grz_turn_span_make(&motion, &span))
        {
            refused++;
            continue;
        }
        made++;
        truth exact = truth_at(&motion, span.middle);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 4; c++)
            {
                long double x = c < 3 ? exact.matrix[k][c] : exact.offset[k];
                long double v = c < 3 ? exact.rate[k][c] : exact.drift[k];
                double off = (double)fabsl((c < 3 ? span.matrix[k][c] : span.offset[k]) - x);
                double rate_off = (double)fabsl((c < 3 ? span.rate[k][c] : span.drift[k]) - v);
                double error = c < 3 ? span.error : span.offset_error;
                double rate_error = c < 3 ? span.rate_error : span.drift_error;
                assert_true(off <= error && rate_off <= rate_error);
                nearest = fmax(nearest, off / error);
                nearest_rate = fmax(nearest_rate, rate_off / rate_error);
            }
    }
    print_message("%d made, %d refused; errors are used up to %.3f and %.3f\n", made, refused, nearest, nearest_rate);
    assert_true(made > ROUNDS / 2 && refused > ROUNDS / 2000 && nearest > 0.02 && nearest_rate > 0.001);
}

/* The rest is bounded as by the intervals, from above, and hardly more. */
static void spans_are_those_of_intervals(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 32);
    int both = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_motion motion = random_turn(&random);
        double from = ldexp(random_below(&random, 256), -8), most = 0;
        grz_motion_span fast = {.middle = from + 0x1p-9, .half = 0x1p-9}, slow;
        if (graze_motion_check(&motion) != GRAZE_STATUS_OK || !grz_turn_span_make(&motion, &fast) ||
            !grz_motion_span_by_intervals(&motion, from, from + 0x1p-8, &slow))
            continue;
        both++;
        assert_true(fast.middle == slow.middle && fast.half == slow.half);
        for (int k = 0; k < 12; k++)
        {
            const double *x = k % 4 < 3 ? &fast.matrix[k / 4][k % 4] : &fast.offset[k / 4];
            const double *y = k % 4 < 3 ? &slow.matrix[k / 4][k % 4] : &slow.offset[k / 4];
            const double *v = k % 4 < 3 ? &fast.rate[k / 4][k % 4] : &fast.drift[k / 4];
            const double *w = k % 4 < 3 ? &slow.rate[k / 4][k % 4] : &slow.drift[k / 4];
            double error = k % 4 < 3 ? fast.error + slow.error : fast.offset_error + slow.offset_error;
            double rate_error = k % 4 < 3 ? fast.rate_error + slow.rate_error : fast.drift_error + slow.drift_error;
            assert_true(fabs(*x - *y) <= error && fabs(*v - *w) <= rate_error);
            most = fmax(most, fabs(*v));
        }
        /* Both are bounds from above of one formula, whose terms differ by rounding. */
        assert_true(fast.bend >= slow.bend * (1 - 0x1p-20) - 0x1p-80 && fast.bend <= slow.bend * 1.01 + 0x1p-40);
        assert_true(fast.bend_offset >= slow.bend_offset * (1 - 0x1p-20) &&
                    fast.bend_offset <= slow.bend_offset * 1.01 + 0x1p-80);
    }
    print_message("%d of %d in both ways\n", both, ROUNDS);
    assert_true(both > ROUNDS / 2);
}

/* Quaternions that pass the origin closely, after the span: the least |q|^2 is what is left of two numbers that nearly
   cancel. */
static void the_least_square_is_bounded_from_below(void **state)
{
    (void)state;
    int made = 0;
    for (int step = 0; step < 400; step++)
    {
        double away = 0x1p-20 * (0.5 + step * 0x1p-6);
        graze_motion motion = {.kind = GRAZE_MOTION_TURN, .quaternion = {{1, away, 0, 0}, {-1, away, 0, 0}}};
        grz_motion_span span = {.middle = 0.25, .half = 0.25};
        if (!grz_turn_span_make(&motion, &span))
            continue;
        /* (2 |n| / w)^2 + 4 |n| |d| / w^(3/2) with |n| = 2 away, |d| = 2, w = away^2 */
        assert_true(span.bend >= 0.5 * 0.25 * 0.25 * 32 / (away * away));
        made++;
    }
    assert_true(made > 300 && made < 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_within_their_errors),
        cmocka_unit_test(spans_are_those_of_intervals),
        cmocka_unit_test(the_least_square_is_bounded_from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
