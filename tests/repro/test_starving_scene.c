/* SPDX-License-Identifier: MIT */
/*
 * Placing many objects and the broad phase took longer than the whole budget: nothing was decided, frame after frame.
 */
#include <stdio.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "graze/tasks.h"
#include "support/unit.h"

enum
{
    PAIRS = TEST_ROUNDS(800),
    FRAMES = 4000 /* at most: each decides some pairs, on any machine */
};

static void run(graze_schedule schedule, const graze_mesh *box, graze_pool *pool)
{
    graze_context context = graze_context_default();
    if (pool != NULL)
        context.tasks = graze_pool_tasks(pool);
    graze_scene *scene;
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    static graze_object objects[2 * PAIRS];
    graze_object_def def = graze_object_def_default();
    def.mesh = box;
    for (int i = 0; i < 2 * PAIRS; i++)
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    graze_update_options options = graze_update_options_default();
    options.schedule = schedule;
    options.budget.seconds = pool != NULL ? 2e-4 : 3e-5; /* placing so many objects takes about that */
    size_t begun = 0;
    int frames = 0;
    for (; frames < FRAMES && begun < PAIRS; frames++)
    {
        for (int i = 0; i < 2 * PAIRS; i++)
        {
            graze_pose pose = graze_pose_translation(10 * (i / 2) + 0.5 * (i % 2), 1e-3 * (i % 2) * (frames % 7), 0);
            assert_int_equal(graze_scene_move(scene, objects[i], &pose), GRAZE_STATUS_OK);
        }
        graze_frame frame;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        for (size_t i = 0; i < frame.event_count; i++)
            begun += frame.events[i].kind == GRAZE_EVENT_BEGIN;
    }
    printf("schedule %d, %s: all decided after %d frames\n", (int)schedule, pool != NULL ? "threads" : "one thread",
           frames);
    assert_int_equal(begun, PAIRS);
    graze_scene_destroy(scene);
}

static void every_pair_is_decided_in_the_end(void **state)
{
    (void)state;
    graze_mesh *box;
    graze_pool *pool;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    for (int schedule = GRAZE_SCHEDULE_SEQUENTIAL; schedule <= GRAZE_SCHEDULE_PRIORITY; schedule++)
    {
        run((graze_schedule)schedule, box, NULL);
        run((graze_schedule)schedule, box, pool);
    }
    graze_pool_destroy(pool);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_is_decided_in_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
