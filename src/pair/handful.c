/* SPDX-License-Identifier: MIT */
/* A handful of triangles against a tree; see handful.h. */
#include "pair/handful.h"

#include "pair/traverse_work.h"

/* Triangles of a leaf this much larger than the boxes they meet are compared by their edges too, as in traverse.c;
   there it is the node above. */
#define EDGE_BOX_RATIO 8.0f

/* Triangles in boxes flatter than this lie along the axes, and edges would part little more than boxes do. */
#define FLAT 0.06f

void grz_handful_begin(grz_handful_side *handful, const graze_tree *a, const graze_tree *b)
{
    handful->is = GRZ_NO_HANDFUL;
    if (a->node_count == 1 && b->node_count > 1)
        handful->is = GRZ_HANDFUL_A;
    if (b->node_count == 1 && a->node_count > 1)
        handful->is = GRZ_HANDFUL_B;
    handful->present = 0;
}

/* The handful and the other tree, whichever is which. */
typedef struct sides
{
    const graze_tree *few, *many;
    const grz_float_map *to_few, *to_many;
    const grz_mapped8 *image; /* of the handful's node */
    float scale;              /* a length of the handful's, in the other's coordinates */
} sides;

static inline sides sides_of(grz_work *w)
{
    const grz_traversal *t = w->traversal;
    if (w->handful.is == GRZ_HANDFUL_B)
        return (sides){t->b, t->a, &w->to_b, &w->to_a, grz_image_of_b(w, 0), w->b_scale};
    return (sides){t->a, t->b, &w->to_a, &w->to_b, grz_image_of_a(w, 0), 1 / w->b_scale};
}

static inline const grz_leaf *leaf_in(const graze_tree *few, unsigned lane)
{
    return &few->leaves[few->nodes[0].children[lane] & ~GRZ_LEAF_FLAG];
}

/* Whether one of the triangles in a lane does not lie along the axes. */
static bool is_slanted(const grz_handful *triangles, unsigned lane)
{
    bool slanted = false;
    for (unsigned place = lane * GRZ_LANES; place < (lane + 1) * GRZ_LANES; place++)
    {
        float x = triangles->upper[0][place] - triangles->lower[0][place];
        float y = triangles->upper[1][place] - triangles->lower[1][place];
        float z = triangles->upper[2][place] - triangles->lower[2][place];
        float longest = x > y ? x : y, shortest = x < y ? x : y;
        slanted |= (shortest < z ? shortest : z) > FLAT * (longest > z ? longest : z);
    }
    return slanted;
}

/* Gets to know the triangles. Needed once, and again after a pause. */
static void make_ready(grz_work *w, const sides *s)
{
    grz_handful_side *handful = &w->handful;
    const grz_node *few = &s->few->nodes[0];
    handful->edged = handful->slanted = handful->triangles.lanes = 0;
    handful->largest = 0;
    for (unsigned lane = 0; lane < GRZ_LANES && few->children[lane] != GRZ_NO_CHILD; lane++)
    {
        const grz_leaf *leaf = leaf_in(s->few, lane);
        float size = s->image->size[lane] * s->scale;
        w->kernels->handful_add(&leaf->triangles, s->to_many, s->to_few, lane, &handful->triangles);
        handful->slanted |= (unsigned)is_slanted(&handful->triangles, lane) << lane;
        handful->largest = size > handful->largest ? size : handful->largest;
        handful->present |= (uint64_t)((1u << leaf->count) - 1) << GRZ_LANES * lane;
    }
}

/* Leaves out, of what boxes and planes left over, what edges part. */
static void part_by_edges(grz_work *w, const sides *s, const grz_boxes8 *boxes, float box_size, uint64_t met[GRZ_LANES])
{
    for (unsigned rest = w->handful.slanted; rest != 0; rest &= rest - 1)
    {
        unsigned lane = grz_lowest_bit(rest);
        uint64_t pairs = 0; /* box * 8 + triangle */
        for (unsigned box = 0; box < GRZ_LANES; box++)
            pairs |= (met[box] >> GRZ_LANES * lane & GRZ_ALL) << GRZ_LANES * box;
        if (pairs == 0 || s->image->size[lane] * s->scale <= EDGE_BOX_RATIO * box_size)
            continue;
        if ((w->handful.edged >> lane & 1) == 0)
            w->kernels->facet_edges(&leaf_in(s->few, lane)->triangles, s->to_many, &w->handful.edges[lane]);
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

static inline void push_leaves(grz_work *w, uint32_t place, uint64_t triangles)
{
    while (triangles != 0)
    {
        unsigned lane = grz_lowest_bit(triangles) / GRZ_LANES;
        uint32_t mask = (uint32_t)(triangles >> GRZ_LANES * lane) & GRZ_ALL;
        push_either(w, place, lane,
                    w->handful.is == GRZ_HANDFUL_B ? grz_join_halves(GRZ_ALL, mask) : grz_join_halves(mask, GRZ_ALL));
        triangles &= ~((uint64_t)GRZ_ALL << GRZ_LANES * lane);
    }
}

void grz_handful_open(grz_work *w, uint32_t node_index, uint64_t triangles)
{
    sides s = sides_of(w);
    if (w->handful.present == 0)
        make_ready(w, &s);
    const grz_node *node = &s.many->nodes[node_index];
    uint64_t met[GRZ_LANES];
    float box_size = w->kernels->handful(&w->handful.triangles, triangles, &node->boxes, s.to_few, met);
    w->box_tests += GRZ_PAIRS;
    if (w->handful.slanted != 0 && w->handful.largest > EDGE_BOX_RATIO * box_size)
        part_by_edges(w, &s, &node->boxes, box_size, met);
    for (unsigned box = 0; box < GRZ_LANES; box++)
    {
        if (met[box] == 0)
            continue;
        uint32_t place = node_index * GRZ_TREE_WIDTH + box;
        if ((node->children[box] & GRZ_LEAF_FLAG) != 0)
            push_leaves(w, place, met[box]);
        else
            push_either(w, place, GRZ_HANDFUL_PLACE, met[box]);
    }
}

void grz_handful_start(grz_work *w, uint32_t place, grz_seen_box seen)
{
    sides s = sides_of(w);
    const grz_node *few = &s.few->nodes[0];
    unsigned given = w->kernels->near(seen.image, seen.lane, &few->boxes);
    w->box_tests += GRZ_LANES;
    if (given == 0)
        return;
    uint32_t node = place / GRZ_TREE_WIDTH;
    given = w->kernels->meet(grz_boxes_of(s.many, node), seen.image, seen.lane, &few->boxes, s.image, given);
    if (w->handful.present == 0)
        make_ready(w, &s);
    uint64_t lanes = 0;
    for (; given != 0; given &= given - 1)
        lanes |= (uint64_t)GRZ_ALL << GRZ_LANES * grz_lowest_bit(given);
    if (lanes != 0)
        grz_handful_open(w, node == GRZ_ABOVE_ROOT ? 0 : s.many->nodes[node].children[place % GRZ_TREE_WIDTH],
                         w->handful.present & lanes);
}
