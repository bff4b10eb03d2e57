/* SPDX-License-Identifier: MIT */
#include "support/scene_meshes.h"

#include "graze/generate.h"
#include "support/unit.h"

void scene_meshes_make(scene_meshes *c)
{
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 14, 8, &c->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1.5, 0.7, 1, &c->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetraflake(NULL, 1, 2, &c->meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.6, 4, &c->meshes[3]), GRAZE_STATUS_OK);
    for (int i = 0; i < SCENE_MESHES; i++)
        assert_int_equal(graze_tree_create(NULL, c->meshes[i], NULL, NULL, &c->trees[i]), GRAZE_STATUS_OK);
}

void scene_meshes_release(scene_meshes *c)
{
    for (int i = 0; i < SCENE_MESHES; i++)
    {
        graze_tree_destroy(c->trees[i]);
        graze_mesh_destroy(c->meshes[i]);
    }
}

graze_pose scene_random_pose(test_random *random, double spread)
{
    double quaternion[4], translation[3];
    graze_pose pose;
    for (int k = 0; k < 4; k++)
        quaternion[k] = random_real(random, -1, 1);
    for (int k = 0; k < 3; k++)
        translation[k] = random_real(random, -spread, spread);
    assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &pose), GRAZE_STATUS_OK);
    return pose;
}

void scene_meshes_fill(const scene_meshes *c, test_random *random, graze_scene *scene, size_t count, double spread,
                       uint32_t flags, graze_object *names, graze_pose *poses)
{
    for (size_t i = 0; i < count; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = c->meshes[i % SCENE_MESHES];
        def.tree = i % 3 == 0 ? c->trees[i % SCENE_MESHES] : NULL;
        def.pose = poses[i] = scene_random_pose(random, spread);
        def.flags = flags;
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
}
