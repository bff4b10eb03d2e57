/* SPDX-License-Identifier: MIT */
/*
 * Two boxes crossed: the common point of their hit lay outside of both, as GJK had found the origin in a simplex of
 * four corners, and mixed these with the weights of the three it had before. Two half-spaces that overlap had the
 * origin as their common point, wherever they were. tests/shape/test_points.c has points of all kinds.
 */
#include <math.h>

#include "graze/shape_query.h"
#include "support/unit.h"

static bool is_in_box(const double size[3], const graze_pose *pose, const double point[3])
{
    for (int k = 0; k < 3; k++)
    {
        double along = 0;
        for (int i = 0; i < 3; i++)
            along += pose->m[4 * i + k] * (point[i] - pose->m[4 * i + 3]);
        if (fabs(along) > size[k] / 2 + 1e-9)
            return false;
    }
    return true;
}

static void common_points_of_boxes_lie_in_both(void **state)
{
    (void)state;
    static const double sizes[2][3] = {{4, 3, 2}, {5, 1, 3}};
    int met = 0;
    graze_shape *boxes[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_shape_create_box(NULL, sizes[i], &boxes[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < 200; i++)
    {
        const double turns[2][4] = {{1, 0.1 * (i % 7), 0.3, 0.2 * (i % 5)}, {0.5, 0.2 * (i % 3), -0.4, 0.1 * (i % 11)}};
        const double places[2][3] = {{0, 0, 0}, {0.3 * (i % 10) - 1.5, 0.1 * (i % 4), 0.2 * (i % 6)}};
        graze_placed a = {boxes[0], graze_pose_identity()}, b = {boxes[1], graze_pose_identity()};
        assert_int_equal(graze_pose_from_quaternion(turns[0], places[0], &a.pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_pose_from_quaternion(turns[1], places[1], &b.pose), GRAZE_STATUS_OK);
        graze_verdict verdict;
        graze_shape_hit hit;
        graze_shape_distance d;
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
        if (verdict != GRAZE_VERDICT_YES)
            continue;
        met++;
        assert_true(hit.has_point && is_in_box(sizes[0], &a.pose, hit.point) &&
                    is_in_box(sizes[1], &b.pose, hit.point));
        assert_int_equal(graze_shape_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
        assert_true(is_in_box(sizes[0], &a.pose, d.point_a) && is_in_box(sizes[1], &b.pose, d.point_b));
    }
    assert_true(met > 100);
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(boxes[i]);
}

static void common_points_of_half_spaces_lie_in_both(void **state)
{
    (void)state;
    static const double planes[5][4] = {{0, 0, 1, -3}, {0, 1, 0, -5}, {0, -1, -1, -7}, {0, 0, 2, -10}, {0, 0, -1, 20}};
    graze_shape *shapes[5];
    for (int i = 0; i < 5; i++)
        assert_int_equal(graze_shape_create_half_space(NULL, planes[i], planes[i][3], &shapes[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < 25; i++)
    {
        graze_placed a = {shapes[i % 5], graze_pose_identity()}, b = {shapes[i / 5], graze_pose_identity()};
        graze_verdict verdict;
        graze_shape_hit hit;
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
        assert_true(verdict == GRAZE_VERDICT_YES && hit.has_point);
        for (int k = 0; k < 2; k++)
        {
            const double *n = planes[k == 0 ? i % 5 : i / 5];
            assert_true(n[0] * hit.point[0] + n[1] * hit.point[1] + n[2] * hit.point[2] <= n[3] + 1e-9);
        }
    }
    for (int i = 0; i < 5; i++)
        graze_shape_destroy(shapes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_points_of_boxes_lie_in_both),
        cmocka_unit_test(common_points_of_half_spaces_lie_in_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
