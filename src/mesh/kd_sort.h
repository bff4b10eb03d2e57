/* SPDX-License-Identifier: MIT */
/*
 * Sorts points into the leaves of a balanced k-d tree (Bentley 1975), so that neighbours in space are neighbours in the
 * array: recursive splits at the median along the longest side of the bounds.
 */
#ifndef GRZ_MESH_KD_SORT_H
#define GRZ_MESH_KD_SORT_H

#include <stddef.h>
#include <stdint.h>

enum
{
    GRZ_KD_LEAF_SIZE = 8
};

typedef struct grz_kd_point
{
    double position[3]; /* two dimensions: leave the third 0 */
    uint32_t number;    /* the caller's */
} grz_kd_point;

/* The number of leaves of a tree over this many points: a power of two. Leaf l holds the points from l *
   GRZ_KD_LEAF_SIZE on; the last ones may be empty. In a heap of boxes whose root is 1, the leaves start at
   leaf_count. */
size_t grz_kd_leaf_count(size_t point_count);

void grz_kd_sort(grz_kd_point *points, size_t count);

#endif
