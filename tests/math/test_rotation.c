/* SPDX-License-Identifier: MIT */
/*
 * Rotations from quaternions and from axis and angle against exact ones: the former are rational, sines and cosines
 * come from a series in 2500 bits. The stated error bound is checked as an inequality between rationals.
 */
#include <float.h>
#include <math.h>

#include "graze/pose.h"
#include "support/random.h"
#include "support/rationals.h"
#include "support/unit.h"

enum
{
    PRECISION = 2500 /* bits; an angle of 2^1024 reduced by multiples of pi leaves more than 1400 */
};

/* The rotation of the quaternion q, exactly: R = I + 2 (w [v] + [v]^2) / |q|^2, entry by entry. */
static void exact_rotation(mpq_t out[12], const double wxyz[4])
{
    mpq_t q[4], norm, t, s;
    mpq_inits(norm, t, s, NULL);
    for (int i = 0; i < 4; i++)
    {
        mpq_init(q[i]);
        rational_set_double(q[i], wxyz[i]);
        mpq_mul(t, q[i], q[i]);
        mpq_add(norm, norm, t);
    }
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            mpq_mul(s, q[1 + row], q[1 + column]);
            if (row == column) /* 2 (v_i^2 + w^2) / |q|^2 - 1 */
            {
                mpq_mul(t, q[0], q[0]);
                mpq_add(s, s, t);
            }
            else
            {
                mpq_mul(t, q[0], q[1 + (3 - row - column)]);
                if (column == (row + 1) % 3)
                    mpq_neg(t, t);
                mpq_add(s, s, t);
            }
            mpq_add(s, s, s);
            mpq_div(s, s, norm);
            if (row == column)
            {
                mpq_set_ui(t, 1, 1);
                mpq_sub(s, s, t);
            }
            mpq_set(out[4 * row + column], s);
        }
    for (int i = 0; i < 4; i++)
        mpq_clear(q[i]);
    mpq_clears(norm, t, s, NULL);
}

static void check_rotation(const graze_pose *pose, mpq_t exact[12], const double translation[3])
{
    for (int i = 0; i < 12; i++)
    {
        if (i % 4 != 3 && !rational_within(pose->m[i], exact[i], 16 * DBL_EPSILON))
            fail_msg("entry %d is %a, exactly %.20g", i, pose->m[i], mpq_get_d(exact[i]));
        if (i % 4 == 3)
            assert_true(pose->m[i] == (translation != NULL ? translation[i / 4] : 0.0));
    }
}

static void quaternions_make_rotations_within_the_stated_bound(void **state)
{
    (void)state;
    test_random random = test_random_start("quaternions", 20);
    mpq_t exact[12];
    rational_matrix_init(exact);
    for (int k = 0; k < 20000; k++)
    {
        double q[4], translation[3] = {k, 0.1, -1e300};
        int exponent = random_between(&random, -1070, 1020);
        for (int i = 0; i < 4; i++)
        {
            q[i] = ldexp(random_real(&random, -1.0, 1.0), k % 3 == 0 ? exponent : 0);
            if (k % 3 == 1)
                q[i] = random_bits_double(&random);
            if (k % 5 == 0 && random_once_in(&random, 2))
                q[i] = 0.0;
        }
        if (double_is_zero(q[0]) && double_is_zero(q[1]) && double_is_zero(q[2]) && double_is_zero(q[3]))
            continue;
        graze_pose pose;
        exact_rotation(exact, q);
        assert_int_equal(graze_pose_from_quaternion(q, k % 2 == 0 ? translation : NULL, &pose), GRAZE_STATUS_OK);
        check_rotation(&pose, exact, k % 2 == 0 ? translation : NULL);
    }
    rational_matrix_clear(exact);
}

/* pi = 16 atan(1/5) - 4 atan(1/239) (Machin). */
static void arctangent_of_inverse(mpf_t out, unsigned long n)
{
    mpf_t power, term;
    mpf_inits(power, term, NULL);
    mpf_set_ui(power, 1);
    mpf_div_ui(power, power, n);
    mpf_set(out, power);
    for (unsigned long k = 3; k < 2 * PRECISION; k += 2)
    {
        mpf_div_ui(power, power, n * n);
        mpf_neg(power, power);
        mpf_div_ui(term, power, k);
        mpf_add(out, out, term);
    }
    mpf_clears(power, term, NULL);
}

static void compute_pi(mpf_t pi)
{
    mpf_t t;
    mpf_init(t);
    arctangent_of_inverse(pi, 5);
    mpf_mul_ui(pi, pi, 4);
    arctangent_of_inverse(t, 239);
    mpf_sub(pi, pi, t);
    mpf_mul_ui(pi, pi, 4);
    mpf_clear(t);
}

/* Reduces by multiples of 2 pi, then sums both series; terms below 2^-200 are left out. */
static void sine_and_cosine(mpf_t sine, mpf_t cosine, double angle, const mpf_t pi)
{
    mpf_t x, turns, full, term;
    mpf_inits(x, turns, full, term, NULL);
    mpq_t exact;
    mpq_init(exact);
    rational_set_double(exact, angle);
    mpf_set_q(x, exact);
    mpf_mul_ui(full, pi, 2);
    mpf_div(turns, x, full);
    mpf_floor(turns, turns);
    mpf_mul(turns, turns, full);
    mpf_sub(x, x, turns);
    mpf_set_ui(sine, 0);
    mpf_set_ui(cosine, 0);
    mpf_set_ui(term, 1);
    for (unsigned long k = 0; k < 100; k++)
    {
        mpf_ptr sum = k % 2 == 0 ? cosine : sine;
        if (k % 4 < 2)
            mpf_add(sum, sum, term);
        else
            mpf_sub(sum, sum, term);
        mpf_mul(term, term, x);
        mpf_div_ui(term, term, k + 1);
    }
    mpq_clear(exact);
    mpf_clears(x, turns, full, term, NULL);
}

/* R = c I + s [u] + (1 - c) u u', with u the axis of unit length, to far more digits than any bound needs. */
static void exact_axis_angle(mpq_t out[12], const double axis[3], double angle, const mpf_t pi)
{
    mpf_t u[3], length, sine, cosine, entry, t;
    mpf_inits(length, sine, cosine, entry, t, NULL);
    mpq_t exact;
    mpq_init(exact);
    for (int i = 0; i < 3; i++)
    {
        mpf_init(u[i]);
        rational_set_double(exact, axis[i]);
        mpf_set_q(u[i], exact);
        mpf_mul(t, u[i], u[i]);
        mpf_add(length, length, t);
    }
    mpf_sqrt(length, length);
    for (int i = 0; i < 3; i++)
        mpf_div(u[i], u[i], length);
    sine_and_cosine(sine, cosine, angle, pi);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            mpf_ui_sub(entry, 1, cosine);
            mpf_mul(entry, entry, u[row]);
            mpf_mul(entry, entry, u[column]);
            if (row == column)
            {
                mpf_add(entry, entry, cosine);
            }
            else
            {
                mpf_mul(t, sine, u[3 - row - column]);
                if (column == (row + 1) % 3)
                    mpf_sub(entry, entry, t);
                else
                    mpf_add(entry, entry, t);
            }
            mpq_set_f(out[4 * row + column], entry);
        }
    for (int i = 0; i < 3; i++)
        mpf_clear(u[i]);
    mpf_clears(length, sine, cosine, entry, t, NULL);
    mpq_clear(exact);
}

static void axes_and_angles_make_rotations_within_the_stated_bound(void **state)
{
    (void)state;
    test_random random = test_random_start("axis and angle", 21);
    mpf_set_default_prec(PRECISION);
    mpf_t pi;
    mpf_init(pi);
    compute_pi(pi);
    assert_true(mpf_get_d(pi) > 3.14159265358979 && mpf_get_d(pi) < 3.1415926535898);
    mpq_t exact[12];
    rational_matrix_init(exact);
    for (int k = 0; k < 1500; k++)
    {
        double axis[3], angle = random_real(&random, -10.0, 10.0);
        int exponent = k % 3 == 0 ? random_between(&random, -1070, 1020) : 0;
        for (int i = 0; i < 3; i++)
            axis[i] = ldexp(k % 4 == 0 ? random_between(&random, -1, 1) : random_real(&random, -1.0, 1.0), exponent);
        if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
            axis[0] = 1.0;
        if (k % 5 == 0)
            angle = random_bits_double(&random);
        if (k % 7 == 0)
            angle = acos(0.0) * random_between(&random, -4, 4);
        graze_pose pose;
        exact_axis_angle(exact, axis, angle, pi);
        assert_int_equal(graze_pose_from_axis_angle(axis, angle, NULL, &pose), GRAZE_STATUS_OK);
        check_rotation(&pose, exact, NULL);
    }
    rational_matrix_clear(exact);
    mpf_clear(pi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_make_rotations_within_the_stated_bound),
        cmocka_unit_test(axes_and_angles_make_rotations_within_the_stated_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
