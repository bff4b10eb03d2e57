/* SPDX-License-Identifier: MIT */
/* What is left of shapes at a depth: points as deep as that in what is larger, none shallower in what is smaller. */
#include <math.h>

#include "clash/shape_erosion.h"
#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

static const graze_shape_kind kinds[] = {GRAZE_SHAPE_SPHERE,   GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_BOX,
                                         GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE,    GRAZE_SHAPE_ROUNDED,
                                         GRAZE_SHAPE_ELLIPSOID};

static graze_verdict meets(const graze_placed *placed, const double centre[3], double radius)
{
    graze_shape *ball = NULL;
    graze_verdict verdict;
    assert_int_equal(graze_shape_create_sphere(NULL, centre, radius, &ball), GRAZE_STATUS_OK);
    const graze_placed at = {ball, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_any(NULL, placed, &at, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    graze_shape_destroy(ball);
    return verdict;
}

/* Whether the half-space beyond a plane at a distance from a point, in some direction, meets the shape. */
static bool reaches_beyond(const graze_placed *placed, const double point[3], const double direction[3], double away)
{
    double reversed[3], height = 0;
    graze_shape *plane = NULL;
    graze_verdict verdict;
    for (int k = 0; k < 3; k++)
    {
        reversed[k] = -direction[k];
        height += direction[k] * point[k];
    }
    assert_int_equal(graze_shape_create_half_space(NULL, reversed, -(height + away), &plane), GRAZE_STATUS_OK);
    const graze_placed beyond = {plane, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_any(NULL, placed, &beyond, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    graze_shape_destroy(plane);
    return verdict == GRAZE_VERDICT_YES;
}

/* A point of what is smaller is that deep: the shape reaches that far beyond it in every direction. A point of the
 * shape that is certainly deeper lies in what is larger. */
static void check(const graze_placed *placed, double depth, test_random *random, int counts[3])
{
    grz_clash_eroded smaller, larger;
    assert_int_equal(grz_clash_erode(NULL, placed, depth, -1, &smaller), GRAZE_STATUS_OK);
    assert_int_equal(grz_clash_erode(NULL, placed, depth, 1, &larger), GRAZE_STATUS_OK);
    graze_box box;
    assert_int_equal(graze_placed_bounds(placed, &box), GRAZE_STATUS_OK);
    for (int i = 0; i < 8; i++)
    {
        double point[3], direction[3], length;
        for (int k = 0; k < 3; k++)
        {
            point[k] = random_real(random, box.lower[k], box.upper[k]);
            direction[k] = random_real(random, -1, 1);
        }
        length = hypot(hypot(direction[0], direction[1]), direction[2]);
        for (int k = 0; k < 3; k++)
            direction[k] /= length;
        bool in_smaller = smaller.placed.shape != NULL && meets(&smaller.placed, point, 0) == GRAZE_VERDICT_YES;
        bool in_larger = larger.placed.shape != NULL && meets(&larger.placed, point, 0) != GRAZE_VERDICT_NO;
        assert_true(!in_smaller || in_larger);
        counts[0] += in_smaller;
        if (in_smaller)
            assert_true(reaches_beyond(placed, point, direction, depth * (1 - 1e-12)));
        /* Not in what is larger: it is not that deep, so that some ball of that radius around it reaches out. */
        if (!in_larger && meets(placed, point, 0) == GRAZE_VERDICT_YES)
        {
            double least = INFINITY;
            for (int d = 0; d < 60; d++)
            {
                double away[3], size = 0;
                for (int k = 0; k < 3; k++)
                {
                    away[k] = random_real(random, -1, 1);
                    size = hypot(size, away[k]);
                }
                for (int k = 0; k < 3; k++)
                    away[k] /= size;
                if (!reaches_beyond(placed, point, away, depth))
                    least = depth;
            }
            counts[1] += least <= depth;
            counts[2]++;
        }
    }
    grz_clash_eroded_release(&smaller);
    grz_clash_eroded_release(&larger);
}

static void what_is_left_lies_that_deep(void **state)
{
    (void)state;
    test_random random = test_random_start("erosion", 91);
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < TEST_ROUNDS(140); i++)
    {
        random_shape shape;
        random_shape_make(&random, kinds[i % 7], &shape);
        const graze_placed placed = {shape.shape, random_rigid_pose(&random)};
        double radius = grz_clash_inner_radius(&placed);
        if (grz_clash_is_erodible(&placed) && radius > 0.01)
            check(&placed, radius * random_real(&random, 0.05, 0.9), &random, counts);
        random_shape_clear(&shape);
    }
    assert_true(counts[0] > 20 && counts[2] > 40 && counts[1] > counts[2] / 2);
}

/* Nothing is deeper than the inner radius, and something is nearly that deep. */
static void inner_radii_are_those_of_the_deepest_points(void **state)
{
    (void)state;
    test_random random = test_random_start("inner radii", 92);
    int tried = 0;
    for (int i = 0; i < TEST_ROUNDS(140); i++)
    {
        random_shape shape;
        random_shape_make(&random, kinds[i % 7], &shape);
        const graze_placed placed = {shape.shape, random_rigid_pose(&random)};
        double radius = grz_clash_inner_radius(&placed);
        if (grz_clash_is_erodible(&placed) && radius > 0.01)
        {
            grz_clash_eroded left;
            tried++;
            assert_int_equal(grz_clash_erode(NULL, &placed, 1.001 * radius, 1, &left), GRAZE_STATUS_OK);
            assert_null(left.placed.shape);
            grz_clash_eroded_release(&left);
            assert_int_equal(grz_clash_erode(NULL, &placed, 0.999 * radius, -1, &left), GRAZE_STATUS_OK);
            assert_non_null(left.placed.shape);
            grz_clash_eroded_release(&left);
        }
        random_shape_clear(&shape);
    }
    assert_true(tried > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_lies_that_deep),
        cmocka_unit_test(inner_radii_are_those_of_the_deepest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
