/* SPDX-License-Identifier: MIT */
/*
 * The intersection of two triangles as points: as many as the oracle has, each coordinate the double nearest to the
 * exact one, in order around the polygon, and the same numbers in the same order when the arguments are swapped.
 */
#include <math.h>
#include <stdio.h>

#include "support/contacts.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 1500
};

static bool same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether the points are the same in the same cyclic order, in either direction and from any start. */
static bool same_cycle(const graze_intersection *a, const graze_intersection *b)
{
    if (a->count != b->count)
        return false;
    if (a->count == 0)
        return true;
    int n = a->count;
    for (int start = 0; start < n; start++)
    {
        bool forward = true, backward = true;
        for (int i = 0; i < n; i++)
        {
            forward = forward && same_point(a->points[i], b->points[(start + i) % n]);
            backward = backward && same_point(a->points[i], b->points[(start + n - i) % n]);
        }
        if (forward || backward)
            return true;
    }
    return false;
}

static void print_points(const char *label, const graze_intersection *set)
{
    printf("%s: %d points\n", label, set->count);
    for (int i = 0; i < set->count; i++)
        printf("    %a %a %a\n", set->points[i][0], set->points[i][1], set->points[i][2]);
}

static void points_are_true_ones_rounded_to_nearest(void **state)
{
    (void)state;
    test_random random = test_random_start("intersections", 7);
    oracle *judge = oracle_create();
    int counts[7] = {0};
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle a = case_triangle(&pair, 0), b = case_triangle(&pair, 1);
            graze_intersection expected = oracle_intersection(judge, &a, &b);
            graze_intersection given = graze_triangle_intersection(&a, &b);
            graze_intersection swapped = graze_triangle_intersection(&b, &a);
            bool same_swapped = intersection_identical(&given, &swapped);
            assert_in_range(expected.count, 0, 6);
            counts[expected.count]++;
            if (same_swapped && same_cycle(&given, &expected))
                continue;
            printf("%s, pair %d\n", generators[g].name, k);
            case_print(&pair);
            print_points("given", &given);
            print_points("swapped", &swapped);
            print_points("expected", &expected);
            fail_msg("the intersection is wrong");
        }
    oracle_destroy(judge);
    for (int i = 0; i < 7; i++)
        printf("%d points: %d pairs\n", i, counts[i]);
    assert_true(counts[1] > 9000 && counts[2] > 9000 && counts[3] > 1500 && counts[4] > 1000);
    assert_true(counts[5] > 200 && counts[6] > 20);
}

/* Two segments on one line whose intersection lies between a corner of one and a corner of the other, next to 0. */
static void the_least_numbers_have_an_order(void **state)
{
    (void)state;
    static const double steps[] = {-0x1p-1073, -0x1p-1074, 0, 0x1p-1074, 0x1p-1073};
    for (int low = 0; low < 5; low++)
        for (int high = low + 1; high < 5; high++)
        {
            const double a[2][3] = {{steps[low], 0, 0}, {1, 0, 0}}, b[2][3] = {{steps[high], 0, 0}, {-1, 0, 0}};
            graze_placed_triangle first = {{a[0], a[1], a[1]}, NULL}, second = {{b[0], b[1], b[1]}, NULL};
            graze_intersection given = graze_triangle_intersection(&first, &second);
            graze_intersection swapped = graze_triangle_intersection(&second, &first);
            assert_true(intersection_identical(&given, &swapped));
            assert_int_equal(given.count, 2);
            assert_true(given.points[0][0] == steps[low] && given.points[1][0] == steps[high]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_numbers_have_an_order),
        cmocka_unit_test(points_are_true_ones_rounded_to_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
