/* SPDX-License-Identifier: MIT */
/*
 * The octree of Zachmann 1994, 5.4: of fixed depth over a cube, all octants made at the start. An octant that a box
 * covers, or that lies at the lowest level and meets it, has a reference to the box in its object array; arrays grow
 * and shrink with a hysteresis. For the lab only: references, allocations and octants visited are counted. The
 * library's octree is broad/octree_method.c.
 */
#ifndef LAB_LITERATURE_FIXED_OCTREE_H
#define LAB_LITERATURE_FIXED_OCTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    OCTREE_MOST_LEVELS = 6
};

/* Growing and shrinking array of references. */
typedef struct counted_array
{
    uint32_t *items;
    uint32_t count, capacity;
} counted_array;

/* What arrays and traversals did. */
typedef struct counted_work
{
    double allocations, reallocations, releases, bytes;
    double visited;    /* octants, or cells */
    double references; /* held now */
    uint32_t hysteresis;
    bool failed;
} counted_work;

void counted_push(counted_array *array, uint32_t item, counted_work *work);
/* Removes an item; false where it is not there. */
bool counted_remove(counted_array *array, uint32_t item, counted_work *work);

/* A box of voxels, both ends included. */
typedef struct voxel_box
{
    int lower[3], upper[3];
} voxel_box;

/* Parts of one box that another does not cover, at most six; 000 5.4.3. */
int voxel_difference(const voxel_box *box, const voxel_box *without, voxel_box parts[6]);
bool voxel_boxes_equal(const voxel_box *a, const voxel_box *b);
bool voxel_boxes_meet(const voxel_box *a, const voxel_box *b);

/* How the octree is kept up to date and asked. */
typedef enum octree_way
{
    OCTREE_NAIVE,         /* traversals from the root remove, insert and find */
    OCTREE_OCTANT_ARRAYS, /* an object knows its octants: removing and finding begin there */
    OCTREE_DIFFERENCE     /* and only what a move adds or leaves is changed */
} octree_way;

typedef struct fixed_octree
{
    uint32_t depth; /* levels: 1 is the root alone */
    octree_way way;
    counted_array *octants; /* object arrays, level by level */
    counted_array *objects; /* octant arrays */
    voxel_box *boxes;       /* of the objects */
    uint32_t object_count;
    counted_work work;
    uint32_t *stamps, stamp; /* objects found in the current query */
} fixed_octree;

bool octree_create(fixed_octree *tree, uint32_t depth, octree_way way, uint32_t objects, uint32_t hysteresis);
void octree_destroy(fixed_octree *tree);
void octree_insert(fixed_octree *tree, uint32_t object, const voxel_box *box);
void octree_move(fixed_octree *tree, uint32_t object, const voxel_box *box);
/* How many other objects of a larger number share an octant with this one. */
uint32_t octree_count_neighbours(fixed_octree *tree, uint32_t object);
/* References at a level, from 0 on. */
double octree_references(const fixed_octree *tree, uint32_t level);
/* Bytes of object arrays, and of octants as the thesis had them: eight links, an array and two numbers of 32 bits. */
double octree_bytes(const fixed_octree *tree);

#endif
