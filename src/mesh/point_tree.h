/* SPDX-License-Identifier: MIT */
/*
 * A BVH over points, to find those near a segment. Works on coordinates scaled into [-1, 1] by a power of two; scaling
 * rounds only numbers below 1e-300 of the largest, and it is monotonic, so no point on a segment is missed.
 */
#ifndef GRZ_MESH_POINT_TREE_H
#define GRZ_MESH_POINT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/context.h"
#include "mesh/kd_sort.h"

typedef struct grz_tree_box
{
    double lower[3], upper[3];
} grz_tree_box;

typedef struct grz_point_tree
{
    grz_kd_point *points; /* sorted into leaves; owned by the caller */
    size_t point_count;
    grz_tree_box *boxes; /* a heap: children of b are 2b and 2b + 1; leaves from leaf_count on */
    size_t leaf_count;
} grz_point_tree;

/* Reorders the points. False: out of memory. Release tree->boxes. */
bool grz_point_tree_create(grz_point_tree *tree, const graze_context *context, grz_kd_point *points, size_t count);

/* Whether `accept` holds for a point near the segment from a to b (scaled). Every point of the segment is near it. */
typedef bool grz_point_test(const void *user, uint32_t number);
bool grz_point_tree_any(const grz_point_tree *tree, const double a[3], const double b[3], grz_point_test *accept,
                        const void *user);

#endif
