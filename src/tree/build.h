/* SPDX-License-Identifier: MIT */
/*
 * The stages of building a tree:
 *
 *  - build_grid.c sorts the triangles of a large range into the cells of a grid and splits the cells;
 *  - build_sah.c splits a range of triangles, or of cells, in two by the surface area heuristic;
 *  - build_agglomerative.c does so by clustering, for small meshes;
 *  - build_groups.c puts triangles together that are split no further;
 *  - build_subtree.c grows a binary hierarchy over a few thousand triangles that way and folds it into nodes of eight;
 *  - build.c leads through all that, and puts the nodes together;
 *  - fit.c writes what depends on the vertices.
 *
 * Only fitting must be certain. What stands here steers, so that floats, and boxes on a grid of 16 bits, will do.
 * Everything depends on the mesh alone: not on the number of threads, nor on the instruction set.
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

/* A box in tree coordinates, of a triangle, of a group of triangles or of a cell. Two 16-byte halves, so that each
   moves as one. */
typedef struct grz_reference
{
    _Alignas(16) float lower[3];
    uint32_t triangle; /* of a group: where its first one stands among all */
    float upper[3];
    uint32_t weight; /* triangles */
} grz_reference;

/* The same box on a grid, in half the space; see simd/i16x8.h. */
typedef struct grz_quantized_reference
{
    _Alignas(16) int16_t lower[3];
    uint16_t index; /* of its reference */
    int16_t negative_upper[3];
    uint8_t bin;    /* it fell into last */
    uint8_t weight; /* triangles, 1 unless it is a group; those of a cell may be too many, see its reference */
} grz_quantized_reference;

/* What is being split. */
typedef struct grz_split_input
{
    grz_quantized_reference *items, *spare; /* as many */
    const grz_reference *references;        /* of triangles, of groups, or of cells */
    const grz_reference *members;           /* of the triangles in groups; NULL: there are none */
    bool cells;                             /* whether references are cells */
    uint32_t leaf_size;
    bool agglomerative; /* where no cut is good, clusters are tried; for up to GRZ_AGGLOMERATIVE_SIZE items */
} grz_split_input;

/* The triangles of an item that is no cell. */
static inline const grz_reference *grz_reference_members(const grz_split_input *field,
                                                         const grz_quantized_reference *item, uint32_t *out_count)
{
    const grz_reference *reference = &field->references[item->index];
    *out_count = item->weight;
    return field->members != NULL ? &field->members[reference->triangle] : reference;
}

/* A run of items and the box around theirs, as items are; a step of the grid. */
typedef struct grz_range
{
    _Alignas(16) int16_t box[8];
    float unit;
    uint32_t first, count;
    uint32_t weight; /* triangles */
} grz_range;

/* A range of items whose indices are set: chooses the grid and writes their boxes. */
grz_range grz_range_measure(const grz_split_input *field, uint32_t first, uint32_t count);

/* Half the surface of the range's box. */
float grz_range_area(const grz_range *range);

/* Whether the triangles of a range should share a leaf. */
bool grz_range_makes_leaf(const grz_split_input *field, const grz_range *range);

/* Splits a range in two, reordering its items. `halve` asks for equal numbers, which bounds the depth. */
void grz_range_split(const grz_split_input *field, const grz_range *range, bool halve, grz_range out_halves[2]);

/* Triangles that share a leaf fill its box: the sum of their boxes' areas is this share of its area at least. */
#define GRZ_COMPACT_SHARE 1.0f

enum
{
    GRZ_AGGLOMERATIVE_SIZE = 64 /* triangles of a mesh, up to which clusters are tried */
};

/* Two clusters of a range's items, of which there are two or more and up to GRZ_AGGLOMERATIVE_SIZE: the bits of those
   in the first, which is neither empty nor all. */
uint64_t grz_range_agglomerate(const grz_split_input *field, const grz_range *range);

/* Puts triangles that stand next to each other together where they are compact, as the two halves of a quadrangle are:
   fills `groups` and sets the items' indices and weights. There is room for a group a triangle; gives how many there
   are. `most` is how many may go together. */
uint32_t grz_groups_make(const grz_reference *references, uint32_t count, uint32_t most, grz_reference *groups,
                         grz_quantized_reference *items);

/* How many times `count` things must be halved until single ones are left. */
uint32_t grz_median_depth(size_t count);

/*
 * A binary hierarchy. Branches come after those below them, leaves in the order of the items. A child is the
 * number of a branch, or of a leaf with GRZ_LEAF_FLAG.
 *
 * costs[s - 1]: what the nodes of eight below cost at least when the branch may take s places of the node above;
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

/* The children of the node of eight that a branch becomes, from left to right; gives their number. */
int grz_binary_tree_collapse(const grz_binary_tree *binary_tree, uint32_t branch,
                             uint32_t out_children[GRZ_TREE_WIDTH]);

/* Which children a node has; which triangles of the order a leaf. */
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
    GRZ_SUBTREE_SIZE = 8192 /* triangles; what a subtree works on stays in the second-level cache */
};

/* Nodes and leaves over some triangles, parents and left ones first. */
typedef struct grz_subtree
{
    const grz_reference *references;
    uint32_t first, count; /* in the order */
    uint32_t depth;        /* of its root in the binary hierarchy */
    float node_cost;
    bool failed;   /* out of memory, or stopped */
    uint32_t root; /* 0, or the only leaf with GRZ_LEAF_FLAG */
    GRZ_ARRAY(grz_node_plan) nodes;
    GRZ_ARRAY(grz_leaf_plan) leaves;
    uint32_t levels;                 /* of nodes */
    uint32_t node_start, leaf_start; /* of its own in the whole tree */
} grz_subtree;

/* Fills in a subtree's nodes and leaves, and its part of the order. Up to `group_size` triangles go together at once.
   The monitor may be NULL; it fails when that stops it. */
void grz_subtree_build(const graze_context *context, grz_shared_monitor *monitor, grz_subtree *subtree,
                       uint32_t leaf_size, uint32_t group_size, uint32_t *order);

/* All subtrees from left to right, and the branches over them, whose leaves they are. */
typedef struct grz_build_plan
{
    const graze_context *context;
    grz_shared_monitor *monitor; /* may be NULL */
    uint32_t leaf_size, group_size;
    float node_cost; /* of any node, beside half the surface of its box */
    GRZ_ARRAY(grz_subtree) subtrees;
    grz_binary_tree binary_tree;
    uint32_t root;
} grz_build_plan;

/* Cuts references within a box into subtrees. They may end up in either of the two arrays, so that both must live as
   long as the subtrees grow. False when out of memory, or stopped. */
bool grz_build_plan_subdivide(grz_build_plan *plan, grz_reference *references, grz_reference *spare, size_t count,
                              const float lower[3], const float upper[3]);

#endif
