/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Trees: the order in which a mesh is searched. Built once, immutable but for graze_tree_refit, shared by threads;
 * queries find hits through them in time that grows with the answer rather than with the meshes.
 */
#ifndef GRAZE_TREE_H
#define GRAZE_TREE_H

#include <stdbool.h>

#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

typedef struct graze_tree graze_tree;

/// How a tree is built. Start from graze_tree_def_default().
typedef struct graze_tree_def
{
    uint32_t leaf_size; ///< triangles a leaf may hold, 1 to 8
    bool quick;         ///< build it sooner, for a few queries: in two thirds of the time where a mesh names neighbours
                        ///< one after the other, as most do. Answers are the same; false
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
    double quality; ///< cost when built over cost now: 1 until refitted, then mostly less; below 0.5 rebuild
} graze_tree_facts;

GRAZE_API graze_tree_facts graze_tree_examine(const graze_tree *tree);

/// Checks every invariant against the mesh: each triangle in exactly one leaf, each box, slab and leaf holding what is
/// below it. GRAZE_STATUS_INTERNAL when one is broken. For tests and for trees from outside.
GRAZE_API graze_status graze_tree_validate(const graze_context *context, const graze_tree *tree);

/// Makes a tree right for vertices that have moved: every box, slab and leaf is fitted anew in one pass, which takes a
/// fraction of the time of building. `mesh` is the tree's own after graze_mesh_move_vertices, or another one
/// with as many triangles, which takes its place and must outlive the tree.
///
/// Answers stay exact whatever moved; they only take longer as the tree gets worse. `quality` of graze_tree_examine,
/// which costs nothing, tells by how much: build a new tree when it is below 0.5.
///
/// Fails with BAD_ARGUMENT when the number of triangles differs, and leaves the tree as it was. Allocates nothing,
/// except for a mapped tree, which is copied first (OUT_OF_MEMORY). A tree that was built at the far ends of the double
/// range, where queries go without, stays unused.
/// Thread safety: not while anything else uses the tree.
GRAZE_API graze_status graze_tree_refit(const graze_context *context, graze_tree *tree, const graze_mesh *mesh);

/// How many bytes graze_tree_save writes.
GRAZE_API size_t graze_tree_saved_size(const graze_tree *tree);

/// Writes a tree into a buffer of at least that size: one block without pointers, with version and checksum and the
/// fingerprint of its mesh. docs/formats.md describes it. BAD_ARGUMENT when the buffer is too small.
GRAZE_API graze_status graze_tree_save(const graze_tree *tree, void *buffer, size_t size);

/// Makes a tree from what graze_tree_save wrote, for the same mesh. Bytes aligned to 64 are used where they are:
/// nothing is copied, and they must stay there unchanged as long as the tree; others are copied.
///
/// All bytes are checked. Fails with BAD_FORMAT (not a saved tree), UNSUPPORTED (another version, or written by a
/// machine with another byte order), TRUNCATED, DAMAGED, OTHER_MESH or OUT_OF_MEMORY; `error` (may be NULL) and the log
/// say why. Whatever the bytes are, answers are right: boxes are compared with the mesh and taken from it where they
/// differ. Instead of a structure that is far poorer than one that would be built, one is built, so that forged bytes
/// do not make queries slow.
GRAZE_API graze_status graze_tree_map(const graze_context *context, const graze_mesh *mesh, const void *bytes,
                                      size_t size, graze_error *error, graze_tree **out_tree);

/// Has `release` (may be NULL: nothing) called with `user` when the tree is destroyed, after its last use of mapped
/// bytes. One function a tree; a later call replaces it.
GRAZE_API void graze_tree_set_on_destroy(graze_tree *tree, void (*release)(void *user), void *user);

GRAZE_END_DECLS

#endif
