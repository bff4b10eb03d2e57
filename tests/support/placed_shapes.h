/* SPDX-License-Identifier: MIT */
/* A few generated meshes with trees of several leaf sizes, and poses of every kind. */
#ifndef SUPPORT_PLACED_SHAPES_H
#define SUPPORT_PLACED_SHAPES_H

#include "base/random.h"
#include "graze/pair.h"

enum
{
    PLACED_SHAPES = 7,
    PLACED_LEAF_SIZES = 3,
    POSE_KINDS = 10,
    POSE_FLATTENED = 6, /* without inverse */
    POSE_FAR = 7,
    POSE_TINY = 8
};

typedef struct placed_shapes
{
    graze_mesh *meshes[PLACED_SHAPES];
    graze_tree *trees[PLACED_SHAPES][PLACED_LEAF_SIZES];
} placed_shapes;

placed_shapes *placed_shapes_create(void);
void placed_shapes_destroy(placed_shapes *shapes);

/* A random rotation and a translation of up to `extent` along each axis. */
graze_pose placed_pose(grz_random *random, double extent);

/* Poses for two meshes, by kind: generic, on grids, common, scaled, mirrored, sheared, flattened, both far away (at
   1e12), tiny, and far from each other. */
void placed_poses(grz_random *random, unsigned kind, graze_pose *a, graze_pose *b);

#endif
