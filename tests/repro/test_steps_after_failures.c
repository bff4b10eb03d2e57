/* SPDX-License-Identifier: MIT */
/*
 * Continuous updates of scenes after updates that failed or were cut short: a pass was lost where the pair collided at
 * the poses of an update that was cancelled, an end had times although nothing met within its step, and a new body
 * inside of a solid began to collide at the end of the step. A review found them.
 */
#include "graze/generate.h"
#include "graze/scene.h"
#include "support/unit.h"

enum
{
    SMALL = 8
};

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user >= 0;
}

static graze_mesh *make_box(double size)
{
    graze_mesh *box;
    assert_int_equal(graze_mesh_create_box(NULL, size, size, size, 8, &box), GRAZE_STATUS_OK);
    return box;
}

static graze_object add(graze_scene *scene, const graze_mesh *mesh, uint32_t flags, graze_pose pose)
{
    graze_object object;
    graze_object_def def = graze_object_def_default();
    def.mesh = mesh;
    def.flags = flags;
    def.pose = pose;
    assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
    return object;
}

static graze_status update(graze_scene *scene, uint64_t box_tests, int *left, graze_frame *frame)
{
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    options.budget.box_tests = box_tests;
    options.budget.progress = left != NULL ? stop : NULL;
    options.budget.progress_user = left;
    return graze_scene_update(scene, &options, frame);
}

static void move_all(graze_scene *scene, const graze_object objects[SMALL], double x)
{
    for (int i = 0; i < SMALL; i++)
    {
        graze_pose pose = graze_pose_translation(x, i - 3.5, 0.1 * i);
        assert_int_equal(graze_scene_move(scene, objects[i], &pose), GRAZE_STATUS_OK);
    }
}

/* Whichever call cancels the update at poses that collide, with some pairs decided and some not: contacts at the
   beginning of the next step are told. */
static void contacts_at_the_start_of_a_step_are_told_after_a_failure(void **state)
{
    (void)state;
    graze_mesh *large = make_box(8), *small = make_box(0.5);
    bool cancelled = true;
    unsigned seen = 0;
    for (int calls = 0; cancelled && calls < 20000; calls += 1 + calls / 8)
    {
        graze_scene *scene;
        graze_object objects[SMALL];
        graze_frame frame;
        int left = calls;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        add(scene, large, 0, graze_pose_identity());
        for (int i = 0; i < SMALL; i++)
            objects[i] = add(scene, small, 0, graze_pose_identity());
        move_all(scene, objects, 9);
        assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
        move_all(scene, objects, 4);
        cancelled = update(scene, 0, &left, &frame) == GRAZE_STATUS_CANCELLED;
        move_all(scene, objects, 9);
        assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, SMALL);
        for (int i = 0; i < SMALL; i++)
            assert_int_equal(frame.events[i].kind, cancelled ? GRAZE_EVENT_PASS : GRAZE_EVENT_END);
        seen += cancelled;
        graze_scene_destroy(scene);
    }
    assert_true(seen > 0 && !cancelled);
    graze_mesh_destroy(large);
    graze_mesh_destroy(small);
}

/* A box turned by an eighth, whose bounds overlap another's where it is apart from it. */
static graze_pose turned(double xy)
{
    graze_pose pose = graze_pose_translation(xy, xy, 0);
    const double r = 0.70710678118654757;
    pose.m[0] = pose.m[4] = pose.m[5] = r;
    pose.m[1] = -r;
    return pose;
}

static void ends_of_steps_without_contact_have_no_times_in_them(void **state)
{
    (void)state;
    graze_mesh *box = make_box(1);
    graze_scene *scene;
    graze_frame frame;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    add(scene, box, 0, graze_pose_identity());
    graze_object moving = add(scene, box, 0, turned(0.8));
    assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    graze_pose pose = turned(1.14);
    assert_int_equal(graze_scene_move(scene, moving, &pose), GRAZE_STATUS_OK);
    assert_int_equal(update(scene, 1, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.undecided_count, 1);
    pose = turned(1.15);
    assert_int_equal(graze_scene_move(scene, moving, &pose), GRAZE_STATUS_OK);
    assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_END);
    assert_false(frame.events[0].has_time);
    graze_scene_destroy(scene);
    graze_mesh_destroy(box);
}

static void bodies_that_appear_inside_collide_from_the_start(void **state)
{
    (void)state;
    graze_mesh *large = make_box(4), *small = make_box(0.5);
    graze_scene *scene;
    graze_frame frame;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object solid = add(scene, large, GRAZE_OBJECT_SOLID, graze_pose_identity());
    assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
    add(scene, small, 0, graze_pose_identity());
    graze_pose pose = graze_pose_translation(0.25, 0, 0);
    assert_int_equal(graze_scene_move(scene, solid, &pose), GRAZE_STATUS_OK);
    assert_int_equal(update(scene, 0, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_BEGIN);
    assert_true(frame.events[0].has_time && frame.events[0].time_lower == 0 && frame.events[0].time_upper == 0);
    graze_scene_destroy(scene);
    graze_mesh_destroy(large);
    graze_mesh_destroy(small);
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
