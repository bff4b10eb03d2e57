/* SPDX-License-Identifier: MIT */
/* A scene workload for tests: a few meshes with their trees, and objects of them at random poses in a cage. */
#ifndef SUPPORT_SCENE_MESHES_H
#define SUPPORT_SCENE_MESHES_H

#include "graze/scene.h"
#include "support/random.h"

enum
{
    SCENE_MESHES = 4
};

typedef struct scene_meshes
{
    graze_mesh *meshes[SCENE_MESHES]; /* within 1.5 of their origins */
    graze_tree *trees[SCENE_MESHES];
} scene_meshes;

void scene_meshes_make(scene_meshes *c);
void scene_meshes_release(scene_meshes *c);

/* A random rotation, and a position at most `spread` from the origin along each axis. */
graze_pose scene_random_pose(test_random *random, double spread);

/* Adds `count` objects, of all meshes in turn; stores their names and poses. */
void scene_meshes_fill(const scene_meshes *c, test_random *random, graze_scene *scene, size_t count, double spread,
                       uint32_t flags, graze_object *names, graze_pose *poses);

#endif
