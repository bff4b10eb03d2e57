/* SPDX-License-Identifier: MIT */
/*
 * Poses: products and inverses against exact ones, each stated error bound checked as an inequality between rationals,
 * in every rounding mode; rejected input and its status.
 */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/pose.h"
#include "math/vector.h"
#include "support/generators.h"
#include "support/rationals.h"
#include "support/unit.h"

static const int rounding_modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static void exact_product(mpq_t out[12], mpq_t outer[12], mpq_t inner[12])
{
    mpq_t t;
    mpq_init(t);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
        {
            mpq_set_ui(out[4 * row + column], 0, 1);
            if (column == 3)
                mpq_set(out[4 * row + column], outer[4 * row + 3]);
            for (int k = 0; k < 3; k++)
            {
                mpq_mul(t, outer[4 * row + k], inner[4 * k + column]);
                mpq_add(out[4 * row + column], out[4 * row + column], t);
            }
        }
    mpq_clear(t);
}

/* A pose of every kind the other generators know, from rotations to singular, tiny and huge ones. */
static graze_pose any_pose(test_random *random)
{
    static make_function *const makers[] = {make_rotated,         make_equal_rotations, make_equal_poses,
                                            make_integer_poses,   make_sheared,         make_singular,
                                            make_nearly_singular, make_absorbed,        make_rounded_quarter_turns,
                                            make_extreme_poses,   make_denormal_poses};
    triangle_case pair;
    makers[random_below(random, (int)(sizeof makers / sizeof *makers))](random, &pair);
    return pair.poses[random_below(random, 2)];
}

/* The binary exponent of the largest entry, at least that of 1. */
static int largest_exponent(const graze_pose *pose)
{
    double largest = 1.0;
    for (int i = 0; i < 12; i++)
        largest = fmax(largest, fabs(pose->m[i]));
    return ilogb(largest);
}

static void products_are_within_their_bound(void **state)
{
    (void)state;
    test_random random = test_random_start("products", 22);
    mpq_t a[12], b[12], exact[12];
    rational_matrix_init(a);
    rational_matrix_init(b);
    rational_matrix_init(exact);
    int made = 0, refused = 0, tight = 0;
    for (int k = 0; k < 20000; k++)
    {
        graze_pose outer = any_pose(&random), inner = any_pose(&random), product;
        double bound = -1.0;
        rational_matrix_set(a, &outer);
        rational_matrix_set(b, &inner);
        exact_product(exact, a, b);
        fesetround(rounding_modes[k % 4]);
        graze_status status = graze_pose_compose(&outer, &inner, &product, &bound);
        fesetround(FE_TONEAREST);
        if (status != GRAZE_STATUS_OK)
        {
            assert_int_equal(status, GRAZE_STATUS_NOT_FINITE);
            assert_true(largest_exponent(&outer) + largest_exponent(&inner) > 1020);
            refused++;
            continue;
        }
        made++;
        assert_true(isfinite(bound) && bound >= 0.0);
        for (int i = 0; i < 12; i++)
        {
            assert_true(isfinite(product.m[i]));
            if (!rational_within(product.m[i], exact[i], bound))
                fail_msg("entry %d of the product is off by more than %a", i, bound);
        }
        tight += bound <= ldexp(1e-14, largest_exponent(&outer) + largest_exponent(&inner));
    }
    printf("%d products, %d refused, %d bounds tight\n", made, refused, tight);
    assert_true(made > 12000 && refused > 5 && tight > 10000);
    rational_matrix_clear(a);
    rational_matrix_clear(b);
    rational_matrix_clear(exact);
}

/* The inverse by cofactors; false when det R = 0. */
static bool exact_inverse(mpq_t out[12], mpq_t m[12])
{
    mpq_t determinant, t;
    mpq_inits(determinant, t, NULL);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            int i = (column + 1) % 3, j = (column + 2) % 3, k = (row + 1) % 3, l = (row + 2) % 3;
            mpq_ptr entry = out[4 * row + column];
            mpq_mul(entry, m[4 * i + k], m[4 * j + l]);
            mpq_mul(t, m[4 * i + l], m[4 * j + k]);
            mpq_sub(entry, entry, t);
        }
    for (int k = 0; k < 3; k++)
    {
        mpq_mul(t, m[k], out[4 * k]);
        mpq_add(determinant, determinant, t);
    }
    bool regular = mpq_sgn(determinant) != 0;
    for (int row = 0; row < 3 && regular; row++)
    {
        mpq_set_ui(out[4 * row + 3], 0, 1);
        for (int column = 0; column < 3; column++)
        {
            mpq_div(out[4 * row + column], out[4 * row + column], determinant);
            mpq_mul(t, out[4 * row + column], m[4 * column + 3]);
            mpq_sub(out[4 * row + 3], out[4 * row + 3], t);
        }
    }
    mpq_clears(determinant, t, NULL);
    return regular;
}

static void inverses_are_within_their_bound(void **state)
{
    (void)state;
    test_random random = test_random_start("inverses", 23);
    mpq_t m[12], exact[12];
    rational_matrix_init(m);
    rational_matrix_init(exact);
    int made = 0, singular = 0, given_up = 0, tight = 0;
    for (int k = 0; k < 20000; k++)
    {
        graze_pose pose = k % 2 == 0 ? any_pose(&random) : random_rotation(&random), inverse;
        double bound = -1.0;
        rational_matrix_set(m, &pose);
        bool regular = exact_inverse(exact, m);
        fesetround(rounding_modes[k / 2 % 4]);
        graze_status status = graze_pose_invert(&pose, &inverse, &bound);
        fesetround(FE_TONEAREST);
        if (status != GRAZE_STATUS_OK)
        {
            assert_int_equal(status, GRAZE_STATUS_SINGULAR);
            singular += !regular;
            given_up += regular;
            assert_true(k % 2 == 0); /* never on a rotation */
            continue;
        }
        made++;
        assert_true(regular);
        assert_true(isfinite(bound) && bound >= 0.0);
        for (int i = 0; i < 12; i++)
            if (!rational_within(inverse.m[i], exact[i], bound))
                fail_msg("entry %d of the inverse is off by more than %a", i, bound);
        tight += k % 2 == 1 && bound <= 1e-13;
    }
    printf("%d inverses, %d singular, %d without a bound in doubles, %d tight\n", made, singular, given_up, tight);
    assert_true(made > 12000 && singular > 500 && tight == 10000);
    rational_matrix_clear(m);
    rational_matrix_clear(exact);
}

static void bad_numbers_are_refused_and_results_left_alone(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const double axis[3] = {0, 0, 1}, zero[4] = {0, 0, 0, -0.0};
    graze_pose before = graze_pose_translation(1, 2, 3), pose = before;
    for (int k = 0; k < 3; k++)
    {
        for (int i = 0; i < 4; i++)
        {
            double q[4] = {1, 2, 3, 4};
            q[i] = bad[k];
            assert_int_equal(graze_pose_from_quaternion(q, NULL, &pose), GRAZE_STATUS_NOT_FINITE);
            if (i < 3)
            {
                assert_int_equal(graze_pose_from_axis_angle(q, 1.0, NULL, &pose), GRAZE_STATUS_NOT_FINITE);
                assert_int_equal(graze_pose_from_axis_angle(axis, 1.0, q, &pose), GRAZE_STATUS_NOT_FINITE);
                assert_int_equal(graze_pose_from_quaternion((double[4]){1, 0, 0, 0}, q, &pose),
                                 GRAZE_STATUS_NOT_FINITE);
            }
        }
        assert_int_equal(graze_pose_from_axis_angle(axis, bad[k], NULL, &pose), GRAZE_STATUS_NOT_FINITE);
    }
    assert_int_equal(graze_pose_from_quaternion(zero, NULL, &pose), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pose_from_axis_angle(zero, 1.0, NULL, &pose), GRAZE_STATUS_BAD_ARGUMENT);
    assert_memory_equal(&pose, &before, sizeof pose);
}

static void matrices_are_taken_as_they_are_or_refused_with_the_entry(void **state)
{
    (void)state;
    double matrix[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1};
    graze_pose pose;
    graze_error error;
    assert_int_equal(graze_pose_from_matrix(matrix, 3, NULL, &pose), GRAZE_STATUS_OK);
    assert_memory_equal(pose.m, matrix, sizeof pose.m);
    memset(&pose, 0, sizeof pose);
    assert_int_equal(graze_pose_from_matrix(matrix, 4, &error, &pose), GRAZE_STATUS_OK);
    assert_memory_equal(pose.m, matrix, sizeof pose.m);
    matrix[13] = 0.5;
    assert_int_equal(graze_pose_from_matrix(matrix, 4, &error, &pose), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(error.index, 13);
    assert_int_equal(graze_pose_from_matrix(matrix, 3, &error, &pose), GRAZE_STATUS_OK);
    matrix[7] = NAN;
    assert_int_equal(graze_pose_from_matrix(matrix, 3, &error, &pose), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(error.index, 7);
    assert_int_equal(error.status, GRAZE_STATUS_NOT_FINITE);
    assert_true(error.text[0] != '\0');
    assert_int_equal(graze_pose_from_matrix(matrix, 5, &error, &pose), GRAZE_STATUS_BAD_ARGUMENT);
}

static void checking_a_pose_names_the_first_bad_entry(void **state)
{
    (void)state;
    graze_pose pose = graze_pose_identity();
    uint64_t index = 99;
    assert_int_equal(graze_pose_check(&pose, &index), GRAZE_STATUS_OK);
    pose.m[11] = INFINITY;
    pose.m[5] = NAN;
    assert_int_equal(graze_pose_check(&pose, &index), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(index, 5);
    assert_int_equal(graze_pose_check(&pose, NULL), GRAZE_STATUS_NOT_FINITE);
}

static void simple_poses_do_what_they_say(void **state)
{
    (void)state;
    graze_pose identity = graze_pose_identity(), moved = graze_pose_translation(1, 2, 3), turned;
    const double point[3] = {5, 6, 7}, axis[3] = {0, 0, 2}, half_turn[4] = {0, 0, 0, 3};
    double placed[3];
    graze_pose_apply(&identity, point, placed);
    assert_true(placed[0] == 5 && placed[1] == 6 && placed[2] == 7);
    graze_pose_apply(&moved, point, placed);
    assert_true(placed[0] == 6 && placed[1] == 8 && placed[2] == 10);
    assert_int_equal(graze_pose_from_quaternion(half_turn, NULL, &turned), GRAZE_STATUS_OK);
    graze_pose_apply(&turned, point, placed);
    assert_true(placed[0] == -5 && placed[1] == -6 && placed[2] == 7);
    assert_int_equal(graze_pose_from_axis_angle(axis, 0.0, (double[3]){1, 1, 1}, &turned), GRAZE_STATUS_OK);
    graze_pose_apply(&turned, point, placed);
    assert_true(placed[0] == 6 && placed[1] == 7 && placed[2] == 8);
    assert_int_equal(graze_pose_compose(&moved, &moved, &turned, NULL), GRAZE_STATUS_OK);
    assert_true(turned.m[3] == 2 && turned.m[7] == 4 && turned.m[11] == 6);
    assert_int_equal(graze_pose_invert(&moved, &turned, NULL), GRAZE_STATUS_OK);
    assert_true(turned.m[3] == -1 && turned.m[7] == -2 && turned.m[11] == -3 && turned.m[0] == 1);
}

static void points_are_placed_with_the_same_roundings_inline(void **state)
{
    (void)state;
    test_random random = test_random_start("points_are_placed_with_the_same_roundings_inline", 91);
    for (int round = 0; round < 2000; round++)
    {
        graze_pose pose = random_rotation(&random);
        double point[3], placed[3], inlined[3];
        for (int k = 0; k < 3; k++)
        {
            pose.m[4 * k + 3] = random_real(&random, -1e3, 1e3);
            point[k] = random_real(&random, -10, 10);
        }
        graze_pose_apply(&pose, point, placed);
        v3_store(v3_place(pose.m, point), inlined);
        assert_memory_equal(placed, inlined, sizeof placed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_poses_do_what_they_say),
        cmocka_unit_test(points_are_placed_with_the_same_roundings_inline),
        cmocka_unit_test(products_are_within_their_bound),
        cmocka_unit_test(inverses_are_within_their_bound),
        cmocka_unit_test(bad_numbers_are_refused_and_results_left_alone),
        cmocka_unit_test(matrices_are_taken_as_they_are_or_refused_with_the_entry),
        cmocka_unit_test(checking_a_pose_names_the_first_bad_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
