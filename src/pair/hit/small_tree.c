/* SPDX-License-Identifier: MIT */
/* A small tree against a tree; see small_tree.h. */
#include "pair/hit/small_tree.h"

#include <float.h>
#include <math.h>

#include "pair/hit/bvh_traversal_work.h"

/* The triangles of a leaf that is this factor larger than the boxes they meet are tested by their edges' separating
   axes too, as in bvh_traversal.c; there the size is that of the node above. */
#define EDGE_BOX_RATIO 8.0f

/* Groups whose triangles are axis-aligned and that are at most this many times as thick as a box are tested as a whole:
   hardly any box fits inside without meeting one of the triangles. */
#define THICK_RATIO 1.5f

void grz_small_tree_begin(grz_traversal_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_small_tree_side *small_tree = &w->small_tree;
    small_tree->is = GRZ_NO_SMALL_TREE;
    if (t->a->node_count == 1 && t->b->node_count > 1)
    {
        small_tree->is = GRZ_SMALL_TREE_A;
        small_tree->small = t->a;
        small_tree->large = t->b;
        small_tree->to_small = &w->to_a;
        small_tree->to_large = &w->to_b;
        small_tree->scale = 1 / w->b_scale;
    }
    else if (t->b->node_count == 1 && t->a->node_count > 1)
    {
        small_tree->is = GRZ_SMALL_TREE_B;
        small_tree->small = t->b;
        small_tree->large = t->a;
        small_tree->to_small = &w->to_b;
        small_tree->to_large = &w->to_a;
        small_tree->scale = w->b_scale;
    }
    else
        return;
    const grz_leaf_groups *groups = &small_tree->small->groups;
    small_tree->groups_ready = small_tree->triangles_ready = false;
    small_tree->smallest = groups->slanted != 0 ? FLT_MAX : 0.5f / THICK_RATIO * small_tree->scale * groups->thickness;
}

static inline const grz_transformed8 *bounds_of_small(grz_traversal_work *w)
{
    return w->small_tree.is == GRZ_SMALL_TREE_B ? grz_transformed_node_b(w, 0) : grz_transformed_node_a(w, 0);
}

static inline const grz_leaf *leaf_in(const graze_tree *small, unsigned lane)
{
    return &small->leaves[small->nodes[0].children[lane] & ~GRZ_LEAF_FLAG];
}

/* Transforms the groups. Needed once, and again after a pause. */
static void make_groups(grz_traversal_work *w)
{
    grz_small_tree_side *small_tree = &w->small_tree;
    w->kernels->transform(&small_tree->small->groups.boxes, small_tree->to_large, small_tree->to_small,
                          &small_tree->transformed);
    for (int k = 0; k < 3; k++)
    {
        const float *row = small_tree->to_small->matrix[k];
        small_tree->row_sums[k] = fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]);
    }
    small_tree->groups_ready = true;
}

/* Transforms the triangles one by one. Needed once, and again after a pause. */
static void make_triangles(grz_traversal_work *w)
{
    grz_small_tree_side *small_tree = &w->small_tree;
    const grz_node *small = &small_tree->small->nodes[0];
    const grz_transformed8 *bounds = bounds_of_small(w);
    small_tree->edge_mask = small_tree->triangles.lanes = 0;
    small_tree->largest = 0;
    for (unsigned lane = 0; lane < GRZ_LANES && small->children[lane] != GRZ_NO_CHILD; lane++)
    {
        float size = bounds->size[lane] * small_tree->scale;
        w->kernels->small_tree_add(&leaf_in(small_tree->small, lane)->triangles, small_tree->to_large,
                                   small_tree->to_small, lane, &small_tree->triangles);
        small_tree->largest = size > small_tree->largest ? size : small_tree->largest;
    }
    small_tree->triangles_ready = true;
}

/* Culls pairs that boxes and planes did not separate by the axes of edges. */
static void cull_by_edges(grz_traversal_work *w, const grz_boxes8 *boxes, float box_size, uint64_t met[GRZ_LANES])
{
    const grz_transformed8 *bounds = bounds_of_small(w);
    for (unsigned rest = w->small_tree.small->groups.slanted; rest != 0; rest &= rest - 1)
    {
        unsigned lane = grz_lowest_bit(rest);
        uint64_t pairs = 0; /* box * 8 + triangle */
        for (unsigned box = 0; box < GRZ_LANES; box++)
            pairs |= (met[box] >> GRZ_LANES * lane & GRZ_FULL_MASK) << GRZ_LANES * box;
        if (pairs == 0 || bounds->size[lane] * w->small_tree.scale <= EDGE_BOX_RATIO * box_size)
            continue;
        if ((w->small_tree.edge_mask >> lane & 1) == 0)
            w->kernels->facet_edges(&leaf_in(w->small_tree.small, lane)->triangles, w->small_tree.to_large,
                                    &w->small_tree.edges[lane]);
        w->small_tree.edge_mask |= 1u << lane;
        uint64_t left = w->kernels->edge_axes(&w->small_tree.edges[lane], grz_transpose_8x8(pairs), boxes);
        uint64_t separated = pairs & ~grz_transpose_8x8(left);
        for (unsigned box = 0; box < GRZ_LANES; box++)
            met[box] &= ~((separated >> GRZ_LANES * box & GRZ_FULL_MASK) << GRZ_LANES * lane);
    }
}

static inline void push_either(grz_traversal_work *w, uint32_t ref, uint32_t small_ref, uint64_t masks)
{
    uint64_t refs =
        w->small_tree.is == GRZ_SMALL_TREE_B ? grz_join_halves(ref, small_ref) : grz_join_halves(small_ref, ref);
    w->pairs[w->count++] = (grz_node_pair){refs, masks};
}

/* Pushes a leaf of the larger tree, with a mask of its triangles, against triangles of the small tree. */
static inline void push_leaves(grz_traversal_work *w, uint32_t ref, uint32_t others, uint64_t triangles)
{
    while (triangles != 0)
    {
        unsigned lane = grz_lowest_bit(triangles) / GRZ_LANES;
        uint32_t mask = (uint32_t)(triangles >> GRZ_LANES * lane) & GRZ_FULL_MASK;
        push_either(w, ref, lane,
                    w->small_tree.is == GRZ_SMALL_TREE_B ? grz_join_halves(others, mask)
                                                         : grz_join_halves(mask, others));
        triangles &= ~((uint64_t)GRZ_FULL_MASK << GRZ_LANES * lane);
    }
}

/* Tests groups against the triangles of a leaf. */
static void open_leaf(grz_traversal_work *w, uint32_t leaf, uint32_t ref, unsigned group_mask)
{
    const grz_small_tree_side *small_tree = &w->small_tree;
    const grz_leaf_groups *groups = &small_tree->small->groups;
    uint64_t pairs = w->kernels->group_leaf(&groups->boxes, group_mask, &small_tree->large->leaves[leaf].triangles,
                                            small_tree->to_small, small_tree->row_sums);
    w->box_tests += GRZ_LANES;
    while (pairs != 0)
    {
        unsigned group = grz_lowest_bit(pairs) / GRZ_LANES;
        push_leaves(w, ref, (uint32_t)(pairs >> GRZ_LANES * group) & GRZ_FULL_MASK, groups->members[group]);
        pairs &= ~((uint64_t)GRZ_FULL_MASK << GRZ_LANES * group);
    }
}

static uint64_t triangles_in(const grz_leaf_groups *groups, unsigned met_groups)
{
    uint64_t triangles = 0;
    for (; met_groups != 0; met_groups &= met_groups - 1)
        triangles |= groups->members[grz_lowest_bit(met_groups)];
    return triangles;
}

/* Tests groups against the children of a node. */
static void open_by_groups(grz_traversal_work *w, uint32_t node_index, unsigned group_mask)
{
    const grz_small_tree_side *small_tree = &w->small_tree;
    if (!small_tree->groups_ready)
        make_groups(w);
    const grz_leaf_groups *groups = &small_tree->small->groups;
    const grz_node *node = &small_tree->large->nodes[node_index];
    float sizes[GRZ_LANES];
    uint64_t left = w->kernels->groups(&groups->boxes, &small_tree->transformed, group_mask, &node->boxes,
                                       small_tree->to_small, sizes);
    w->box_tests += GRZ_LANES;
    while (left != 0)
    {
        unsigned box = grz_lowest_bit(left) / GRZ_LANES,
                 met_groups = (unsigned)(left >> GRZ_LANES * box) & GRZ_FULL_MASK;
        left &= ~((uint64_t)GRZ_FULL_MASK << GRZ_LANES * box);
        uint32_t ref = node_index * GRZ_TREE_WIDTH + box, child = node->children[box];
        if ((child & GRZ_LEAF_FLAG) != 0)
            open_leaf(w, child & ~GRZ_LEAF_FLAG, ref, met_groups);
        else if (sizes[box] < small_tree->smallest)
            push_either(w, ref, GRZ_TRIANGLES_REF, triangles_in(groups, met_groups));
        else
            push_either(w, ref, GRZ_GROUPS_REF, met_groups);
    }
}

/* Tests triangles one by one against the children of a node. */
static void open_by_triangles(grz_traversal_work *w, uint32_t node_index, uint64_t triangles)
{
    grz_small_tree_side *small_tree = &w->small_tree;
    if (!small_tree->triangles_ready)
        make_triangles(w);
    const grz_node *node = &small_tree->large->nodes[node_index];
    uint64_t met[GRZ_LANES];
    float box_size = w->kernels->small_tree(&small_tree->triangles, triangles, &node->boxes, small_tree->to_small, met);
    w->box_tests += GRZ_PAIRS;
    if (small_tree->small->groups.slanted != 0 && small_tree->largest > EDGE_BOX_RATIO * box_size)
        cull_by_edges(w, &node->boxes, box_size, met);
    for (unsigned box = 0; box < GRZ_LANES; box++)
    {
        if (met[box] == 0)
            continue;
        uint32_t ref = node_index * GRZ_TREE_WIDTH + box;
        if ((node->children[box] & GRZ_LEAF_FLAG) != 0)
            push_leaves(w, ref, GRZ_FULL_MASK, met[box]);
        else
            push_either(w, ref, GRZ_TRIANGLES_REF, met[box]);
    }
}

void grz_small_tree_open(grz_traversal_work *w, uint32_t ref, uint32_t small_ref, uint64_t part)
{
    uint32_t node = ref / GRZ_TREE_WIDTH;
    uint32_t child = node == GRZ_ABOVE_ROOT ? 0 : w->small_tree.large->nodes[node].children[ref % GRZ_TREE_WIDTH];
    if (small_ref == GRZ_GROUPS_REF)
        open_by_groups(w, child, (unsigned)part);
    else
        open_by_triangles(w, child, part);
}

void grz_small_tree_start(grz_traversal_work *w, uint32_t ref, grz_transformed_child transformed)
{
    const grz_small_tree_side *small_tree = &w->small_tree;
    const grz_leaf_groups *groups = &small_tree->small->groups;
    unsigned met_groups = w->kernels->row_aabb_overlap(transformed.bounds, transformed.lane, &groups->boxes);
    w->box_tests += GRZ_LANES;
    if (met_groups == 0)
        return;
    if (!small_tree->groups_ready)
        make_groups(w);
    met_groups =
        w->kernels->row_slab_overlap(grz_child_boxes(small_tree->large, ref / GRZ_TREE_WIDTH), transformed.bounds,
                                     transformed.lane, &groups->boxes, &small_tree->transformed, met_groups);
    if (met_groups == 0)
        return;
    if (transformed.bounds->size[transformed.lane] < small_tree->smallest)
        grz_small_tree_open(w, ref, GRZ_TRIANGLES_REF, triangles_in(groups, met_groups));
    else
        grz_small_tree_open(w, ref, GRZ_GROUPS_REF, met_groups);
}
