/* SPDX-License-Identifier: MIT */
/*
 * The octree of octree.c: octants with object arrays, objects with octant arrays, each entry of one naming its place
 * in the other (Zachmann's thesis, section 5.4 and "Overkill" in 5.5), so that nothing is ever searched for.
 *
 * Voxels, the smallest octants, are cubes with sides of a power of two; integer coordinates of voxels are exact: a
 * float times a power of two, rounded down, less that of the first one. What lies outside counts as in the voxel at the
 * border next to it. That is monotone, so boxes that share a point share a voxel.
 */
#ifndef GRZ_BROAD_OCTREE_H
#define GRZ_BROAD_OCTREE_H

#include "broad/list_pool.h"
#include "broad/method.h"

enum
{
    GRZ_OCTREE_DEPTH = 10, /* at most: 1024 voxels on an axis */
    GRZ_OCTREE_NO_LEVEL = 255
};

/* Voxels, from `lower` to `upper` on each axis. */
typedef struct grz_voxel_range
{
    int32_t lower[3], upper[3];
} grz_voxel_range;

typedef struct grz_octant
{
    uint32_t children[8];    /* 0: none; octants are counted from 1 */
    uint32_t parent;         /* also links free octants */
    int32_t lower[3];        /* its first voxel */
    uint8_t level;           /* it has 2^level voxels on each axis */
    uint8_t slot;            /* of its parent's children */
    uint32_t below;          /* objects in it and in all octants below, each as often as it is there */
    grz_pooled_list objects; /* links to objects, with the place in their octant arrays */
} grz_octant;

typedef struct grz_octree_object
{
    grz_voxel_range voxels;
    uint8_t level;           /* of the octants it is in; GRZ_OCTREE_NO_LEVEL: it is not in the tree */
    bool outside;            /* it is not wholly in the tree's cube */
    grz_pooled_list octants; /* links to octants, with the place in their object arrays */
} grz_octree_object;

typedef struct grz_octree_index
{
    GRZ_ARRAY(grz_octant) octants; /* the first is the root */
    uint32_t free;
    GRZ_ARRAY(grz_octree_object) objects; /* by number of the box */
    grz_list_pool links;
    double per_unit;   /* voxels along a unit of length: a power of two */
    int32_t origin[3]; /* the first voxel, counted from where the coordinates are 0 */
    int depth;
    size_t outside;       /* objects that are not wholly in the cube */
    size_t built_count;   /* boxes when the cube was chosen */
    size_t built_outside; /* of these, outside then */
} grz_octree_index;

/* Room for objects with ids below `limit`; new ones are not in the tree. False when out of memory. */
bool grz_octree_reserve(const graze_context *context, grz_octree_index *tree, uint32_t limit);

/* Empties the tree and chooses the cube, and the size of voxels, from the boxes of a view. False when out of memory. */
bool grz_octree_reset(const graze_context *context, grz_octree_index *tree, const grz_aabb_view *view);

/* The voxels that a box touches. */
grz_voxel_range grz_octree_voxels(const grz_octree_index *tree, const grz_fat_aabb *box, bool *out_outside);

/* Puts an object where its box is now, leaving alone what stays. False when out of memory. */
bool grz_octree_move(const graze_context *context, grz_octree_index *tree, uint32_t id, const grz_fat_aabb *box);

/* Takes an object out, if it is in. */
void grz_octree_remove(grz_octree_index *tree, uint32_t id);

void grz_octree_release(const graze_context *context, grz_octree_index *tree);
size_t grz_octree_memory(const grz_octree_index *tree);
bool grz_octree_validate(const grz_octree_index *tree, const grz_aabb_view *view);

static inline const grz_octant *grz_octree_octant(const grz_octree_index *tree, uint32_t octant)
{
    return &tree->octants.data[octant - 1];
}

#endif
