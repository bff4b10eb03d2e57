/* SPDX-License-Identifier: MIT */
/* Single leaves of a wide BVH: move, insert, remove, and refit; see dynamic_bvh.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "broad/dynamic_bvh.h"

enum
{
    CACHE_LINE_SIZE = 64,
    ALL_SLOTS = (1 << GRZ_WIDE) - 1
};

bool grz_dynamic_bvh_reserve(grz_dynamic_bvh *tree, size_t node_count)
{
    if (node_count <= tree->node_capacity)
        return true;
    size_t capacity = node_count + node_count / 2 + GRZ_WIDE;
    if (capacity > UINT32_MAX / GRZ_WIDE)
        return false;
    void *memory = grz_allocate(&tree->context, capacity + 1, sizeof *tree->nodes);
    uint64_t *bits = grz_allocate_zeroed(&tree->context, capacity / 64 + 1, GRZ_DYNAMIC_BVH_MARK_COUNT * sizeof *bits);
    if (memory == NULL || bits == NULL)
    {
        grz_release(&tree->context, memory);
        grz_release(&tree->context, bits);
        return false;
    }
    size_t skip = (CACHE_LINE_SIZE - (uintptr_t)memory % CACHE_LINE_SIZE) % CACHE_LINE_SIZE;
    grz_wide_node *nodes = (grz_wide_node *)(void *)((char *)memory + skip);
    size_t words = capacity / 64 + 1, words_before = tree->node_capacity / 64 + 1;
    if (tree->node_capacity > 0)
    {
        memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
        for (int kind = 0; kind < GRZ_DYNAMIC_BVH_MARK_COUNT; kind++)
            memcpy(bits + (size_t)kind * words, tree->marks[kind], words_before * sizeof *bits);
    }
    grz_release(&tree->context, tree->node_memory);
    grz_release(&tree->context, tree->marks[0]);
    tree->node_memory = memory;
    tree->nodes = nodes;
    for (int kind = 0; kind < GRZ_DYNAMIC_BVH_MARK_COUNT; kind++)
        tree->marks[kind] = bits + (size_t)kind * words;
    tree->node_capacity = (uint32_t)capacity;
    return true;
}

static inline void clear_slot(grz_wide_node *node, unsigned slot)
{
    for (int axis = 0; axis < 3; axis++)
    {
        node->lower[axis][slot] = INFINITY;
        node->upper[axis][slot] = -INFINITY;
    }
    node->child[slot] = UINT32_MAX;
    uint8_t others = (uint8_t) ~(1u << slot);
    node->used &= others;
    node->inner &= others;
    node->changed &= others;
}

uint32_t grz_dynamic_bvh_add_node(grz_dynamic_bvh *tree, uint32_t parent, unsigned slot)
{
    uint32_t number = tree->node_count++;
    grz_wide_node *node = &tree->nodes[number];
    *node = (grz_wide_node){.parent = parent, .slot = (uint8_t)slot};
    for (unsigned i = 0; i < GRZ_WIDE; i++)
        clear_slot(node, i);
    return number;
}

static inline void write_box(grz_wide_node *node, unsigned slot, const float lower[3], const float upper[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        node->lower[axis][slot] = lower[axis];
        node->upper[axis][slot] = upper[axis];
    }
}

void grz_dynamic_bvh_set_leaf(grz_dynamic_bvh *tree, uint32_t node_number, unsigned slot, uint32_t id,
                              const grz_fat_aabb *box)
{
    grz_wide_node *node = &tree->nodes[node_number];
    write_box(node, slot, box->lower, box->upper);
    node->child[slot] = id;
    node->used |= (uint8_t)(1u << slot);
    tree->leaf_slot[id] = node_number * GRZ_WIDE + slot;
}

void grz_dynamic_bvh_move_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box)
{
    uint32_t number = tree->leaf_slot[id] / GRZ_WIDE;
    unsigned slot = tree->leaf_slot[id] % GRZ_WIDE;
    grz_wide_node *node = &tree->nodes[number];
    write_box(node, slot, box->lower, box->upper);
    node->changed |= (uint8_t)(1u << slot);
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_DIRTY, number);
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_QUERIED, number);
}

/* Tests whether the bounds of the node as built still contain the centre of the leaf. */
bool grz_dynamic_bvh_leaf_left_node(const grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box)
{
    const grz_wide_node *node = &tree->nodes[tree->leaf_slot[id] / GRZ_WIDE];
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
    {
        double centre = 0.5 * ((double)box->lower[axis] + (double)box->upper[axis]);
        inside &= centre >= (double)node->home_lower[axis] && centre <= (double)node->home_upper[axis];
    }
    return !inside;
}

void grz_dynamic_bvh_remove_leaf(grz_dynamic_bvh *tree, uint32_t id)
{
    uint32_t number = tree->leaf_slot[id] / GRZ_WIDE;
    clear_slot(&tree->nodes[number], tree->leaf_slot[id] % GRZ_WIDE);
    tree->leaf_slot[id] = GRZ_NOT_IN_TREE;
    tree->box_count--;
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_DIRTY, number);
}

/* Whether the sum of the sides of a node is much larger than when it was built. Sums of floats do not overflow in
   doubles. */
static bool is_degraded(const grz_wide_node *node, const grz_wide_box *now)
{
    double sides = 0, made = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        sides += (double)now->upper[axis] - (double)now->lower[axis];
        made += (double)node->home_upper[axis] - (double)node->home_lower[axis];
    }
    return sides > 1.25 * made;
}

static void update_degraded(grz_dynamic_bvh *tree, uint32_t number, const grz_wide_box *now)
{
    uint64_t *word = &tree->marks[GRZ_DYNAMIC_BVH_DEGRADED][number / 64], bit = UINT64_C(1) << number % 64;
    bool before = (*word & bit) != 0;
    if (is_degraded(&tree->nodes[number], now) == before)
        return;
    *word ^= bit;
    tree->degraded_count = before ? tree->degraded_count - 1 : tree->degraded_count + 1;
}

/* The child that grows least when it takes a box in; among equals, the first one from `turn` on. Sides are scaled so
   that their sum does not overflow a float. The growth of empty children is infinite. Returns GRZ_WIDE if there are no
   children. */
static unsigned least_growth(const grz_wide_node *node, const grz_fat_aabb *box, unsigned turn)
{
    float growth[GRZ_WIDE];
    for (int i = 0; i < GRZ_WIDE; i++)
        growth[i] = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        for (int i = 0; i < GRZ_WIDE; i++)
        {
            float below = 0.125f * node->lower[axis][i] - 0.125f * box->lower[axis];
            float above = 0.125f * box->upper[axis] - 0.125f * node->upper[axis][i];
            growth[i] += (below > 0 ? below : 0) + (above > 0 ? above : 0);
        }
    }
    unsigned best = GRZ_WIDE;
    for (unsigned k = 0; k < GRZ_WIDE; k++)
    {
        unsigned i = (turn + k) % GRZ_WIDE;
        if ((node->used >> i & 1) != 0 && (best == GRZ_WIDE || growth[i] < growth[best]))
            best = i;
    }
    return best;
}

/* Replaces a leaf in a full node by a node with that leaf. */
static uint32_t split_leaf(grz_dynamic_bvh *tree, uint32_t number, unsigned slot)
{
    uint32_t made = grz_dynamic_bvh_add_node(tree, number, slot);
    grz_wide_node *node = &tree->nodes[number], *below = &tree->nodes[made];
    uint32_t id = node->child[slot];
    for (int axis = 0; axis < 3; axis++)
    {
        below->lower[axis][0] = below->home_lower[axis] = node->lower[axis][slot];
        below->upper[axis][0] = below->home_upper[axis] = node->upper[axis][slot];
    }
    below->child[0] = id;
    below->used = 1;
    below->changed = (node->changed >> slot & 1) != 0;
    tree->leaf_slot[id] = made * GRZ_WIDE;
    if (below->changed != 0)
        grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_QUERIED, made);
    node->child[slot] = made;
    node->inner |= (uint8_t)(1u << slot);
    node->changed &= (uint8_t) ~(1u << slot);
    return made;
}

static void add_leaf(grz_dynamic_bvh *tree, uint32_t number, uint32_t id, const grz_fat_aabb *box)
{
    grz_wide_node *node = &tree->nodes[number];
    unsigned slot = (unsigned)__builtin_ctz(~(unsigned)node->used);
    grz_dynamic_bvh_set_leaf(tree, number, slot, id, box);
    node->changed |= (uint8_t)(1u << slot);
    for (int axis = 0; axis < 3; axis++)
    {
        node->home_lower[axis] = fminf(node->home_lower[axis], box->lower[axis]);
        node->home_upper[axis] = fmaxf(node->home_upper[axis], box->upper[axis]);
    }
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_DIRTY, number);
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_QUERIED, number);
    tree->box_count++;
    tree->inserted++;
    tree->counts.insertions++;
}

bool grz_dynamic_bvh_insert_leaf(grz_dynamic_bvh *tree, uint32_t id, const grz_fat_aabb *box, bool *out_too_deep)
{
    uint32_t number = 0;
    if (!grz_dynamic_bvh_reserve(tree, (size_t)tree->node_count + 1))
        return false;
    for (int depth = 1; depth < GRZ_WIDE_DEPTH; depth++)
    {
        const grz_wide_node *node = &tree->nodes[number];
        bool full = node->used == ALL_SLOTS;
        unsigned slot = node->inner == 0 && !full ? GRZ_WIDE : least_growth(node, box, (unsigned)tree->inserted);
        if (slot == GRZ_WIDE || ((node->inner >> slot & 1) == 0 && !full))
        {
            add_leaf(tree, number, id, box);
            return true;
        }
        number = (node->inner >> slot & 1) != 0 ? node->child[slot] : split_leaf(tree, number, slot);
    }
    *out_too_deep = true;
    return false;
}

/* Refits a dirty node, and marks its parent dirty if the bounds changed. */
static void refit_node(grz_dynamic_bvh *tree, uint32_t number)
{
    grz_wide_node *node = &tree->nodes[number];
    tree->counts.refits++;
    if (number == 0)
        return;
    grz_wide_node *parent = &tree->nodes[node->parent];
    unsigned slot = node->slot;
    grz_wide_box now;
    tree->kernels->bounds(node, &now);
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same = same && parent->lower[axis][slot] == now.lower[axis] && parent->upper[axis][slot] == now.upper[axis];
    /* shortcut: refit-stops */
    if (same)
        return;
    update_degraded(tree, number, &now);
    write_box(parent, slot, now.lower, now.upper);
    grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_DIRTY, node->parent);
}

void grz_dynamic_bvh_refit(grz_dynamic_bvh *tree)
{
    uint64_t *dirty = tree->marks[GRZ_DYNAMIC_BVH_DIRTY];
    for (size_t word = (size_t)tree->node_count / 64 + 1; word-- > 0;)
    {
        while (dirty[word] != 0)
        {
            unsigned bit = 63u - (unsigned)__builtin_clzll(dirty[word]);
            dirty[word] &= ~(UINT64_C(1) << bit);
            refit_node(tree, (uint32_t)(word * 64 + bit));
        }
    }
}
