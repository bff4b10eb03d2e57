/* SPDX-License-Identifier: MIT */
/*
 * A ray at a compound: of the leaf with the least t, only its own bounds were given. A cylinder that the ray may or may
 * not touch, before a box that it hits, was left out of them, and so was a leaf whose bounds overlap those of the
 * chosen one and begin before.
 */
#include <math.h>
#include <stdio.h>

#include "graze/shape_query.h"
#include "support/random.h"
#include "support/unit.h"

static graze_shape_ray_hit cast(const graze_placed *placed, const double origin[3], const double direction[3])
{
    graze_verdict found;
    graze_shape_ray_hit hit;
    assert_int_equal(graze_shape_cast_ray(NULL, placed, origin, direction, INFINITY, NULL, &found, &hit),
                     GRAZE_STATUS_OK);
    assert_int_equal(found, GRAZE_VERDICT_YES);
    return hit;
}

static void what_a_ray_may_touch_before_counts(void **state)
{
    (void)state;
    static const double size[3] = {2, 4, 4}, origin[3] = {-5, 0x1.fffffffffffffp-1, 0}, direction[3] = {1, 0, 0};
    graze_shape *cylinder, *box;
    graze_verdict found;
    assert_int_equal(graze_shape_create_cylinder(NULL, 2, 1, &cylinder), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed parts[2] = {{cylinder, graze_pose_identity()}, {box, graze_pose_translation(6, 0, 0)}};
    assert_int_equal(graze_shape_cast_ray(NULL, &parts[0], origin, direction, INFINITY, NULL, &found, NULL),
                     GRAZE_STATUS_OK);
    assert_int_equal(found, GRAZE_VERDICT_UNKNOWN); /* it meets the cylinder at t = 5, less 1.5e-8 */
    for (int turned = 0; turned < 2; turned++)
    {
        graze_shape *compound;
        graze_placed both[2] = {parts[turned], parts[1 - turned]};
        assert_int_equal(graze_shape_create_compound(NULL, both, 2, &compound), GRAZE_STATUS_OK);
        graze_placed placed = {compound, graze_pose_identity()};
        graze_shape_ray_hit hit = cast(&placed, origin, direction);
        assert_true(hit.t_lower < 5 && hit.t_lower > 4.99 && hit.t <= hit.t_upper && hit.t_upper < 10.01);
        assert_int_equal(hit.part, 1 - turned);
        graze_shape_destroy(compound);
    }
    graze_shape_destroy(box);
    graze_shape_destroy(cylinder);
}

enum
{
    LEAVES = 2,
    ROUNDS = 400
};

/* A sphere and a triangle that are hit at almost the same t. */
static void bounds_hold_for_all_leaves(void **state)
{
    (void)state;
    test_random random = test_random_start("rays at compounds", 3);
    int others = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        double y = random_real(&random, -0.3, 0.3), z = random_real(&random, -0.3, 0.3);
        double x = 2 - sqrt(1 - y * y - z * z), at = x + random_between(&random, -4, 4) * 0x1p-52;
        double corners[3][3] = {{at, -1, -1}, {at, 3, -1}, {at, -1, 3}}, origin[3] = {-1, y, z};
        static const double centre[3] = {2, 0, 0}, direction[3] = {1, 0, 0};
        graze_shape *leaves[LEAVES], *compound;
        graze_placed parts[LEAVES];
        assert_int_equal(graze_shape_create_sphere(NULL, centre, 1, &leaves[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])corners, &leaves[1]), GRAZE_STATUS_OK);
        double lower = INFINITY, upper = INFINITY, t = INFINITY, chosen = INFINITY;
        for (int i = 0; i < LEAVES; i++)
        {
            parts[i] = (graze_placed){leaves[i], graze_pose_identity()};
            graze_shape_ray_hit hit = cast(&parts[i], origin, direction);
            lower = fmin(lower, hit.t_lower);
            upper = fmin(upper, hit.t_upper);
            chosen = hit.t < t ? hit.t_lower : chosen;
            t = fmin(t, hit.t);
        }
        others += chosen > lower;
        assert_int_equal(graze_shape_create_compound(NULL, parts, LEAVES, &compound), GRAZE_STATUS_OK);
        graze_placed placed = {compound, graze_pose_identity()};
        graze_shape_ray_hit hit = cast(&placed, origin, direction);
        assert_true(hit.t == t && hit.t_lower == lower && hit.t_upper == upper);
        graze_shape_destroy(compound);
        for (int i = 0; i < LEAVES; i++)
            graze_shape_destroy(leaves[i]);
    }
    printf("of %d, %d have a leaf that may be hit before the chosen one\n", ROUNDS, others);
    assert_true(others > ROUNDS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_ray_may_touch_before_counts),
        cmocka_unit_test(bounds_hold_for_all_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
