/* SPDX-License-Identifier: MIT */
/* Visiting two trees; see traverse.h. */
#include "pair/traverse.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pair/traverse_work.h"

enum
{
    MOST_OPENED = GRZ_TREE_WIDTH * GRZ_TREE_WIDTH + 1 /* pairs pushed at a time: those of two nodes, and the first */
};

/* A leaf this much smaller than the node it meets, or less so, is opened into its triangles. */
#define LEAF_RATIO 1.5f

/* The triangles of a leaf this much larger than the node it meets are compared by their edges too: boxes and slabs
   alone let nearly everything pass that is near a large triangle's plane. */
#define EDGE_RATIO 4.0f

/* Of a node against itself these pairs are enough, lane not before row: the others come up the other way round. */
#define UPPER_PAIRS UINT64_C(0x80c0e0f0f8fcfeff)

void grz_make_image(const grz_kernels *kernels, const graze_tree *tree, uint32_t node, const grz_float_map *there,
                    const grz_float_map *back, grz_image_cache *cache)
{
    kernels->map(grz_boxes_of(tree, node), there, back, &cache->images[node % GRZ_IMAGES_KEPT]);
    cache->keys[node % GRZ_IMAGES_KEPT] = node;
}

static bool make_room(grz_work *w)
{
    if (w->capacity - w->count >= MOST_OPENED)
        return true;
    const graze_context *context = w->traversal->context;
    size_t capacity = 2 * w->capacity + MOST_OPENED;
    grz_place_pair *pairs = grz_allocate(context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    if (w->count > 0)
        memcpy(pairs, w->pairs, w->count * sizeof *pairs);
    if (w->pairs != w->traversal->room)
        grz_release(context, w->pairs);
    w->pairs = pairs;
    w->capacity = capacity;
    return true;
}

/* Whether one byte has fewer bits set than another: both are counted at a time. */
static inline bool has_fewer(unsigned one, unsigned other)
{
    unsigned bits = one | other << 8;
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits & 0xff) < bits >> 8;
}

/* Children against children. */
static inline void compare_children(grz_work *w, uint32_t a, unsigned rows, uint32_t b, unsigned lanes)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes, *boxes_b = &w->nodes_b[b].boxes;
    const grz_mapped8 *image_a = grz_image_of_a(w, a), *image_b = grz_image_of_b(w, b);
    uint64_t pairs = has_fewer(lanes, rows)
                         ? grz_transpose(w->kernels->boxes(boxes_b, image_b, lanes, boxes_a, image_a, rows))
                         : w->kernels->boxes(boxes_a, image_a, rows, boxes_b, image_b, lanes);
    w->box_tests += GRZ_PAIRS;
    /* shortcut: self-upper-pairs */
    if (a == b && w->traversal->self)
        pairs &= UPPER_PAIRS;
    for (; pairs != 0; pairs &= pairs - 1)
    {
        unsigned pair = grz_lowest_bit(pairs);
        grz_push(w, a * GRZ_TREE_WIDTH + pair / GRZ_LANES, GRZ_ALL, b * GRZ_TREE_WIDTH + pair % GRZ_LANES, GRZ_ALL);
    }
}

/* The same; first those that are away from the other's parent are left out. */
static void open_both(grz_work *w, uint32_t a, grz_seen_box parent_a, uint32_t b, grz_seen_box parent_b)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes, *boxes_b = &w->nodes_b[b].boxes;
    unsigned rows = w->kernels->near(parent_b.image, parent_b.lane, boxes_a);
    if (rows == 0)
        return;
    unsigned lanes = w->kernels->near(parent_a.image, parent_a.lane, boxes_b);
    w->box_tests += 2 * GRZ_LANES;
    if (lanes == 0)
        return;
    compare_children(w, a, rows, b, lanes);
}

/* The children of a node of A against one child of B. */
static void open_a(grz_work *w, uint32_t a, uint32_t place_b, grz_seen_box child_b)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes;
    unsigned given = w->kernels->near(child_b.image, child_b.lane, boxes_a);
    w->box_tests += GRZ_LANES;
    if (given == 0)
        return;
    given = w->kernels->meet(grz_boxes_of(w->traversal->b, place_b / GRZ_TREE_WIDTH), child_b.image, child_b.lane,
                             boxes_a, grz_image_of_a(w, a), given);
    for (; given != 0; given &= given - 1)
        grz_push(w, a * GRZ_TREE_WIDTH + grz_lowest_bit(given), GRZ_ALL, place_b, GRZ_ALL);
}

static void open_b(grz_work *w, uint32_t place_a, grz_seen_box child_a, uint32_t b)
{
    const grz_boxes8 *boxes_b = &w->nodes_b[b].boxes;
    unsigned given = w->kernels->near(child_a.image, child_a.lane, boxes_b);
    w->box_tests += GRZ_LANES;
    if (given == 0)
        return;
    given = w->kernels->meet(grz_boxes_of(w->traversal->a, place_a / GRZ_TREE_WIDTH), child_a.image, child_a.lane,
                             boxes_b, grz_image_of_b(w, b), given);
    for (; given != 0; given &= given - 1)
        grz_push(w, place_a, GRZ_ALL, b * GRZ_TREE_WIDTH + grz_lowest_bit(given), GRZ_ALL);
}

/* The triangles of an opened leaf against the children of a node; bit child * 8 + triangle is that of a pair. The
   kernel takes one row after the other, so the fewer of both are rows. */
static inline uint64_t compare_triangles(grz_work *w, const grz_opened_leaf *leaf, unsigned triangles,
                                         const grz_boxes8 *boxes, const grz_mapped8 *image, unsigned children)
{
    w->box_tests += GRZ_PAIRS;
    if (has_fewer(triangles, children))
        return grz_transpose(w->kernels->boxes(&leaf->boxes, &leaf->mapped, triangles, boxes, image, children));
    return w->kernels->boxes(boxes, image, children, &leaf->boxes, &leaf->mapped, triangles);
}

/* The triangles of a leaf of A, one by one, against the children of a node of B that are no larger: a large leaf is
   mostly air, and its triangles are flat. */
static void open_b_to_triangles(grz_work *w, uint32_t place_a, unsigned mask, grz_seen_box child_a, uint32_t leaf_a,
                                uint32_t b, bool by_edges)
{
    const grz_boxes8 *boxes_b = &w->nodes_b[b].boxes;
    unsigned present = mask & ((1u << w->traversal->a->leaves[leaf_a].count) - 1);
    unsigned lanes = w->kernels->near(child_a.image, child_a.lane, boxes_b);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    grz_opened_leaf *leaf = grz_leaves_open_a(&w->leaves, leaf_a);
    const grz_mapped8 *image_b = grz_image_of_b(w, b);
    uint64_t pairs = compare_triangles(w, leaf, present, boxes_b, image_b, lanes);
    if (by_edges && pairs != 0)
        pairs = grz_transpose(
            w->kernels->edges(grz_leaves_edges_a(&w->leaves, leaf_a, leaf), grz_transpose(pairs), boxes_b));
    for (uint64_t left = pairs; left != 0;)
    {
        unsigned row = grz_lowest_bit(left) / GRZ_LANES;
        grz_push(w, place_a, left >> GRZ_LANES * row & GRZ_ALL, b * GRZ_TREE_WIDTH + row, GRZ_ALL);
        left &= ~((uint64_t)GRZ_ALL << GRZ_LANES * row);
    }
}

static void open_a_to_triangles(grz_work *w, uint32_t a, uint32_t place_b, unsigned mask, grz_seen_box child_b,
                                uint32_t leaf_b, bool by_edges)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes;
    unsigned present = mask & ((1u << w->traversal->b->leaves[leaf_b].count) - 1);
    unsigned lanes = w->kernels->near(child_b.image, child_b.lane, boxes_a);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    grz_opened_leaf *leaf = grz_leaves_open_b(&w->leaves, leaf_b);
    const grz_mapped8 *image_a = grz_image_of_a(w, a);
    uint64_t pairs = compare_triangles(w, leaf, present, boxes_a, image_a, lanes);
    if (by_edges && pairs != 0)
        pairs = grz_transpose(
            w->kernels->edges(grz_leaves_edges_b(&w->leaves, leaf_b, leaf), grz_transpose(pairs), boxes_a));
    for (uint64_t left = pairs; left != 0;)
    {
        unsigned row = grz_lowest_bit(left) / GRZ_LANES;
        grz_push(w, a * GRZ_TREE_WIDTH + row, GRZ_ALL, place_b, left >> GRZ_LANES * row & GRZ_ALL);
        left &= ~((uint64_t)GRZ_ALL << GRZ_LANES * row);
    }
}

static inline uint32_t child_at(const grz_node *nodes, uint32_t place)
{
    uint32_t node = place / GRZ_TREE_WIDTH;
    return node == GRZ_ABOVE_ROOT ? 0 : nodes[node].children[place % GRZ_TREE_WIDTH];
}

static inline bool is_handful(const grz_work *w, grz_handful_kind kind)
{
    return w->handful.is == kind;
}

/* Whether a place stands for some triangles of a handful. */
static inline bool is_part(uint32_t place)
{
    return place == GRZ_GROUPS_PLACE || place == GRZ_TRIANGLES_PLACE;
}

/* Returns false when the caller asked to stop. Inlined, so that the loop keeps the stack in registers: 0.2 us a query.
 */
__attribute__((always_inline)) static inline bool look_at(grz_work *w, const grz_place_pair *pair)
{
    uint64_t places = pair->places; /* masks are read where they are needed: both at once would be one piece again */
    uint32_t place_a = grz_half_a(places), place_b = grz_half_b(places);
    if (!is_handful(w, GRZ_NO_HANDFUL) && (is_part(place_a) || is_part(place_b)))
    {
        if (is_handful(w, GRZ_HANDFUL_B))
            grz_handful_open(w, place_a, place_b, pair->masks);
        else
            grz_handful_open(w, place_b, place_a, pair->masks);
        return true;
    }
    uint32_t a = child_at(w->nodes_a, place_a), b = child_at(w->nodes_b, place_b);
    bool leaf_a = (a & GRZ_LEAF_FLAG) != 0, leaf_b = (b & GRZ_LEAF_FLAG) != 0;
    if (leaf_a && leaf_b && w->count > 0 && is_handful(w, GRZ_NO_HANDFUL))
    {
        grz_leaves_fetch(w->traversal->a, child_at(w->nodes_a, grz_half_a(w->pairs[w->count - 1].places)));
        grz_leaves_fetch(w->traversal->b, child_at(w->nodes_b, grz_half_b(w->pairs[w->count - 1].places)));
    }
    if (leaf_a && leaf_b)
        return grz_test_leaves(w, places, pair->masks, a & ~GRZ_LEAF_FLAG, b & ~GRZ_LEAF_FLAG);
    grz_seen_box seen_a = {grz_image_of_a(w, place_a / GRZ_TREE_WIDTH), place_a % GRZ_TREE_WIDTH};
    grz_seen_box seen_b = {grz_image_of_b(w, place_b / GRZ_TREE_WIDTH), place_b % GRZ_TREE_WIDTH};
    float size_a = seen_a.image->size[seen_a.lane], size_b = seen_b.image->size[seen_b.lane] * w->b_scale;
    if (leaf_a)
    {
        if (LEAF_RATIO * size_a > size_b)
            open_b_to_triangles(w, place_a, grz_half_a(pair->masks), seen_a, a & ~GRZ_LEAF_FLAG, b,
                                size_a > EDGE_RATIO * size_b);
        else
            open_b(w, place_a, seen_a, b);
    }
    else if (leaf_b)
    {
        if (LEAF_RATIO * size_b > size_a)
            open_a_to_triangles(w, a, place_b, grz_half_b(pair->masks), seen_b, b & ~GRZ_LEAF_FLAG,
                                size_b > EDGE_RATIO * size_a);
        else
            open_a(w, a, place_b, seen_b);
    }
    else if (is_handful(w, GRZ_HANDFUL_B) && size_a <= 2 * size_b)
        grz_handful_start(w, place_a, seen_a);
    else if (is_handful(w, GRZ_HANDFUL_A) && size_b <= 2 * size_a)
        grz_handful_start(w, place_b, seen_b);
    else if (size_a > 2 * size_b)
        open_a(w, a, place_b, seen_b);
    else if (size_b > 2 * size_a)
        open_b(w, place_a, seen_a, b);
    else
        open_both(w, a, seen_a, b, seen_b);
    return true;
}

static void start_work(grz_work *w, grz_traversal *t)
{
    w->traversal = t;
    w->kernels = t->kernels;
    w->nodes_a = t->a->nodes;
    w->nodes_b = t->b->nodes;
    w->box_tests = t->box_tests;
    w->to_a = grz_map_to_float(t->to_a);
    w->to_b = grz_map_to_float(t->to_b);
    grz_leaves_start(&w->leaves, t->kernels, t->a, t->b, t->to_a, &w->to_a, &w->to_b);
    w->pairs = t->pairs;
    w->count = t->count;
    w->capacity = t->capacity;
    w->queue.count = 0;
    memset(w->a_images.keys, 0xff, sizeof w->a_images.keys);
    memset(w->b_images.keys, 0xff, sizeof w->b_images.keys);
    float squares = 0; /* floats will do: it only matters for what is opened first */
    for (int k = 0; k < 3; k++)
    {
        const float *row = w->to_a.matrix[k];
        squares += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    }
    w->b_scale = sqrtf(squares * (1.0f / 3));
    grz_handful_begin(w);
}

/* What the next start_work goes on from. */
static void keep_work(const grz_work *w)
{
    grz_traversal *t = w->traversal;
    t->box_tests = w->box_tests;
    t->pairs = w->pairs;
    t->count = w->count;
    t->capacity = w->capacity;
}

/* Whether a place, which may be any number, is that of a leaf. */
static bool is_leaf_at(const graze_tree *tree, uint32_t place)
{
    uint32_t node = place / GRZ_TREE_WIDTH;
    uint32_t child = node < tree->node_count ? tree->nodes[node].children[place % GRZ_TREE_WIDTH] : 0;
    return (child & GRZ_LEAF_FLAG) != 0 && child != GRZ_NO_CHILD;
}

/* The first pairs. False when out of memory. */
static bool open_first(grz_work *w)
{
    grz_traversal *t = w->traversal;
    if (t->started)
        return true;
    if (t->a->node_count > 0 && t->b->node_count > 0)
    {
        if (!make_room(w))
            return false;
        grz_push(w, GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH, GRZ_ALL, GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH, GRZ_ALL);
    }
    t->started = true;
    return true;
}

/* Looks at the leaves of the hint, then puts what is around them on the stack. It all comes up again later where
   nothing is found, so it does not matter whether the hint is good, only that it names two leaves. Returns false when
   the caller asked to stop. */
static bool follow_hint(grz_work *w)
{
    grz_traversal *t = w->traversal;
    grz_hint hint = *t->hint;
    t->hint = NULL;
    /* shortcut: hint-first */
    if (!is_leaf_at(t->a, hint.a) || !is_leaf_at(t->b, hint.b))
        return true;
    uint32_t leaf_a = child_at(w->nodes_a, hint.a) & ~GRZ_LEAF_FLAG,
             leaf_b = child_at(w->nodes_b, hint.b) & ~GRZ_LEAF_FLAG;
    if (!grz_test_leaves(w, grz_join_halves(hint.a, hint.b), grz_join_halves(GRZ_ALL, GRZ_ALL), leaf_a, leaf_b))
        return false;
    compare_children(w, hint.a / GRZ_TREE_WIDTH, GRZ_ALL, hint.b / GRZ_TREE_WIDTH, GRZ_ALL);
    return true;
}

void grz_traversal_start(grz_traversal *traversal, grz_place_pair *room)
{
    traversal->started = false;
    traversal->box_tests = traversal->leaf_pairs = 0;
    traversal->pairs = traversal->room = room;
    traversal->count = 0;
    traversal->capacity = room != NULL ? GRZ_INLINE_PAIRS : 0;
}

grz_traversal_end grz_traversal_advance(grz_traversal *traversal, const grz_pause *pause)
{
    grz_work w;
    start_work(&w, traversal);
    if (!open_first(&w))
        return GRZ_TRAVERSAL_OUT_OF_MEMORY;
    bool watched = pause != NULL && pause->go_on != NULL;
    uint64_t box_limit = pause != NULL ? pause->box_limit : UINT64_MAX;
    uint32_t countdown = watched ? pause->interval : 0; /* 0 wraps around: once in 2^32 pairs, for nothing */
    grz_traversal_end end = GRZ_TRAVERSAL_DONE;
    if (traversal->hint != NULL && make_room(&w) && !follow_hint(&w))
        end = GRZ_TRAVERSAL_STOPPED;
    while (w.count > 0 && end == GRZ_TRAVERSAL_DONE)
    {
        if (w.box_tests >= box_limit)
        {
            end = GRZ_TRAVERSAL_PAUSED;
            break;
        }
        if (!make_room(&w))
            end = GRZ_TRAVERSAL_OUT_OF_MEMORY;
        else if (!look_at(&w, &w.pairs[--w.count]))
            end = GRZ_TRAVERSAL_STOPPED;
        else if (--countdown == 0 && watched)
        {
            countdown = pause->interval;
            traversal->count = w.count;
            traversal->box_tests = w.box_tests;
            if (!pause->go_on(pause->user) && w.count > 0)
                end = GRZ_TRAVERSAL_PAUSED;
        }
    }
    if ((end == GRZ_TRAVERSAL_DONE || end == GRZ_TRAVERSAL_PAUSED) && w.queue.count > 0 && !grz_judge_queue(&w))
        end = GRZ_TRAVERSAL_STOPPED;
    keep_work(&w);
    return end;
}

static bool is_leaf_pair(const grz_traversal *t, grz_place_pair pair)
{
    return (child_at(t->a->nodes, grz_half_a(pair.places)) & child_at(t->b->nodes, grz_half_b(pair.places)) &
            GRZ_LEAF_FLAG) != 0;
}

/* Opens every pair once. Returns false when out of memory; *out_opened tells whether any could be opened. */
static bool expand_once(grz_work *w, bool *out_opened)
{
    grz_traversal *t = w->traversal;
    grz_place_pair *before = w->pairs;
    size_t count = w->count, capacity = (count + 1) * GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    grz_place_pair *pairs = grz_allocate(t->context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    w->pairs = pairs;
    w->count = 0;
    w->capacity = capacity;
    *out_opened = false;
    for (size_t i = 0; i < count; i++)
    {
        if (is_leaf_pair(t, before[i]))
        {
            w->pairs[w->count++] = before[i];
            continue;
        }
        look_at(w, &before[i]);
        *out_opened = true;
    }
    if (before != t->room)
        grz_release(t->context, before);
    return true;
}

bool grz_traversal_expand(grz_traversal *traversal, size_t wanted)
{
    grz_work w;
    start_work(&w, traversal);
    bool enough_memory = open_first(&w), opened = true;
    while (enough_memory && opened && w.count > 0 && w.count < wanted)
        enough_memory = expand_once(&w, &opened);
    keep_work(&w);
    return enough_memory;
}

bool grz_traversal_cut(grz_traversal *traversal, size_t first, grz_traversal *out_rest)
{
    grz_traversal rest = *traversal;
    grz_traversal_start(&rest, NULL);
    rest.started = true;
    rest.count = traversal->count - first;
    rest.capacity = rest.count + (size_t)GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    rest.pairs = grz_allocate(traversal->context, rest.capacity, sizeof *rest.pairs);
    if (rest.pairs == NULL)
        return false;
    if (rest.count > 0)
        memcpy(rest.pairs, traversal->pairs + first, rest.count * sizeof *rest.pairs);
    traversal->count = first;
    *out_rest = rest;
    return true;
}

void grz_traversal_end_all(grz_traversal *traversal)
{
    if (traversal->pairs != traversal->room)
        grz_release(traversal->context, traversal->pairs);
    traversal->pairs = traversal->room;
    traversal->count = 0;
    traversal->capacity = traversal->room != NULL ? GRZ_INLINE_PAIRS : 0;
}
