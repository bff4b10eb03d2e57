/* SPDX-License-Identifier: MIT */
#include "support/crowd.h"

#include "graze/shapes.h"
#include "support/unit.h"

void crowd_make(crowd *c)
{
    assert_int_equal(graze_make_torus(NULL, 1, 0.3, 14, 8, &c->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_make_box(NULL, 1, 1.5, 0.7, 1, &c->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_make_tetraflake(NULL, 1, 2, &c->meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_make_geodesic(NULL, 0.6, 4, &c->meshes[3]), GRAZE_STATUS_OK);
    for (int i = 0; i < CROWD_MESHES; i++)
        assert_int_equal(graze_tree_create(NULL, c->meshes[i], NULL, &c->trees[i]), GRAZE_STATUS_OK);
}

void crowd_release(crowd *c)
{
    for (int i = 0; i < CROWD_MESHES; i++)
    {
        graze_tree_destroy(c->trees[i]);
        graze_mesh_destroy(c->meshes[i]);
    }
}

graze_pose crowd_pose(test_random *random, double spread)
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

void crowd_fill(const crowd *c, test_random *random, graze_scene *scene, size_t count, double spread, uint32_t flags,
                graze_object *names, graze_pose *poses)
{
    for (size_t i = 0; i < count; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = c->meshes[i % CROWD_MESHES];
        def.tree = i % 3 == 0 ? c->trees[i % CROWD_MESHES] : NULL;
        def.pose = poses[i] = crowd_pose(random, spread);
        def.flags = flags;
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
}
