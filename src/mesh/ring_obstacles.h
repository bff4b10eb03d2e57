/* SPDX-License-Identifier: MIT */
/*
 * The nodes of a ring that may block an ear, in a BVH. Boxes always bound the obstacles that remain, so searches get
 * faster as a ring gets smaller.
 */
#ifndef GRZ_MESH_RING_OBSTACLES_H
#define GRZ_MESH_RING_OBSTACLES_H

#include "mesh/ring.h"

typedef struct grz_obstacle_box
{
    double lower[2], upper[2]; /* lower > upper: no obstacles */
} grz_obstacle_box;

typedef struct grz_obstacles
{
    const grz_ring *ring;
    uint32_t *slots;         /* of every node: its slot in the tree */
    uint32_t *nodes;         /* by slot */
    bool *present;           /* by slot */
    grz_obstacle_box *boxes; /* a heap: children of b are 2b and 2b + 1; leaves from leaf_count on */
    uint32_t slot_count, leaf_count;
} grz_obstacles;

/* No obstacles yet. False: out of memory. */
bool grz_obstacles_create(grz_obstacles *obstacles, grz_arena *arena, const grz_ring *ring, uint32_t start,
                          size_t count);

void grz_obstacles_set(grz_obstacles *obstacles, uint32_t node, bool present);

/* Sets many at once: first all of these, then one grz_obstacles_refit. */
void grz_obstacles_set_later(grz_obstacles *obstacles, uint32_t node, bool present);
void grz_obstacles_refit(grz_obstacles *obstacles);

/* Whether `blocks_ear` holds for any obstacle in the closed triangle, whose corners are counter-clockwise. It is called
   for obstacles near the triangle and must itself test where they lie. */
typedef bool grz_obstacle_test(const void *user, uint32_t node, const uint32_t corners[3]);
bool grz_obstacles_any(const grz_obstacles *obstacles, const uint32_t corners[3], grz_obstacle_test *blocks_ear,
                       const void *user);

#endif
