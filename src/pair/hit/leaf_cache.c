/* SPDX-License-Identifier: MIT */
/* Cached leaves of two trees; see leaf_cache.h. */
#include "pair/hit/leaf_cache.h"

#include <string.h>

void grz_cached_leaves_start(grz_cached_leaves *leaves, const grz_kernels *kernels, const graze_tree *a,
                             const graze_tree *b, const grz_tree_transform *to_a, const grz_float_transform *float_to_a,
                             const grz_float_transform *float_to_b)
{
    leaves->kernels = kernels;
    leaves->a = a;
    leaves->b = b;
    leaves->to_a = to_a;
    leaves->float_to_a = float_to_a;
    leaves->float_to_b = float_to_b;
    leaves->has_rotation = false;
    memset(leaves->side_a.cached_keys, 0xff, sizeof leaves->side_a.cached_keys);
    memset(leaves->side_a.opened_keys, 0xff, sizeof leaves->side_a.opened_keys);
    memset(leaves->side_b.cached_keys, 0xff, sizeof leaves->side_b.cached_keys);
    memset(leaves->side_b.opened_keys, 0xff, sizeof leaves->side_b.opened_keys);
}

/* Once a leaf is cached, its own memory is not read again. */
const grz_corners8 *grz_cached_leaf_a(grz_cached_leaves *leaves, uint32_t index)
{
    grz_cached_leaf_side *side = &leaves->side_a;
    uint32_t slot = index % GRZ_CACHED_LEAVES;
    grz_corners8 *cached = &side->cached[slot];
    if (side->cached_keys[slot] != index)
    {
        const grz_leaf *leaf = &leaves->a->leaves[index];
        leaves->kernels->corners(&leaf->triangles, NULL, cached);
        cached->first = leaf->first;
        cached->present = (1u << leaf->count) - 1;
        side->cached_keys[slot] = index;
    }
    return cached;
}

const grz_corners8 *grz_cached_leaf_b(grz_cached_leaves *leaves, uint32_t index)
{
    grz_cached_leaf_side *side = &leaves->side_b;
    uint32_t slot = index % GRZ_CACHED_LEAVES;
    grz_corners8 *cached = &side->cached[slot];
    if (side->cached_keys[slot] != index)
    {
        const grz_leaf *leaf = &leaves->b->leaves[index];
        if (!leaves->has_rotation)
            grz_leaf_transform_make(leaves->to_a, &leaves->rotation);
        leaves->has_rotation = true;
        leaves->kernels->corners(&leaf->triangles, &leaves->rotation, cached);
        cached->first = leaf->first;
        cached->present = (1u << leaf->count) - 1;
        side->cached_keys[slot] = index;
    }
    return cached;
}

void grz_cached_leaves_queue(grz_cached_leaves *leaves, uint32_t leaf_a, unsigned rows, uint32_t leaf_b, unsigned lanes,
                             grz_pair_queue *queue)
{
    const grz_corners8 *a = grz_cached_leaf_a(leaves, leaf_a), *b = grz_cached_leaf_b(leaves, leaf_b);
    leaves->kernels->queue_pairs(a, rows, b, lanes, queue);
}

static grz_opened_leaf *open_leaf(const grz_kernels *kernels, const graze_tree *tree, uint32_t leaf,
                                  const grz_float_transform *there, const grz_float_transform *back,
                                  grz_cached_leaf_side *side)
{
    uint32_t slot = leaf % GRZ_OPENED_LEAVES;
    grz_opened_leaf *opened = &side->opened[slot];
    if (side->opened_keys[slot] != leaf)
    {
        kernels->facet_boxes(&tree->leaves[leaf].triangles, &opened->boxes);
        kernels->transform(&opened->boxes, there, back, &opened->transformed);
        opened->has_edges = false;
        side->opened_keys[slot] = leaf;
    }
    return opened;
}

grz_opened_leaf *grz_open_leaf_a(grz_cached_leaves *leaves, uint32_t leaf)
{
    return open_leaf(leaves->kernels, leaves->a, leaf, leaves->float_to_b, leaves->float_to_a, &leaves->side_a);
}

grz_opened_leaf *grz_open_leaf_b(grz_cached_leaves *leaves, uint32_t leaf)
{
    return open_leaf(leaves->kernels, leaves->b, leaf, leaves->float_to_a, leaves->float_to_b, &leaves->side_b);
}

static const grz_edges8 *edges_of(const grz_kernels *kernels, const graze_tree *tree, uint32_t leaf,
                                  const grz_float_transform *there, grz_opened_leaf *opened)
{
    if (!opened->has_edges)
        kernels->facet_edges(&tree->leaves[leaf].triangles, there, &opened->edges);
    opened->has_edges = true;
    return &opened->edges;
}

const grz_edges8 *grz_leaf_edges_a(grz_cached_leaves *leaves, uint32_t leaf, grz_opened_leaf *opened)
{
    return edges_of(leaves->kernels, leaves->a, leaf, leaves->float_to_b, opened);
}

const grz_edges8 *grz_leaf_edges_b(grz_cached_leaves *leaves, uint32_t leaf, grz_opened_leaf *opened)
{
    return edges_of(leaves->kernels, leaves->b, leaf, leaves->float_to_a, opened);
}
