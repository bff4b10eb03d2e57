/* SPDX-License-Identifier: MIT */
/*
 * The pose of a part of a compound, and of an object below another one, is the product of two, each entry rounded once
 * (docs/shape-format.md). Each term was rounded by itself: parts that touch by the one reading were apart by the other.
 */
#include <math.h>
#include <stdio.h>

#include "base/bits.h"
#include "graze/shape_query.h"
#include "math/rounded_dot.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/rationals.h"
#include "support/unit.h"

static void is_nearest(double given, const mpq_t exact)
{
    mpq_t off, other;
    mpq_inits(off, other, NULL);
    mpq_set_d(off, given);
    mpq_sub(off, off, exact);
    mpq_abs(off, off);
    for (int i = 0; i < 2; i++)
    {
        mpq_set_d(other, nextafter(given, i == 0 ? INFINITY : -INFINITY));
        mpq_sub(other, other, exact);
        mpq_abs(other, other);
        int order = mpq_cmp(off, other);
        assert_true(order < 0 || (order == 0 && (grz_bits(given) & 1) == 0)); /* ties go to the even one */
    }
    mpq_clears(off, other, NULL);
}

static double any_entry(test_random *random, int how)
{
    double unit = 2 * random_unit(random) - 1;
    int whole = random_between(random, -3, 3);
    switch (how)
    {
    case 0:
        return unit;
    case 1:
        return 0.1 * random_between(random, -30, 30);
    case 2: /* ties, and sums that cancel */
        return ldexp(whole, random_once_in(random, 2) ? 0 : random_once_in(random, 2) ? -53 : 53);
    case 3:
        return ldexp(unit, random_between(random, -600, 400));
    case 4:
        return ldexp(unit, random_between(random, -1074, -480));
    default:
        return ldexp(whole, random_between(random, -1074, -1060)) * (random_once_in(random, 2) ? 1 : 0x1p1000);
    }
}

static void entries_are_rounded_once(void **state)
{
    (void)state;
    test_random random = test_random_start("entries_are_rounded_once", 24);
    mpq_t exact[12], term, factor;
    int made = 0, inexact = 0;
    rational_matrix_init(exact);
    mpq_inits(term, factor, NULL);
    for (int k = 0; k < 3000; k++)
    {
        graze_pose outer, inner, product;
        saved_environment saved;
        for (int i = 0; i < 12; i++)
        {
            outer.m[i] = any_entry(&random, k % 6);
            inner.m[i] = any_entry(&random, k % 6);
        }
        environment_enter(&saved, k % ENVIRONMENTS);
        graze_status status = graze_pose_compose(&outer, &inner, &product, NULL);
        environment_leave(&saved);
        if (status != GRAZE_STATUS_OK)
            continue;
        made++;
        for (int i = 0; i < 12; i++)
        {
            mpq_set_d(exact[i], i % 4 == 3 ? outer.m[i] : 0);
            for (int j = 0; j < 3; j++)
            {
                mpq_set_d(term, outer.m[i / 4 * 4 + j]);
                mpq_set_d(factor, inner.m[4 * j + i % 4]);
                mpq_mul(term, term, factor);
                mpq_add(exact[i], exact[i], term);
            }
            is_nearest(product.m[i], exact[i]);
            mpq_set_d(term, product.m[i]);
            inexact += mpq_equal(term, exact[i]) == 0;
            const double column[3] = {inner.m[i % 4], inner.m[4 + i % 4], inner.m[8 + i % 4]};
            assert_true(grz_rounded_dot(outer.m + i / 4 * 4, column, i % 4 == 3 ? outer.m[i] : 0) == product.m[i]);
        }
    }
    printf("%d products, %d entries not exact\n", made, inexact);
    assert_true(made > 2500 && inexact > 8000);
    mpq_clears(term, factor, NULL);
    rational_matrix_clear(exact);
}

static void a_part_is_where_its_pose_rounded_once_puts_it(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0};
    const graze_pose turned = {{0.6, -0.8, 0, 0, 0.8, 0.6, 0, 0, 0, 0, 1, 0}};
    int differ = 0;
    graze_shape *point, *other;
    assert_int_equal(graze_shape_create_point(NULL, origin, &point), GRAZE_STATUS_OK);
    for (int i = 0; i < 400; i++)
    {
        double x = 0.1 * (i % 20), y = 0.1 * (i / 20 + 1), place[3] = {0, 0, 0};
        const graze_placed part = {point, graze_pose_translation(x, y, 0)};
        const double part_place[3] = {x, y, 0};
        graze_shape *compound;
        graze_verdict verdict;
        for (int k = 0; k < 2; k++)
            place[k] = grz_rounded_dot(&turned.m[(size_t)4 * (size_t)k], part_place, 0);
        differ += place[0] != turned.m[0] * x + turned.m[1] * y;
        assert_int_equal(graze_shape_create_compound(NULL, &part, 1, &compound), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_point(NULL, place, &other), GRAZE_STATUS_OK);
        const graze_placed a = {compound, turned}, b = {other, graze_pose_identity()};
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
        assert_int_equal(verdict, GRAZE_VERDICT_YES);
        graze_shape_destroy(compound);
        graze_shape_destroy(other);
    }
    assert_true(differ > 40);
    graze_shape_destroy(point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_rounded_once),
        cmocka_unit_test(a_part_is_where_its_pose_rounded_once_puts_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
