/* SPDX-License-Identifier: MIT */
/* A handful of triangles against a tree; see handful.h. */
#include "pair/handful.h"

#include <float.h>

#include "pair/traverse_work.h"

/* Triangles of a leaf this much larger than the boxes they meet are compared by their edges too, as in traverse.c;
   there it is the node above. */
#define EDGE_BOX_RATIO 8.0f

/* Groups that lie along their axes and are at most this many times as thick as a box are taken as a whole: there is
   hardly room inside for a box that meets none of the triangles. */
#define THICK_RATIO 8.0f

/* A leaf joins a group if the box around both is larger than the larger one's by less, in the sum of extents. */
#define ALIKE_RATIO 1.1f

void grz_handful_begin(grz_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_handful_side *handful = &w->handful;
    handful->is = GRZ_NO_HANDFUL;
    handful->group_count = 0;
    handful->has_triangles = false;
    if (t->a->node_count == 1 && t->b->node_count > 1)
    {
        handful->is = GRZ_HANDFUL_A;
        handful->few = t->a;
        handful->many = t->b;
        handful->to_few = &w->to_a;
        handful->to_many = &w->to_b;
        handful->scale = 1 / w->b_scale;
    }
    if (t->b->node_count == 1 && t->a->node_count > 1)
    {
        handful->is = GRZ_HANDFUL_B;
        handful->few = t->b;
        handful->many = t->a;
        handful->to_few = &w->to_b;
        handful->to_many = &w->to_a;
        handful->scale = w->b_scale;
    }
}

static inline const grz_mapped8 *image_of_few(grz_work *w)
{
    return w->handful.is == GRZ_HANDFUL_B ? grz_image_of_b(w, 0) : grz_image_of_a(w, 0);
}

static inline const grz_leaf *leaf_in(const graze_tree *few, unsigned lane)
{
    return &few->leaves[few->nodes[0].children[lane] & ~GRZ_LEAF_FLAG];
}

/* Of the leaves in some lanes the one whose box has the largest sum of extents, */
static unsigned largest_of(const float sums[GRZ_LANES], unsigned lanes)
{
    unsigned largest = grz_lowest_bit(lanes);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        largest = sums[grz_lowest_bit(rest)] > sums[largest] ? grz_lowest_bit(rest) : largest;
    return largest;
}

/* and those, itself among them, that do not make its box much larger. */
static unsigned alike(const grz_boxes8 *boxes, unsigned largest, float sum, unsigned lanes)
{
    float joined[GRZ_LANES] = {0};
    for (int k = 0; k < 3; k++)
    {
        float lower = boxes->lower[k][largest], upper = boxes->upper[k][largest];
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            float from = boxes->lower[k][lane], to = boxes->upper[k][lane];
            joined[lane] += (to > upper ? to : upper) - (from < lower ? from : lower);
        }
    }
    unsigned result = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        result |= (unsigned)(joined[grz_lowest_bit(rest)] <= ALIKE_RATIO * sum) << grz_lowest_bit(rest);
    return result | 1u << largest;
}

/* The boxes around the leaves in some lanes. */
static void bound_group(const grz_boxes8 *boxes, const grz_mapped8 *image, unsigned lanes, float bounds[12])
{
    for (int k = 0; k < 3; k++)
    {
        bounds[k] = bounds[6 + k] = FLT_MAX;
        bounds[3 + k] = bounds[9 + k] = -FLT_MAX;
    }
    for (; lanes != 0; lanes &= lanes - 1)
    {
        unsigned lane = grz_lowest_bit(lanes);
        for (int k = 0; k < 3; k++)
        {
            bounds[k] = boxes->lower[k][lane] < bounds[k] ? boxes->lower[k][lane] : bounds[k];
            bounds[3 + k] = boxes->upper[k][lane] > bounds[3 + k] ? boxes->upper[k][lane] : bounds[3 + k];
            bounds[6 + k] = image->lower[k][lane] < bounds[6 + k] ? image->lower[k][lane] : bounds[6 + k];
            bounds[9 + k] = image->upper[k][lane] > bounds[9 + k] ? image->upper[k][lane] : bounds[9 + k];
        }
    }
}

static float middle_extent(const float bounds[6])
{
    float x = bounds[3] - bounds[0], y = bounds[4] - bounds[1], z = bounds[5] - bounds[2];
    float smaller = x < y ? x : y, larger = x < y ? y : x;
    return z < smaller ? smaller : z < larger ? z : larger;
}

/* Needed once, and again after a pause. */
static void make_groups(grz_work *w)
{
    grz_handful_side *handful = &w->handful;
    const grz_node *few = &handful->few->nodes[0];
    const grz_mapped8 *image = image_of_few(w);
    float sums[GRZ_LANES], thickest = 0;
    uint64_t triangles[GRZ_LANES];
    unsigned left = 0;
    handful->present = handful->slanted = 0;
    for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        sums[lane] = (few->boxes.upper[0][lane] - few->boxes.lower[0][lane]) +
                     (few->boxes.upper[1][lane] - few->boxes.lower[1][lane]) +
                     (few->boxes.upper[2][lane] - few->boxes.lower[2][lane]);
    for (unsigned lane = 0; lane < GRZ_LANES && few->children[lane] != GRZ_NO_CHILD; lane++)
    {
        const grz_leaf *leaf = leaf_in(handful->few, lane);
        triangles[lane] = (uint64_t)((1u << leaf->count) - 1) << GRZ_LANES * lane;
        handful->present |= triangles[lane];
        handful->slanted |= (unsigned)(w->kernels->slanted(&leaf->triangles) != 0) << lane;
        left |= 1u << lane;
    }
    while (left != 0)
    {
        unsigned group = handful->group_count++, largest = largest_of(sums, left);
        unsigned lanes = alike(&few->boxes, largest, sums[largest], left);
        float *bounds = handful->groups.bounds[group];
        bound_group(&few->boxes, image, lanes, bounds);
        left &= ~lanes;
        handful->members[group] = 0;
        for (; lanes != 0; lanes &= lanes - 1)
            handful->members[group] |= triangles[grz_lowest_bit(lanes)];
        float thickness = middle_extent(bounds);
        thickest = thickness > thickest ? thickness : thickest;
    }
    handful->smallest = handful->slanted != 0 ? FLT_MAX : 0.5f / THICK_RATIO * handful->scale * thickest;
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
    for (unsigned rest = w->handful.slanted; rest != 0; rest &= rest - 1)
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
static void open_leaf(grz_work *w, uint32_t leaf, uint32_t place, unsigned groups, uint64_t triangles)
{
    const grz_handful_side *handful = &w->handful;
    uint64_t pairs =
        w->kernels->group_leaf(&handful->groups, groups, &handful->many->leaves[leaf].triangles, handful->to_few);
    w->box_tests += GRZ_LANES;
    while (pairs != 0)
    {
        unsigned group = grz_lowest_bit(pairs) / GRZ_LANES;
        push_leaves(w, place, (uint32_t)(pairs >> GRZ_LANES * group) & GRZ_ALL, triangles & handful->members[group]);
        pairs &= ~((uint64_t)GRZ_ALL << GRZ_LANES * group);
    }
}

/* Groups of the handful against the children of a node. */
static void open_by_groups(grz_work *w, uint32_t node_index, uint64_t triangles)
{
    grz_handful_side *handful = &w->handful;
    if (handful->group_count == 0)
        make_groups(w);
    unsigned asked = 0;
    for (unsigned group = 0; group < handful->group_count; group++)
        asked |= (unsigned)((triangles & handful->members[group]) != 0) << group;
    const grz_node *node = &handful->many->nodes[node_index];
    float sizes[GRZ_LANES];
    uint64_t left = w->kernels->groups(&handful->groups, asked, &node->boxes, handful->to_few, sizes);
    w->box_tests += GRZ_LANES;
    for (left = grz_transpose(left); left != 0;)
    {
        unsigned box = grz_lowest_bit(left) / GRZ_LANES, groups = (unsigned)(left >> GRZ_LANES * box) & GRZ_ALL;
        left &= ~((uint64_t)GRZ_ALL << GRZ_LANES * box);
        uint64_t set = 0;
        for (unsigned rest = groups; rest != 0; rest &= rest - 1)
            set |= handful->members[grz_lowest_bit(rest)];
        set &= triangles;
        uint32_t place = node_index * GRZ_TREE_WIDTH + box, child = node->children[box];
        if ((child & GRZ_LEAF_FLAG) != 0)
            open_leaf(w, child & ~GRZ_LEAF_FLAG, place, groups, set);
        else
            push_either(w, place, sizes[box] < handful->smallest ? GRZ_TRIANGLES_PLACE : GRZ_GROUPS_PLACE, set);
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
    if (handful->slanted != 0 && handful->largest > EDGE_BOX_RATIO * box_size)
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

void grz_handful_open(grz_work *w, uint32_t place, uint32_t few_place, uint64_t triangles)
{
    uint32_t node = place / GRZ_TREE_WIDTH;
    uint32_t child = node == GRZ_ABOVE_ROOT ? 0 : w->handful.many->nodes[node].children[place % GRZ_TREE_WIDTH];
    if (few_place == GRZ_GROUPS_PLACE)
        open_by_groups(w, child, triangles);
    else
        open_by_triangles(w, child, triangles);
}

void grz_handful_start(grz_work *w, uint32_t place, grz_seen_box seen)
{
    const grz_handful_side *handful = &w->handful;
    const grz_node *few = &handful->few->nodes[0];
    unsigned given = w->kernels->near(seen.image, seen.lane, &few->boxes);
    w->box_tests += GRZ_LANES;
    if (given == 0)
        return;
    given = w->kernels->meet(grz_boxes_of(handful->many, place / GRZ_TREE_WIDTH), seen.image, seen.lane, &few->boxes,
                             image_of_few(w), given);
    if (given == 0)
        return;
    if (handful->group_count == 0)
        make_groups(w);
    uint64_t lanes = 0;
    for (; given != 0; given &= given - 1)
        lanes |= (uint64_t)GRZ_ALL << GRZ_LANES * grz_lowest_bit(given);
    bool by_groups = seen.image->size[seen.lane] >= handful->smallest;
    grz_handful_open(w, place, by_groups ? GRZ_GROUPS_PLACE : GRZ_TRIANGLES_PLACE, handful->present & lanes);
}
