/* SPDX-License-Identifier: MIT */
/*
 * A pair that moves in every frame and takes longer than any frame's budget was tested first in each, since it had
 * waited longest, and used all the time: no other pair was ever decided.
 */
#include <stdio.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "support/unit.h"

enum
{
    OTHERS = 10 /* pairs */
};

static graze_pose pose_of_other(int i, double aside)
{
    return graze_pose_translation(100 + 10 * (i / 2) + 0.5 * (i % 2), aside * (i % 2), 0);
}

/* Budgets grow, so that slow machines decide something; the long pair may finish at last, but not before all others. */
static void run(graze_schedule schedule, const graze_mesh *shell, const graze_mesh *box)
{
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    graze_object shells[2], boxes[2 * OTHERS];
    def.mesh = shell;
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_scene_add(scene, &def, &shells[i]), GRAZE_STATUS_OK);
    def.mesh = box;
    for (int i = 0; i < 2 * OTHERS; i++)
    {
        def.pose = pose_of_other(i, 0);
        assert_int_equal(graze_scene_add(scene, &def, &boxes[i]), GRAZE_STATUS_OK);
    }
    graze_update_options options = graze_update_options_default();
    options.schedule = schedule;
    options.budget.seconds = 1e-4;
    size_t begun = 0;
    int frames = 0;
    for (; begun < OTHERS; frames++)
    {
        graze_pose pose = graze_pose_translation(1e-7 * (frames % 7), 0, 0);
        for (int k = 0; k < 3; k++)
            pose.m[5 * k] = 0.9999;
        assert_int_equal(graze_scene_move(scene, shells[1], &pose), GRAZE_STATUS_OK);
        for (int i = 0; i < 2 * OTHERS; i++)
        {
            pose = pose_of_other(i, 1e-3 * (frames % 5));
            assert_int_equal(graze_scene_move(scene, boxes[i], &pose), GRAZE_STATUS_OK);
        }
        graze_frame frame;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_true(frame.undecided_count > 0 && frame.undecided[0].a.index == shells[0].index);
        for (size_t i = 0; i < frame.event_count; i++)
            begun += frame.events[i].kind == GRAZE_EVENT_BEGIN;
        options.budget.seconds *= 1.02;
    }
    printf("schedule %d: %d frames\n", (int)schedule, frames);
    graze_scene_destroy(scene);
}

static void a_pair_that_takes_too_long_leaves_time_to_others(void **state)
{
    (void)state;
    graze_mesh *shell, *box;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.05, 55, 4, &shell), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    for (int schedule = GRAZE_SCHEDULE_SEQUENTIAL; schedule <= GRAZE_SCHEDULE_PRIORITY; schedule++)
        run((graze_schedule)schedule, shell, box);
    graze_mesh_destroy(shell);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pair_that_takes_too_long_leaves_time_to_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
