/* SPDX-License-Identifier: MIT */
/*
 * Poses in the world of objects with parents were composed in the environment of whichever thread did it: with
 * denormals flushed, a child at 2^-1060 was placed at 0, and other pairs collided than docs/environments.md promises.
 */
#include <math.h>
#include <string.h>

#include "graze/scene.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/unit.h"

/* A child cube under a parent without geometry, and a cube of its own; all of the given side. Places the child at
   parent + child along x, in the environment of the given number; tells its world pose and whether the cubes collide.
 */
static bool update_in(int number, double side, const double at[3], graze_pose *out_world)
{
    test_mesh cube = {0};
    mesh_add_cube(&cube, 0, 0, 0, side);
    graze_mesh *mesh = mesh_create(&cube);
    graze_scene *scene = NULL;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object objects[3];
    for (int i = 0; i < 3; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = i == 0 ? NULL : mesh;
        def.pose.m[3] = at[i];
        if (i == 1)
            def.parent = objects[0];
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    saved_environment saved;
    graze_frame frame;
    environment_enter(&saved, number);
    graze_status status = graze_scene_update(scene, NULL, &frame);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    graze_placed_mesh placed;
    assert_int_equal(graze_scene_placed_mesh(scene, objects[1], &placed, NULL), GRAZE_STATUS_OK);
    *out_world = placed.pose;
    bool collide = frame.colliding == 1;
    graze_scene_destroy(scene);
    graze_mesh_destroy(mesh);
    return collide;
}

static void a_child_is_at_one_place_in_every_environment(void **state)
{
    (void)state;
    static const double unit = 0x1p-1060;
    /* Of parent, child and the other cube. Composed by rounding to nearest: 3 units, and 1 exactly. */
    const double at[3][3] = {{unit, 2 * unit, 4 * unit}, {unit, 2 * unit, 0}, {1, 0x1p-60, 0}};
    const double sides[3] = {unit, 2 * unit, 1};
    const bool expected[3] = {true, false, true};
    for (int i = 0; i < 3; i++)
        for (int number = 0; number < ENVIRONMENTS; number++)
        {
            graze_pose world, pose = graze_pose_identity();
            assert_int_equal(update_in(number, sides[i], at[i], &world), expected[i]);
            pose.m[3] = i == 2 ? 1 : 3 * unit;
            assert_memory_equal(&world.m[3], &pose.m[3], sizeof pose.m[3]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_is_at_one_place_in_every_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
