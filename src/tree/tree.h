/* SPDX-License-Identifier: MIT */
/*
 * src/tree: BVHs over a mesh: build, layout, refit, validate, save and map. May use base, math, simd and mesh.
 *
 * Layout. Tree coordinates are (v - origin) / 2^exponent with v the scaled vertices (mesh/mesh.h), which lie in [-1,
 * 1]; floats hold them rounded outward. A node holds the boxes of up to eight children as structure of arrays, and for
 * each child an oriented slab (one k-DOP direction): a direction close to the mean normal of its triangles and the
 * interval they span along it. Close parallel surfaces, such as nested shells or mated faces, overlap in boxes at every
 * level but not in slabs.
 *
 * Everything is in depth-first order, children from left to right: parents before their children, leaves and the
 * triangles in `order` as they are visited. So a subtree is one contiguous range of leaves and one of triangles. The
 * children of a node take its first lanes.
 *
 * A leaf holds up to eight triangles quantised to 16 bits on a grid of its own: corner = centre + unit * q, where
 * centre is a float triple and unit a power of two, so that unit * q is exact in float. The real corner, in tree
 * coordinates, differs by at most GRZ_QUANTIZATION_ERROR units on each axis. Leaves only guide the search; the mesh's
 * own numbers decide.
 */
#ifndef GRZ_TREE_TREE_H
#define GRZ_TREE_TREE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "graze/tree.h"
#include "simd/kernels.h"

enum
{
    GRZ_TREE_WIDTH = GRZ_LANES,
    GRZ_TREE_MAX_DEPTH = 64,
    GRZ_TREE_ALIGNMENT = 64
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
    grz_triangles8 triangles; /* unused lanes repeat lane 0 */
    uint32_t first;           /* index of its first triangle in tree->order */
    uint32_t count;
} grz_leaf;

/* Groups of the leaves of a small tree, one that is a single node (leaf_groups.h); in sets of triangles, bit 8 lane + k
   is triangle k of the leaf in that lane. */
typedef struct grz_leaf_groups
{
    unsigned count;
    unsigned lanes[GRZ_TREE_WIDTH];   /* of each group, */
    uint64_t members[GRZ_TREE_WIDTH]; /* their triangles, */
    grz_boxes8 boxes;                 /* and the box around them, without a slab */
    uint64_t present;                 /* all triangles */
    float thickness;                  /* the largest middle extent of a group's box */
    unsigned slanted;                 /* lanes with triangles that are not axis-aligned */
} grz_leaf_groups;

struct graze_tree
{
    graze_context context;
    const graze_mesh *mesh;
    double origin[3];
    int exponent;
    double scale, inverse_scale; /* 2^exponent and its inverse */
    bool usable;              /* false where vertices could not be scaled for lack of memory: queries do not use it */
    float lower[3], upper[3]; /* bounds of the whole */
    grz_boxes8 whole;         /* the same as the only box of a node */
    grz_leaf_groups groups;
    grz_node *nodes; /* nodes[0] is the root; aligned to 64 bytes */
    size_t node_count;
    grz_leaf *leaves;
    size_t leaf_count;
    uint32_t *order; /* triangles in the order of the leaves */
    size_t triangle_count;
    uint32_t depth;
    double cost, built_cost;                        /* see graze_tree_facts; when built, before any refit */
    void *node_memory, *leaf_memory, *order_memory; /* its own; NULL where it points into memory of the caller */
    void (*release)(void *user);                    /* called last, may be NULL */
    void *release_user;
};

/* Positions of the sections of a tree in one block: the nodes first. */
typedef struct grz_tree_parts
{
    size_t leaves, order, size;
} grz_tree_parts;

grz_tree_parts grz_tree_parts_of(size_t node_count, size_t leaf_count, size_t order_count);

/* Copies the sections of a tree into one block of its own. */
graze_status grz_tree_own(graze_tree *tree);

/* Makes a lane of a node an absent child. */
static inline void grz_node_clear_child(grz_node *node, int lane)
{
    for (int axis = 0; axis < 3; axis++)
    {
        node->boxes.lower[axis][lane] = INFINITY;
        node->boxes.upper[axis][lane] = -INFINITY;
        node->boxes.normal[axis][lane] = 0;
    }
    node->boxes.slab_lower[lane] = -FLT_MAX;
    node->boxes.slab_upper[lane] = FLT_MAX;
    node->children[lane] = GRZ_NO_CHILD;
}

/* Boxes of a node without children. */
static inline grz_boxes8 grz_no_boxes(void)
{
    grz_node node;
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
        grz_node_clear_child(&node, lane);
    return node.boxes;
}

/* Sets the bounds of the whole. */
static inline void grz_tree_set_bounds(graze_tree *tree, const float lower[3], const float upper[3])
{
    tree->whole = grz_no_boxes();
    for (int axis = 0; axis < 3; axis++)
    {
        tree->whole.lower[axis][0] = tree->lower[axis] = lower[axis];
        tree->whole.upper[axis][0] = tree->upper[axis] = upper[axis];
    }
}

#endif
