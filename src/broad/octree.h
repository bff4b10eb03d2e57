/* SPDX-License-Identifier: MIT */
/*
 * The octree of octree.c: octants with object arrays, objects with octant arrays, each entry storing its position in
 * the other array (Zachmann's thesis, section 5.4 and "Overkill" in 5.5), so that no list is ever searched.
 *
 * Voxels, the smallest octants, are cubes whose side is a power of two; integer voxel coordinates are exact: a float
 * times a power of two, rounded down, minus that of the first voxel. Coordinates outside the root cube are clamped to
 * its border voxels. That is monotone, so boxes that share a point share a voxel.
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
    uint32_t children[8];    /* 0: none; octants are numbered from 1 */
    uint32_t parent;         /* next one, in the list of free octants */
    int32_t lower[3];        /* its first voxel */
    uint8_t level;           /* it has 2^level voxels on each axis */
    uint8_t slot;            /* index among the children of its parent */
    uint32_t below;          /* entries of objects in it and in all octants below */
    grz_pooled_list objects; /* object ids, with the position in their octant arrays */
} grz_octant;

typedef struct grz_octree_object
{
    grz_voxel_range voxels;
    uint8_t level;           /* of the octants it is in; GRZ_OCTREE_NO_LEVEL: it is not in the tree */
    bool outside;            /* it is not entirely in the root cube */
    grz_pooled_list octants; /* octants, with the position in their object arrays */
} grz_octree_object;

typedef struct grz_octree_index
{
    GRZ_ARRAY(grz_octant) octants; /* the first is the root */
    uint32_t free;
    GRZ_ARRAY(grz_octree_object) objects; /* by box id */
    grz_list_pool links;
    double per_unit;   /* voxels per unit of length: a power of two */
    int32_t origin[3]; /* coordinates of the first voxel */
    int depth;
    size_t outside;       /* objects that are not entirely in the root cube */
    size_t built_count;   /* boxes when the root cube was chosen */
    size_t built_outside; /* of these, outside at that time */
} grz_octree_index;

/* Reserves objects with ids below `limit`; new ones are not in the tree. False when out of memory. */
bool grz_octree_reserve(const graze_context *context, grz_octree_index *tree, uint32_t limit);

/* Clears the tree and chooses root cube and voxel size from the boxes of a view. False when out of memory. */
bool grz_octree_reset(const graze_context *context, grz_octree_index *tree, const grz_aabb_view *view);

/* The voxels that a box touches. */
grz_voxel_range grz_octree_voxels(const grz_octree_index *tree, const grz_fat_aabb *box, bool *out_outside);

/* Inserts or moves an object; octants that it keeps are not changed. False when out of memory. */
bool grz_octree_move(const graze_context *context, grz_octree_index *tree, uint32_t id, const grz_fat_aabb *box);

/* Removes an object, if it is in the tree. */
void grz_octree_remove(grz_octree_index *tree, uint32_t id);

void grz_octree_release(const graze_context *context, grz_octree_index *tree);
size_t grz_octree_memory(const grz_octree_index *tree);
bool grz_octree_validate(const grz_octree_index *tree, const grz_aabb_view *view);

static inline const grz_octant *grz_octree_octant(const grz_octree_index *tree, uint32_t octant)
{
    return &tree->octants.data[octant - 1];
}

#endif
