/* SPDX-License-Identifier: MIT */
/*
 * A binary BVH, and its collapse to nodes of eight; see build.h.
 *
 * Which branches become nodes is decided bottom-up, so that the total surface area of all nodes is least (after Ylitie,
 * Karras, Laine, Efficient incoherent ray traversal on GPUs through compressed wide BVHs, 2017): for each branch and
 * each number of child slots, the best distribution between its two children. Opening the widest child first, top-down,
 * leaves half-empty nodes at the bottom, where most of them are. Each node has a small cost in addition to its area,
 * which fills those at the bottom further.
 */
#include <math.h>

#include "tree/build.h"

/* ---- collapse ---- */

static const float leaf_costs[GRZ_TREE_WIDTH] = {0};

static const float *costs_of(const grz_binary_tree *binary_tree, uint32_t child)
{
    return (child & GRZ_LEAF_FLAG) != 0 ? leaf_costs : binary_tree->data[child].costs;
}

/* More slots never cost more, by induction: an additional one may be given to either child. */
bool grz_binary_tree_add(const graze_context *context, grz_binary_tree *binary_tree, uint32_t left, uint32_t right,
                         float cost, uint32_t *out_child)
{
    grz_binary_node branch = {.children = {left, right}};
    const float *left_costs = costs_of(binary_tree, left), *right_costs = costs_of(binary_tree, right);
    for (int slots = 2; slots <= GRZ_TREE_WIDTH; slots++)
    {
        float least = INFINITY;
        for (int share = 1; share < slots; share++)
        {
            float shared = left_costs[share - 1] + right_costs[slots - share - 1];
            if (shared < least)
            {
                least = shared;
                branch.lefts[slots - 1] = (uint8_t)share;
            }
        }
        branch.costs[slots - 1] = least;
    }
    /* With a single slot it becomes a node of its own, and may do so with several. */
    branch.costs[0] = branch.costs[GRZ_TREE_WIDTH - 1] + cost;
    for (int slots = 2; slots < GRZ_TREE_WIDTH; slots++)
    {
        if (branch.costs[0] < branch.costs[slots - 1])
        {
            branch.costs[slots - 1] = branch.costs[0];
            branch.lefts[slots - 1] = 0;
        }
    }
    *out_child = (uint32_t)binary_tree->count;
    return GRZ_PUSH(context, binary_tree, branch);
}

static int collapse_children(const grz_binary_tree *binary_tree, uint32_t child, int slots, uint32_t *out)
{
    int left = (child & GRZ_LEAF_FLAG) != 0 ? 0 : binary_tree->data[child].lefts[slots - 1];
    if (left == 0)
    {
        out[0] = child;
        return 1;
    }
    int count = collapse_children(binary_tree, binary_tree->data[child].children[0], left, out);
    return count + collapse_children(binary_tree, binary_tree->data[child].children[1], slots - left, out + count);
}

int grz_binary_tree_collapse(const grz_binary_tree *binary_tree, uint32_t branch, uint32_t out_children[GRZ_TREE_WIDTH])
{
    return collapse_children(binary_tree, branch, GRZ_TREE_WIDTH, out_children);
}

/* ---- building ---- */

typedef struct subtree_builder
{
    const graze_context *context;
    grz_shared_monitor *monitor;
    grz_subtree *subtree;
    grz_split_input input;
    grz_binary_tree binary_tree;
    uint32_t first; /* index in the order of the next leaf: leaves come in the order of the items */
} subtree_builder;

static bool split_range(subtree_builder *g, const grz_range *range, uint32_t depth, uint32_t *out_child)
{
    if (grz_range_makes_leaf(&g->input, range))
    {
        grz_leaf_plan leaf = {g->first, range->weight};
        g->first += range->weight;
        *out_child = (uint32_t)g->subtree->leaves.count | GRZ_LEAF_FLAG;
        return GRZ_PUSH(g->context, &g->subtree->leaves, leaf);
    }
    grz_range halves[2];
    uint32_t left, right;
    if (!grz_shared_monitor_elements(g->monitor, range->count))
        return false;
    grz_range_split(&g->input, range, depth + grz_median_depth(range->count) >= GRZ_TREE_MAX_DEPTH - 1, halves);
    return split_range(g, &halves[0], depth + 1, &left) && split_range(g, &halves[1], depth + 1, &right) &&
           grz_binary_tree_add(g->context, &g->binary_tree, left, right, grz_range_area(range) + g->subtree->node_cost,
                               out_child);
}

static bool plan_node(subtree_builder *g, uint32_t branch, uint32_t level)
{
    grz_subtree *subtree = g->subtree;
    grz_node_plan plan;
    size_t index = subtree->nodes.count;
    int count = grz_binary_tree_collapse(&g->binary_tree, branch, plan.children);
    for (int i = count; i < GRZ_TREE_WIDTH; i++)
        plan.children[i] = GRZ_NO_CHILD;
    if (!GRZ_PUSH(g->context, &subtree->nodes, plan))
        return false;
    if (level > subtree->levels)
        subtree->levels = level;
    for (int i = 0; i < count; i++)
    {
        uint32_t child = plan.children[i];
        if ((child & GRZ_LEAF_FLAG) != 0)
            continue;
        subtree->nodes.data[index].children[i] = (uint32_t)subtree->nodes.count;
        if (!plan_node(g, child, level + 1))
            return false;
    }
    return true;
}

/* Writes the triangles of all items in their current order. */
static void write_order(const subtree_builder *g, uint32_t item_count, uint32_t *order)
{
    uint32_t *next = order + g->subtree->first, count;
    for (uint32_t i = 0; i < item_count; i++)
    {
        const grz_reference *members = grz_reference_members(&g->input, &g->input.items[i], &count);
        for (uint32_t k = 0; k < count; k++)
            *next++ = members[k].triangle;
    }
}

static bool build_hierarchy(subtree_builder *g, uint32_t item_count, uint32_t *order)
{
    grz_subtree *subtree = g->subtree;
    size_t leaves = subtree->count / 6 + 1;
    uint32_t root = 0;
    grz_range all = grz_range_measure(&g->input, 0, item_count);
    bool grown = GRZ_RESERVE(g->context, &subtree->leaves, leaves) &&
                 GRZ_RESERVE(g->context, &g->binary_tree, leaves) &&
                 GRZ_RESERVE(g->context, &subtree->nodes, leaves / 6 + 1) &&
                 split_range(g, &all, subtree->depth, &root) && ((root & GRZ_LEAF_FLAG) != 0 || plan_node(g, root, 1));
    subtree->root = root & GRZ_LEAF_FLAG;
    grz_release(g->context, g->binary_tree.data);
    write_order(g, item_count, order);
    return grown;
}

void grz_subtree_build(const graze_context *context, grz_shared_monitor *monitor, grz_subtree *subtree,
                       uint32_t leaf_size, uint32_t group_size, uint32_t *order)
{
    bool agglomerative = subtree->count <= GRZ_AGGLOMERATIVE_SIZE, grouped = group_size > 1 && !agglomerative;
    grz_quantized_reference *items = grz_allocate(context, subtree->count, 2 * sizeof *items);
    grz_reference *groups = grouped ? grz_allocate(context, subtree->count, sizeof *groups) : NULL;
    subtree_builder g = {.context = context, .monitor = monitor, .subtree = subtree, .first = subtree->first};
    subtree->failed = items == NULL || (grouped && groups == NULL);
    if (!subtree->failed)
    {
        uint32_t item_count = subtree->count;
        if (grouped)
            item_count = grz_groups_make(subtree->references, subtree->count, group_size, groups, items);
        for (uint32_t i = 0; i < item_count && !grouped; i++)
        {
            items[i].index = (uint16_t)i;
            items[i].bin = 0;
            items[i].weight = 1;
        }
        g.input = (grz_split_input){.items = items,
                                    .spare = items + subtree->count,
                                    .references = grouped ? groups : subtree->references,
                                    .members = grouped ? subtree->references : NULL,
                                    .leaf_size = leaf_size,
                                    .agglomerative = agglomerative};
        subtree->failed = !build_hierarchy(&g, item_count, order);
    }
    grz_release(context, groups);
    grz_release(context, items);
}
