/* SPDX-License-Identifier: MIT */
/*
 * The generalised octree of Zachmann 1994, 5.6, which the thesis did not implement: objects are k-dops, and an octant
 * is compared with one on all k/2 axes. As the thesis proposes, octants are the cubes of the conventional octree; each
 * stands for the k-dop around it, so that octants of different corners of a cell are separated by diagonal planes, too.
 * Otherwise it is fixed_octree.h's: an octant that a dop covers, or that lies at the lowest level and meets it, has a
 * reference to the object. For the lab only: references, allocations and octants visited are counted.
 *
 * Sides of cubes are coordinates with few bits and axes have the coefficients 0 and +-1, so intervals of octants are
 * exact. A point that two dops have in common lies in a lowest octant whose intervals both meet: none is missed.
 */
#ifndef LAB_LITERATURE_DOP_OCTREE_H
#define LAB_LITERATURE_DOP_OCTREE_H

#include "graze/graze.h"
#include "literature/fixed_octree.h"

enum
{
    DOP_MOST_AXES = 13
};

/* The intervals of a set on all axes. */
typedef struct axis_dop
{
    double lower[DOP_MOST_AXES], upper[DOP_MOST_AXES];
} axis_dop;

/* The axes of the 6-, 14-, 18- and 26-dop. */
typedef struct dop_axes
{
    int count; /* k / 2 */
    double axes[DOP_MOST_AXES][3];
} dop_axes;

typedef struct dop_octree
{
    uint32_t depth; /* levels: 1 is the root alone */
    double half;    /* of the side of the root, whose centre is the origin */
    dop_axes axes;
    counted_array *octants; /* object arrays, level by level */
    counted_array *objects; /* octant arrays */
    axis_dop *dops;         /* of the objects */
    uint32_t object_count;
    counted_work work;
} dop_octree;

/* Of k = 6, 14, 18 or 26. */
dop_axes dop_axes_make(int k);
/* The dop of a placed mesh. */
axis_dop dop_around(const dop_axes *axes, const graze_mesh *mesh, const graze_pose *pose);
/* Whether they overlap on every axis; from three axes on that does not mean that they have a point in common. */
bool dops_overlap(const dop_axes *axes, const axis_dop *a, const axis_dop *b);
/* Whether two dops certainly have a point in common: a corner of their section is at least 1e-9 within all planes that
   do not make it. */
bool dops_share_point(const dop_axes *axes, const axis_dop *a, const axis_dop *b);

bool dop_octree_create(dop_octree *tree, int k, uint32_t depth, double half, uint32_t objects, uint32_t hysteresis);
void dop_octree_destroy(dop_octree *tree);
void dop_octree_insert(dop_octree *tree, uint32_t object, const axis_dop *dop);
void dop_octree_move(dop_octree *tree, uint32_t object, const axis_dop *dop);
/* Marks the objects that share an octant with this one, and itself. */
void dop_octree_mark_neighbours(dop_octree *tree, uint32_t object, bool *marks);
/* The slow twin: the same by comparing both dops with every lowest octant. */
bool dop_octree_is_shared(const dop_octree *tree, uint32_t a, uint32_t b);
/* Bytes of object arrays, and of octants as fixed_octree.h counts them. */
double dop_octree_bytes(const dop_octree *tree);

#endif
