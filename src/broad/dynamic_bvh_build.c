/* SPDX-License-Identifier: MIT */
/*
 * Top-down build of a wide BVH; see dynamic_bvh.h.
 *
 * The boxes of a node are split in two, and again, until there is a partition for each child. A split is perpendicular
 * to the axis with the largest extent of the centres. Where there are many boxes it is at the mean of their centres, if
 * that is near the median: one pass to find it, one branchless pass to partition. Otherwise the median is found by
 * repeated partitioning at means; where a mean leaves less than an eighth on one side (a few boxes are far away), by
 * radix selection, so that no input takes more than a few passes. Where all centres coincide the boxes are split by
 * index. No partition has more than 9/16 of the boxes, so a tree has less than 40 levels.
 *
 * Boxes larger than the extent of the centres of their node would enlarge the bounds of all nodes below. When they are
 * few they get a partition of their own.
 */
#include <float.h>
#include <string.h>

#include "broad/dynamic_bvh.h"
#include "simd/f32x4.h"

enum
{
    LEAST_TO_SORT_BY_SIZE = 32,
    MANY = 512, /* boxes that are not split exactly at the median */
    FILL = 7    /* leaves per node at the bottom, where there is a choice */
};

typedef struct box_partition
{
    uint32_t first, count;
    uint32_t children; /* how many children of the node it becomes */
} box_partition;

/* Bounds and sum of the centres of a partition. The fourth lane is the size of boxes. */
typedef struct centre_bounds
{
    _Alignas(16) float lowest[4];
    _Alignas(16) float highest[4];
    _Alignas(16) float sum[4];
} centre_bounds;

static centre_bounds centre_bounds_of(const grz_dynamic_bvh_item *items, box_partition p)
{
    f32x4 lowest = f32x4_splat(FLT_MAX), highest = f32x4_splat(-FLT_MAX), sum = f32x4_splat(0);
    for (uint32_t i = 0; i < p.count; i++)
    {
        f32x4 item = f32x4_load(items[p.first + i].centre);
        lowest = f32x4_min(lowest, item);
        highest = f32x4_max(highest, item);
        sum = f32x4_add(sum, item);
    }
    centre_bounds s;
    f32x4_store(s.lowest, lowest);
    f32x4_store(s.highest, highest);
    f32x4_store(s.sum, sum);
    return s;
}

/* Half, since centres may lie at both ends of the range of floats. */
static float half_extent(const centre_bounds *s, int axis)
{
    return 0.5f * s->highest[axis] - 0.5f * s->lowest[axis];
}

static int longest_axis(const centre_bounds *s)
{
    int axis = half_extent(s, 1) > half_extent(s, 0) ? 1 : 0;
    return half_extent(s, 2) > half_extent(s, axis) ? 2 : axis;
}

static inline void swap_items(grz_dynamic_bvh *tree, uint32_t i, uint32_t j)
{
    grz_dynamic_bvh_item *items = tree->items.data, item = items[i];
    uint32_t *ids = tree->item_ids.data, id = ids[i];
    items[i] = items[j];
    ids[i] = ids[j];
    items[j] = item;
    ids[j] = id;
}

/* Partitions items: those whose coordinate of the centre (axis 3: size) is below a limit come first. Returns their
   count. */
static uint32_t partition_below(grz_dynamic_bvh *tree, box_partition p, int axis, float limit)
{
    grz_dynamic_bvh_item *items = tree->items.data;
    uint32_t end = p.first;
    for (uint32_t i = p.first; i < p.first + p.count; i++)
    {
        bool below = (axis < 3 ? items[i].centre[axis] : items[i].size) < limit;
        swap_items(tree, i, end);
        end += below;
    }
    return end - p.first;
}

/* An integer with the order of the floats. */
static inline uint32_t sortable_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & UINT32_C(0x80000000)) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}

/* The coordinate of the item of a rank, by radix selection from the highest digit. */
static uint32_t select_rank(const grz_dynamic_bvh_item *items, box_partition p, int axis, uint32_t rank)
{
    uint32_t prefix = 0, mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        uint32_t counts[256] = {0}, digit = 0;
        for (uint32_t i = 0; i < p.count; i++)
        {
            uint32_t key = sortable_bits(items[p.first + i].centre[axis]);
            if ((key & mask) == prefix)
                counts[key >> shift & 255]++;
        }
        for (; rank >= counts[digit]; digit++)
            rank -= counts[digit];
        prefix |= digit << shift;
        mask |= UINT32_C(255) << shift;
    }
    return prefix;
}

/* partition_at_rank in a few passes for any input: items below the border, then as many at it as needed. */
static void partition_exactly(grz_dynamic_bvh *tree, box_partition p, int axis, uint32_t wanted)
{
    const grz_dynamic_bvh_item *items = tree->items.data;
    uint32_t border = select_rank(items, p, axis, wanted), end = p.first;
    for (uint32_t i = p.first; i < p.first + p.count; i++)
    {
        if (sortable_bits(items[i].centre[axis]) < border)
            swap_items(tree, i, end++);
    }
    for (uint32_t i = end; i < p.first + p.count && end < p.first + wanted; i++)
    {
        if (sortable_bits(items[i].centre[axis]) == border)
            swap_items(tree, i, end++);
    }
}

/* Partitions so that the `wanted` boxes lowest along an axis come first, narrowing the range that contains the border.
 */
static void partition_at_rank(grz_dynamic_bvh *tree, box_partition p, int axis, uint32_t wanted)
{
    while (wanted > 0 && wanted < p.count)
    {
        centre_bounds s = centre_bounds_of(tree->items.data, p);
        uint32_t first = partition_below(tree, p, axis, s.sum[axis] / (float)p.count);
        uint32_t least = p.count / 8;
        if (first <= least || p.count - first <= least)
        {
            partition_exactly(tree, p, axis, wanted);
            return;
        }
        bool before = wanted < first;
        p = before ? (box_partition){p.first, first, 1} : (box_partition){p.first + first, p.count - first, 1};
        wanted = before ? wanted : wanted - first;
    }
}

/* Splits a partition across its longest axis into two with their share of its children. Returns the second one. */
static box_partition split(grz_dynamic_bvh *tree, box_partition *p)
{
    box_partition first = {.first = p->first, .children = p->children / 2};
    uint32_t wanted = (uint32_t)((uint64_t)p->count * first.children / p->children);
    centre_bounds s = centre_bounds_of(tree->items.data, *p);
    int axis = longest_axis(&s);
    first.count = wanted;
    if (half_extent(&s, axis) > 0)
    {
        bool rough = p->count > MANY && p->children % 2 == 0;
        first.count = rough ? partition_below(tree, *p, axis, s.sum[axis] / (float)p->count) : 0;
        uint32_t least = wanted - wanted / 8, most = wanted + wanted / 8;
        if (first.count < least || first.count > most)
        {
            partition_at_rank(tree, *p, axis, wanted);
            first.count = wanted;
        }
    }
    box_partition second = {p->first + first.count, p->count - first.count, p->children - first.children};
    *p = first;
    return second;
}

/* Moves boxes that are large for a partition to its end, if they are few. Returns how many. */
static uint32_t separate_large_boxes(grz_dynamic_bvh *tree, box_partition p)
{
    centre_bounds s = centre_bounds_of(tree->items.data, p);
    float space = half_extent(&s, longest_axis(&s)), mean = s.sum[3] / (float)p.count;
    if (!(s.highest[3] > space) || !(s.highest[3] > 4 * mean))
        return 0;
    float limit = space > 4 * mean ? space : 4 * mean;
    uint32_t large = p.count - partition_below(tree, p, 3, limit);
    return large <= p.count / 4 ? large : 0;
}

/* How many children a node with so many boxes should have, so that most nodes below are full. */
static uint32_t children_for(uint32_t count)
{
    uint64_t below = 1; /* nodes at the bottom that a child has room for */
    while (count > below * (FILL * GRZ_WIDE + GRZ_WIDE / 2))
        below *= GRZ_WIDE;
    uint64_t children = (count + below * FILL - 1) / (below * FILL);
    return children < 2 ? 2 : (children > GRZ_WIDE ? GRZ_WIDE : (uint32_t)children);
}

/* The partitions of a node, at most GRZ_WIDE. Returns how many. */
static unsigned make_partitions(grz_dynamic_bvh *tree, box_partition all, box_partition partitions[GRZ_WIDE])
{
    unsigned count = 0;
    uint32_t large = all.count >= LEAST_TO_SORT_BY_SIZE ? separate_large_boxes(tree, all) : 0;
    if (large > 0)
        partitions[count++] = (box_partition){all.first + all.count - large, large, 1};
    uint32_t children = children_for(all.count - large);
    partitions[count] =
        (box_partition){all.first, all.count - large, children < GRZ_WIDE - count ? children : GRZ_WIDE - count};
    unsigned end = count + 1;
    while (count < end)
    {
        if (partitions[count].children == 1)
            count++;
        else
            partitions[end++] = split(tree, &partitions[count]);
    }
    return end;
}

/* Builds a node and its subtree; writes its bounds to the parent. False when out of memory. */
static bool fill_node(grz_dynamic_bvh *tree, const grz_aabb_view *view, uint32_t number, box_partition all)
{
    box_partition partitions[GRZ_WIDE];
    unsigned count = all.count;
    for (unsigned i = 0; i < all.count && i < GRZ_WIDE; i++)
        partitions[i] = (box_partition){all.first + i, 1, 1};
    if (all.count > GRZ_WIDE)
        count = make_partitions(tree, all, partitions);
    if (!grz_dynamic_bvh_reserve(tree, (size_t)tree->node_count + count))
        return false;
    for (unsigned i = 0; i < count; i++)
    {
        uint32_t id = tree->item_ids.data[partitions[i].first];
        if (partitions[i].count == 1)
        {
            grz_dynamic_bvh_set_leaf(tree, number, i, id, &view->fat[id]);
            continue;
        }
        uint32_t child = grz_dynamic_bvh_add_node(tree, number, i);
        grz_wide_node *node = &tree->nodes[number];
        node->child[i] = child;
        node->used |= (uint8_t)(1u << i);
        node->inner |= (uint8_t)(1u << i);
    }
    for (unsigned i = 0; i < count; i++)
        if (partitions[i].count > 1 && !fill_node(tree, view, tree->nodes[number].child[i], partitions[i]))
            return false;
    grz_wide_node *node = &tree->nodes[number];
    grz_wide_box around;
    tree->kernels->bounds(node, &around);
    memcpy(node->home_lower, around.lower, sizeof around.lower);
    memcpy(node->home_upper, around.upper, sizeof around.upper);
    if (number == 0)
        return true;
    grz_wide_node *parent = &tree->nodes[node->parent];
    for (int axis = 0; axis < 3; axis++)
    {
        parent->lower[axis][node->slot] = around.lower[axis];
        parent->upper[axis][node->slot] = around.upper[axis];
    }
    return true;
}

static bool collect_items(grz_dynamic_bvh *tree, const grz_aabb_view *view)
{
    tree->items.count = tree->item_ids.count = 0;
    if (!GRZ_RESERVE(&tree->context, &tree->items, view->count) ||
        !GRZ_RESERVE(&tree->context, &tree->item_ids, view->count))
        return false;
    for (uint32_t id = 0; id < view->limit; id++)
    {
        tree->leaf_slot[id] = GRZ_NOT_IN_TREE;
        if (!view->present[id])
            continue;
        const grz_fat_aabb *box = &view->fat[id];
        grz_dynamic_bvh_item item = {{0}, 0};
        for (int axis = 0; axis < 3; axis++)
        {
            float half = 0.5f * box->upper[axis] - 0.5f * box->lower[axis];
            item.centre[axis] = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
            item.size = half > item.size ? half : item.size;
        }
        tree->items.data[tree->items.count++] = item;
        tree->item_ids.data[tree->item_ids.count++] = id;
    }
    return true;
}

bool grz_dynamic_bvh_build(grz_dynamic_bvh *tree, const grz_aabb_view *view)
{
    if (!collect_items(tree, view) || !grz_dynamic_bvh_reserve(tree, tree->items.count / 4 + 1))
        return false;
    for (int kind = 0; kind < GRZ_DYNAMIC_BVH_MARK_COUNT; kind++)
        memset(tree->marks[kind], 0, ((size_t)tree->node_capacity / 64 + 1) * sizeof **tree->marks);
    tree->node_count = 0;
    uint32_t root = grz_dynamic_bvh_add_node(tree, 0, 0);
    if (!fill_node(tree, view, root, (box_partition){0, (uint32_t)tree->items.count, 1}))
        return false;
    tree->box_count = tree->built_count = tree->items.count;
    tree->inserted = 0;
    tree->degraded_count = 0;
    tree->counts.builds++;
    return true;
}
