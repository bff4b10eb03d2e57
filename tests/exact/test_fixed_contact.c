/* SPDX-License-Identifier: MIT */
/*
 * Contacts in fixed point, compared with the oracle over every generator. The unit is coarser than needed by up to
 * 2^120, so that all lower halves are 0, or some are not, or bits are lost: whatever is decided must be right.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/fixed_point.h"
#include "support/contacts.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 2000
};

/* A bound on the differences of placed coordinates; NaN or infinite beyond the range of doubles. */
static double extent_of(const triangle_case *pair)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    double extent = 0, total = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = INFINITY, upper = -INFINITY, size = 0;
        for (int p = 0; p < 6; p++)
        {
            const double *v = pair->corners[p / 3][p % 3];
            const double *row = (pair->placed[p / 3] ? pair->poses[p / 3].m : identity.m) + 4 * (size_t)axis;
            double x = row[0] * v[0], y = row[1] * v[1], z = row[2] * v[2], placed = x + y + z + row[3];
            lower = placed < lower ? placed : lower;
            upper = placed > upper ? placed : upper;
            size += fabs(x) + fabs(y) + fabs(z) + fabs(row[3]);
        }
        extent = fmax(extent, upper - lower + 16 * 0x1p-52 * size + 0x1p-700);
        total += size;
    }
    return extent + 0 * total; /* NaN where something overflows */
}

typedef struct outcome
{
    bool usable, whole, exact, decided;
    int sides_a[3], sides_b[3];
    grz_filter_stats stages;
    graze_triangle_contact contact;
} outcome;

static void convert(const triangle_case *pair, int side, int unit, grz_fixed_triangle *out)
{
    grz_fixed_pose pose;
    const double *const corners[3] = {pair->corners[side][0], pair->corners[side][1], pair->corners[side][2]};
    grz_fixed_pose_make(pair->placed[side] ? &pair->poses[side] : NULL, &pose);
    grz_fixed_triangle_make(corners, &pose, unit, out);
}

static outcome decide(const triangle_case *pair, int coarser)
{
    outcome result = {0};
    int unit;
    grz_fixed_triangle a, b;
    if (!grz_fixed_unit(extent_of(pair), &unit))
        return result;
    convert(pair, 0, unit + coarser, &a);
    convert(pair, 1, unit + coarser, &b);
    result.usable = true;
    result.whole = a.whole && b.whole;
    result.exact = a.exact && b.exact;
    for (int i = 0; i < 3; i++)
        result.sides_a[i] = result.sides_b[i] = GRZ_UNCERTAIN;
    result.decided = grz_fixed_contact(&a, &b, result.sides_a, result.sides_b, &result.stages, &result.contact);
    return result;
}

static void check_sides(const triangle_case *pair, const outcome *given)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    grz_points points;
    int sides_a[3], sides_b[3];
    grz_points_start(&points, NULL);
    grz_points_from_triangles(&points, &a, &b);
    grz_sides(&points, 3, 0, sides_a);
    grz_sides(&points, 0, 3, sides_b);
    /* A common pose is omitted there, and may be a mirror image. */
    bool mirrored = pair->placed[0] && pair->placed[1] &&
                    memcmp(&pair->poses[0], &pair->poses[1], sizeof(graze_pose)) == 0 &&
                    graze_pose_handedness(&pair->poses[0]) < 0;
    int factor = mirrored ? -1 : 1;
    for (int i = 0; i < 3; i++)
    {
        assert_true(given->sides_a[i] == GRZ_UNCERTAIN || given->sides_a[i] == factor * sides_a[i]);
        assert_true(given->sides_b[i] == GRZ_UNCERTAIN || given->sides_b[i] == factor * sides_b[i]);
    }
}

static bool has_point(const grz_contact_set *set, unsigned mask_a, unsigned mask_b)
{
    bool has = false;
    for (int i = 0; i < set->count; i++)
        has = has || (set->mask_a[i] == mask_a && set->mask_b[i] == mask_b);
    return has;
}

/* Compares the contact as a set of points, where it is decided. Returns whether it is. */
static bool check_set(const triangle_case *pair, int coarser)
{
    grz_fixed_triangle a, b;
    grz_contact_set given, expected = {0};
    int unit;
    assert_true(grz_fixed_unit(extent_of(pair), &unit));
    convert(pair, 0, unit + coarser, &a);
    convert(pair, 1, unit + coarser, &b);
    if (!grz_fixed_contact_set(&a, &b, &given))
        return false;
    graze_placed_triangle first = case_triangle(pair, 0), second = case_triangle(pair, 1);
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_from_triangles(&points, &first, &second);
    grz_contact_general(&points, &expected);
    bool equal = given.count == expected.count;
    for (int i = 0; i < given.count && equal; i++)
        equal = has_point(&expected, given.mask_a[i], given.mask_b[i]);
    if (!equal)
    {
        case_print(pair);
        fail_msg("a set of %d points instead of %d, with a unit 2^%d coarser than needed", given.count, expected.count,
                 coarser);
    }
    return true;
}

typedef struct tally
{
    int usable, whole, wide, lost, undecided, found, filtered, lost_sets, open_sets;
} tally;

static void check_pair(oracle *judge, const triangle_case *pair, int coarser, tally *count)
{
    outcome given = decide(pair, coarser);
    if (!given.usable)
        return;
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_triangle_contact expected = oracle_triangle_triangle(judge, &a, &b);
    check_sides(pair, &given);
    if (given.decided && !contact_equal(&given.contact, &expected))
    {
        case_print(pair);
        contact_print("given   ", &given.contact);
        contact_print("expected", &expected);
        fail_msg("the answer is wrong, with a unit 2^%d coarser than needed", coarser);
    }
    if (given.exact && !oracle_is_flat(judge, &a) && !oracle_is_flat(judge, &b))
        assert_true(given.decided);
    bool has_set = check_set(pair, coarser);
    count->lost_sets += has_set && expected.found && !given.exact;
    count->open_sets += !has_set && given.decided; /* ends of the contact coincide up to lost bits */
    count->usable++;
    count->whole += given.decided && given.whole;
    count->wide += given.decided && given.exact && !given.whole && given.stages.exact > 0;
    count->filtered += given.decided && !given.whole && given.stages.exact == 0;
    count->lost += given.decided && !given.exact;
    count->undecided += !given.decided;
    count->found += given.decided && expected.found;
}

static void every_generator_agrees_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("pairs in fixed point", 31);
    oracle *judge = oracle_create();
    tally all = {0};
    for (size_t g = 0; g < generator_count; g++)
    {
        tally count = {0};
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            check_pair(judge, &pair, 0, &count);
            check_pair(judge, &pair, random_between(&random, 1, 120), &count);
        }
        printf(
            "%-26s usable %5.1f%%  decided: whole %5.1f%%  wide %5.1f%%  by a bound %5.1f%%  with lost bits %5.1f%%\n",
            generators[g].name, 50.0 * count.usable / PAIRS_PER_GENERATOR, 50.0 * count.whole / PAIRS_PER_GENERATOR,
            50.0 * count.wide / PAIRS_PER_GENERATOR, 50.0 * count.filtered / PAIRS_PER_GENERATOR,
            50.0 * count.lost / PAIRS_PER_GENERATOR);
        all.usable += count.usable;
        all.whole += count.whole;
        all.wide += count.wide;
        all.lost += count.lost;
        all.undecided += count.undecided;
        all.filtered += count.filtered;
        all.found += count.found;
        all.lost_sets += count.lost_sets;
        all.open_sets += count.open_sets;
    }
    printf("sets with lost bits: %d, left open: %d\n", all.lost_sets, all.open_sets);
    assert_true(all.lost_sets > 100 && all.open_sets > 100);
    oracle_destroy(judge);
    int pairs = 2 * PAIRS_PER_GENERATOR * (int)generator_count;
    assert_true(10 * all.usable > 8 * pairs);
    assert_true(10 * all.whole > pairs && 20 * all.wide > pairs && 20 * all.filtered > pairs);
    printf("in all %d of %d usable; %d whole, %d wide, %d by a bound, %d with lost bits, %d undecided, %d met\n",
           all.usable, pairs, all.whole, all.wide, all.filtered, all.lost, all.undecided, all.found);
    assert_true(200 * all.lost > pairs && 10 * all.undecided > pairs && 10 * all.found > 2 * pairs);
}

/* A plane that is vertical up to the last bits, and a point exactly above a corner of the triangle: the upper halves
   cannot tell its side, and it is not that corner. */
static void points_above_a_corner_are_not_taken_for_it(void **state)
{
    (void)state;
    test_random random = test_random_start("points above a corner", 33);
    oracle *judge = oracle_create();
    int found = 0, apart = 0;
    for (int k = 0; k < 6000; k++)
    {
        triangle_case pair = {0};
        tally count = {0};
        int up = k % 3, right = (up + 1) % 3, depth = (up + 2) % 3, under = random_below(&random, 3);
        double(*t)[3] = pair.corners[k / 3 % 2], (*other)[3] = pair.corners[1 - k / 3 % 2];
        for (int c = 0; c < 3; c++)
        {
            t[c][right] = c == 1 ? 1 : 0;
            t[c][up] = c == 2 ? 1 : 0;
            t[c][depth] = 0x1p-70 * random_between(&random, -2, 2);
        }
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++)
                other[c][axis] = random_real(&random, -1, 1);
        memcpy(other[k % 2], t[under], sizeof t[under]);
        other[k % 2][up] += 0.25 * random_between(&random, -4, 4);
        check_pair(judge, &pair, 0, &count);
        found += count.found;
        apart += count.usable - count.found;
    }
    oracle_destroy(judge);
    printf("%d met, %d did not\n", found, apart);
    assert_true(found > 500 && apart > 500);
}

/* Corners at both ends of the range of differences, where no intermediate result may overflow. */
static void the_largest_differences_fit(void **state)
{
    (void)state;
    test_random random = test_random_start("largest differences", 32);
    oracle *judge = oracle_create();
    const double last = 0x1.fffffffffffffp2;
    int found = 0, apart = 0;
    for (int k = 0; k < 8000; k++)
    {
        triangle_case pair = {0};
        tally count = {0};
        for (int p = 0; p < 6; p++)
            for (int axis = 0; axis < 3; axis++)
            {
                const double choices[4] = {0, last, 0x1p-60 * random_below(&random, 8), last - 0x1p-50};
                pair.corners[p / 3][p % 3][axis] = choices[random_below(&random, 4)];
            }
        check_pair(judge, &pair, 0, &count);
        check_pair(judge, &pair, random_between(&random, 60, 70), &count);
        found += count.found;
        apart += count.usable - count.found;
    }
    oracle_destroy(judge);
    printf("%d met, %d did not\n", found, apart);
    assert_true(found > 1000 && apart > 1000);
}

static void units_are_refused_out_of_range(void **state)
{
    (void)state;
    int unit = 7;
    assert_false(grz_fixed_unit(NAN, &unit));
    assert_false(grz_fixed_unit(INFINITY, &unit));
    assert_false(grz_fixed_unit(0x1p900, &unit));
    assert_false(grz_fixed_unit(0x1p-900, &unit));
    assert_int_equal(unit, 7);
    /* Differences of at most 1 are below 2^1, those below 1 are below 2^0. */
    assert_true(grz_fixed_unit(1, &unit));
    assert_int_equal(unit, 1 - GRZ_FIXED_BITS - 64);
    assert_true(grz_fixed_unit(0x1.fffffffffffffp-1, &unit));
    assert_int_equal(unit, -GRZ_FIXED_BITS - 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_refused_out_of_range),
        cmocka_unit_test(the_largest_differences_fit),
        cmocka_unit_test(points_above_a_corner_are_not_taken_for_it),
        cmocka_unit_test(every_generator_agrees_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
