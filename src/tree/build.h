/* SPDX-License-Identifier: MIT */
/*
 * The stages of building a BVH:
 *
 * build_grid.c sorts the triangles of a large range into the cells of a grid and splits the cells.
 *
 * build_sah.c splits a range of triangles, or of cells, in two by the surface area heuristic.
 *
 * build_agglomerative.c does so by agglomerative clustering, for small meshes.
 *
 * build_groups.c groups triangles that are split no further.
 *
 * build_subtree.c builds a binary BVH over a few thousand triangles that way and collapses it to nodes of eight.
 *
 * build.c runs these stages, and joins the nodes; fit.c writes all that depends on the vertices.
 *
 * Only fitting must be conservative. The stages here only choose the structure, so that floats, and boxes quantised to
 * 16 bits, suffice. The result depends on the mesh alone: not on the number of threads, nor on the instruction set.
 */
#ifndef GRZ_TREE_BUILD_H
#define GRZ_TREE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/shared_monitor.h"
#include "base/strict_float.h"
#include "tree/tree.h"

/* A reference: the box, in tree coordinates, of a triangle, of a group of triangles or of a cell. Two 16-byte halves,
   so that each moves as one. */
typedef struct grz_reference
{
    _Alignas(16) float lower[3];
    uint32_t triangle; /* of a group: index of its first one among all */
    float upper[3];
    uint32_t weight; /* number of triangles */
} grz_reference;

/* The same box quantised, in half the space; see simd/i16x8.h. */
typedef struct grz_quantized_reference
{
    _Alignas(16) int16_t lower[3];
    uint16_t index; /* of its reference */
    int16_t negative_upper[3];
    uint8_t bin; /* bin it fell into last */
    uint8_t
        weight; /* number of triangles, 1 unless it is a group; those of a cell may be too many, see its reference */
} grz_quantized_reference;

/* Items to be split. */
typedef struct grz_split_input
{
    grz_quantized_reference *items, *spare; /* as many */
    const grz_reference *references;        /* of triangles, of groups, or of cells */
    const grz_reference *members;           /* of the triangles in groups; NULL: there are none */
    bool cells;                             /* whether references are cells */
    uint32_t leaf_size;
    bool agglomerative; /* where no split is good, clustering is tried; for up to GRZ_AGGLOMERATIVE_SIZE items */
} grz_split_input;

/* The triangles of an item that is no cell. */
static inline const grz_reference *grz_reference_members(const grz_split_input *input,
                                                         const grz_quantized_reference *item, uint32_t *out_count)
{
    const grz_reference *reference = &input->references[item->index];
    *out_count = item->weight;
    return input->members != NULL ? &input->members[reference->triangle] : reference;
}

/* A contiguous range of items and their bounds, quantised as items are; the step of the grid. */
typedef struct grz_range
{
    _Alignas(16) int16_t box[8];
    float unit;
    uint32_t first, count;
    uint32_t weight; /* number of triangles */
} grz_range;

/* A range of items whose indices are set: chooses the grid and writes their boxes. */
grz_range grz_range_measure(const grz_split_input *input, uint32_t first, uint32_t count);

/* Half the surface area of the range's box. */
float grz_range_area(const grz_range *range);

/* Whether the triangles of a range should share a leaf. */
bool grz_range_makes_leaf(const grz_split_input *input, const grz_range *range);

/* Splits a range in two, reordering its items. `halve` asks for equal numbers, which bounds the depth. */
void grz_range_split(const grz_split_input *input, const grz_range *range, bool halve, grz_range out_halves[2]);

/* Triangles share a leaf only if they fill its box: the sum of their boxes' areas is at least this fraction of its
   area. */
#define GRZ_COMPACT_SHARE 1.0f

enum
{
    GRZ_AGGLOMERATIVE_SIZE = 64 /* triangles of a mesh, up to which clustering is tried */
};

/* Two clusters of a range's items, of which there are two or more and up to GRZ_AGGLOMERATIVE_SIZE: the bits of those
   in the first, which is neither empty nor all. */
uint64_t grz_range_agglomerate(const grz_split_input *input, const grz_range *range);

/* Groups triangles that follow each other where they are compact, as the two halves of a quadrangle are: fills `groups`
   and sets the items' indices and weights. There is room for a group per triangle; returns how many there are. `most`
   is the largest group. */
uint32_t grz_groups_make(const grz_reference *references, uint32_t count, uint32_t most, grz_reference *groups,
                         grz_quantized_reference *items);

/* How many times `count` elements must be halved until single ones remain. */
uint32_t grz_median_depth(size_t count);

/*
 * A binary BVH. Branches come after those below them, leaves in the order of the items. A child is the number of a
 * branch, or of a leaf with GRZ_LEAF_FLAG.
 *
 * costs[s - 1]: the least cost of the nodes of eight below when the branch may take s children of the node above;
 * lefts[s - 1]: how many of them its left child gets then, or 0 when it becomes a node itself.
 */
typedef struct grz_binary_node
{
    uint32_t children[2];
    float costs[GRZ_TREE_WIDTH];
    uint8_t lefts[GRZ_TREE_WIDTH];
} grz_binary_node;

typedef GRZ_ARRAY(grz_binary_node) grz_binary_tree;

/* Adds a branch over two children, which costs `cost` when it becomes a node. */
bool grz_binary_tree_add(const graze_context *context, grz_binary_tree *binary_tree, uint32_t left, uint32_t right,
                         float cost, uint32_t *out_child);

/* The children of the node of eight that a branch collapses to, from left to right; returns their number. */
int grz_binary_tree_collapse(const grz_binary_tree *binary_tree, uint32_t branch,
                             uint32_t out_children[GRZ_TREE_WIDTH]);

/* The children of a node; the triangles of the order that a leaf holds. */
typedef struct grz_node_plan
{
    uint32_t children[GRZ_TREE_WIDTH];
} grz_node_plan;

typedef struct grz_leaf_plan
{
    uint32_t first, count;
} grz_leaf_plan;

enum
{
    GRZ_SUBTREE_SIZE = 8192 /* triangles; the working set of a subtree stays in the second-level cache */
};

/* Nodes and leaves over some triangles, parents and left ones first. */
typedef struct grz_subtree
{
    const grz_reference *references;
    uint32_t first, count; /* in the order */
    uint32_t depth;        /* of its root in the binary BVH */
    float node_cost;
    bool failed;   /* out of memory, or stopped */
    uint32_t root; /* 0, or the only leaf with GRZ_LEAF_FLAG */
    GRZ_ARRAY(grz_node_plan) nodes;
    GRZ_ARRAY(grz_leaf_plan) leaves;
    uint32_t levels;                 /* of nodes */
    uint32_t node_start, leaf_start; /* of its own in the whole tree */
} grz_subtree;

/* Builds a subtree's nodes and leaves, and its part of the order. Up to `group_size` triangles form a group. The
   monitor may be NULL; the build fails when it stops it. */
void grz_subtree_build(const graze_context *context, grz_shared_monitor *monitor, grz_subtree *subtree,
                       uint32_t leaf_size, uint32_t group_size, uint32_t *order);

/* All subtrees from left to right, and the branches over them, whose leaves they are. */
typedef struct grz_build_plan
{
    const graze_context *context;
    grz_shared_monitor *monitor; /* may be NULL */
    uint32_t leaf_size, group_size;
    float node_cost; /* of any node, in addition to half the surface area of its box */
    GRZ_ARRAY(grz_subtree) subtrees;
    grz_binary_tree binary_tree;
    uint32_t root;
} grz_build_plan;

/* Divides references within a box into subtrees. They may end up in either of the two arrays, so that both must live
   until the subtrees are built. False when out of memory, or stopped. */
bool grz_build_plan_subdivide(grz_build_plan *plan, grz_reference *references, grz_reference *spare, size_t count,
                              const float lower[3], const float upper[3]);

#endif
