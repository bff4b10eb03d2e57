/* SPDX-License-Identifier: MIT */
/*
 * Dynamic BVH over fat AABBs with eight children per node (MBVH).
 *
 * dynamic_bvh.c is the broad-phase method: it decides what to do about changed boxes. dynamic_bvh_build.c rebuilds the
 * tree, dynamic_bvh_update.c moves, inserts and removes single leaves and refits nodes.
 *
 * Invariants: the index of a node is larger than that of its parent, so iterating from last to first is bottom-up; the
 * root is node 0; between updates the bounds of each node, stored in its parent, are the smallest around its children,
 * and no leaf is marked as changed.
 */
#ifndef GRZ_BROAD_DYNAMIC_BVH_H
#define GRZ_BROAD_DYNAMIC_BVH_H

#include "broad/method.h"
#include "simd/wide_bvh.h"

#define GRZ_NOT_IN_TREE UINT32_MAX

/* Build primitive: centre of a box and half its largest side. */
typedef struct grz_dynamic_bvh_item
{
    _Alignas(16) float centre[3];
    float size;
} grz_dynamic_bvh_item;

/* Marks of nodes. */
enum
{
    GRZ_DYNAMIC_BVH_DIRTY,    /* bounds of its children have changed */
    GRZ_DYNAMIC_BVH_QUERIED,  /* it has leaves that changed */
    GRZ_DYNAMIC_BVH_DEGRADED, /* its bounds are much larger than when it was built */
    GRZ_DYNAMIC_BVH_MARK_COUNT
};

typedef struct grz_dynamic_bvh_counts
{
    uint64_t builds;       /* of the whole tree */
    uint64_t refits;       /* of nodes */
    uint64_t insertions;   /* of leaves */
    uint64_t reinsertions; /* of leaves that left their node */
} grz_dynamic_bvh_counts;

typedef struct grz_dynamic_bvh
{
    graze_context context;
    const grz_wide_kernels *kernels;

    void *node_memory;
    grz_wide_node *nodes; /* in node_memory, aligned to cache lines */
    uint32_t node_count, node_capacity;
    uint64_t *marks[GRZ_DYNAMIC_BVH_MARK_COUNT]; /* bit sets, one bit per node */

    uint32_t *leaf_slot; /* by box id: node * GRZ_WIDE + slot, or GRZ_NOT_IN_TREE */
    uint32_t limit;      /* elements of leaf_slot */

    size_t box_count;        /* leaves in the tree */
    size_t built_count;      /* box_count when it was built */
    size_t inserted;         /* leaves inserted since then */
    uint32_t degraded_count; /* nodes marked as degraded */

    GRZ_ARRAY(uint32_t) pending; /* boxes to insert */
    GRZ_ARRAY(grz_dynamic_bvh_item) items;
    GRZ_ARRAY(uint32_t) item_ids;
    grz_dynamic_bvh_counts counts;
} grz_dynamic_bvh;

/* Rebuilds the tree from all present boxes; none is marked as changed. False when out of memory. */
bool grz_dynamic_bvh_build(grz_dynamic_bvh *tree, const grz_aabb_view *view);

/* Reserves memory for so many nodes; may move them. False when out of memory. */
bool grz_dynamic_bvh_reserve(grz_dynamic_bvh *tree, size_t node_count);

/* Adds a node without children. There must be room. */
uint32_t grz_dynamic_bvh_add_node(grz_dynamic_bvh *tree, uint32_t parent, unsigned slot);

void grz_dynamic_bvh_set_leaf(grz_dynamic_bvh *tree, uint32_t node, unsigned slot, uint32_t id,
                              const grz_fat_aabb *box);

/* Changes the bounds of a leaf, in the node where it is. */
void grz_dynamic_bvh_move_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box);

/* Whether a leaf has moved out of its node, so that it should be re-inserted. */
bool grz_dynamic_bvh_leaf_left_node(const grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box);

void grz_dynamic_bvh_remove_leaf(grz_dynamic_bvh *tree, uint32_t id);

/* Inserts a leaf where bounds grow least, marked as changed. False when out of memory, or when the tree would become
   too deep (then *out_too_deep is set, and it must be rebuilt). */
bool grz_dynamic_bvh_insert_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box, bool *out_too_deep);

/* Refits dirty nodes and, where their bounds change, their ancestors. */
void grz_dynamic_bvh_refit(grz_dynamic_bvh *tree);

static inline void grz_dynamic_bvh_mark(grz_dynamic_bvh *tree, int kind, uint32_t node)
{
    tree->marks[kind][node / 64] |= UINT64_C(1) << node % 64;
}

#endif
