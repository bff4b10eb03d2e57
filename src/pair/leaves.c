/* SPDX-License-Identifier: MIT */
/* Leaves of two trees; see leaves.h. */
#include "pair/leaves.h"

#include <string.h>

void grz_leaves_start(grz_leaves *leaves, const grz_kernels *kernels, const graze_tree *a, const graze_tree *b,
                      const grz_map *to_a, const grz_float_map *float_to_a, const grz_float_map *float_to_b)
{
    leaves->kernels = kernels;
    leaves->a = a;
    leaves->b = b;
    leaves->to_a = to_a;
    leaves->float_to_a = float_to_a;
    leaves->float_to_b = float_to_b;
    leaves->turned = false;
    memset(leaves->side_a.kept_keys, 0xff, sizeof leaves->side_a.kept_keys);
    memset(leaves->side_a.opened_keys, 0xff, sizeof leaves->side_a.opened_keys);
    memset(leaves->side_b.kept_keys, 0xff, sizeof leaves->side_b.kept_keys);
    memset(leaves->side_b.opened_keys, 0xff, sizeof leaves->side_b.opened_keys);
}

/* Once a leaf is kept, its own memory is not touched again. */
static const grz_corners8 *keep_a(grz_leaves *leaves, uint32_t index)
{
    grz_leaf_side *side = &leaves->side_a;
    uint32_t place = index % GRZ_LEAVES_KEPT;
    grz_corners8 *kept = &side->kept[place];
    if (side->kept_keys[place] != index)
    {
        const grz_leaf *leaf = &leaves->a->leaves[index];
        leaves->kernels->corners(&leaf->triangles, NULL, kept);
        kept->first = leaf->first;
        kept->present = (1u << leaf->count) - 1;
        side->kept_keys[place] = index;
    }
    return kept;
}

static const grz_corners8 *keep_b(grz_leaves *leaves, uint32_t index)
{
    grz_leaf_side *side = &leaves->side_b;
    uint32_t place = index % GRZ_LEAVES_KEPT;
    grz_corners8 *kept = &side->kept[place];
    if (side->kept_keys[place] != index)
    {
        const grz_leaf *leaf = &leaves->b->leaves[index];
        if (!leaves->turned)
            grz_turn_leaves(leaves->to_a, &leaves->turn);
        leaves->turned = true;
        leaves->kernels->corners(&leaf->triangles, &leaves->turn, kept);
        kept->first = leaf->first;
        kept->present = (1u << leaf->count) - 1;
        side->kept_keys[place] = index;
    }
    return kept;
}

void grz_leaves_queue(grz_leaves *leaves, uint32_t leaf_a, unsigned rows, uint32_t leaf_b, unsigned lanes,
                      grz_pair_queue *queue)
{
    const grz_corners8 *a = keep_a(leaves, leaf_a), *b = keep_b(leaves, leaf_b);
    leaves->kernels->pairs(a, rows, b, lanes, queue);
}

static grz_opened_leaf *open_leaf(const grz_kernels *kernels, const graze_tree *tree, uint32_t leaf,
                                  const grz_float_map *there, const grz_float_map *back, grz_leaf_side *side)
{
    uint32_t place = leaf % GRZ_LEAVES_OPENED;
    grz_opened_leaf *opened = &side->opened[place];
    if (side->opened_keys[place] != leaf)
    {
        kernels->facet_boxes(&tree->leaves[leaf].triangles, &opened->boxes);
        kernels->map(&opened->boxes, there, back, &opened->mapped);
        opened->has_edges = false;
        side->opened_keys[place] = leaf;
    }
    return opened;
}

grz_opened_leaf *grz_leaves_open_a(grz_leaves *leaves, uint32_t leaf)
{
    return open_leaf(leaves->kernels, leaves->a, leaf, leaves->float_to_b, leaves->float_to_a, &leaves->side_a);
}

grz_opened_leaf *grz_leaves_open_b(grz_leaves *leaves, uint32_t leaf)
{
    return open_leaf(leaves->kernels, leaves->b, leaf, leaves->float_to_a, leaves->float_to_b, &leaves->side_b);
}

static const grz_edges8 *edges_of(const grz_kernels *kernels, const graze_tree *tree, uint32_t leaf,
                                  const grz_float_map *there, grz_opened_leaf *opened)
{
    if (!opened->has_edges)
        kernels->facet_edges(&tree->leaves[leaf].triangles, there, &opened->edges);
    opened->has_edges = true;
    return &opened->edges;
}

const grz_edges8 *grz_leaves_edges_a(grz_leaves *leaves, uint32_t leaf, grz_opened_leaf *opened)
{
    return edges_of(leaves->kernels, leaves->a, leaf, leaves->float_to_b, opened);
}

const grz_edges8 *grz_leaves_edges_b(grz_leaves *leaves, uint32_t leaf, grz_opened_leaf *opened)
{
    return edges_of(leaves->kernels, leaves->b, leaf, leaves->float_to_a, opened);
}
