/* SPDX-License-Identifier: MIT */
/*
 * Random shapes of every kind on a small grid, so that they touch often: integer coordinates, radii that meet exactly
 * (3-4-5), or are one unit in the last place off, and poses that keep or leave the grid.
 */
#ifndef SUPPORT_RANDOM_SHAPES_H
#define SUPPORT_RANDOM_SHAPES_H

#include "graze/shape.h"
#include "support/random.h"

enum
{
    MOST_INNER_SHAPES = 4
};

typedef struct random_shape
{
    graze_shape *shape;
    graze_mesh *mesh;                      /* of a mesh; or NULL */
    graze_shape *inner[MOST_INNER_SHAPES]; /* cores and parts */
    graze_mesh *inner_meshes[MOST_INNER_SHAPES];
    graze_shape *inside, *around; /* of curved kinds: hulls inside and around it; or NULL */
} random_shape;

/* Of any kind; parts of compounds are no compounds. */
void random_shape_make(test_random *random, graze_shape_kind kind, random_shape *out);

/* The same times a power of two. */
void random_shape_make_scaled(test_random *random, graze_shape_kind kind, double scale, random_shape *out);
void random_shape_clear(random_shape *shape);

/* A pose that all kinds may have: identity, quarter turns, mirrors, rotations from integer quaternions; translations on
   the grid, beside it by an ulp, or anywhere near. */
graze_pose random_rigid_pose(test_random *random);

/* The same, or for polytopes sometimes one that scales, shears or is singular. */
graze_pose random_pose_for(test_random *random, const graze_shape *shape);

#endif
