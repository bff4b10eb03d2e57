/* SPDX-License-Identifier: MIT */
/* Hulls that stand for round and curved shapes: in them or around them for every pose, and near them. */
#include <math.h>

#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

static const graze_shape_kind kinds[] = {GRAZE_SHAPE_SPHERE,   GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_ROUNDED,
                                         GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE,    GRAZE_SHAPE_ELLIPSOID};

/* Whether no point of `inner` certainly lies outside of `outer`: by half-spaces that hold the one and not the other.
 * Both are convex, so that one such plane would be a proof. */
static double reach(const graze_placed *placed, const double direction[3])
{
    graze_shape *plane = NULL;
    const double reversed[3] = {-direction[0], -direction[1], -direction[2]};
    graze_shape_distance gap;
    assert_int_equal(graze_shape_create_half_space(NULL, reversed, -1e4, &plane), GRAZE_STATUS_OK);
    const graze_placed far_away = {plane, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_distance(NULL, placed, &far_away, NULL, &gap), GRAZE_STATUS_OK);
    graze_shape_destroy(plane);
    assert_true(gap.found);
    return 1e4 - gap.distance;
}

static void hulls_lie_in_shapes_or_around_them(void **state)
{
    (void)state;
    test_random random = test_random_start("tessellations", 55);
    for (int i = 0; i < TEST_ROUNDS(240); i++)
    {
        random_shape shape;
        graze_tessellation_options options = graze_tessellation_options_default();
        options.segments = (uint32_t)(4 << random_below(&random, 4));
        random_shape_make(&random, kinds[i % 6], &shape);
        graze_shape *hulls[2] = {NULL, NULL};
        for (int around = 0; around < 2; around++)
        {
            options.around = around == 1;
            assert_int_equal(graze_shape_tessellate(NULL, shape.shape, &options, &hulls[around]), GRAZE_STATUS_OK);
        }
        graze_pose pose = random_rigid_pose(&random);
        for (int k = 0; k < 12; k++) /* as far from rigid as it may be */
            pose.m[k] *= k % 4 == 3 ? 1 : 1 + 4e-10 * random_real(&random, -1, 1);
        const graze_placed placed[3] = {{hulls[0], pose}, {shape.shape, pose}, {hulls[1], pose}};
        double lengths[3], error = 1e-10;
        assert_int_equal(graze_placed_check(&placed[1]), GRAZE_STATUS_OK);
        for (int d = 0; d < 8; d++)
        {
            const double direction[3] = {random_real(&random, -1, 1), random_real(&random, -1, 1),
                                         random_real(&random, -1, 1)};
            double length = hypot(hypot(direction[0], direction[1]), direction[2]);
            const double unit[3] = {direction[0] / length, direction[1] / length, direction[2] / length};
            for (int k = 0; k < 3; k++)
                lengths[k] = reach(&placed[k], unit);
            assert_true(lengths[0] <= lengths[1] + error && lengths[1] <= lengths[2] + error);
        }
        graze_shape_destroy(hulls[0]);
        graze_shape_destroy(hulls[1]);
        random_shape_clear(&shape);
    }
}

static void more_segments_come_nearer(void **state)
{
    (void)state;
    graze_shape *ball = NULL;
    const double direction[3] = {0.6, 0.48, 0.64};
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 2, &ball), GRAZE_STATUS_OK);
    for (uint32_t segments = 4; segments <= 256; segments *= 2)
        for (int around = 0; around < 2; around++)
        {
            graze_tessellation_options options = graze_tessellation_options_default();
            options.segments = segments;
            options.around = around == 1;
            graze_shape *hull = NULL;
            assert_int_equal(graze_shape_tessellate(NULL, ball, &options, &hull), GRAZE_STATUS_OK);
            const graze_placed placed = {hull, graze_pose_identity()};
            double off = reach(&placed, direction) - 2;
            assert_true(around == 1 ? off >= 0 : off <= 0);
            assert_true(fabs(off) <= 2 * 16.0 / (segments * segments));
            graze_shape_destroy(hull);
        }
    graze_shape_destroy(ball);
}

static void shapes_that_are_meshes_have_none(void **state)
{
    (void)state;
    graze_shape *box = NULL, *hull = NULL;
    graze_tessellation_options options = graze_tessellation_options_default();
    assert_int_equal(graze_shape_create_box(NULL, (const double[3]){1, 1, 1}, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_tessellate(NULL, box, NULL, &hull), GRAZE_STATUS_UNSUPPORTED);
    options.segments = 3;
    assert_int_equal(graze_shape_tessellate(NULL, box, &options, &hull), GRAZE_STATUS_BAD_ARGUMENT);
    graze_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_lie_in_shapes_or_around_them),
        cmocka_unit_test(more_segments_come_nearer),
        cmocka_unit_test(shapes_that_are_meshes_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
