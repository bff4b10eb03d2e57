/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Trees: the order in which a mesh is searched. Built once, immutable, shared by threads; queries find hits through
 * them in time that grows with the answer rather than with the meshes.
 */
#ifndef GRAZE_TREE_H
#define GRAZE_TREE_H

#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

typedef struct graze_tree graze_tree;

/// How a tree is built. Start from graze_tree_def_default().
typedef struct graze_tree_def
{
    uint32_t leaf_size; ///< triangles a leaf may hold, 1 to 8
} graze_tree_def;

GRAZE_API graze_tree_def graze_tree_def_default(void);

/// Builds the tree of a mesh, which must outlive it. `def` may be NULL. The caller owns *out_tree.
GRAZE_API graze_status graze_tree_create(const graze_context *context, const graze_mesh *mesh,
                                         const graze_tree_def *def, graze_tree **out_tree);
GRAZE_API void graze_tree_destroy(graze_tree *tree);

/// What a tree looks like.
typedef struct graze_tree_facts
{
    uint64_t triangles, leaves, nodes;
    uint32_t depth;
    uint64_t bytes; ///< of nodes, leaves and order, without the mesh
    double fill;    ///< mean share of leaf places that are used
    double cost;    ///< sum of all boxes' areas over that of the root's (surface area heuristic): lower is better
} graze_tree_facts;

GRAZE_API graze_tree_facts graze_tree_examine(const graze_tree *tree);

/// Checks every invariant against the mesh: each triangle in exactly one leaf, each box, slab and leaf holding what is
/// below it. GRAZE_STATUS_INTERNAL when one is broken. For tests and for trees from outside.
GRAZE_API graze_status graze_tree_validate(const graze_context *context, const graze_tree *tree);

GRAZE_END_DECLS

#endif
