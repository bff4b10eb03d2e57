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
    memset(leaves->side_a.kept_keys, 0xff, sizeof leaves->side_a.kept_keys);
    memset(leaves->side_a.opened_keys, 0xff, sizeof leaves->side_a.opened_keys);
    memset(leaves->side_b.kept_keys, 0xff, sizeof leaves->side_b.kept_keys);
    memset(leaves->side_b.opened_keys, 0xff, sizeof leaves->side_b.opened_keys);
}

static const grz_kept_leaf *keep_a(grz_leaves *leaves, uint32_t leaf)
{
    grz_leaf_side *side = &leaves->side_a;
    uint32_t place = leaf % GRZ_LEAVES_KEPT;
    if (side->kept_keys[place] != leaf)
    {
        leaves->kernels->facets(&leaves->a->leaves[leaf].triangles, NULL, &side->kept[place].facets);
        side->kept_keys[place] = leaf;
    }
    return &side->kept[place];
}

static const grz_kept_leaf *keep_b(grz_leaves *leaves, uint32_t leaf)
{
    grz_leaf_side *side = &leaves->side_b;
    uint32_t place = leaf % GRZ_LEAVES_KEPT;
    if (side->kept_keys[place] != leaf)
    {
        const grz_triangles8 *triangles = &leaves->b->leaves[leaf].triangles;
        leaves->kernels->facets(triangles, leaves->float_to_a->matrix, &side->kept[place].facets);
        side->kept[place].view = grz_view_leaf(leaves->to_a, triangles);
        side->kept_keys[place] = leaf;
    }
    return &side->kept[place];
}

grz_triangle_pairs grz_leaves_test(grz_leaves *leaves, uint32_t leaf_a, unsigned rows, uint32_t leaf_b, unsigned lanes)
{
    const grz_kept_leaf *a = keep_a(leaves, leaf_a), *b = keep_b(leaves, leaf_b);
    grz_leaf_shift shift = grz_shift_leaves(&leaves->a->leaves[leaf_a].triangles, &b->view);
    return leaves->kernels->triangles(&a->facets, rows, &b->facets, lanes, &shift);
}

static grz_opened_leaf *open_leaf(const grz_kernels *kernels, const graze_tree *tree, uint32_t leaf,
                                  const grz_float_map *there, const grz_float_map *back, grz_leaf_side *side)
{
    uint32_t place = leaf % GRZ_LEAVES_KEPT;
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
