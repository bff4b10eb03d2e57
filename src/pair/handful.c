/* SPDX-License-Identifier: MIT */
/* A handful of triangles against a tree; see handful.h. */
#include "pair/handful.h"

#include <float.h>
#include <math.h>

#include "pair/traverse_work.h"

/* Triangles of a leaf this much larger than the boxes they meet are compared by their edges too, as in traverse.c;
   there it is the node above. */
#define EDGE_BOX_RATIO 8.0f

/* Groups that lie along their axes and are at most this many times as thick as a box are taken as a whole: there is
   hardly room inside for a box that meets none of the triangles. */
#define THICK_RATIO 1.5f

void grz_handful_begin(grz_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_handful_side *handful = &w->handful;
    handful->is = GRZ_NO_HANDFUL;
    if (t->a->node_count == 1 && t->b->node_count > 1)
    {
        handful->is = GRZ_HANDFUL_A;
        handful->few = t->a;
        handful->many = t->b;
        handful->to_few = &w->to_a;
        handful->to_many = &w->to_b;
        handful->scale = 1 / w->b_scale;
    }
    else if (t->b->node_count == 1 && t->a->node_count > 1)
    {
        handful->is = GRZ_HANDFUL_B;
        handful->few = t->b;
        handful->many = t->a;
        handful->to_few = &w->to_b;
        handful->to_many = &w->to_a;
        handful->scale = w->b_scale;
    }
    else
        return;
    const grz_leaf_groups *groups = &handful->few->groups;
    handful->has_groups = handful->has_triangles = false;
    handful->smallest = groups->slanted != 0 ? FLT_MAX : 0.5f / THICK_RATIO * handful->scale * groups->thickness;
}

static inline const grz_mapped8 *image_of_few(grz_work *w)
{
    return w->handful.is == GRZ_HANDFUL_B ? grz_image_of_b(w, 0) : grz_image_of_a(w, 0);
}

static inline const grz_leaf *leaf_in(const graze_tree *few, unsigned lane)
{
    return &few->leaves[few->nodes[0].children[lane] & ~GRZ_LEAF_FLAG];
}

/* Gets to know the groups. Needed once, and again after a pause. */
static void make_groups(grz_work *w)
{
    grz_handful_side *handful = &w->handful;
    w->kernels->map(&handful->few->groups.boxes, handful->to_many, handful->to_few, &handful->seen);
    for (int k = 0; k < 3; k++)
    {
        const float *row = handful->to_few->matrix[k];
        handful->row_sums[k] = fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]);
    }
    handful->has_groups = true;
}

/* Gets to know the triangles one by one; needed as often. */
static void make_triangles(grz_work *w)
{
    grz_handful_side *handful = &w->handful;
    const grz_node *few = &handful->few->nodes[0];
    const grz_mapped8 *image = image_of_few(w);
    handful->edged = handful->triangles.lanes = 0;
    handful->largest = 0;
    for (unsigned lane = 0; lane < GRZ_LANES && few->children[lane] != GRZ_NO_CHILD; lane++)
    {
        float size = image->size[lane] * handful->scale;
        w->kernels->handful_add(&leaf_in(handful->few, lane)->triangles, handful->to_many, handful->to_few, lane,
                                &handful->triangles);
        handful->largest = size > handful->largest ? size : handful->largest;
    }
    handful->has_triangles = true;
}

/* Leaves out, of what boxes and planes left over, what edges part. */
static void part_by_edges(grz_work *w, const grz_boxes8 *boxes, float box_size, uint64_t met[GRZ_LANES])
{
    const grz_mapped8 *image = image_of_few(w);
    for (unsigned rest = w->handful.few->groups.slanted; rest != 0; rest &= rest - 1)
    {
        unsigned lane = grz_lowest_bit(rest);
        uint64_t pairs = 0; /* box * 8 + triangle */
        for (unsigned box = 0; box < GRZ_LANES; box++)
            pairs |= (met[box] >> GRZ_LANES * lane & GRZ_ALL) << GRZ_LANES * box;
        if (pairs == 0 || image->size[lane] * w->handful.scale <= EDGE_BOX_RATIO * box_size)
            continue;
        if ((w->handful.edged >> lane & 1) == 0)
            w->kernels->facet_edges(&leaf_in(w->handful.few, lane)->triangles, w->handful.to_many,
                                    &w->handful.edges[lane]);
        w->handful.edged |= 1u << lane;
        uint64_t left = w->kernels->edges(&w->handful.edges[lane], grz_transpose(pairs), boxes);
        uint64_t parted = pairs & ~grz_transpose(left);
        for (unsigned box = 0; box < GRZ_LANES; box++)
            met[box] &= ~((parted >> GRZ_LANES * box & GRZ_ALL) << GRZ_LANES * lane);
    }
}

static inline void push_either(grz_work *w, uint32_t place, uint32_t few_place, uint64_t masks)
{
    uint64_t places =
        w->handful.is == GRZ_HANDFUL_B ? grz_join_halves(place, few_place) : grz_join_halves(few_place, place);
    w->pairs[w->count++] = (grz_place_pair){places, masks};
}

/* A leaf of the other tree, of which some triangles are in question, against some of the handful. */
static inline void push_leaves(grz_work *w, uint32_t place, uint32_t others, uint64_t triangles)
{
    while (triangles != 0)
    {
        unsigned lane = grz_lowest_bit(triangles) / GRZ_LANES;
        uint32_t mask = (uint32_t)(triangles >> GRZ_LANES * lane) & GRZ_ALL;
        push_either(w, place, lane,
                    w->handful.is == GRZ_HANDFUL_B ? grz_join_halves(others, mask) : grz_join_halves(mask, others));
        triangles &= ~((uint64_t)GRZ_ALL << GRZ_LANES * lane);
    }
}

/* Groups of the handful against a leaf. */
static void open_leaf(grz_work *w, uint32_t leaf, uint32_t place, unsigned asked)
{
    const grz_handful_side *handful = &w->handful;
    const grz_leaf_groups *groups = &handful->few->groups;
    uint64_t pairs = w->kernels->group_leaf(&groups->boxes, asked, &handful->many->leaves[leaf].triangles,
                                            handful->to_few, handful->row_sums);
    w->box_tests += GRZ_LANES;
    while (pairs != 0)
    {
        unsigned group = grz_lowest_bit(pairs) / GRZ_LANES;
        push_leaves(w, place, (uint32_t)(pairs >> GRZ_LANES * group) & GRZ_ALL, groups->members[group]);
        pairs &= ~((uint64_t)GRZ_ALL << GRZ_LANES * group);
    }
}

static uint64_t triangles_in(const grz_leaf_groups *groups, unsigned given)
{
    uint64_t triangles = 0;
    for (; given != 0; given &= given - 1)
        triangles |= groups->members[grz_lowest_bit(given)];
    return triangles;
}

/* Groups against the children of a node. */
static void open_by_groups(grz_work *w, uint32_t node_index, unsigned asked)
{
    const grz_handful_side *handful = &w->handful;
    if (!handful->has_groups)
        make_groups(w);
    const grz_leaf_groups *groups = &handful->few->groups;
    const grz_node *node = &handful->many->nodes[node_index];
    float sizes[GRZ_LANES];
    uint64_t left = w->kernels->groups(&groups->boxes, &handful->seen, asked, &node->boxes, handful->to_few, sizes);
    w->box_tests += GRZ_LANES;
    while (left != 0)
    {
        unsigned box = grz_lowest_bit(left) / GRZ_LANES, given = (unsigned)(left >> GRZ_LANES * box) & GRZ_ALL;
        left &= ~((uint64_t)GRZ_ALL << GRZ_LANES * box);
        uint32_t place = node_index * GRZ_TREE_WIDTH + box, child = node->children[box];
        if ((child & GRZ_LEAF_FLAG) != 0)
            open_leaf(w, child & ~GRZ_LEAF_FLAG, place, given);
        else if (sizes[box] < handful->smallest)
            push_either(w, place, GRZ_TRIANGLES_PLACE, triangles_in(groups, given));
        else
            push_either(w, place, GRZ_GROUPS_PLACE, given);
    }
}

/* Triangles one by one against the children of a node. */
static void open_by_triangles(grz_work *w, uint32_t node_index, uint64_t triangles)
{
    grz_handful_side *handful = &w->handful;
    if (!handful->has_triangles)
        make_triangles(w);
    const grz_node *node = &handful->many->nodes[node_index];
    uint64_t met[GRZ_LANES];
    float box_size = w->kernels->handful(&handful->triangles, triangles, &node->boxes, handful->to_few, met);
    w->box_tests += GRZ_PAIRS;
    if (handful->few->groups.slanted != 0 && handful->largest > EDGE_BOX_RATIO * box_size)
        part_by_edges(w, &node->boxes, box_size, met);
    for (unsigned box = 0; box < GRZ_LANES; box++)
    {
        if (met[box] == 0)
            continue;
        uint32_t place = node_index * GRZ_TREE_WIDTH + box;
        if ((node->children[box] & GRZ_LEAF_FLAG) != 0)
            push_leaves(w, place, GRZ_ALL, met[box]);
        else
            push_either(w, place, GRZ_TRIANGLES_PLACE, met[box]);
    }
}

void grz_handful_open(grz_work *w, uint32_t place, uint32_t few_place, uint64_t part)
{
    uint32_t node = place / GRZ_TREE_WIDTH;
    uint32_t child = node == GRZ_ABOVE_ROOT ? 0 : w->handful.many->nodes[node].children[place % GRZ_TREE_WIDTH];
    if (few_place == GRZ_GROUPS_PLACE)
        open_by_groups(w, child, (unsigned)part);
    else
        open_by_triangles(w, child, part);
}

void grz_handful_start(grz_work *w, uint32_t place, grz_seen_box seen)
{
    const grz_handful_side *handful = &w->handful;
    const grz_leaf_groups *groups = &handful->few->groups;
    unsigned given = w->kernels->near(seen.image, seen.lane, &groups->boxes);
    w->box_tests += GRZ_LANES;
    if (given == 0)
        return;
    if (!handful->has_groups)
        make_groups(w);
    given = w->kernels->meet(grz_boxes_of(handful->many, place / GRZ_TREE_WIDTH), seen.image, seen.lane, &groups->boxes,
                             &handful->seen, given);
    if (given == 0)
        return;
    if (seen.image->size[seen.lane] < handful->smallest)
        grz_handful_open(w, place, GRZ_TRIANGLES_PLACE, triangles_in(groups, given));
    else
        grz_handful_open(w, place, GRZ_GROUPS_PLACE, given);
}
