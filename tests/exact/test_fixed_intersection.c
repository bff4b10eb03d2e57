/* SPDX-License-Identifier: MIT */
/*
 * Intersections constructed in fixed point are those of integers of any width, bit for bit, over every generator. The
 * unit is coarser than needed by up to 2^120, so that some triangles are no longer exact: these are refused.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/fixed_point.h"
#include "support/contacts.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 1500
};

/* A bound on placed coordinates; NaN or infinite beyond the range of doubles. */
static double extent_of(const triangle_case *pair)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    double extent = 0, total = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int p = 0; p < 6; p++)
        {
            const double *v = pair->corners[p / 3][p % 3];
            const double *row = (pair->placed[p / 3] ? pair->poses[p / 3].m : identity.m) + 4 * (size_t)axis;
            double size = fabs(row[0] * v[0]) + fabs(row[1] * v[1]) + fabs(row[2] * v[2]) + fabs(row[3]);
            extent = fmax(extent, 2 * size + 0x1p-700); /* of a difference */
            total += size;
        }
    return extent + 0 * total;
}

static void convert(const triangle_case *pair, int side, int unit, grz_fixed_triangle *out)
{
    grz_fixed_pose pose;
    const double *const corners[3] = {pair->corners[side][0], pair->corners[side][1], pair->corners[side][2]};
    grz_fixed_pose_make(pair->placed[side] ? &pair->poses[side] : NULL, &pose);
    grz_fixed_triangle_make(corners, &pose, unit, out);
}

typedef struct tally
{
    int decided, refused, lossy, known, points[7];
} tally;

static bool identical(const graze_intersection *a, const graze_intersection *b)
{
    return a->count == b->count && memcmp(a->points, b->points, (size_t)a->count * sizeof a->points[0]) == 0;
}

static void check_pair(const triangle_case *pair, int coarser, tally *count)
{
    int unit;
    grz_fixed_triangle a, b;
    if (!grz_fixed_unit(extent_of(pair), &unit))
        return;
    convert(pair, 0, unit + coarser, &a);
    convert(pair, 1, unit + coarser, &b);
    graze_placed_triangle first = case_triangle(pair, 0), second = case_triangle(pair, 1);
    graze_intersection given, swapped, known, expected = graze_triangle_intersection(&first, &second);
    graze_triangle_contact contact = graze_triangle_collide(&first, &second);
    bool decided = grz_fixed_intersection(&a, &b, unit + coarser, NULL, &given);
    bool decided_swapped = grz_fixed_intersection(&b, &a, unit + coarser, NULL, &swapped);
    if (contact.found && grz_fixed_intersection(&a, &b, unit + coarser, &contact, &known))
    {
        assert_true(identical(&known, &expected));
        count->known += !decided;
    }
    assert_false(decided && !(a.exact && b.exact));
    count->decided += decided;
    count->refused += !decided;
    count->lossy += a.exact != b.exact;
    if (!decided)
        return;
    if (!identical(&given, &expected) || (decided_swapped && !identical(&swapped, &expected)))
    {
        case_print(pair);
        fail_msg("points differ, with a unit 2^%d coarser than needed", coarser);
    }
    count->points[given.count]++;
}

static void points_are_those_of_integers_of_any_width(void **state)
{
    (void)state;
    test_random random = test_random_start("intersections in fixed point", 61);
    tally count = {0};
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            check_pair(&pair, 0, &count);
            check_pair(&pair, random_between(&random, 1, 120), &count);
        }
    printf("%d decided, %d refused, %d with one exact; points:", count.decided, count.refused, count.lossy);
    for (int i = 0; i < 7; i++)
        printf(" %d", count.points[i]);
    printf("\n");
    assert_true(count.decided > 30000 && count.refused > 10000 && count.lossy > 500);
    assert_true(count.points[1] > 5000 && count.points[2] > 5000 && count.points[3] > 1000 && count.points[4] > 500);
    printf("%d of the refused with a known contact\n", count.known);
    assert_true(count.known > 1000);
    assert_true(count.points[5] > 50 && count.points[6] > 10);
}

/* Coordinates at both ends of their range, where no intermediate result may overflow. */
static void the_largest_coordinates_fit(void **state)
{
    (void)state;
    test_random random = test_random_start("largest coordinates", 62);
    const double last = 0x1.fffffffffffffp2;
    tally count = {0};
    for (int k = 0; k < 20000; k++)
    {
        triangle_case pair = {0};
        for (int p = 0; p < 6; p++)
            for (int axis = 0; axis < 3; axis++)
            {
                const double choices[4] = {-last, last, 0x1p-60 * random_below(&random, 8), last - 0x1p-50};
                pair.corners[p / 3][p % 3][axis] = choices[random_below(&random, 4)];
            }
        check_pair(&pair, 0, &count);
    }
    printf("%d decided, %d do not meet\n", count.decided, count.points[0]);
    assert_true(count.decided > 10000 && count.decided - count.points[0] > 1000);
}

/* Edges that a plane cuts at a third: (2 a + b) / 3 is halfway between two doubles, or beside that by a third of the
 * last digit of b. A share of 128 bits, rounded down, is on the wrong side of it. */
static void points_next_to_ties_are_rounded_by_all_digits(void **state)
{
    (void)state;
    int ties = 0;
    for (int k = 0; k < 400; k++)
    {
        const double offset = k % 40, last = 1 + k % 3, sign = k / 40 % 2 == 0 ? 1 : -1;
        const double from = sign * (3 * 0x1p52 + 4 * offset), to = sign * last, size = k % 4 < 2 ? 1 : 0x1p-30;
        triangle_case pair = {.corners = {{{from, 0, 1}, {to, 0, -2}, {from, 1, 5}},
                                          {{-0x1p60, -0x1p60, 0}, {0x1p60, -0x1p60, 0}, {0, 0x1p60, 0}}}};
        for (int p = 0; p < 6; p++)
            for (int axis = 0; axis < 3; axis++)
                pair.corners[p / 3][p % 3][axis] *= size;
        tally count = {0};
        check_pair(&pair, 0, &count);
        ties += count.decided > 0 && count.points[2] > 0;
    }
    printf("%d decided\n", ties);
    assert_true(ties == 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_integers_of_any_width),
        cmocka_unit_test(the_largest_coordinates_fit),
        cmocka_unit_test(points_next_to_ties_are_rounded_by_all_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
