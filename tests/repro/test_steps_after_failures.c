/* SPDX-License-Identifier: MIT */
/*
 * Continuous updates of scenes after updates that failed or were cut short: a pass was lost where the pair collided at
 * the poses of an update that was cancelled, an end had times although nothing met within its step, and a new body
 * inside of a solid began to collide at the end of the step. A review found them.
 */
#include "graze/generate.h"
#include "graze/scene.h"
#include "support/unit.h"

typedef struct two_boxes
{
    graze_mesh *large, *small;
    graze_scene *scene;
    graze_object fixed, moving;
} two_boxes;

static two_boxes make(uint32_t flags, double x)
{
    two_boxes boxes;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 4, 4, 4, &boxes.large), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.5, 0.5, 0.5, 4, &boxes.small), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &boxes.scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = boxes.large;
    def.flags = flags;
    assert_int_equal(graze_scene_add(boxes.scene, &def, &boxes.fixed), GRAZE_STATUS_OK);
    def.mesh = boxes.small;
    def.flags = 0;
    def.pose = graze_pose_translation(x, 0, 0);
    assert_int_equal(graze_scene_add(boxes.scene, &def, &boxes.moving), GRAZE_STATUS_OK);
    return boxes;
}

static void destroy(two_boxes *boxes)
{
    graze_scene_destroy(boxes->scene);
    graze_mesh_destroy(boxes->large);
    graze_mesh_destroy(boxes->small);
}

static void move_to(two_boxes *boxes, double x)
{
    graze_pose pose = graze_pose_translation(x, 0, 0);
    assert_int_equal(graze_scene_move(boxes->scene, boxes->moving, &pose), GRAZE_STATUS_OK);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user >= 0;
}

/* Whichever call cancels the update at poses that collide: the contact at the beginning of the next step is told. */
static void contacts_at_the_start_of_a_step_are_told_after_a_failure(void **state)
{
    (void)state;
    bool cancelled = true;
    unsigned seen = 0;
    for (int calls = 0; cancelled && calls < 100; calls++)
    {
        two_boxes boxes = make(0, 9);
        graze_update_options options = graze_update_options_default();
        graze_frame frame;
        options.continuous = true;
        assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
        move_to(&boxes, 2);
        int left = calls;
        options.budget.progress = stop;
        options.budget.progress_user = &left;
        cancelled = graze_scene_update(boxes.scene, &options, &frame) == GRAZE_STATUS_CANCELLED;
        options.budget.progress = NULL;
        move_to(&boxes, 9);
        assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 1);
        assert_int_equal(frame.events[0].kind, cancelled ? GRAZE_EVENT_PASS : GRAZE_EVENT_END);
        seen += cancelled;
        destroy(&boxes);
    }
    assert_true(seen > 0 && !cancelled);
}

static void ends_of_steps_without_contact_have_no_times_in_them(void **state)
{
    (void)state;
    two_boxes boxes = make(0, 2);
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    options.continuous = true;
    assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    move_to(&boxes, 2.3);
    options.budget.box_tests = 1;
    assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
    size_t undecided = frame.undecided_count;
    move_to(&boxes, 2.4);
    options.budget.box_tests = 0;
    assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
    if (undecided > 0)
    {
        assert_int_equal(frame.event_count, 1);
        assert_int_equal(frame.events[0].kind, GRAZE_EVENT_END);
        assert_false(frame.events[0].has_time);
    }
    destroy(&boxes);
}

static void bodies_that_appear_inside_collide_from_the_start(void **state)
{
    (void)state;
    two_boxes boxes = make(GRAZE_OBJECT_SOLID, 0);
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    options.continuous = true;
    graze_pose pose = graze_pose_translation(0.25, 0, 0);
    assert_int_equal(graze_scene_move(boxes.scene, boxes.fixed, &pose), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(boxes.scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_BEGIN);
    if (frame.events[0].has_time)
        assert_true(frame.events[0].time_lower == 0);
    destroy(&boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_at_the_start_of_a_step_are_told_after_a_failure),
        cmocka_unit_test(ends_of_steps_without_contact_have_no_times_in_them),
        cmocka_unit_test(bodies_that_appear_inside_collide_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
