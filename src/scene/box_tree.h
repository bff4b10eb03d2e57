/* SPDX-License-Identifier: MIT */
/*
 * The wide tree of a broad phase from inside: a dynamic tree over fat boxes with eight children a node.
 *
 * box_tree.c is the method: what to do about the boxes that changed. box_tree_build.c makes the tree anew,
 * box_tree_change.c moves, inserts and removes single boxes and brings the boxes of nodes up to date.
 *
 * Invariants: a node's number is larger than its parent's, so that nodes taken from last to first are taken bottom-up;
 * the root is node 0; between updates each node's box, as its parent holds it, is the smallest around its children, and
 * nothing is marked as changed.
 */
#ifndef GRZ_SCENE_BOX_TREE_H
#define GRZ_SCENE_BOX_TREE_H

#include "scene/method.h"
#include "simd/wide.h"

#define GRZ_NOWHERE UINT32_MAX

/* What is sorted while building: the centre of a box and half its largest side. */
typedef struct grz_tree_item
{
    _Alignas(16) float centre[3];
    float size;
} grz_tree_item;

/* What is noted of nodes. */
enum
{
    GRZ_TREE_DIRTY,    /* its children's boxes are others now */
    GRZ_TREE_ASKED,    /* it has boxes that changed */
    GRZ_TREE_OUTGROWN, /* it is much larger than when it was made */
    GRZ_TREE_MARKS
};

typedef struct grz_tree_counts
{
    uint64_t builds, refits, insertions, strays; /* of whole trees, nodes, new boxes, boxes that left their node */
} grz_tree_counts;

typedef struct grz_tree
{
    graze_context context;
    const grz_wide_kernels *kernels;

    void *node_memory;
    grz_wide_node *nodes; /* in node_memory, aligned to lines of the cache */
    uint32_t node_count, node_capacity;
    uint64_t *marks[GRZ_TREE_MARKS]; /* one bit of each kind for each node */

    uint32_t *where; /* by number of a box: node * GRZ_WIDE + place, or GRZ_NOWHERE */
    uint32_t limit;  /* of these */

    size_t box_count;   /* in the tree */
    size_t built_count; /* when it was made */
    size_t inserted;    /* since then */
    uint32_t outgrown;  /* how many nodes are marked so */
    uint32_t built_nodes;

    GRZ_ARRAY(uint32_t) homeless; /* boxes to insert */
    GRZ_ARRAY(grz_tree_item) items;
    GRZ_ARRAY(uint32_t) item_ids;
    grz_tree_counts counts;
} grz_tree;

/* Makes the tree anew from all boxes that are present; none is marked as changed. False when out of memory. */
bool grz_tree_build(grz_tree *tree, const grz_boxes_view *view);

/* Room for so many nodes in all. They may move. */
bool grz_tree_reserve(grz_tree *tree, size_t node_count);

/* A new node without children. There must be room. */
uint32_t grz_tree_add_node(grz_tree *tree, uint32_t parent, unsigned place);

void grz_tree_put_box(grz_tree *tree, uint32_t node, unsigned place, uint32_t id, const grz_fat_box *box);

/* Gives a box that is in the tree another place and size, in the node where it is. */
void grz_tree_move_box(grz_tree *tree, uint32_t id, const grz_fat_box *box);

/* Whether a box has moved so far that another node would serve it better. */
bool grz_tree_has_strayed(const grz_tree *tree, uint32_t id, const grz_fat_box *box);

void grz_tree_remove_box(grz_tree *tree, uint32_t id);

/* Puts a box where nodes grow least, marked as changed. False when out of memory, or when the tree would become too
   deep (then *out_too_deep, and it is to be made anew). */
bool grz_tree_insert_box(grz_tree *tree, uint32_t id, const grz_fat_box *box, bool *out_too_deep);

/* Brings the boxes of all nodes above dirty ones up to date. */
void grz_tree_refit(grz_tree *tree);

static inline void grz_tree_mark(grz_tree *tree, int kind, uint32_t node)
{
    tree->marks[kind][node / 64] |= UINT64_C(1) << node % 64;
}

#endif
