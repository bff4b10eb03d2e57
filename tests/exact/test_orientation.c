/* SPDX-License-Identifier: MIT */
/* Signs of placed points against the oracle's: orientation in 2D and 3D, comparison along an axis, handedness. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "exact/predicates.h"
#include "support/signs.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = 300
};

static void every_sign_agrees_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("signs", 4);
    oracle *judge = oracle_create();
    for (size_t g = 0; g < generator_count; g++)
    {
        grz_filter_stats stages = {0, 0};
        long zero = 0;
        for (int k = 0; k < CASES_PER_GENERATOR; k++)
        {
            triangle_case points;
            sign_table expected, inner, outer;
            generators[g].make(&random, &points);
            signs_by_oracle(judge, &points, &expected);
            signs_by_library(&points, &stages, &inner);
            signs_by_public(&points, &outer);
            zero += signs_zero(&expected);
            int inner_wrong = signs_differ(&expected, &inner), outer_wrong = signs_differ(&expected, &outer);
            if (inner_wrong < 0 && outer_wrong < 0)
                continue;
            case_print(&points);
            fail_msg("%s: sign %d (inner) or %d (public) is wrong", generators[g].name, inner_wrong, outer_wrong);
        }
        long total = (long)(stages.filtered + stages.exact);
        printf("%-26s zero %5.1f%%  exact %5.1f%%\n", generators[g].name,
               100.0 * (double)zero / (CASES_PER_GENERATOR * SIGNS_PER_CASE),
               100.0 * (double)stages.exact / (double)total);
        assert_true(stages.exact > 0 || generators[g].most_exact <= 1);
    }
    oracle_destroy(judge);
}

static void orientation_has_the_stated_sense(void **state)
{
    (void)state;
    const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, above[3] = {0, 0, 1}, below[3] = {0, 0, -1};
    assert_int_equal(graze_point_orient2d(o, x, y), 1);
    assert_int_equal(graze_point_orient2d(o, y, x), -1);
    assert_int_equal(graze_point_orient2d(o, x, x), 0);
    assert_int_equal(graze_point_orient3d(o, x, y, below), 1);
    assert_int_equal(graze_point_orient3d(o, x, y, above), -1);
    assert_int_equal(graze_point_orient3d(o, x, y, x), 0);
    graze_placed_point a = {above, NULL}, b = {below, NULL};
    assert_int_equal(graze_point_compare_placed(&a, &b, 2), 1);
    assert_int_equal(graze_point_compare_placed(&b, &a, 2), -1);
    assert_int_equal(graze_point_compare_placed(&a, &b, 0), 0);
}

/* Signs change with every exchange of two points, and not under a common exact translation or power-of-two scale. */
static void signs_are_antisymmetric_and_invariant(void **state)
{
    (void)state;
    test_random random = test_random_start("properties of signs", 5);
    int zero = 0;
    for (int k = 0; k < 20000; k++)
    {
        double p[4][3], moved[4][3];
        for (int i = 0; i < 12; i++)
        {
            p[i / 3][i % 3] = random_between(&random, -(1 << 20), 1 << 20);
            if (k % 2 == 0)
                p[i / 3][i % 3] = random_between(&random, -2, 2);
            moved[i / 3][i % 3] = (p[i / 3][i % 3] + 12345678.0) * 0x1p-400;
        }
        int sign = graze_point_orient3d(p[0], p[1], p[2], p[3]);
        zero += sign == 0;
        assert_int_equal(graze_point_orient3d(p[1], p[0], p[2], p[3]), -sign);
        assert_int_equal(graze_point_orient3d(p[0], p[2], p[1], p[3]), -sign);
        assert_int_equal(graze_point_orient3d(p[0], p[1], p[3], p[2]), -sign);
        assert_int_equal(graze_point_orient3d(moved[0], moved[1], moved[2], moved[3]), sign);
    }
    assert_in_range(zero, 1000, 9999);
}

/* A denormal product is lost to rounding, and then multiplied by a huge entry, in any position: the determinant is
   2^-53 - 2^-60 or its negative. */
static void handedness_of_one_huge_entry_is_right(void **state)
{
    (void)state;
    static const double rows[3][3] = {{0x1p1023, -0x1p-30, 0}, {0, 0x1p-538, 0x1p-15}, {0x1p-15, 0, 0x1p-538}};
    for (int turn = 0; turn < 9; turn++) /* cyclic shifts of rows and columns: the sign stays */
    {
        graze_pose pose = {{0}}, mirrored = {{0}};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
            {
                pose.m[4 * row + column] = rows[(row + turn) % 3][(column + turn / 3) % 3];
                mirrored.m[4 * row + column] = (row == 0 ? -1 : 1) * pose.m[4 * row + column];
            }
        assert_int_equal(graze_pose_handedness(&pose), 1);
        assert_int_equal(graze_pose_handedness(&mirrored), -1);
    }
}

static void handedness_agrees_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("handedness", 6);
    oracle *judge = oracle_create();
    int counts[3] = {0, 0, 0};
    for (int k = 0; k < 20000; k++)
    {
        triangle_case points;
        static make_function *const makers[] = {make_singular, make_nearly_singular, make_extreme_poses,
                                                make_mirrored, make_denormal_poses,  make_turned_nudged};
        makers[k % 6](&random, &points);
        for (int side = 0; side < 2; side++)
        {
            int expected = oracle_handedness(judge, &points.poses[side]);
            counts[expected + 1]++;
            assert_int_equal(graze_pose_handedness(&points.poses[side]), expected);
        }
    }
    printf("left-handed %d, singular %d, right-handed %d\n", counts[0], counts[1], counts[2]);
    assert_true(counts[0] > 2000 && counts[1] > 2000 && counts[2] > 2000);
    oracle_destroy(judge);
}

static void an_axis_that_there_is_not_has_no_sign(void **state)
{
    (void)state;
    const double p[3][3] = {{1, 2, 5}, {3, 8, 4}, {7, 6, 9}};
    const graze_placed_point placed[3] = {{p[0], NULL}, {p[1], NULL}, {p[2], NULL}};
    for (int axis = -2; axis < 6; axis++)
    {
        bool there_is = axis >= 0 && axis < 3;
        assert_int_equal(graze_point_compare_placed(&placed[0], &placed[1], axis) != 0, there_is);
        assert_int_equal(graze_point_orient2d_placed(placed, axis) != 0, there_is);
    }
}

static void points_and_poses_that_are_missing_have_no_sign(void **state)
{
    (void)state;
    const double p[3] = {1, 2, 5}, q[3] = {-1, 0, 7};
    const graze_placed_point placed = {p, NULL}, missing = {NULL, NULL};
    assert_int_equal(graze_pose_handedness(NULL), 0);
    assert_int_equal(graze_point_compare_placed(&placed, NULL, 0), 0);
    assert_int_equal(graze_point_compare_placed(&missing, &placed, 0), 0);
    assert_int_equal(graze_point_orient2d_placed(NULL, 0), 0);
    assert_int_equal(graze_point_orient3d_placed(NULL), 0);
    assert_int_equal(graze_point_orient2d(p, q, NULL), 0);
    assert_int_equal(graze_point_orient3d(NULL, p, q, p), 0);
}

/* Four terms of 61 bits, in one coordinate with both signs: their difference has 64, and a sign. For one of the widths
   of terms around that of a limb, one limb less would lose it. */
static void the_widest_sums_of_terms_fit(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    for (int bits = 40; bits < 53; bits++)
        for (int factor_bits = 2; factor_bits < 53; factor_bits++)
        {
            double x = ldexp(1, bits) - 1, factor = ldexp(1, factor_bits) - 1;
            double shift = ldexp(0x1p53 - 1, bits + factor_bits - 53);
            const double ends[2][3] = {{x, x, x}, {-x, -x, -x}}, middle[3] = {0, 0, 0};
            graze_pose up = {{factor, factor, factor, shift, 1, 0, 0, 0, 0, 1, 0, 0}}, down = up;
            down.m[3] = -shift;
            const graze_placed_point placed[3] = {{ends[0], &up}, {middle, NULL}, {ends[1], &down}};
            oracle_load(judge, placed, 3);
            for (int axis = 0; axis < 3; axis++)
            {
                int expected = oracle_loaded_orient2d(judge, 0, 1, 2, axis);
                assert_int_equal(expected, 0);
                assert_int_equal(graze_point_orient2d_placed(placed, axis), expected);
            }
        }
    oracle_destroy(judge);
}

/* The same with products of 106 bits, and a point between the ends that is off their line, to either side, by a lower
   and lower power of two. The difference of the sums has 109 bits above that power; for one power, one limb less would
   lose them. */
static void the_widest_sums_of_products_fit(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    const double x = 0x1p53 - 1, shift = x * 0x1p52; /* no wider than the products */
    const double ends[2][3] = {{x, x, x}, {-x, -x, -x}};
    graze_pose up = {{x, x, x, shift, 1, 0, 0, 0, 0, 1, 0, 0}}, down = up;
    down.m[3] = -shift;
    int signs[3] = {0};
    for (int k = 0; k < 256; k++)
    {
        const double middle[3] = {ldexp(k % 2 == 0 ? 1 : -1, -k / 2), 0, 0};
        const graze_placed_point placed[3] = {{ends[0], &up}, {middle, NULL}, {ends[1], &down}};
        oracle_load(judge, placed, 3);
        for (int axis = 0; axis < 3; axis++)
        {
            int expected = oracle_loaded_orient2d(judge, 0, 1, 2, axis);
            assert_int_equal(graze_point_orient2d_placed(placed, axis), expected);
            signs[expected + 1]++;
        }
    }
    oracle_destroy(judge);
    assert_true(signs[0] == 256 && signs[1] == 256 && signs[2] == 256);
}

/* A point, twice and three times it, under a pose whose entries have all bits and exponents farther and farther
   apart. */
static void terms_at_any_distance_of_exponents_are_added_exactly(void **state)
{
    (void)state;
    test_random random = test_random_start("distant terms", 14);
    for (int distance = 0; distance < 150; distance++)
        for (int k = 0; k < 4; k++)
        {
            double numbers[3][3];
            graze_pose pose;
            graze_placed_point placed[3];
            for (int i = 0; i < 12; i++)
                pose.m[i] = i % 4 == 3 ? 0 : ldexp(random_real(&random, -1, 1), i % 4 * distance);
            for (int axis = 0; axis < 3; axis++)
            {
                double x = ldexp(rint(ldexp(random_real(&random, -1, 1), 51)), -51);
                for (int i = 0; i < 3; i++)
                    numbers[i][axis] = (i + 1) * x;
            }
            for (int i = 0; i < 3; i++)
                placed[i] = (graze_placed_point){numbers[i], &pose};
            for (int axis = 0; axis < 3; axis++)
                assert_int_equal(graze_point_orient2d_placed(placed, axis), 0);
            assert_int_not_equal(graze_point_compare_placed(&placed[0], &placed[1], k % 3), 0);
        }
}

/* Products from the largest to the smallest possible, in all coordinates: no limb is unused. */
static void the_widest_range_of_exponents_fits(void **state)
{
    (void)state;
    test_random random = test_random_start("widest range", 12);
    oracle *judge = oracle_create();
    int zero = 0, count = 300;
    for (int k = 0; k < count; k++)
    {
        double numbers[4][3];
        graze_pose pose;
        graze_placed_point placed[4];
        for (int i = 0; i < 12; i++)
            pose.m[i] = i % 4 == 0 ? DBL_MAX : i % 4 == 3 ? 0 : 0x1p-1074 * random_between(&random, -1, 1);
        for (int i = 0; i < 4; i++)
        {
            placed[i] = (graze_placed_point){numbers[i], &pose};
            for (int axis = 0; axis < 3; axis++)
                numbers[i][axis] = random_between(&random, -1, 1) * (axis == 0 ? DBL_MAX : 0x1p-1074);
        }
        oracle_load(judge, placed, 4);
        int expected = oracle_loaded_orient3d(judge, 0, 1, 2, 3);
        zero += expected == 0;
        assert_int_equal(graze_point_orient3d_placed(placed), expected);
        for (int axis = 0; axis < 3; axis++)
        {
            assert_int_equal(graze_point_orient2d_placed(placed, axis), oracle_loaded_orient2d(judge, 0, 1, 2, axis));
            assert_int_equal(graze_point_compare_placed(&placed[0], &placed[1], axis),
                             oracle_loaded_compare(judge, 0, 1, axis));
        }
    }
    printf("%d of %d are flat\n", zero, count);
    oracle_destroy(judge);
}

/* Coordinates at the ends of a range of 54 to 70 bits, with and without a pose that adds four terms: signs from
   integers, around the width where one limb suffices. */
static void single_limbs_end_where_they_should(void **state)
{
    (void)state;
    test_random random = test_random_start("single limbs", 71);
    oracle *judge = oracle_create();
    const double last = 0x1.fffffffffffffp-1;
    int single = 0, wider = 0, zeros = 0;
    for (int k = 0; k < 20000; k++)
    {
        graze_pose pose = {{1, 1, 1, 0, -1, 1, 1, 0, 1, -1, 1, 0}};
        double low = ldexp(1, -random_between(&random, 53, 68)), corners[4][3];
        graze_placed_point placed[4];
        for (int axis = 0; axis < 3; axis++)
            pose.m[4 * axis + 3] = random_below(&random, 2) ? last : -last;
        grz_points points;
        grz_points_start(&points, NULL);
        const graze_pose *shared = random_below(&random, 2) ? &pose : NULL;
        for (int p = 0; p < 4; p++)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                const double choices[5] = {last, -last, low, 0, last - 0x1p-52};
                corners[p][axis] = choices[random_below(&random, 5)];
            }
            placed[p] = (graze_placed_point){corners[p], shared};
            grz_points_add(&points, corners[p], shared);
        }
        grz_points_make_exact(&points);
        oracle_load(judge, placed, 4);
        int expected = oracle_loaded_orient3d(judge, 0, 1, 2, 3);
        assert_int_equal(grz_exact_orient3d_sign(&points, 0, 1, 2, 3), expected);
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(grz_exact_orient2d_sign(&points, 0, 1, 2, axis),
                             oracle_loaded_orient2d(judge, 0, 1, 2, axis));
        single += points.single;
        wider += !points.single;
        zeros += expected == 0;
    }
    oracle_destroy(judge);
    printf("%d in single limbs, %d wider, %d zeros\n", single, wider, zeros);
    assert_true(single > 3000 && wider > 3000 && zeros > 1000);
}

/* The frame is the world with x negated; the filter decides there, integers in the world. */
static void signs_in_a_mirrored_frame_are_those_of_the_world(void **state)
{
    (void)state;
    test_random random = test_random_start("signs_in_a_mirrored_frame_are_those_of_the_world", 1515);
    int filtered = 0, exact = 0;
    for (int round = 0; round < 2000; round++)
    {
        double corners[6][3];
        grz_filter_stats stages = {0};
        grz_points points;
        grz_points_start_in_frame(&points, &stages, -1, 0x1p-50);
        for (int p = 0; p < 6; p++)
        {
            for (int axis = 0; axis < 3; axis++)
                corners[p][axis] = round % 2 == 0 ? random_between(&random, -2, 2) : random_real(&random, -2, 2);
            const double in_frame[3] = {-corners[p][0], corners[p][1], corners[p][2]};
            grz_points_add_in_frame(&points, corners[p], NULL, in_frame);
        }
        int sides[3], expected = graze_point_orient3d(corners[0], corners[1], corners[2], corners[3]);
        assert_int_equal(grz_orient3d(&points, 0, 1, 2, 3), expected);
        grz_sides(&points, 0, 3, sides);
        assert_int_equal(sides[0], expected);
        filtered += expected != 0 && stages.filtered > 0;
        exact += stages.exact > 0;
    }
    printf("%d filtered, %d exact\n", filtered, exact);
    assert_true(filtered > 1500 && exact > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientation_has_the_stated_sense),
        cmocka_unit_test(an_axis_that_there_is_not_has_no_sign),
        cmocka_unit_test(points_and_poses_that_are_missing_have_no_sign),
        cmocka_unit_test(the_widest_sums_of_terms_fit),
        cmocka_unit_test(the_widest_sums_of_products_fit),
        cmocka_unit_test(terms_at_any_distance_of_exponents_are_added_exactly),
        cmocka_unit_test(the_widest_range_of_exponents_fits),
        cmocka_unit_test(single_limbs_end_where_they_should),
        cmocka_unit_test(every_sign_agrees_with_the_oracle),
        cmocka_unit_test(signs_are_antisymmetric_and_invariant),
        cmocka_unit_test(signs_in_a_mirrored_frame_are_those_of_the_world),
        cmocka_unit_test(handedness_agrees_with_the_oracle),
        cmocka_unit_test(handedness_of_one_huge_entry_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
