/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Bounding volume hierarchies (BVH) over a mesh: eight children a node, each an AABB with one k-dop slab. Immutable
 * except through graze_tree_refit; any number of threads may use one. With trees, query time grows with the size of the
 * answer rather than of the meshes.
 */
#ifndef GRAZE_TREE_H
#define GRAZE_TREE_H

#include <stdbool.h>

#include "graze/budget.h"
#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

typedef struct graze_tree graze_tree;

/// How a tree is built. Start from graze_tree_def_default().
typedef struct graze_tree_def
{
    size_t struct_size;
    uint32_t leaf_size; ///< triangles a leaf may hold, 1 to 8; default: 8
    bool quick; ///< faster build, slower queries: about two thirds of the build time when neighbouring triangles
                ///< are adjacent in the index array, as in most files. Default: false
} graze_tree_def;

GRAZE_INLINE graze_tree_def graze_tree_def_default(void)
{
    graze_tree_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    def.leaf_size = 8;
    return def;
}

/// Builds the tree of a mesh, which must outlive it. `def` may be NULL. The caller owns *out_tree. Fails with
/// BAD_ARGUMENT, OUT_OF_MEMORY, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_tree_create(const graze_context *context, const graze_mesh *mesh,
                                         const graze_tree_def *def, const graze_budget *budget, graze_tree **out_tree);
GRAZE_API void graze_tree_destroy(graze_tree *tree);

/// Statistics of a tree.
typedef struct graze_tree_facts
{
    uint64_t triangles, leaves, nodes;
    uint32_t depth;
    uint64_t bytes; ///< of nodes, leaves and order, without the mesh
    double fill;    ///< mean share of the eight triangle slots of a leaf that are used
    double cost;    ///< SAH cost: surface areas of all boxes divided by that of the root; lower is better
    double quality; ///< cost when built over cost now: 1 until refitted, then mostly less; below 0.5 rebuild
} graze_tree_facts;

GRAZE_API graze_tree_facts graze_tree_examine(const graze_tree *tree);

/// Checks every invariant against the mesh: each triangle is in exactly one leaf; each box, slab and leaf contains
/// everything below it. GRAZE_STATUS_INTERNAL when one is broken. For tests and for trees from outside.
GRAZE_API graze_status graze_tree_validate(const graze_context *context, const graze_tree *tree);

/// Refits a tree to moved vertices: recomputes every box, slab and leaf in one bottom-up pass, which takes a fraction
/// of the time of building. `mesh` is the tree's own after graze_mesh_move_vertices, or another one with as many
/// triangles, which takes its place and must outlive the tree.
///
/// Answers stay exact whatever moved; they only take longer as the tree gets worse. `quality` of graze_tree_examine,
/// which costs nothing, tells by how much: build a new tree when it is below 0.5.
///
/// Fails with BAD_ARGUMENT when the number of triangles differs, and leaves the tree as it was. Allocates nothing,
/// except for a mapped tree, which is copied first (OUT_OF_MEMORY). A tree built over coordinates beyond 2^96 or below
/// 2^-96 for which there was no memory for a scaled copy is not used by queries, and refitting does not change that.
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
/// machine with another byte order), TRUNCATED, DAMAGED, OTHER_MESH, OUT_OF_MEMORY, UNFINISHED or CANCELLED; `error`
/// (may be NULL) and the log say why. Answers are right for any bytes that are accepted: boxes are checked against the
/// mesh and recomputed where they differ, and a tree of far worse quality than a new one is rebuilt, so that forged
/// bytes cannot make queries slow.
GRAZE_API graze_status graze_tree_map(const graze_context *context, const graze_mesh *mesh, const void *bytes,
                                      size_t size, const graze_budget *budget, graze_error *error,
                                      graze_tree **out_tree);

/// Sets a callback that graze_tree_destroy calls last, for example to unmap the bytes. NULL removes it. A tree has at
/// most one.
GRAZE_API void graze_tree_set_on_destroy(graze_tree *tree, graze_destroy_function on_destroy, void *user);

GRAZE_END_DECLS

#endif
