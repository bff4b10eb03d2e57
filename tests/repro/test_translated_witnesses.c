/* SPDX-License-Identifier: MIT */
/*
 * Scene events whose witness triangles did not meet: seen once in an audit (solid objects, a budget, two threads) and
 * not reproduced then. The difference of two translations was rounded and taken for exact (test_rounded_shift.c), which
 * the narrow phase of scenes relied on too: of boxes moved by translations with one decimal, about one witness in 300
 * was no hit.
 */
#include <stdio.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "graze/tasks.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    OBJECTS = 60,
    FRAMES = 400
};

static void take_triangle(const graze_placed_mesh *placed, uint32_t triangle, graze_placed_triangle *out_triangle)
{
    const uint32_t *corners = graze_mesh_triangles(placed->mesh) + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++)
        out_triangle->corners[k] = graze_mesh_vertices(placed->mesh) + 3 * (size_t)corners[k];
    out_triangle->pose = &placed->pose;
}

static bool witness_meets(const graze_scene *scene, const graze_event *event)
{
    graze_placed_mesh a, b;
    graze_placed_triangle first, second;
    assert_int_equal(graze_scene_placed_mesh(scene, event->a, &a, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_placed_mesh(scene, event->b, &b, NULL), GRAZE_STATUS_OK);
    take_triangle(&a, event->witness.triangle_a, &first);
    take_triangle(&b, event->witness.triangle_b, &second);
    return graze_triangle_collide(&first, &second).found;
}

static double tenths(test_random *random)
{
    return 0.1 * random_between(random, 0, 59);
}

static void witnesses_of_translated_objects_meet(void **state)
{
    (void)state;
    test_random random = test_random_start("translated witnesses", 20261117);
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    graze_mesh *meshes[3] = {0};
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 4, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.5, 8, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.6, 0.7, 0.8, 5, &meshes[2]), GRAZE_STATUS_OK);
    graze_scene *scene = NULL;
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    graze_object objects[OBJECTS];
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = meshes[random_between(&random, 0, 2)];
        def.flags = GRAZE_OBJECT_SOLID;
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    size_t witnesses = 0;
    for (int frame_number = 0; frame_number < FRAMES; frame_number++)
    {
        for (int i = 0; i < OBJECTS; i++)
            if (frame_number == 0 || random_once_in(&random, 3))
            {
                graze_pose pose = graze_pose_translation(tenths(&random), tenths(&random), tenths(&random));
                assert_int_equal(graze_scene_move(scene, objects[i], &pose), GRAZE_STATUS_OK);
            }
        graze_update_options options = graze_update_options_default();
        options.budget.seconds = frame_number % 2 != 0 ? 5e-4 : 0;
        options.schedule = GRAZE_SCHEDULE_PRIORITY;
        graze_frame frame;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        for (size_t i = 0; i < frame.event_count; i++)
            if (frame.events[i].has_witness && frame.events[i].frame == frame.number)
            {
                witnesses++;
                assert_true(witness_meets(scene, &frame.events[i]));
            }
    }
    printf("%zu witnesses\n", witnesses);
    assert_true(witnesses > 3000);
    graze_scene_destroy(scene);
    for (int i = 0; i < 3; i++)
        graze_mesh_destroy(meshes[i]);
    graze_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(witnesses_of_translated_objects_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
