/* SPDX-License-Identifier: MIT */
/* A crowd for tests of scenes: a few meshes with their trees, and objects of them at random poses in a cage. */
#ifndef SUPPORT_CROWD_H
#define SUPPORT_CROWD_H

#include "graze/scene.h"
#include "support/random.h"

enum
{
    CROWD_MESHES = 4
};

typedef struct crowd
{
    graze_mesh *meshes[CROWD_MESHES]; /* none reaches 1.5 from its origin */
    graze_tree *trees[CROWD_MESHES];
} crowd;

void crowd_make(crowd *c);
void crowd_release(crowd *c);

/* Turned anyhow, at most `spread` from the origin along each axis. */
graze_pose crowd_pose(test_random *random, double spread);

/* Adds objects of all meshes in turn; names and poses get `count` each. */
void crowd_fill(const crowd *c, test_random *random, graze_scene *scene, size_t count, double spread, uint32_t flags,
                graze_object *names, graze_pose *poses);

#endif
