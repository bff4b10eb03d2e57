/* SPDX-License-Identifier: MIT */
/*
 * Two coplanar triangles beyond the range of doubles: all corners of their intersection are clamped to the largest
 * double and most become equal, so that the order must not start from "the" lowest one.
 */
#include "support/contacts.h"
#include "support/unit.h"

static void equal_rounded_corners_come_in_the_same_order_when_swapped(void **state)
{
    (void)state;
    static const double corners_a[3][3] = {{0x1p+924, -0x1.4p+924, -0x1.4p+924},
                                           {-0x1.8p+924, -0x1.ep+925, 0x1.ap+925},
                                           {-0x1p+924, -0x1.ap+925, 0x1.ap+925}};
    static const double corners_b[3][3] = {
        {-0x1p+924, -0x1.4p+924, -0x1p+924}, {-0x0p+0, -0x1.2p+925, 0x1p+923}, {0x1p+923, -0x1.6p+925, 0x1.cp+924}};
    graze_pose pose_a = {{-0x1.a052a95301f7cp+755, 0x1.098970a33a16ep+755, 0x1.d07ae4b9d123cp+755,
                          -0x1.ceee46c249b8p+750, -0x1.4483d5c7d615p+753, 0x1.7853f2131d808p+753, -0x1.ba31e7b8ffp+751,
                          0x1.2e293b13be286p+755, -0x1.1d5d8560d001p+753, -0x1.eb99b2532e61cp+754,
                          -0x1.3c838132e293p+752, 0x1.9682dca429fb8p+754}};
    graze_pose pose_b = pose_a; /* reflected in x, as are the corners */
    for (int row = 0; row < 3; row++)
        pose_b.m[4 * row] = -pose_a.m[4 * row];
    graze_placed_triangle a = {{corners_a[0], corners_a[1], corners_a[2]}, &pose_a};
    graze_placed_triangle b = {{corners_b[0], corners_b[1], corners_b[2]}, &pose_b};
    graze_intersection given = graze_triangle_intersection(&a, &b), swapped = graze_triangle_intersection(&b, &a);
    assert_int_equal(given.count, 5);
    assert_true(intersection_identical(&given, &swapped));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_rounded_corners_come_in_the_same_order_when_swapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
