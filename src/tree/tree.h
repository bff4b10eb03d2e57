/* SPDX-License-Identifier: MIT */
/*
 * src/tree: hierarchies over a mesh: build, layout, validate. May use base, math, exact, simd and mesh.
 *
 * Layout. Tree coordinates are (v - origin) / 2^exponent, which lie in [-1, 1]; floats hold them rounded outward. A
 * node holds the boxes of up to eight children as structure of arrays, and for each child a slab: a direction close to
 * the mean normal of its triangles and the interval they span along it. Close parallel surfaces, such as nested shells
 * or mated faces, overlap in boxes at every level but not in slabs.
 *
 * A leaf holds up to eight triangles as 16-bit coordinates on a grid of its own: corner = centre + unit * q, where
 * centre is a float triple and unit a power of two, so that unit * q is exact in float. The real corner, in tree
 * coordinates, is off that by at most GRZ_GRID_ERROR units on each axis. Leaves steer the search; decisions are made on the mesh's
 * own numbers.
 */
#ifndef GRZ_TREE_TREE_H
#define GRZ_TREE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/tree.h"
#include "simd/kernels.h"

enum
{
    GRZ_TREE_WIDTH = GRZ_LANES,
    GRZ_TREE_MAX_DEPTH = 64
};

#define GRZ_LEAF_FLAG UINT32_C(0x80000000)
#define GRZ_NO_CHILD UINT32_MAX

/* An absent child has an inverted box (lower = +inf, upper = -inf), which overlaps nothing. A child without a slab has
   the normal 0 and the widest interval. */
typedef struct grz_node
{
    grz_boxes8 boxes;
    uint32_t children[GRZ_TREE_WIDTH]; /* node index, or leaf index with GRZ_LEAF_FLAG */
} grz_node;

typedef struct grz_leaf
{
    grz_triangles8 triangles; /* unused places repeat place 0 */
    uint32_t first;           /* place of its first triangle in tree->order */
    uint32_t count;
} grz_leaf;

struct graze_tree
{
    graze_context context;
    const graze_mesh *mesh;
    double origin[3];
    int exponent;
    double scale, shrink;     /* 2^exponent and its inverse */
    bool usable;              /* false at the far ends of the double range, where queries go without the tree */
    float lower[3], upper[3]; /* box around everything */
    void *node_memory;
    grz_node *nodes; /* nodes[0] is the root; aligned, within node_memory */
    size_t node_count;
    grz_leaf *leaves;
    size_t leaf_count;
    uint32_t *order; /* triangles in the order of the leaves */
    size_t triangle_count;
    uint32_t depth;
};

#endif
