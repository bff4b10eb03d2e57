/* SPDX-License-Identifier: MIT */
/*
 * The stages of building a tree:
 *
 *  - build_split.c splits a range of triangles in two by the surface area heuristic;
 *  - build_grove.c grows a binary hierarchy over a range that way and folds it into nodes of eight;
 *  - build.c cuts the mesh into ranges to grow apart from one another, and puts their nodes together;
 *  - fit.c writes what depends on the vertices.
 *
 * Only fitting must be certain. What stands here steers, so that floats will do.
 */
#ifndef GRZ_TREE_BUILD_H
#define GRZ_TREE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/strict.h"
#include "tree/tree.h"

/* A triangle's box in tree coordinates. Two 16-byte halves, so that each moves as one. */
typedef struct grz_reference
{
    _Alignas(16) float lower[3];
    uint32_t triangle;
    float upper[3];
    uint32_t unused;
} grz_reference;

/* A run of references, the box around them, and the box around the centres of theirs, doubled. Fourth numbers mean
   nothing. */
typedef struct grz_range
{
    _Alignas(16) float lower[4], upper[4];
    float centre_lower[4], centre_upper[4];
    size_t first, count;
} grz_range;

grz_range grz_range_make(const grz_reference *references, size_t first, size_t count);

/* Half the surface of the range's box. */
float grz_range_area(const grz_range *range);

/* Whether the triangles of a range should share a leaf. */
bool grz_range_makes_leaf(const grz_reference *references, const grz_range *range, uint32_t leaf_size);

/* Splits a range in two, reordering its references; `spare` has room for as many from the same place on. `balanced`
   asks for equal halves, which bounds the depth. Deterministic: depends only on the references and their order. */
void grz_range_split(grz_reference *references, grz_reference *spare, const grz_range *range, uint32_t leaf_size,
                     bool balanced, grz_range out_halves[2]);

/* Whether a range must be halved so that the depth of the tree stays below GRZ_TREE_MAX_DEPTH. */
bool grz_range_is_deep(const grz_range *range, uint32_t depth);

/*
 * A binary hierarchy. Branches come after those below them, leaves in the order of the references. A child is the
 * number of a branch, or of a leaf with GRZ_LEAF_FLAG.
 *
 * costs[s - 1]: what the nodes of eight below cost at least when the branch may take s places of the node above;
 * lefts[s - 1]: how many of them its left child gets then.
 */
typedef struct grz_branch
{
    uint32_t children[2];
    float costs[GRZ_TREE_WIDTH];
    uint8_t lefts[GRZ_TREE_WIDTH];
} grz_branch;

typedef GRZ_ARRAY(grz_branch) grz_branches;

/* Adds a branch over two children, whose nodes have the half surface `area`. */
bool grz_branches_add(const graze_context *context, grz_branches *branches, uint32_t left, uint32_t right, float area,
                      uint32_t *out_child);

/* The children of the node of eight that a branch becomes, from left to right; gives their number. */
int grz_branches_fold(const grz_branches *branches, uint32_t branch, uint32_t out_children[GRZ_TREE_WIDTH]);

/* Which children a node has; which references a leaf. */
typedef struct grz_node_plan
{
    uint32_t children[GRZ_TREE_WIDTH];
} grz_node_plan;

typedef struct grz_leaf_plan
{
    uint32_t first, count;
} grz_leaf_plan;

/* Nodes and leaves over one range, parents and left ones first. */
typedef struct grz_grove
{
    grz_range range;
    uint32_t depth; /* of its root in the binary hierarchy */
    bool failed;    /* for want of memory */
    uint32_t root;  /* 0, or the only leaf with GRZ_LEAF_FLAG */
    GRZ_ARRAY(grz_node_plan) nodes;
    GRZ_ARRAY(grz_leaf_plan) leaves;
    uint32_t levels;                 /* of nodes */
    uint32_t node_start, leaf_start; /* of its own in the whole tree */
} grz_grove;

/* Fills in a grove's nodes and leaves from its range. */
void grz_grove_grow(const graze_context *context, grz_grove *grove, grz_reference *references, grz_reference *spare,
                    uint32_t leaf_size);

#endif
