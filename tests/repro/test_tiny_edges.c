/* SPDX-License-Identifier: MIT */
/*
 * Hulls with edges of 2^-251 beside others of 2^31: the square of a normal was denormal, its length came out too short,
 * and the plane that bounds the distance from below lay beyond the bodies. A review found it.
 */
#include "graze/shape_query.h"
#include "support/unit.h"

static void the_lower_bound_of_bodies_with_tiny_edges_is_one(void **state)
{
    (void)state;
    static const double a[4][3] = {
        {0x1p-252, -0x1p-251, 0}, {-0x1p-252, -0x1p-251, 0}, {0x1p31, -0x1p30, -0x1p32}, {-0x1p31, 0x1p30, -0x1p30}};
    static const double b[3][3] = {{-0x1p-251, 0, 0x1p-36}, {0x1p-251, -0x1p-252, 0x1p-36}, {0x1p30, 0, 0x1p30}};
    graze_shape *shapes[2];
    assert_int_equal(graze_shape_create_hull(NULL, a[0], 4, NULL, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_hull(NULL, b[0], 3, NULL, &shapes[1]), GRAZE_STATUS_OK);
    const graze_placed placed[2] = {{shapes[0], graze_pose_identity()}, {shapes[1], graze_pose_identity()}};
    graze_shape_distance d;
    assert_int_equal(graze_shape_pair_distance(NULL, &placed[0], &placed[1], NULL, &d), GRAZE_STATUS_OK);
    assert_true(d.found && d.lower <= 0x1p-36 && d.upper >= 0x1p-36 && d.lower <= d.upper);
    graze_shape_destroy(shapes[0]);
    graze_shape_destroy(shapes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lower_bound_of_bodies_with_tiny_edges_is_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
