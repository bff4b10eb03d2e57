/* SPDX-License-Identifier: MIT */
/*
 * Convex shapes whose numbers are beyond 2^100 or below 2^-100 are scaled by a power of two before GJK, and entries of
 * poses that became denormal were rounded. The exact decision whether its simplex holds the origin then took the scaled
 * poses: a point 2^-1073 beside a corner of a large triangle was said to touch it, and one on it to miss it.
 */
#include <math.h>

#include "graze/shape_query.h"
#include "support/unit.h"

/* The corner at (-2, 5, 3) is the point, but for the product of -2 and this entry of the pose. */
static graze_verdict at_corner(double entry, double y, bool as_triangle)
{
    static const double points[3][3] = {{5, 0, 0x1p-63}, {0x1p130, 0x1p-62, 0.25}, {-2, 5, 3}};
    const double centre[3] = {0, y, 0};
    graze_shape *sphere, *hull;
    graze_verdict verdict, depth_verdict;
    graze_shape_depth depth;
    graze_shape_distance distance;
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0, &sphere), GRAZE_STATUS_OK);
    /* in the order of kinds, by which pairs are sorted, a hull comes before a sphere, and a triangle after it */
    if (as_triangle)
        assert_int_equal(graze_shape_create_triangle(NULL, points, &hull), GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_shape_create_hull(NULL, points[0], 3, NULL, &hull), GRAZE_STATUS_OK);
    graze_placed a = {sphere, graze_pose_identity()};
    graze_placed b = {hull, {{1, 0, 0, 2, entry, 0, 1, -3, 0, 1, 0, -5}}}; /* the corner is at (0, -2 entry, 0) */
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, &a, &b, NULL, &distance), GRAZE_STATUS_OK);
    assert_true((verdict == GRAZE_VERDICT_YES) == (distance.distance == 0));
    assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_OK);
    depth_verdict = depth.overlap;
    assert_true(verdict == GRAZE_VERDICT_YES || depth_verdict == GRAZE_VERDICT_NO);
    graze_shape_destroy(hull);
    graze_shape_destroy(sphere);
    return verdict;
}

static void lost_digits_of_scaled_poses_decide(void **state)
{
    (void)state;
    const double least = 0x1p-1074;
    for (int kind = 0; kind < 2; kind++)
    {
        assert_int_equal(at_corner(0, 0, kind != 0), GRAZE_VERDICT_YES);
        assert_int_equal(at_corner(-least, 2 * least, kind != 0), GRAZE_VERDICT_YES);
        assert_int_equal(at_corner(least, -2 * least, kind != 0), GRAZE_VERDICT_YES);
        assert_int_equal(at_corner(-least, 0, kind != 0), GRAZE_VERDICT_NO);
        assert_int_equal(at_corner(0, 2 * least, kind != 0), GRAZE_VERDICT_NO);
        assert_int_equal(at_corner(least, 2 * least, kind != 0), GRAZE_VERDICT_NO);
        assert_int_equal(at_corner(-0x1p-960, 0x1p-959, kind != 0), GRAZE_VERDICT_YES);
        assert_int_equal(at_corner(-0x1.0000000000001p-960, 0x1p-959, kind != 0), GRAZE_VERDICT_NO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lost_digits_of_scaled_poses_decide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
