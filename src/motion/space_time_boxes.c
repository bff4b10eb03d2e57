/* SPDX-License-Identifier: MIT */
/* Frames of a space-time traversal by boxes in the world, for any motion; see space_time_boxes.h. */
#include "motion/space_time_boxes.h"

#include <math.h>

#include "tree/tree.h"

enum
{
    UNKNOWN_DEPTH = 6 /* where spans are not known, time is not split more often than this */
};

/* Nodes are opened while they are this much larger than their motion; leaves wait until they are. */
#define NODE_RATIO 1.0
#define LEAF_RATIO 0.125

static bool may_halve(const grz_space_time *s)
{
    bool known = s->side_a.known && s->side_b.known;
    return grz_space_time_may_halve(s, known ? GRZ_TIME_DEPTH : UNKNOWN_DEPTH);
}

/* Proposes the pairs of triangles of two leaves whose boxes meet; or keeps the leaves for shorter intervals. */
static graze_status examine_leaves(grz_space_time *s, const grz_node_pair *pair, bool wait)
{
    const grz_leaf *a = &s->tree_a->leaves[grz_tree_child(s->tree_a, grz_half_a(pair->refs)) & ~GRZ_LEAF_FLAG];
    const grz_leaf *b = &s->tree_b->leaves[grz_tree_child(s->tree_b, grz_half_b(pair->refs)) & ~GRZ_LEAF_FLAG];
    grz_moving_box boxes[GRZ_LANES];
    s->stats.leaf_pairs++;
    for (uint32_t j = 0; j < b->count; j++)
        grz_moving_box_of_triangle(&s->side_b, s->tree_b->order[b->first + j], &boxes[j]);
    for (uint32_t i = 0; i < a->count; i++)
    {
        grz_moving_box box;
        uint32_t triangle = s->tree_a->order[a->first + i];
        grz_moving_box_of_triangle(&s->side_a, triangle, &box);
        for (uint32_t j = 0; j < b->count; j++)
        {
            uint32_t other = s->tree_b->order[b->first + j];
            if (grz_moving_boxes_part(&box, &boxes[j], s->side_a.span.half, s->margin) ||
                (s->settled != NULL && s->settled(s->user, triangle, other)))
                continue;
            if (wait)
                return grz_pair_list_add(s->context, &s->lists, *pair) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
            const grz_node_pair candidate = {grz_join_halves(triangle, other), 0};
            if (!grz_pair_list_add(s->context, &s->candidates, candidate))
                return GRAZE_STATUS_OUT_OF_MEMORY;
        }
    }
    return GRAZE_STATUS_OK;
}

/* Opens a node, of A or of B, into its children. */
static bool open_node(grz_space_time *s, const grz_node_pair *pair, bool of_a)
{
    const graze_tree *tree = of_a ? s->tree_a : s->tree_b;
    uint32_t node = grz_tree_child(tree, of_a ? grz_half_a(pair->refs) : grz_half_b(pair->refs));
    for (uint32_t lane = GRZ_TREE_WIDTH; lane-- > 0;)
    {
        uint32_t ref = node * GRZ_TREE_WIDTH + lane;
        uint64_t refs =
            of_a ? grz_join_halves(ref, grz_half_b(pair->refs)) : grz_join_halves(grz_half_a(pair->refs), ref);
        if (tree->nodes[node].children[lane] != GRZ_NO_CHILD &&
            !grz_pair_list_add(s->context, &s->open, (grz_node_pair){refs, pair->masks}))
            return false;
    }
    return true;
}

static graze_status examine(grz_space_time *s, const grz_node_pair *pair)
{
    uint32_t ref_a = grz_half_a(pair->refs), ref_b = grz_half_b(pair->refs);
    grz_moving_box a, b;
    grz_moving_box_of_child(&s->side_a, ref_a / GRZ_TREE_WIDTH, ref_a % GRZ_TREE_WIDTH, &a);
    grz_moving_box_of_child(&s->side_b, ref_b / GRZ_TREE_WIDTH, ref_b % GRZ_TREE_WIDTH, &b);
    s->stats.box_tests++;
    double half = s->side_a.known ? s->side_a.span.half : s->side_b.span.half;
    if (grz_moving_boxes_part(&a, &b, half, s->margin))
        return GRAZE_STATUS_OK;
    double motion = grz_moving_boxes_motion(&a, &b, half), size_a = grz_moving_box_size(&a);
    double size_b = grz_moving_box_size(&b), size = fmax(size_a, size_b);
    bool leaf_a = (grz_tree_child(s->tree_a, ref_a) & GRZ_LEAF_FLAG) != 0;
    bool leaf_b = (grz_tree_child(s->tree_b, ref_b) & GRZ_LEAF_FLAG) != 0;
    bool waits = may_halve(s) && !(s->margin > 0 && leaf_a && leaf_b) &&
                 !(motion <= size * (leaf_a && leaf_b ? LEAF_RATIO : NODE_RATIO));
    if (leaf_a && leaf_b)
        return examine_leaves(s, pair, waits);
    bool added = waits ? grz_pair_list_add(s->context, &s->lists, *pair)
                       : open_node(s, pair, leaf_b || (!leaf_a && size_a >= size_b));
    return added ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

graze_status grz_space_time_boxes(grz_space_time *s)
{
    while (s->open.count > 0)
    {
        if (!grz_monitor_box_tests(s->monitor, 1))
            return grz_monitor_status(s->monitor);
        grz_node_pair pair = s->open.pairs[--s->open.count];
        if (s->t0 > s->latest)
            continue;
        graze_status status = examine(s, &pair);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return grz_space_time_decide(s);
}
