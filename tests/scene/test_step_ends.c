/* SPDX-License-Identifier: MIT */
/* When pairs of a continuous update are last in contact: bounds under any budget and without memory. */
#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/scene.h"
#include "motion/reversed_pair.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

/* Two boxes, of which one leaves the other, under any budget: times of the end hold what is told without one. */
static void times_of_an_end_are_bounds_under_any_budget(void **state)
{
    (void)state;
    graze_mesh *box;
    double lower = 0, upper = 0;
    int known = 0, unknown = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 10, &box), GRAZE_STATUS_OK);
    for (int round = 0; round < 300; round++) /* the first without a budget */
    {
        graze_scene *scene;
        graze_object object;
        graze_frame frame;
        graze_object_def def = graze_object_def_default();
        graze_update_options options = graze_update_options_default();
        const graze_pose away = graze_pose_translation(3, 0.25, 0.125);
        options.continuous = true;
        def.mesh = box;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        def.pose = graze_pose_translation(0.5, 0.25, 0.125);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 1);
        assert_int_equal(graze_scene_move(scene, object, &away), GRAZE_STATUS_OK);
        options.budget.box_tests = (uint64_t)round;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        for (size_t i = 0; i < frame.event_count && frame.undecided_count == 0; i++)
        {
            const graze_event *event = &frame.events[i];
            assert_true(event->kind == GRAZE_EVENT_END && event->has_end_time);
            if (round == 0)
            {
                lower = event->end_lower;
                upper = event->end_upper;
                assert_true(lower <= 0.2 && upper >= 0.2 && upper - lower < 1e-9);
            }
            assert_true(event->end_lower <= lower && event->end_upper >= upper);
            assert_true(event->end_lower >= 0 && event->end_upper <= 1);
            known += event->end_upper < 1;
            unknown += event->end_upper == 1;
        }
        graze_scene_destroy(scene);
    }
    printf("%d ends known, %d not\n", known, unknown);
    assert_true(known > 0 && unknown > 0);
    graze_mesh_destroy(box);
}

/* The same with any request for memory refused: the end is told with its times, or it is said that memory ran out. */
static void times_of_an_end_are_true_without_memory(void **state)
{
    (void)state;
    graze_mesh *ball;
    size_t failures = 0;
    double upper = 0;
    bool done = false;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &ball), GRAZE_STATUS_OK);
    for (size_t allowed = 0; !done; allowed++)
    {
        failing_allocator allocator = {.allowed = SIZE_MAX};
        graze_context context = failing_allocator_context(&allocator);
        graze_scene *scene;
        graze_object object;
        graze_frame frame;
        graze_object_def def = graze_object_def_default();
        graze_update_options options = graze_update_options_default();
        const graze_pose away = graze_pose_translation(7, 0.25, 0.125);
        options.continuous = true;
        def.mesh = ball;
        assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        def.pose = graze_pose_translation(1.5, 0.25, 0.125);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, object, &away), GRAZE_STATUS_OK);
        allocator.requests = 0;
        allocator.allowed = allowed;
        graze_status status = graze_scene_update(scene, &options, &frame);
        done = allocator.requests <= allowed;
        if (status == GRAZE_STATUS_OK)
        {
            assert_int_equal(frame.event_count, 1);
            assert_true(frame.events[0].end_lower > 0 && frame.events[0].end_upper < 0.2);
            assert_true(upper == 0 || frame.events[0].end_upper == upper);
            upper = frame.events[0].end_upper;
        }
        else
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures += status != GRAZE_STATUS_OK;
        allocator.allowed = SIZE_MAX;
        graze_scene_destroy(scene);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(failures > 3 && upper > 0);
    graze_mesh_destroy(ball);
}

/* Two turns whose paths no doubles reverse: they were in contact at the latest at the end of the step. */
static void an_end_that_no_doubles_reverse_is_within_the_step(void **state)
{
    (void)state;
    graze_mesh *box;
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    graze_motion motions[2], back[2];
    graze_object_def def = graze_object_def_default();
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    def.mesh = box;
    for (int i = 0; i < 2; i++)
    {
        const graze_pose from = graze_pose_translation(4 * i - 2, 0.1 * i, 0),
                         to = graze_pose_translation(2 - 4 * i, 0, 0);
        def.pose = from;
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_TURN, &motions[i], NULL), GRAZE_STATUS_OK);
        motions[i].kind = GRAZE_MOTION_BALLISTIC_TURN;
        motions[i].path[0][1] = 0.1;
        motions[i].path[1][1] = 1e-20 / 3;
        motions[i].path[2][1] = (i + 1) * (1e-40 / 3);
    }
    motions[1].path[1][1] = -1e-21 / 7;
    assert_false(grz_motions_reverse(&motions[0], &motions[1], &back[0], &back[1]));
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_scene_move_along(scene, objects[i], &motions[i]), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_PASS);
    assert_true(fabs(frame.events[0].time_lower - 0.375) < 1e-9);
    assert_true(frame.events[0].end_lower == frame.events[0].time_lower && frame.events[0].end_upper == 1);
    graze_scene_destroy(scene);
    graze_mesh_destroy(box);
}

/* A body within another that is no longer solid: nothing moves, and it ends at some time in the step. */
static void an_end_of_what_stands_is_within_the_step(void **state)
{
    (void)state;
    graze_mesh *boxes[2];
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    graze_object_def def = graze_object_def_default();
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    def.flags = GRAZE_OBJECT_SOLID;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_mesh_create_box(NULL, 1 + i, 1 + i, 1 + i, 1, &boxes[i]), GRAZE_STATUS_OK);
        def.mesh = boxes[i];
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.colliding, 1);
    assert_int_equal(graze_scene_set_flags(scene, objects[1], 0), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    const graze_event *event = &frame.events[0];
    assert_int_equal(event->kind, GRAZE_EVENT_END);
    assert_true(event->has_end_time && event->end_lower == 0 && event->end_upper == 1);
    graze_scene_destroy(scene);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(boxes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_an_end_are_bounds_under_any_budget),
        cmocka_unit_test(times_of_an_end_are_true_without_memory),
        cmocka_unit_test(an_end_that_no_doubles_reverse_is_within_the_step),
        cmocka_unit_test(an_end_of_what_stands_is_within_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
