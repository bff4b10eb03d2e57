/* SPDX-License-Identifier: MIT */
/*
 * Dynamic BVH as a broad-phase method; see dynamic_bvh.h.
 *
 * Changed leaves stay in their nodes, which are refitted, unless they left them; those, and new ones, are inserted
 * where bounds grow least. When many leaves left their nodes, or many nodes have grown much, the tree is rebuilt. Both
 * take a number of changes proportional to the boxes, so the cost of a rebuild is amortised over these. Then each
 * changed leaf queries the tree from the root, in the order of the nodes; or, when more than half changed, the tree is
 * tested against itself.
 */
#include "broad/dynamic_bvh.h"

#include <string.h>

enum
{
    AHEAD = 8, /* boxes whose nodes are prefetched */
    SAMPLES = 64
};

static void release(const graze_context *context, void *state)
{
    grz_dynamic_bvh *tree = state;
    grz_release(context, tree->node_memory);
    grz_release(context, tree->marks[0]);
    grz_release(context, tree->leaf_slot);
    grz_release(context, tree->pending.data);
    grz_release(context, tree->items.data);
    grz_release(context, tree->item_ids.data);
}

static bool reserve_leaf_slots(grz_dynamic_bvh *tree, uint32_t limit)
{
    if (limit <= tree->limit)
        return true;
    size_t wanted = (size_t)limit + limit / 2;
    uint32_t capacity = wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
    uint32_t *leaf_slot = grz_reallocate(&tree->context, tree->leaf_slot, capacity, sizeof *leaf_slot);
    if (leaf_slot == NULL)
        return false;
    memset(leaf_slot + tree->limit, 0xff, (size_t)(capacity - tree->limit) * sizeof *leaf_slot);
    tree->leaf_slot = leaf_slot;
    tree->limit = capacity;
    return true;
}

/* Box ids in order access nodes at random: prefetch them. */
static inline void prefetch_node(const grz_dynamic_bvh *tree, uint32_t id)
{
    if (tree->leaf_slot[id] == GRZ_NOT_IN_TREE)
        return;
    const grz_wide_node *node = &tree->nodes[tree->leaf_slot[id] / GRZ_WIDE];
    __builtin_prefetch(&node->lower[0]);
    __builtin_prefetch(&node->lower[2]);
    __builtin_prefetch(&node->upper[1]);
    __builtin_prefetch(&node->child[0]);
}

/* Moves leaves in their nodes, removes leaves, and lists boxes to insert. False when out of memory. */
static bool apply_changes(grz_dynamic_bvh *tree, const grz_aabb_view *view, const uint32_t *changed,
                          size_t changed_count)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        prefetch_node(tree, changed[i + AHEAD < changed_count ? i + AHEAD : i]);
        uint32_t id = changed[i];
        bool was_in_tree = tree->leaf_slot[id] != GRZ_NOT_IN_TREE, stays = was_in_tree && view->present[id];
        const grz_fat_aabb *box = &view->fat[id];
        if (stays && !grz_dynamic_bvh_leaf_left_node(tree, id, box))
        {
            grz_dynamic_bvh_move_leaf(tree, id, box);
            continue;
        }
        tree->counts.reinsertions += stays;
        if (was_in_tree)
            grz_dynamic_bvh_remove_leaf(tree, id);
        if (view->present[id] && !GRZ_PUSH(&tree->context, &tree->pending, id))
            return false;
    }
    return true;
}

static void mark_changed(grz_dynamic_bvh *tree, const grz_aabb_view *view, const uint32_t *changed,
                         size_t changed_count)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i], leaf_slot = tree->leaf_slot[id];
        if (!view->present[id])
            continue;
        tree->nodes[leaf_slot / GRZ_WIDE].changed |= (uint8_t)(1u << leaf_slot % GRZ_WIDE);
        grz_dynamic_bvh_mark(tree, GRZ_DYNAMIC_BVH_QUERIED, leaf_slot / GRZ_WIDE);
    }
}

/* Whether the tree has degraded so much that a rebuild pays off. */
static bool needs_rebuild(const grz_dynamic_bvh *tree)
{
    return tree->degraded_count > tree->node_count / 3 || tree->inserted > tree->built_count / 2 + GRZ_WIDE ||
           tree->box_count < tree->built_count / 2;
}

/* Inserts the pending boxes. False when out of memory; true, with boxes left over, when the tree would be too deep. */
static bool insert_pending(grz_dynamic_bvh *tree, const grz_aabb_view *view, bool *out_too_deep)
{
    while (tree->pending.count > 0)
    {
        uint32_t id = tree->pending.data[tree->pending.count - 1];
        if (!grz_dynamic_bvh_insert_leaf(tree, id, &view->fat[id], out_too_deep))
            return *out_too_deep;
        tree->pending.count--;
    }
    return true;
}

/* Whether a sample suggests that most leaves have left their nodes: then the tree is rebuilt without testing each. */
static bool most_left_their_nodes(const grz_dynamic_bvh *tree, const grz_aabb_view *view, const uint32_t *changed,
                                  size_t changed_count)
{
    size_t strayed = 0, step = changed_count / SAMPLES;
    if (step == 0 || changed_count < view->count - view->count / 4)
        return false;
    for (size_t i = 0; i < SAMPLES; i++)
    {
        uint32_t id = changed[i * step];
        strayed += view->present[id] && tree->leaf_slot[id] != GRZ_NOT_IN_TREE &&
                   grz_dynamic_bvh_leaf_left_node(tree, id, &view->fat[id]);
    }
    return strayed > SAMPLES / 2;
}

static bool update_tree(grz_dynamic_bvh *tree, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count)
{
    bool rebuild = tree->node_count == 0 || most_left_their_nodes(tree, view, changed, changed_count);
    tree->pending.count = 0;
    if (!rebuild && !apply_changes(tree, view, changed, changed_count))
        return false;
    rebuild = rebuild || tree->pending.count > view->count / 4 + GRZ_WIDE;
    if (!rebuild && !insert_pending(tree, view, &rebuild))
        return false;
    if (!rebuild)
    {
        grz_dynamic_bvh_refit(tree);
        rebuild = needs_rebuild(tree);
    }
    if (!rebuild)
        return true;
    if (!grz_dynamic_bvh_build(tree, view))
        return false;
    mark_changed(tree, view, changed, changed_count);
    return true;
}

/* The array of the sink in the form that the kernels take. */
typedef struct sink_pairs
{
    grz_wide_pairs pairs; /* first member: grow casts the pointer back */
    grz_pair_sink *sink;
} sink_pairs;

static bool grow(grz_wide_pairs *pairs)
{
    grz_pair_sink *sink = ((sink_pairs *)(void *)pairs)->sink;
    if (!GRZ_RESERVE(sink->context, &sink->pairs, pairs->count + GRZ_WIDE * GRZ_WIDE))
        return false;
    pairs->data = sink->pairs.data;
    pairs->capacity = sink->pairs.capacity;
    return true;
}

static grz_wide_box wide_box(const grz_fat_aabb *box)
{
    grz_wide_box wide;
    memcpy(wide.lower, box->lower, sizeof wide.lower);
    memcpy(wide.upper, box->upper, sizeof wide.upper);
    return wide;
}

static void query_changed(const grz_dynamic_bvh *tree, const grz_aabb_view *view, grz_wide_pairs *pairs)
{
    const uint64_t *asked = tree->marks[GRZ_DYNAMIC_BVH_QUERIED];
    grz_wide_query questions[GRZ_WIDE_QUERIES];
    unsigned count = 0;
    for (size_t word = 0; word <= tree->node_count / 64 && !pairs->failed; word++)
    {
        for (uint64_t bits = asked[word]; bits != 0; bits &= bits - 1)
        {
            const grz_wide_node *node = &tree->nodes[word * 64 + (size_t)__builtin_ctzll(bits)];
            for (unsigned left = node->changed; left != 0; left &= left - 1)
            {
                uint32_t id = node->child[__builtin_ctz(left)];
                questions[count++] =
                    (grz_wide_query){.now = wide_box(&view->fat[id]), .before = wide_box(&view->before[id]), .id = id};
            }
            if (count + GRZ_WIDE > GRZ_WIDE_QUERIES)
            {
                tree->kernels->query(tree->nodes, questions, count, pairs);
                count = 0;
            }
        }
    }
    tree->kernels->query(tree->nodes, questions, count, pairs);
}

/* Marks the ancestors of changed leaves, for the self test of the tree. */
static void propagate_changed(grz_dynamic_bvh *tree)
{
    for (uint32_t number = tree->node_count; number-- > 1;)
    {
        const grz_wide_node *node = &tree->nodes[number];
        if (node->changed != 0)
            tree->nodes[node->parent].changed |= (uint8_t)(1u << node->slot);
    }
}

static void clear_changed(grz_dynamic_bvh *tree, bool all)
{
    uint64_t *asked = tree->marks[GRZ_DYNAMIC_BVH_QUERIED];
    for (size_t word = 0; word <= tree->node_count / 64; word++)
    {
        for (uint64_t bits = asked[word]; bits != 0; bits &= bits - 1)
            tree->nodes[word * 64 + (size_t)__builtin_ctzll(bits)].changed = 0;
        asked[word] = 0;
    }
    for (uint32_t number = 0; all && number < tree->node_count; number++)
        tree->nodes[number].changed = 0;
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    grz_dynamic_bvh *tree = state;
    tree->kernels = grz_wide_kernels_for(tree->context.instructions);
    if (!reserve_leaf_slots(tree, view->limit) || !update_tree(tree, view, changed, changed_count))
        return false;
    sink_pairs target = {
        .pairs = {.data = sink->pairs.data, .count = sink->pairs.count, .capacity = sink->pairs.capacity, .grow = grow},
        .sink = sink};
    bool many = changed_count > view->count / 2;
    if (many)
    {
        propagate_changed(tree);
        tree->kernels->self_pairs(tree->nodes, &target.pairs);
    }
    else
        query_changed(tree, view, &target.pairs);
    clear_changed(tree, many);
    sink->pairs.count = target.pairs.count;
    sink->failed = sink->failed || target.pairs.failed;
    return !sink->failed;
}

static void in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink)
{
    (void)view;
    const grz_dynamic_bvh *tree = state;
    grz_wide_box wide = wide_box(box);
    uint32_t stack[GRZ_WIDE * GRZ_WIDE_DEPTH];
    size_t height = 0;
    if (tree->node_count > 0)
        stack[height++] = 0;
    while (height > 0)
    {
        const grz_wide_node *node = &tree->nodes[stack[--height]];
        for (unsigned left = tree->kernels->overlap(node, &wide); left != 0; left &= left - 1)
        {
            unsigned slot = (unsigned)__builtin_ctz(left);
            if ((node->inner >> slot & 1) != 0)
                stack[height++] = node->child[slot];
            else
                grz_sink_add_id(sink, node->child[slot]);
        }
    }
}

static void on_ray(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink)
{
    (void)view;
    const grz_dynamic_bvh *tree = state;
    uint32_t stack[GRZ_WIDE * GRZ_WIDE_DEPTH];
    size_t height = 0;
    if (tree->node_count > 0)
        stack[height++] = 0;
    while (height > 0)
    {
        const grz_wide_node *node = &tree->nodes[stack[--height]];
        for (unsigned left = node->used; left != 0; left &= left - 1)
        {
            unsigned slot = (unsigned)__builtin_ctz(left);
            grz_fat_aabb box = {{0}, {0}};
            for (int axis = 0; axis < 3; axis++)
            {
                box.lower[axis] = node->lower[axis][slot];
                box.upper[axis] = node->upper[axis][slot];
            }
            if (box.lower[0] > box.upper[0] || !grz_ray_hits_fat_aabb(ray, &box))
                continue;
            if ((node->inner >> slot & 1) != 0)
                stack[height++] = node->child[slot];
            else
                grz_sink_add_id(sink, node->child[slot]);
        }
    }
}

static size_t memory(const void *state)
{
    const grz_dynamic_bvh *tree = state;
    return (size_t)tree->node_capacity * sizeof *tree->nodes +
           (size_t)tree->node_capacity / 8 * GRZ_DYNAMIC_BVH_MARK_COUNT +
           (size_t)tree->limit * sizeof *tree->leaf_slot + tree->pending.capacity * sizeof(uint32_t) +
           tree->items.capacity * sizeof *tree->items.data + tree->item_ids.capacity * sizeof(uint32_t);
}

/* Whether the children of a node agree with it. Adds its leaves to *boxes. */
static bool node_is_valid(const grz_dynamic_bvh *tree, const grz_aabb_view *view, uint32_t number, size_t *boxes)
{
    const grz_wide_node *node = &tree->nodes[number];
    if (node->changed != 0 || (node->inner & ~node->used) != 0)
        return false;
    for (unsigned slot = 0; slot < GRZ_WIDE; slot++)
    {
        uint32_t child = node->child[slot];
        if ((node->used >> slot & 1) == 0)
        {
            if (child != UINT32_MAX || !(node->lower[0][slot] > node->upper[0][slot]))
                return false;
            continue;
        }
        grz_wide_box around;
        if ((node->inner >> slot & 1) != 0)
        {
            if (child <= number || child >= tree->node_count || tree->nodes[child].parent != number ||
                tree->nodes[child].slot != slot)
                return false;
            tree->kernels->bounds(&tree->nodes[child], &around);
        }
        else
        {
            if (child >= view->limit || !view->present[child] || tree->leaf_slot[child] != number * GRZ_WIDE + slot)
                return false;
            around = wide_box(&view->fat[child]);
            ++*boxes;
        }
        for (int axis = 0; axis < 3; axis++)
            if (node->lower[axis][slot] != around.lower[axis] || node->upper[axis][slot] != around.upper[axis])
                return false;
    }
    return true;
}

static bool validate(const void *state, const grz_aabb_view *view)
{
    const grz_dynamic_bvh *tree = state;
    size_t boxes = 0, there = 0;
    for (uint32_t number = 0; number < tree->node_count; number++)
        if (!node_is_valid(tree, view, number, &boxes))
            return false;
    for (uint32_t id = 0; id < tree->limit; id++)
        there += tree->leaf_slot[id] != GRZ_NOT_IN_TREE;
    return boxes == view->count && boxes == tree->box_count && boxes == there;
}

const grz_broad_method grz_dynamic_bvh_method = {.reports_pairs_once = true,
                                                 .state_size = sizeof(grz_dynamic_bvh),
                                                 .release = release,
                                                 .update = update,
                                                 .in_box = in_box,
                                                 .on_ray = on_ray,
                                                 .memory = memory,
                                                 .validate = validate};
