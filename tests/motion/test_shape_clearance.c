/* SPDX-License-Identifier: MIT */
/* Clearances of moving shapes are true: at sampled times they are as far apart, or farther; and they are not far below.
 */
#include <math.h>
#include <stdio.h>

#include "graze/shape_motion.h"
#include "support/failing_allocator.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(400),
    TIMES = 40
};

static graze_motion from_to(graze_pose start, graze_pose end)
{
    graze_motion motion;
    assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &motion, NULL), GRAZE_STATUS_OK);
    return motion;
}

static graze_motion still(const graze_pose *pose)
{
    graze_motion motion;
    assert_int_equal(graze_motion_still(pose, &motion), GRAZE_STATUS_OK);
    return motion;
}

/* From one rotation to another, some way off, on a side that is the shape's own. */
static graze_motion random_motion(test_random *random, int side)
{
    graze_pose poses[2];
    for (int end = 0; end < 2; end++)
        do
        {
            poses[end] = random_rigid_pose(random);
            poses[end].m[3] += side == 0 ? -2 : 4;
            for (int k = 1; k < 3; k++)
                poses[end].m[4 * k + 3] = random_real(random, -2, 2);
        } while (graze_pose_handedness(&poses[end]) < 0); /* a turn */
    return random_below(random, 4) == 0 ? still(&poses[0]) : from_to(poses[0], poses[1]);
}

/* The least distance at sampled times, from above. */
static double least_distance(const graze_moving_shape sides[2])
{
    double least = INFINITY;
    for (int i = 0; i <= TIMES; i++)
    {
        graze_placed placed[2] = {{sides[0].shape, {{0}}}, {sides[1].shape, {{0}}}};
        graze_shape_distance distance;
        for (int k = 0; k < 2; k++)
            assert_int_equal(graze_motion_pose(&sides[k].motion, i / (double)TIMES, &placed[k].pose, NULL),
                             GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
        least = fmin(least, distance.upper);
    }
    return least;
}

static graze_shape_impact ask(const graze_moving_shape sides[2], double margin, bool clearance)
{
    graze_shape_impact impact;
    graze_impact_options options = graze_impact_options_default();
    options.margin = margin;
    options.clearance = clearance;
    assert_int_equal(graze_shape_pair_impact(NULL, &sides[0], &sides[1], &options, &impact), GRAZE_STATUS_OK);
    return impact;
}

static void clearances_of_shapes_hold_at_all_times(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 611);
    int clear = 0, good = 0, met = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_shape_kind kinds[2] = {(graze_shape_kind)(round % GRAZE_SHAPE_KIND_COUNT),
                                     (graze_shape_kind)(round / GRAZE_SHAPE_KIND_COUNT % GRAZE_SHAPE_KIND_COUNT)};
        random_shape shapes[2];
        graze_moving_shape sides[2];
        for (int side = 0; side < 2; side++)
        {
            random_shape_make(&random, kinds[side], &shapes[side]);
            sides[side] = (graze_moving_shape){shapes[side].shape, random_motion(&random, side)};
        }
        graze_shape_impact impact = ask(sides, 0, true);
        met += impact.verdict == GRAZE_IMPACT_AT;
        if (impact.verdict == GRAZE_IMPACT_NONE)
        {
            double least = least_distance(sides);
            assert_true(impact.clearance_lower >= 0 && impact.clearance_lower <= least * (1 + 1e-12));
            clear++;
            good += impact.clearance_lower > 0.4 * least;
            assert_true(!(ask(sides, 0, false).clearance_lower > 0));
        }
        else
            assert_true(!(impact.clearance_lower > 0));
        for (int side = 0; side < 2; side++)
            random_shape_clear(&shapes[side]);
    }
    printf("%d of %d clear, %d with a good bound, %d met\n", clear, ROUNDS, good, met);
    assert_true(clear > ROUNDS / 5 && met > ROUNDS / 10 && good > clear * 9 / 10);
}

/* A thousandth above a plane, a box or a cylinder, for ten times their size; a margin below that is what they are at
   least apart by, one above it is met. */
static void what_slides_along_has_its_gap(void **state)
{
    (void)state;
    const double normal[3] = {0, 0, 1}, plate[3] = {20, 20, 1}, centre[3] = {0, 0, 0}, edge[3] = {1, 1, 1}, gap = 1e-3;
    const graze_pose stand = graze_pose_identity();
    graze_shape *grounds[3], *sliders[3];
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0.5, &grounds[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, plate, &grounds[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 20, &grounds[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &sliders[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, edge, &sliders[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 0.5, &sliders[2]), GRAZE_STATUS_OK);
    for (int i = 0; i < 9; i++)
    {
        double height = 1 + gap;
        graze_moving_shape sides[2] = {{sliders[i % 3], from_to(graze_pose_translation(-5, 0.25, height),
                                                                graze_pose_translation(5, 0.25, height))},
                                       {grounds[i / 3], still(&stand)}};
        graze_shape_impact impact = ask(sides, 0, true), within = ask(sides, gap / 4, false),
                           beyond = ask(sides, 2 * gap, 1);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_NONE);
        assert_true(impact.clearance_lower > 0.4 * gap && impact.clearance_lower <= gap * (1 + 1e-9));
        assert_int_equal(within.verdict, GRAZE_IMPACT_NONE);
        assert_true(within.clearance_lower >= gap / 4);
        assert_true(beyond.verdict != GRAZE_IMPACT_NONE && !(beyond.clearance_lower > 0));
    }
    for (int i = 0; i < 3; i++)
    {
        graze_shape_destroy(sliders[i]);
        graze_shape_destroy(grounds[i]);
    }
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

/* A query that is stopped in the midst of the clearance is cancelled; one whose budget ends there knows less. */
static void clearances_take_the_budget(void **state)
{
    (void)state;
    const double centre[3] = {0, 0, 0};
    graze_shape *ball, *can;
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 0.5, &can), GRAZE_STATUS_OK);
    const graze_pose stand = graze_pose_identity();
    const graze_pose turned = {{0, -1, 0, 5, 1, 0, 0, 0.25, 0, 0, 1, 1.25}};
    graze_moving_shape a = {ball, from_to(graze_pose_translation(-5, 0.25, 1.25), turned)}, b = {can, still(&stand)};
    int cancelled = 0, done = 0, failed = 0;
    for (int calls = 1; calls < 200 && done == 0; calls++)
    {
        int left = calls;
        graze_shape_impact impact = {.clearance_lower = -1};
        graze_impact_options options = graze_impact_options_default();
        options.clearance = true;
        options.budget = (graze_budget){.progress = stop, .progress_user = &left};
        graze_status status = graze_shape_pair_impact(NULL, &a, &b, &options, &impact);
        cancelled += status == GRAZE_STATUS_CANCELLED && impact.clearance_lower < 0;
        done += status == GRAZE_STATUS_OK;
    }
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_shape_impact impact;
        graze_impact_options options = graze_impact_options_default();
        options.clearance = true;
        graze_status status = graze_shape_pair_impact(&context, &a, &b, &options, &impact);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failed++;
    }
    printf("%d cancelled, %d allocations failed\n", cancelled, failed);
    assert_true(done == 1 && cancelled > 0 && failed > 0);
    graze_shape_destroy(can);
    graze_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearances_of_shapes_hold_at_all_times),
        cmocka_unit_test(what_slides_along_has_its_gap),
        cmocka_unit_test(clearances_take_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
