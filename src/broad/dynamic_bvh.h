/* SPDX-License-Identifier: MIT */
/*
 * The wide tree of a broad phase from inside: a dynamic tree over fat boxes with eight children a node.
 *
 * dynamic_bvh.c is the method: what to do about the boxes that changed. dynamic_bvh_build.c makes the tree anew,
 * dynamic_bvh_update.c moves, inserts and removes single boxes and brings the boxes of nodes up to date.
 *
 * Invariants: a node's number is larger than its parent's, so that nodes taken from last to first are taken bottom-up;
 * the root is node 0; between updates each node's box, as its parent holds it, is the smallest around its children, and
 * nothing is marked as changed.
 */
#ifndef GRZ_BROAD_DYNAMIC_BVH_H
#define GRZ_BROAD_DYNAMIC_BVH_H

#include "broad/method.h"
#include "simd/wide_bvh.h"

#define GRZ_NOT_IN_TREE UINT32_MAX

/* What is sorted while building: the centre of a box and half its largest side. */
typedef struct grz_dynamic_bvh_item
{
    _Alignas(16) float centre[3];
    float size;
} grz_dynamic_bvh_item;

/* What is noted of nodes. */
enum
{
    GRZ_DYNAMIC_BVH_DIRTY,    /* its children's boxes are others now */
    GRZ_DYNAMIC_BVH_QUERIED,  /* it has boxes that changed */
    GRZ_DYNAMIC_BVH_DEGRADED, /* it is much larger than when it was made */
    GRZ_DYNAMIC_BVH_MARK_COUNT
};

typedef struct grz_dynamic_bvh_counts
{
    uint64_t builds, refits, insertions,
        reinsertions; /* of whole trees, nodes, new boxes, boxes that left their node */
} grz_dynamic_bvh_counts;

typedef struct grz_dynamic_bvh
{
    graze_context context;
    const grz_wide_kernels *kernels;

    void *node_memory;
    grz_wide_node *nodes; /* in node_memory, aligned to lines of the cache */
    uint32_t node_count, node_capacity;
    uint64_t *marks[GRZ_DYNAMIC_BVH_MARK_COUNT]; /* one bit of each kind for each node */

    uint32_t *leaf_slot; /* by number of a box: node * GRZ_WIDE + place, or GRZ_NOT_IN_TREE */
    uint32_t limit;      /* of these */

    size_t box_count;        /* in the tree */
    size_t built_count;      /* when it was made */
    size_t inserted;         /* since then */
    uint32_t degraded_count; /* how many nodes are marked so */
    uint32_t built_nodes;

    GRZ_ARRAY(uint32_t) pending; /* boxes to insert */
    GRZ_ARRAY(grz_dynamic_bvh_item) items;
    GRZ_ARRAY(uint32_t) item_ids;
    grz_dynamic_bvh_counts counts;
} grz_dynamic_bvh;

/* Makes the tree anew from all boxes that are present; none is marked as changed. False when out of memory. */
bool grz_dynamic_bvh_build(grz_dynamic_bvh *tree, const grz_aabb_view *view);

/* Room for so many nodes in all. They may move. */
bool grz_dynamic_bvh_reserve(grz_dynamic_bvh *tree, size_t node_count);

/* A new node without children. There must be room. */
uint32_t grz_dynamic_bvh_add_node(grz_dynamic_bvh *tree, uint32_t parent, unsigned place);

void grz_dynamic_bvh_set_leaf(grz_dynamic_bvh *tree, uint32_t node, unsigned place, uint32_t id,
                              const grz_fat_aabb *box);

/* Gives a box that is in the tree another place and size, in the node where it is. */
void grz_dynamic_bvh_move_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box);

/* Whether a box has moved so far that another node would serve it better. */
bool grz_dynamic_bvh_leaf_left_node(const grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box);

void grz_dynamic_bvh_remove_leaf(grz_dynamic_bvh *tree, uint32_t id);

/* Puts a box where nodes grow least, marked as changed. False when out of memory, or when the tree would become too
   deep (then *out_too_deep, and it is to be made anew). */
bool grz_dynamic_bvh_insert_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box, bool *out_too_deep);

/* Brings the boxes of all nodes above dirty ones up to date. */
void grz_dynamic_bvh_refit(grz_dynamic_bvh *tree);

static inline void grz_dynamic_bvh_mark(grz_dynamic_bvh *tree, int kind, uint32_t node)
{
    tree->marks[kind][node / 64] |= UINT64_C(1) << node % 64;
}

#endif
